import { returnAllOrLimit } from '../../fields/list';
import type { OperationDefinition } from '../../fields/operation';

export const getAll: OperationDefinition = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many QR codes',
	description: 'Get many QR codes',
	request: { method: 'GET', url: '/api/qr' },
	fields: returnAllOrLimit,
	sends: { list: 'qrs' },
};
