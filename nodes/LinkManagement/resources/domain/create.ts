import { additionalFields } from '../../fields/collections';
import type { OperationDefinition } from '../../fields/operation';
import { webUrl } from '../../fields/rules';
import { required } from '../../run/request';
import { textField } from '../../fields/inputs';
import { redirectRules, redirects } from './fields';

export const create: OperationDefinition = {
	value: 'create',
	name: 'Create',
	action: 'Create a branded domain',
	description: 'Add a branded domain to use for short links',
	request: { method: 'POST', url: '/api/domain/add' },
	fields: [
		textField('Domain', 'domain', {
			required: true,
			placeholder: 'e.g. https://go.example.com',
			description: 'The domain with https:// or http://. It has to point to the servers of the service already.',
		}),
		additionalFields('domain', redirects),
	],
	sends: { body: { domain: required(webUrl) }, bodyFrom: { domainFields: redirectRules } },
};
