import { additionalFields } from '../../fields/collections';
import type { OperationDefinition } from '../../fields/operation';
import { flag, text } from '../../fields/rules';
import { required } from '../../run/request';
import { textField } from '../../fields/inputs';
import { publicAccess, slug } from './fields';
import { nameInItsPlace } from './record';

export const create: OperationDefinition = {
	value: 'create',
	name: 'Create',
	action: 'Create a campaign',
	description: 'Create a campaign to group short links',
	request: { method: 'POST', url: '/api/campaign/add' },
	fields: [
		textField('Name', 'name', { required: true, placeholder: 'e.g. Spring Sale', description: 'Name of the campaign' }),
		additionalFields('campaign', [publicAccess, slug]),
	],
	sends: { body: { name: required(text) }, bodyFrom: { campaignFields: { slug: text, public: flag } } },
	output: [nameInItsPlace],
};
