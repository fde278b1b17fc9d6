import { returnAllOrLimit } from '../../fields/list';
import type { OperationDefinition } from '../../fields/operation';
import { nameInItsPlace } from './record';

export const getAll: OperationDefinition = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many campaigns',
	description: 'Get many campaigns',
	request: { method: 'GET', url: '/api/campaigns' },
	fields: returnAllOrLimit,
	sends: { list: 'campaigns' },
	output: [nameInItsPlace],
};
