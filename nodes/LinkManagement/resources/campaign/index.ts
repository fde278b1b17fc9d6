import { byNames, creation, deletion, getMany } from '../../fields/alike';
import { additionalFields } from '../../fields/collections';
import { switchField, textField } from '../../fields/inputs';
import { campaignId, creatable, linkId } from '../../fields/locators';
import type { OperationDefinition, ResourceDefinition } from '../../fields/operation';
import { succeeded } from '../../fields/output';
import { findLinkIds } from '../../run/links/which';
import { nameInItsPlace } from './record';
import { updateWith } from './update';

const name = textField('Name', 'name', {
	required: true,
	placeholder: 'e.g. Spring Sale',
	description: 'Name of the campaign',
});

const others = [
	switchField('Public', 'public', { description: 'Whether everybody can see the list page' }),
	textField('Slug', 'slug', {
		placeholder: 'e.g. spring-sale',
		description: 'Slug of the address that sends each visitor to one of the links',
	}),
];

const assignLink: OperationDefinition = {
	value: 'assignLink',
	name: 'Assign Link',
	action: 'Assign a link to a campaign',
	description: 'Make a short link part of a campaign',
	request: { method: 'POST', url: '/api/campaign/:campaignId/assign/:linkId' },
	fields: [creatable(campaignId, 'campaign', 'createCampaign'), linkId],
	...byNames(findLinkIds),
	output: [succeeded({ campaignId: 'campaignId', linkId: 'linkId' })],
};
const create = creation('a campaign', '/api/campaign/add', [name, additionalFields('campaign', others)], {
	description: 'Create a campaign to group short links',
	output: [nameInItsPlace],
});
const remove = deletion('a campaign', '/api/campaign/:campaignId/delete', campaignId, byNames());
const getAll = getMany('campaigns', '/api/campaigns', 'campaigns', { output: [nameInItsPlace] });

export const campaign: ResourceDefinition = {
	value: 'campaign',
	name: 'Campaign',
	description: 'Groups of short links',
	operations: [assignLink, create, remove, getAll, updateWith(others)],
};
