import { updateFields } from '../../fields/collections';
import { qrCodeId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { succeeded } from '../../fields/output';
import { id } from '../../fields/rules';
import { required } from '../../run/request';
import { appearance, appearanceRules } from './appearance';
import { contentOfAnyType, putContentOfAnyType, type, typeRule } from './content';

export const update: OperationDefinition = {
	value: 'update',
	name: 'Update',
	action: 'Update a QR code',
	description: 'Change the content, type or look of a QR code. The service wants the content with every update.',
	request: { method: 'PUT', url: '/api/qr/:qrCodeId/update' },
	fields: [qrCodeId, ...contentOfAnyType, updateFields('qrCode', [...appearance, type])],
	sends: {
		path: { qrCodeId: required(id) },
		bodyFrom: { qrCodeFields: { type: typeRule, ...appearanceRules } },
		complete: putContentOfAnyType,
	},
	output: [succeeded({ id: 'qrCodeId' })],
};
