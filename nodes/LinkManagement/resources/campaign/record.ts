import type { IDataObject } from 'n8n-workflow';

import { eachRecord } from '../../fields/output';

/** Where a campaign's name stands: services differ, and so do their lists and their answers (spec, "Campaign"; field notes). */
const NAMES = ['name', 'campaign', 'domain'] as const;

function nameFieldOf(campaign: IDataObject): (typeof NAMES)[number] | undefined {
	return NAMES.find((field) => campaign[field] !== undefined && campaign[field] !== null);
}

/** The name of a campaign, wherever it stands. */
export function nameOf(campaign: IDataObject): unknown {
	const field = nameFieldOf(campaign);
	return field && campaign[field];
}

/** Campaigns carry their name in `name`, wherever the service puts it. */
export const nameInItsPlace = eachRecord((record) => {
	const field = nameFieldOf(record);
	if (field === undefined || field === 'name') return record;
	const { [field]: name, ...campaign } = record;
	return { ...campaign, name };
});
