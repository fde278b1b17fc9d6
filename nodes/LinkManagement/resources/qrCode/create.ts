import { additionalFields } from '../../fields/collections';
import type { OperationDefinition } from '../../fields/operation';
import { text } from '../../fields/rules';
import { required } from '../../service/prepare';
import { appearance, appearanceRules } from './appearance';
import { contentOfType, putContentOfType, type, typeRule } from './content';

export const create: OperationDefinition = {
	value: 'create',
	name: 'Create',
	action: 'Create a QR code',
	description: 'Create a QR code',
	request: { method: 'POST', url: '/api/qr/add' },
	fields: [
		type,
		...contentOfType,
		additionalFields([
			...appearance,
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Flyer',
				description: 'Name of the QR code',
			},
		]),
	],
	sends: {
		body: { type: required(typeRule) },
		bodyFrom: { additionalFields: { name: text, ...appearanceRules } },
		complete: putContentOfType,
	},
};
