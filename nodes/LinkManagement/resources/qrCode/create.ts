import { additionalFields } from '../../fields/collections';
import type { OperationDefinition } from '../../fields/operation';
import { text } from '../../fields/rules';
import { withNumbers } from '../../api/records';
import { sendChange } from '../../run/change';
import { required } from '../../run/request';
import { textField } from '../../fields/inputs';
import { appearance, appearanceRules } from './appearance';
import { contentOfType, putContentOfType, type, typeRule } from './content';
import { fieldName, pictureOptions, withNewPicture } from './picture';

export const create: OperationDefinition = {
	value: 'create',
	name: 'Create',
	action: 'Create a QR code',
	description: 'Create a QR code',
	request: { method: 'POST', url: '/api/qr/add' },
	fields: [
		type,
		...contentOfType,
		additionalFields('qrCode', [
			...appearance,
			textField('Name', 'name', { placeholder: 'e.g. Flyer', description: 'Name of the QR code' }),
		]),
	],
	sends: {
		body: { type: required(typeRule) },
		bodyFrom: { qrCodeFields: { name: text, ...appearanceRules } },
		complete: putContentOfType,
	},
	extraOptions: pictureOptions,
	async perform(item) {
		const { body, options } = item.request;
		const code = withNumbers(await sendChange(item));
		if (options.downloadPicture !== true) return [{ json: code }];
		return [await withNewPicture(item, code, body.name, fieldName(options.binaryPropertyName))];
	},
};
