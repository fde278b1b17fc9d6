import { updateFields } from '../../fields/collections';
import { domainId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { succeeded } from '../../fields/output';
import { id } from '../../fields/rules';
import { required } from '../../service/prepare';
import { redirectRules, redirects } from './fields';

export const update: OperationDefinition = {
	value: 'update',
	name: 'Update',
	action: 'Update a branded domain',
	description: 'Change the redirects of a branded domain',
	request: { method: 'PUT', url: '/api/domain/:domainId/update' },
	fields: [domainId, updateFields(redirects)],
	sends: {
		path: { domainId: required(id) },
		bodyFrom: { updateFields: redirectRules },
		needsOneOf: 'updateFields',
	},
	output: [succeeded({ id: 'domainId' })],
};
