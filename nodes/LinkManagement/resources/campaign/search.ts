import { asText, idOf } from '../../api/records';
import { listCreation, listSearch, shownName } from '../../account/dropdown';
import { nameOf } from './record';

/** Campaigns for a dropdown. */
export const searchCampaigns = listSearch({
	path: '/api/campaigns',
	collection: 'campaigns',
	entry(campaign) {
		const value = idOf(campaign);
		return value === undefined ? undefined : { name: asText(nameOf(campaign) || value), value, url: campaign.list };
	},
});

/** Creates a campaign from its dropdown. */
export const createCampaign = listCreation({
	noun: 'campaign',
	path: '/api/campaign/add',
	body: (name) => ({ name }),
	example: 'Spring Sale',
	value: shownName,
});
