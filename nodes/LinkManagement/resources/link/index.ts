import type { ResourceDefinition } from '../../fields/operation';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';

export const link: ResourceDefinition = {
	value: 'link',
	name: 'Link',
	operations: [create, get, getAll],
	defaultOperation: create,
};
