import type { IDataObject } from 'n8n-workflow';

import { redirections } from '../fields/locators';
import { LISTS } from '../service/endpoints';
import type { ListEndpoint } from '../service/lists/page';
import { asText, idOf, isBlank, nameIn } from '../service/records';
import { type Choices, entryUrl, listOptions, listSearch, listsSearch, withoutScheme } from './dropdown';

/** What an entry shows: its ID if the record has no name. */
interface Entry {
	name: unknown;
	value?: string;
	url?: unknown;
}

/** A list whose records are chosen by their ID, unless `show` gives another value. A record without an ID can't be chosen. */
function byId(list: ListEndpoint, show: (record: IDataObject, id: number) => Entry): Choices {
	const entry = (record: IDataObject) => {
		const id = idOf(record);
		if (id === undefined) return undefined;
		const { name, value = id, url } = show(record, id);
		return { name: asText(name || id), value, ...entryUrl(url) };
	};
	return { ...list, entry };
}

const inOneLine = (...parts: unknown[]) =>
	parts
		.filter((part) => !isBlank(part))
		.map(asText)
		.join(' · ');

const shortly = (address: unknown) => (isBlank(address) ? address : withoutScheme(asText(address)));

const links: Choices = {
	...byId(LISTS.links, ({ title, shorturl, longurl }) => ({
		name: inOneLine(title || shortly(longurl), shortly(shorturl)),
		url: shorturl,
	})),
	searchParameter: 'q',
};

const qrCodes = byId(LISTS.qrCodes, ({ name, link }) => ({ name: name || link, url: link }));

const pixels = byId(LISTS.pixels, ({ name, type }, id) => ({ name: inOneLine(name || id, type) }));

const campaigns = byId(LISTS.campaigns, (campaign) => ({ name: nameIn(campaign), url: campaign.list }));

const channels = byId(LISTS.channels, ({ name }) => ({ name }));

/** Domains by their ID. Shared domains have none (field notes), so they can't be chosen. */
const domains = byId(LISTS.domains, ({ domain }) => ({ name: domain, url: domain }));

/** Domains by their URL, which is what a short link takes (spec, POST /api/url/add). Shared domains are included. */
const domainUrls: Choices = {
	...domains,
	entry: ({ domain }) =>
		typeof domain === 'string' && domain !== '' ? { name: domain, value: domain, ...entryUrl(domain) } : undefined,
};

const splashPages: Choices = {
	...byId(LISTS.splashPages, ({ name }, id) => ({ name: `Splash Page: ${asText(name || id)}` })),
	nouns: 'Splash pages',
};

/** Overlays, in the form of a link's redirection type (field notes: `overlay-<id>`). */
const overlays: Choices = {
	...byId(LISTS.overlays, ({ name, type }, id) => ({
		name: `Overlay: ${asText(name || id)}${type ? ` (${asText(type)})` : ''}`,
		value: `overlay-${id}`,
	})),
	nouns: 'Overlays',
};

export const listSearches = {
	searchCampaigns: listSearch(campaigns),
	searchChannels: listSearch(channels),
	searchDomains: listSearch(domains),
	searchDomainUrls: listSearch(domainUrls),
	searchLinks: listSearch(links),
	searchPixels: listSearch(pixels),
	searchQrCodes: listSearch(qrCodes),
	searchRedirectionTypes: listsSearch(redirections, splashPages, overlays),
};

export const loadPixels = listOptions(pixels);

/** The records that the trigger can watch. */
export const watchable = { getLinks: listOptions(links, { order: 'date' }), getQrCodes: listOptions(qrCodes) };
