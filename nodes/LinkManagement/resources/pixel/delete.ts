import { pixelId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { deleted } from '../../fields/output';
import { id } from '../../fields/rules';
import { required } from '../../execution/request';

export const remove: OperationDefinition = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a tracking pixel',
	description: 'Delete a tracking pixel',
	request: { method: 'DELETE', url: '/api/pixel/:pixelId/delete' },
	fields: [pixelId],
	sends: { path: { pixelId: required(id) } },
	output: [deleted('pixelId')],
};
