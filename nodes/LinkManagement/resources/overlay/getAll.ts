import { returnAllOrLimit } from '../../fields/list';
import type { OperationDefinition } from '../../fields/operation';

export const getAll: OperationDefinition = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many overlays',
	description: 'Get many call-to-action overlays',
	request: { method: 'GET', url: '/api/overlay' },
	fields: returnAllOrLimit,
	sends: { list: ['cta', 'overlay'] },
};
