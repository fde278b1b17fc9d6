import { updateFields } from '../../fields/collections';
import type { OperationDefinition } from '../../fields/operation';
import { succeeded } from '../../fields/output';
import { secret, text } from '../../fields/rules';

export const update: OperationDefinition = {
	value: 'update',
	name: 'Update',
	action: 'Update the account',
	description: 'Change the email or the password of the account',
	request: { method: 'PUT', url: '/api/account/update' },
	fields: [
		updateFields('account', [
			{
				displayName: 'Email',
				name: 'email',
				type: 'string',
				default: '',
				placeholder: 'e.g. name@example.com',
				description: 'New email address of the account',
			},
			{
				displayName: 'Password',
				name: 'password',
				type: 'string',
				typeOptions: { password: true },
				default: '',
				description: 'New password of the account. The API key stays as it is.',
			},
		]),
	],
	sends: { bodyFrom: { accountFields: { email: text, password: secret } }, needsOneOf: 'accountFields' },
	output: [succeeded({})],
};
