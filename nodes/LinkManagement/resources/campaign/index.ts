import { additionalFields, updateFields } from '../../fields/collections';
import { switchField, textField } from '../../fields/inputs';
import { campaignId, linkId } from '../../fields/locators';
import type { OperationDefinition, ResourceDefinition } from '../../fields/operation';
import { succeeded, withSent } from '../../fields/results';
import { change, creation, deletion, getMany } from '../../fields/standardOperations';
import { findLinkIds } from '../../links/perform';
import { findNames } from '../../links/account';
import type { Output } from '../../run/row';
import { LISTS } from '../../service/endpoints';
import { asText, nameFieldOf } from '../../service/records';

const name = textField('Name', 'name', {
	required: true,
	placeholder: 'e.g. Spring Sale',
});

const others = [
	switchField('Public', 'public', { description: 'Whether everybody can see the page that lists its links' }),
	textField('Slug', 'slug', {
		placeholder: 'e.g. spring-sale',
		description: 'Last part of an address that sends each visitor to one of the links',
	}),
];

/** Puts the name of a campaign into `name`, wherever the service has it. */
const nameInItsPlace: Output = (records) =>
	records.map((record) => {
		const field = nameFieldOf(record) ?? 'name';
		const { [field]: given, ...campaign } = record;
		return field === 'name' ? record : { ...campaign, name: given };
	});

const assignLink: OperationDefinition = {
	value: 'assignLink',
	name: 'Assign Link',
	action: 'Assign a link to a campaign',
	description: 'Make a short link part of a campaign',
	request: { method: 'POST', url: '/api/campaign/:campaignId/assign/:linkId' },
	fields: [campaignId, linkId],
	prepare: [findNames, findLinkIds],
	inTurnBy: ({ request }) => asText(request.pathValues.linkId),
	output: [succeeded({ campaignId: 'campaignId', linkId: 'linkId' })],
};
const create = creation('a campaign', '/api/campaign/add', [name, additionalFields('campaign', others)], {
	description: 'Create a campaign to group short links',
	output: [nameInItsPlace, withSent],
});
const remove = deletion('a campaign', '/api/campaign/:campaignId/delete', campaignId);
const getAll = getMany('campaigns', LISTS.campaigns, { output: [nameInItsPlace] });

const update = change(
	'a campaign',
	'/api/campaign/:campaignId/update',
	[campaignId, name, updateFields('campaign', others)],
	{
		description: 'Change the name, slug or access of a campaign',
		output: [nameInItsPlace, succeeded({ id: 'campaignId' })],
	},
);

export const campaign: ResourceDefinition = {
	value: 'campaign',
	name: 'Campaign',
	description: 'Groups of short links',
	operations: [assignLink, create, remove, getAll, update],
};
