import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

/** A way to name a record; the settings of the mode beside what it is called. */
export function mode(displayName: string, name: string, settings: Omit<INodePropertyMode, 'displayName' | 'name'>): INodePropertyMode {
	return { displayName, name, ...settings };
}

const byId = mode('By ID', 'id', {
	type: 'string',
	placeholder: 'e.g. 12',
	validation: [
		{
			type: 'regex',
			properties: { regex: '^\\s*[1-9][0-9]{0,15}\\s*$', errorMessage: 'An ID is a positive whole number' },
		},
	],
});

function fromList(search: string): INodePropertyMode {
	return mode('From List', 'list', {
		type: 'list',
		placeholder: 'Choose…',
		typeOptions: { searchListMethod: search, searchable: true },
	});
}

/**
 * A record of the service, chosen from a searchable list or given in another way.
 *
 * @param search name of the list-search method that fills the list; undefined where the service has no list
 * @param others the other ways; by ID unless stated
 */
export function locator(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description'> & Partial<INodeProperties>,
	search: string | undefined,
	others: INodePropertyMode[] = [byId],
): INodeProperties {
	const modes = search === undefined ? others : [fromList(search), ...others];
	return { ...field, type: 'resourceLocator', default: { mode: modes[0].name, value: '' }, modes };
}

export const campaignId = locator(
	{ displayName: 'Campaign', name: 'campaignId', required: true, description: 'The campaign to work with' },
	'searchCampaigns',
);

export const channelId = locator(
	{ displayName: 'Channel', name: 'channelId', required: true, description: 'The channel to work with' },
	'searchChannels',
);

export const domainId = locator(
	{ displayName: 'Domain', name: 'domainId', required: true, description: 'The branded domain to work with' },
	'searchDomains',
);

export const linkId = locator(
	{ displayName: 'Link', name: 'linkId', required: true, description: 'The short link to work with' },
	'searchLinks',
);

/** A link may also be named by its short URL. */
export const linkIdOrShortUrl = locator(linkId, 'searchLinks', [
	byId,
	mode('By Short URL', 'shortUrl', { type: 'string', placeholder: 'e.g. https://lnk.example/spring' }),
]);

export const qrCodeId = locator(
	{ displayName: 'QR Code', name: 'qrCodeId', required: true, description: 'The QR code to work with' },
	'searchQrCodes',
);
