import { asText } from '../../api/records';
import { byId, listCreation, listSearch } from '../../account/dropdown';
import { nameIn } from '../../account/findNamed';

/** Campaigns for a dropdown. */
export const searchCampaigns = listSearch({
	path: '/api/campaigns',
	collection: 'campaigns',
	entry: byId((campaign, id) => ({ name: asText(nameIn(campaign) || id), url: campaign.list })),
});

/** Creates a campaign from its dropdown. */
export const createCampaign = listCreation({
	noun: 'campaign',
	path: '/api/campaign/add',
	example: 'Spring Sale',
});
