import type { INodePropertyMode } from 'n8n-workflow';

import type { Field, RuledField } from '../run/request';
import { campaignReference, channelReference, linkReference } from './references';
import { id } from './rules';

/** A way to name a record; the settings of the mode besides what it is called. */
export function mode(
	displayName: string,
	name: string,
	settings: Omit<INodePropertyMode, 'displayName' | 'name'>,
): INodePropertyMode {
	return { displayName, name, ...settings };
}

const byId = mode('By ID', 'id', {
	type: 'string',
	placeholder: 'e.g. 12',
	validation: [
		{
			type: 'regex',
			// An empty one passes: n8n refuses it where the field is required, and elsewhere it is no choice.
			properties: { regex: '^\\s*([1-9][0-9]{0,15})?\\s*$', errorMessage: 'An ID is a positive whole number' },
		},
	],
});

/** For records whose names tell them apart. */
const byName = mode('By Name', 'name', { type: 'string', placeholder: 'e.g. Spring Sale' });

/** n8n before 2.10 does not know it. */
const slowLoad = {
	slowLoadNotice: {
		message: 'The service is slow, or your request limit is used up. Wait, or enter an ID instead.',
		timeout: 4000,
	},
};

function fromList(search: string): INodePropertyMode {
	return mode('From List', 'list', {
		type: 'list',
		placeholder: 'Choose…',
		typeOptions: { searchListMethod: search, searchable: true, ...slowLoad },
	});
}

/**
 * A record of the service, chosen from a searchable list or given in another way.
 *
 * @param search name of the list-search method that fills the list; undefined where the service has no list
 * @param others the other ways; by ID unless stated
 */
export function locator(
	field: Pick<Field, 'displayName' | 'name' | 'description'> & Partial<Field>,
	search: string | undefined,
	others: INodePropertyMode[] = [byId],
): RuledField {
	const modes = search === undefined ? others : [fromList(search), ...others];
	return {
		...field,
		rule: field.rule ?? id,
		type: 'resourceLocator',
		default: { mode: modes[0].name, value: '' },
		modes,
	};
}

/** Redirection types that need no ID, as the spec names them: what the list of types begins with. */
export const redirections = [
	{ name: 'Direct', value: 'direct' },
	{ name: 'Frame', value: 'frame' },
	{ name: 'Splash', value: 'splash' },
];

export const campaignId = locator(
	{ displayName: 'Campaign', name: 'campaignId', required: true, description: 'The campaign', rule: campaignReference },
	'searchCampaigns',
	[byId, byName],
);

export const channelId = locator(
	{ displayName: 'Channel', name: 'channelId', required: true, description: 'The channel', rule: channelReference },
	'searchChannels',
	[byId, byName],
);

export const domainId = locator(
	{ displayName: 'Domain', name: 'domainId', required: true, description: 'The branded domain' },
	'searchDomains',
);

export const linkId = locator(
	{ displayName: 'Link', name: 'linkId', required: true, description: 'The short link', rule: linkReference },
	'searchLinks',
	[
		byId,
		mode('By Short URL', 'shortUrl', { type: 'string', placeholder: 'e.g. https://lnk.example/spring' }),
		mode('By Alias', 'alias', { type: 'string', placeholder: 'e.g. spring, or lnk.example/spring' }),
		mode('By Long URL', 'longUrl', { type: 'string', placeholder: 'e.g. https://example.com/page' }),
	],
);

export const pixelId = locator(
	{ displayName: 'Pixel', name: 'pixelId', required: true, description: 'The tracking pixel' },
	'searchPixels',
);

export const qrCodeId = locator(
	{ displayName: 'QR Code', name: 'qrCodeId', required: true, description: 'The QR code' },
	'searchQrCodes',
);
