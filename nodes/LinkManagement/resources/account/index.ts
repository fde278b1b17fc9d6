import { updateFields } from '../../fields/collections';
import { textField } from '../../fields/inputs';
import type { OperationDefinition, ResourceDefinition } from '../../fields/operation';
import { change } from '../../fields/standardOperations';
import { ACCOUNT } from '../../service/endpoints';
import { isRecord, withNumbers } from '../../service/records';

const get: OperationDefinition = {
	value: 'get',
	name: 'Get',
	action: 'Get the account',
	description: 'Get the account that the API key belongs to',
	request: { method: 'GET', url: ACCOUNT },
	fields: [],
	output: [(records) => records.map(({ data, ...others }) => withNumbers(isRecord(data) ? data : others))],
};

const accountFields = updateFields('account', [
	textField('Email', 'email', {
		placeholder: 'e.g. name@example.com',
		description: 'New email address of the account',
	}),
	textField('Password', 'password', {
		typeOptions: { password: true },
		description: 'New password of the account. The API key does not change.',
	}),
]);

const update = change('the account', '/api/account/update', [accountFields], {
	description: 'Change the email or the password of the account',
	needsChange: true,
});

export const account: ResourceDefinition = {
	value: 'account',
	name: 'Account',
	description: 'The account of the API key',
	operations: [get, update],
};
