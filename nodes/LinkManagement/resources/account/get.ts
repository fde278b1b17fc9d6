import { eachRecord } from '../../fields/output';
import type { OperationDefinition } from '../../fields/operation';
import { isRecord, withNumbers } from '../../api/records';

export const get: OperationDefinition = {
	value: 'get',
	name: 'Get',
	action: 'Get the account',
	description: 'Get the account that the API key belongs to',
	request: { method: 'GET', url: '/api/account' },
	fields: [],
	sends: {},
	output: [eachRecord(({ data, ...others }) => withNumbers(isRecord(data) ? data : others))],
};
