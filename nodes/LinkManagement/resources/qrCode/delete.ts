import { qrCodeId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { deleted } from '../../fields/output';
import { id } from '../../fields/rules';
import { required } from '../../execution/request';

export const remove: OperationDefinition = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a QR code',
	description: 'Delete a QR code',
	request: { method: 'DELETE', url: '/api/qr/:qrCodeId/delete' },
	fields: [qrCodeId],
	sends: { path: { qrCodeId: required(id) } },
	output: [deleted('qrCodeId')],
};
