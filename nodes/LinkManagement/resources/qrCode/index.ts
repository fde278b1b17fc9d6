import { deletion, getMany } from '../../fields/alike';
import { qrCodeId } from '../../fields/locators';
import type { ResourceDefinition } from '../../fields/operation';
import { create } from './create';
import { download } from './download';
import { get } from './get';
import { update } from './update';

const getAll = getMany('QR codes', '/api/qr', 'qrs');
const remove = deletion('a QR code', '/api/qr/:qrCodeId/delete', qrCodeId);

export const qrCode: ResourceDefinition = {
	value: 'qrCode',
	name: 'QR Code',
	description: 'QR codes',
	operations: [create, remove, download, get, getAll, update],
};
