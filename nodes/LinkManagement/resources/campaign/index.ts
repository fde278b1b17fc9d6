import { byNames, change, creation, deletion, existingNames, getMany } from '../../fields/alike';
import { additionalFields, updateFields } from '../../fields/collections';
import { switchField, textField } from '../../fields/inputs';
import { campaignId, linkId } from '../../fields/locators';
import type { OperationDefinition, ResourceDefinition } from '../../fields/operation';
import { eachRecord, succeeded } from '../../fields/output';
import { findLinkIds } from '../../links/chosen';
import { nameFieldOf } from '../../links/named';
import { findExistingNames, presentName } from '../../links/names';
import type { Row } from '../../run/row';
import { ValueError } from '../../service/errors';

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

/** Campaigns carry their name in `name`, wherever the service puts it. */
const nameInItsPlace = eachRecord((record) => {
	const field = nameFieldOf(record);
	if (field === undefined || field === 'name') return record;
	const { [field]: given, ...campaign } = record;
	return { ...campaign, name: given };
});

const assignLink: OperationDefinition = {
	value: 'assignLink',
	name: 'Assign Link',
	action: 'Assign a link to a campaign',
	description: 'Make a short link part of a campaign',
	request: { method: 'POST', url: '/api/campaign/:campaignId/assign/:linkId' },
	fields: [campaignId, linkId],
	...byNames(findLinkIds),
	output: [succeeded({ campaignId: 'campaignId', linkId: 'linkId' })],
};
const create = creation('a campaign', '/api/campaign/add', [name, additionalFields('campaign', others)], {
	description: 'Create a campaign to group short links',
	output: [nameInItsPlace],
});
const remove = deletion('a campaign', '/api/campaign/:campaignId/delete', campaignId, existingNames);
const getAll = getMany('campaigns', '/api/campaigns', 'campaigns', { output: [nameInItsPlace] });

/** The present name of the row's campaign. */
async function presentNameOf(row: Row): Promise<string | undefined> {
	return await presentName(row, 'campaign', Number(row.request.pathValues.campaignId));
}

/** The service wants the name with every update (spec, "Campaigns"). The rows of a campaign wait for each other: one may rename it. */
async function checkNames(rows: Row[]): Promise<void> {
	const latest = new Map<unknown, Row>();
	for (const row of rows) {
		const { campaignId: id } = row.request.pathValues;
		row.waitFor(latest.get(id));
		latest.set(id, row);
		if (row.isRefused || row.request.body.name !== undefined) continue;
		const present = await presentNameOf(row).catch((error: unknown) => row.refuse(error));
		if (present !== undefined) continue;
		const problem = `Name is empty, and the account has no campaign with the ID ${String(id)}`;
		row.refuse(new ValueError(problem, 'Choose another campaign, or enter a name.'));
	}
}

const newName = { ...name, required: false, description: 'New name. Leave it empty to keep the current one.' };
const changedFields = [campaignId, newName, updateFields('campaign', others)];
const update = change('a campaign', '/api/campaign/:campaignId/update', changedFields, {
	description: 'Change the name, slug or access of a campaign',
	prepare: [findExistingNames, checkNames],
	async perform(row) {
		row.request.body.name ??= await presentNameOf(row);
		return undefined;
	},
	output: [nameInItsPlace, succeeded({ id: 'campaignId' })],
});

export const campaign: ResourceDefinition = {
	value: 'campaign',
	name: 'Campaign',
	description: 'Groups of short links',
	operations: [assignLink, create, remove, getAll, update],
};
