import type { ResourceDefinition } from '../../fields/operation';
import { create } from './create';
import { remove } from './delete';
import { getAll } from './getAll';
import { update } from './update';

export const pixel: ResourceDefinition = {
	value: 'pixel',
	name: 'Pixel',
	description: 'Tracking pixels',
	operations: [create, remove, getAll, update],
	defaultOperation: create,
};
