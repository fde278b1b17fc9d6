import { listSearch } from '../../service/listSearch';

/** Campaigns for a dropdown. */
export const searchCampaigns = listSearch({
	path: '/api/campaigns',
	collection: 'campaigns',
	entry: ({ id, name, domain, list }) => ({ name: String(name ?? domain ?? id), value: Number(id), url: list }),
});
