import { updateFields } from '../../fields/collections';
import type { OperationDefinition } from '../../fields/operation';
import { succeeded } from '../../fields/output';
import { secret, text } from '../../fields/rules';
import { textField } from '../../fields/inputs';

export const update: OperationDefinition = {
	value: 'update',
	name: 'Update',
	action: 'Update the account',
	description: 'Change the email or the password of the account',
	request: { method: 'PUT', url: '/api/account/update' },
	fields: [
		updateFields('account', [
			textField('Email', 'email', {
				placeholder: 'e.g. name@example.com',
				description: 'New email address of the account',
			}),
			textField('Password', 'password', {
				typeOptions: { password: true },
				description: 'New password of the account. The API key stays as it is.',
			}),
		]),
	],
	sends: { bodyFrom: { accountFields: { email: text, password: secret } }, needsOneOf: 'accountFields' },
	output: [succeeded({})],
};
