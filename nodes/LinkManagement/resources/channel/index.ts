import type { ResourceDefinition } from '../../fields/operation';
import { assignItem } from './assignItem';
import { create } from './create';
import { remove } from './delete';
import { getAll } from './getAll';
import { getItems } from './getItems';
import { update } from './update';

export const channel: ResourceDefinition = {
	value: 'channel',
	name: 'Channel',
	description: 'Groups of links and QR codes',
	operations: [assignItem, create, remove, getItems, getAll, update],
	defaultOperation: create,
};
