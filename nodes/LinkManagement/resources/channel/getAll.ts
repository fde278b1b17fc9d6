import { returnAllOrLimit } from '../../fields/list';
import type { OperationDefinition } from '../../fields/operation';

export const getAll: OperationDefinition = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many channels',
	description: 'Get many channels',
	request: { method: 'GET', url: '/api/channels' },
	fields: returnAllOrLimit,
	sends: { list: 'channels' },
};
