import type { ResourceDefinition } from '../../fields/operation';
import { assignLink } from './assignLink';
import { create } from './create';
import { remove } from './delete';
import { getAll } from './getAll';
import { update } from './update';

export const campaign: ResourceDefinition = {
	value: 'campaign',
	name: 'Campaign',
	description: 'Groups of short links',
	operations: [assignLink, create, remove, getAll, update],
	defaultOperation: create,
};
