import { updateFields } from '../../fields/collections';
import { domainId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { succeeded } from '../../fields/output';
import { id } from '../../fields/rules';
import { required } from '../../run/request';
import { redirectRules, redirects } from './fields';

export const update: OperationDefinition = {
	value: 'update',
	name: 'Update',
	action: 'Update a branded domain',
	description: 'Change the redirects of a branded domain',
	request: { method: 'PUT', url: '/api/domain/:domainId/update' },
	fields: [domainId, updateFields('domain', redirects)],
	sends: {
		path: { domainId: required(id) },
		bodyFrom: { domainFields: redirectRules },
		needsOneOf: 'domainFields',
	},
	output: [succeeded({ id: 'domainId' })],
};
