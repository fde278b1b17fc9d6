import { domainId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { deleted } from '../../fields/output';
import { id } from '../../fields/rules';
import { required } from '../../execution/request';

export const remove: OperationDefinition = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a branded domain',
	description: 'Delete a branded domain',
	request: { method: 'DELETE', url: '/api/domain/:domainId/delete' },
	fields: [domainId],
	sends: { path: { domainId: required(id) } },
	output: [deleted('domainId')],
};
