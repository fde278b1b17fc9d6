import { updateFields } from '../../fields/collections';
import { campaignId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { ifNameMissing } from '../../fields/options';
import { campaignReference } from '../../fields/references';
import { succeeded } from '../../fields/output';
import { flag, text } from '../../fields/rules';
import type { Item } from '../../execution/item';
import { presentName } from '../../execution/references';
import { required, ValueError } from '../../execution/request';
import { publicAccess, slug } from './fields';
import { nameInItsPlace } from './record';

/** The service wants the name with every update (spec, "Campaigns"). */
async function keepName(item: Item): Promise<void> {
	const { body, pathValues } = item.request;
	body.name ??= await presentName(item, 'campaign', Number(pathValues.campaignId));
	if (body.name !== undefined) return;
	throw new ValueError(
		`Name is empty, and the account has no campaign with the ID ${String(pathValues.campaignId)}`,
		'Choose another campaign, or enter a name.',
	);
}

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
			default: '',
			placeholder: 'e.g. Spring Sale',
			description: 'New name. Left empty, the present one stays: it is read from the list of campaigns.',
		},
		updateFields('campaign', [publicAccess, slug]),
	],
	finds: ['names'],
	extraOptions: [ifNameMissing],
	sends: {
		path: { campaignId: required(campaignReference) },
		body: { name: text },
		bodyFrom: { campaignFields: { slug: text, public: flag } },
	},
	complete: keepName,
	output: [nameInItsPlace, succeeded({ id: 'campaignId' })],
};
