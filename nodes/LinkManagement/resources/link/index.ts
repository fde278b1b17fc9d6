import type { ResourceDefinition } from '../../fields/operation';
import { create } from './create';
import { remove } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { update } from './update';
import { upsert } from './upsert';

export const link: ResourceDefinition = {
	value: 'link',
	name: 'Link',
	description: 'Short links',
	operations: [create, upsert, remove, get, getAll, update],
};
