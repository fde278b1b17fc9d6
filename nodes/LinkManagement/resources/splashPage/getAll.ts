import { returnAllOrLimit } from '../../fields/list';
import type { OperationDefinition } from '../../fields/operation';

export const getAll: OperationDefinition = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many splash pages',
	description: 'Get many custom splash pages',
	request: { method: 'GET', url: '/api/splash' },
	fields: returnAllOrLimit,
	sends: { list: 'splash' },
};
