import { eachRecord } from '../../fields/output';

/** Campaigns carry their name in `name`, also where the service puts it in `domain` (spec, "Campaign"). */
export const nameInItsPlace = eachRecord(({ domain, ...campaign }) =>
	domain === undefined ? campaign : { ...campaign, name: campaign.name ?? domain },
);
