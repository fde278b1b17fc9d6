import { change, deletion, getMany } from '../../fields/standardOperations';
import { updateFields } from '../../fields/collections';
import { qrCodeId } from '../../fields/locators';
import type { OperationDefinition, ResourceDefinition } from '../../fields/operation';
import { simplified, simplify } from '../../fields/output';
import { dateInItsPlace, flatRecord } from '../../service/records';
import { contentOfAnyType, dataFormat, putNewContent, type } from './content';
import { appearance, create } from './create';
import { download, readCode } from './picture';

const get: OperationDefinition = {
	value: 'get',
	name: 'Get',
	action: 'Get a QR code',
	description: 'Get a QR code with its statistics',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	fields: [qrCodeId, simplify],
	async perform(row) {
		const sent = await readCode(row);
		return [{ json: simplified(row, sent, (code) => dateInItsPlace(flatRecord(code))) }];
	},
};
const getAll = getMany('QR codes', '/api/qr', 'qrs');
const remove = deletion('a QR code', '/api/qr/:qrCodeId/delete', qrCodeId);
const changed = [qrCodeId, dataFormat, ...contentOfAnyType, updateFields('qrCode', [...appearance, type])];
const update = change('a QR code', '/api/qr/:qrCodeId/update', changed, {
	description: 'Change the content, type or look of a QR code. The content is always required.',
	complete: putNewContent,
});

export const qrCode: ResourceDefinition = {
	value: 'qrCode',
	name: 'QR Code',
	description: 'QR codes',
	operations: [create, remove, download, get, getAll, update],
};
