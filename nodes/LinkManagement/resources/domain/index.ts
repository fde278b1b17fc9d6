import type { ResourceDefinition } from '../../fields/operation';
import { create } from './create';
import { remove } from './delete';
import { getAll } from './getAll';
import { update } from './update';

export const domain: ResourceDefinition = {
	value: 'domain',
	name: 'Domain',
	description: 'Branded domains',
	operations: [create, remove, getAll, update],
	defaultOperation: create,
};
