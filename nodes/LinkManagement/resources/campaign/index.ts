import { byNames, change, creation, deletion, existingNames, getMany } from '../../fields/standardOperations';
import { additionalFields, updateFields } from '../../fields/collections';
import { switchField, textField } from '../../fields/inputs';
import { campaignId, linkId } from '../../fields/locators';
import type { OperationDefinition, ResourceDefinition } from '../../fields/operation';
import { succeeded, withSent } from '../../fields/results';
import { findLinksInOrder } from '../../links/chosenLink';
import { findExistingNames, nameFieldOf, presentName } from '../../links/names';
import { inOrder } from '../../links/linkRow';
import type { Output, ConnectedRow } from '../../run/row';
import { sendRequest } from '../../run/run';
import { ValueError } from '../../service/errors';
import { LISTS } from '../../service/endpoints';

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
	...byNames(findLinksInOrder),
	output: [succeeded({ campaignId: 'campaignId', linkId: 'linkId' })],
};
const create = creation('a campaign', '/api/campaign/add', [name, additionalFields('campaign', others)], {
	description: 'Create a campaign to group short links',
	output: [nameInItsPlace, withSent],
});
const remove = deletion('a campaign', '/api/campaign/:campaignId/delete', campaignId, existingNames);
const getAll = getMany('campaigns', LISTS.campaigns, { output: [nameInItsPlace] });

/** The service needs the name in every update (spec, "Campaigns"). Rows of one campaign wait for each other: one may rename it. */
async function checkNames(rows: ConnectedRow[]): Promise<void> {
	inOrder(rows, ({ request }) => String(request.pathValues.campaignId));
	for (const row of rows) {
		const { body, pathValues } = row.request;
		if (row.isRefused || body.name !== undefined) continue;
		const present = await presentName(row).catch((error: unknown) => row.refuse(error));
		if (present !== undefined) continue;
		const problem = `Name is empty, and the account has no campaign with the ID ${String(pathValues.campaignId)}`;
		row.refuse(new ValueError(problem, 'Choose another campaign, or enter a name.'));
	}
}

const newName = { ...name, required: false, description: 'New name. Leave it empty to keep the current one.' };
const changedFields = [campaignId, newName, updateFields('campaign', others)];
const update = change('a campaign', '/api/campaign/:campaignId/update', changedFields, {
	description: 'Change the name, slug or access of a campaign',
	prepare: [findExistingNames, checkNames],
	async perform(row) {
		row.request.body.name ??= await presentName(row);
		return await sendRequest(row);
	},
	output: [nameInItsPlace, succeeded({ id: 'campaignId' })],
});

export const campaign: ResourceDefinition = {
	value: 'campaign',
	name: 'Campaign',
	description: 'Groups of short links',
	operations: [assignLink, create, remove, getAll, update],
};
