import { returnAllOrLimit } from '../../fields/list';
import type { OperationDefinition } from '../../fields/operation';

export const getAll: OperationDefinition = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many branded domains',
	description: 'Get many branded domains',
	request: { method: 'GET', url: '/api/domains' },
	fields: returnAllOrLimit,
	sends: { list: 'domains' },
};
