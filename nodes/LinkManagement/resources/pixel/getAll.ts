import { returnAllOrLimit } from '../../fields/list';
import type { OperationDefinition } from '../../fields/operation';

export const getAll: OperationDefinition = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many tracking pixels',
	description: 'Get many tracking pixels',
	request: { method: 'GET', url: '/api/pixels' },
	fields: returnAllOrLimit,
	sends: { list: 'pixels' },
};
