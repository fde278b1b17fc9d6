import type { ResourceDefinition } from '../../fields/operation';
import { create } from './create';
import { remove } from './delete';
import { download } from './download';
import { get } from './get';
import { getAll } from './getAll';
import { update } from './update';

export const qrCode: ResourceDefinition = {
	value: 'qrCode',
	name: 'QR Code',
	description: 'QR codes',
	operations: [create, remove, download, get, getAll, update],
	defaultOperation: create,
};
