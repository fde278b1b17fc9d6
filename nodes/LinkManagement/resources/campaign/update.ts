import { updateFields } from '../../fields/collections';
import { campaignId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { succeeded } from '../../fields/output';
import { flag, id, text } from '../../fields/rules';
import { required } from '../../service/prepare';
import { publicAccess, slug } from './fields';
import { nameInItsPlace } from './record';

export const update: OperationDefinition = {
	value: 'update',
	name: 'Update',
	action: 'Update a campaign',
	description: 'Change the name, slug or access of a campaign',
	request: { method: 'PUT', url: '/api/campaign/:campaignId/update' },
	fields: [
		campaignId,
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Spring Sale',
			description: 'Name that the campaign gets. The service wants it with every update: repeat the present one to keep it.',
		},
		updateFields([publicAccess, slug]),
	],
	sends: {
		path: { campaignId: required(id) },
		body: { name: required(text) },
		bodyFrom: { updateFields: { slug: text, public: flag } },
	},
	output: [nameInItsPlace, succeeded({ id: 'campaignId' })],
};
