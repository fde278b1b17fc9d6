/** The lists of the service, as dropdowns show them. */
import type { IDataObject } from 'n8n-workflow';

import { redirections } from '../fields/locators';
import { AccountLinks } from '../links/account';
import { Account } from '../links/find';
import { nameIn } from '../links/named';
import { shortUrlIn } from '../links/url';
import { asText, idOf } from '../service/records';
import type { Speaker } from '../service/sendRequest';
import { listOptions, listSearch, type Choices, type Entry } from './dropdown';

/** Entries of records that are chosen by their ID, unless `show` gives another value; without an ID they can't be chosen. */
function byId(show: (record: IDataObject, id: number) => Partial<Entry> & { name: string }): Choices['entry'] {
	return (record) => {
		const value = idOf(record);
		return value === undefined ? undefined : { value, ...show(record, value) };
	};
}

/** What is worth asking for as a short URL: an address with its scheme, or at least with a host that has a dot. */
const ADDRESS = /^(?:h[tx*]{2}ps?\W|[^\s/?#.]+\.[^\s/?#]+\/)/i;

/** The link whose short URL was pasted into the search. */
async function findByShortUrl(text: string, speaker: Speaker): Promise<IDataObject | undefined> {
	const shortUrl = ADDRESS.test(text) ? shortUrlIn(text) : undefined;
	if (shortUrl === undefined) return undefined;
	const account = new Account(speaker, new AccountLinks(speaker.connection));
	const [link] = await account.find({ by: 'shortUrl', shortUrl });
	return link as IDataObject | undefined;
}

const links: Choices = {
	path: '/api/urls',
	collection: 'urls',
	searchParameter: 'q',
	find: findByShortUrl,
	entry: byId(({ title, shorturl, longurl }, id) => {
		const parts = [shorturl, title || longurl].filter((part) => typeof part === 'string' && part !== '');
		return { name: parts.join(' · ') || String(id), url: shorturl };
	}),
};

const qrCodes: Choices = {
	path: '/api/qr',
	collection: 'qrs',
	entry: byId(({ name, link }, id) => ({ name: asText(name || link || id), url: link })),
};

const pixels: Choices = {
	path: '/api/pixels',
	collection: 'pixels',
	entry: byId(({ name, type }, id) => {
		const parts = [name || id, type].filter((part) => part !== undefined && part !== '');
		return { name: parts.join(' · ') };
	}),
};

const campaigns: Choices = {
	path: '/api/campaigns',
	collection: 'campaigns',
	entry: byId((campaign, id) => ({ name: asText(nameIn(campaign) || id), url: campaign.list })),
};

const channels: Choices = {
	path: '/api/channels',
	collection: 'channels',
	entry: byId(({ name }, id) => ({ name: asText(name || id) })),
};

/** By their ID. Shared domains of the service have none (field notes), so they can't be chosen. */
const domains: Choices = {
	path: '/api/domains',
	collection: 'domains',
	entry: byId(({ domain }, id) => ({ name: String(domain || id), url: domain })),
};

/** By their URL: a short link names its domain, not the ID of it (spec, POST /api/url/add). Shared domains count as well. */
const domainUrls: Choices = {
	...domains,
	entry: ({ domain }) =>
		typeof domain === 'string' && domain !== '' ? { name: domain, value: domain, url: domain } : undefined,
};

/** As a link's redirection type names them: by their ID. */
const splashPages: Choices = {
	path: '/api/splash',
	collection: 'splash',
	entry: byId(({ name }, id) => ({ name: `Splash Page: ${asText(name || id)}` })),
};

/** As a link's redirection type names them (field notes: `overlay-<id>`). */
const overlays: Choices = {
	path: '/api/overlay',
	collection: ['cta', 'overlay'],
	entry: byId(({ name, type }, id) => ({
		name: `Overlay: ${asText(name || id)}${type ? ` (${asText(type)})` : ''}`,
		value: `overlay-${id}`,
	})),
};

/** The list-search methods of the searchable dropdowns. */
export const listSearches = {
	searchCampaigns: listSearch(campaigns),
	searchChannels: listSearch(channels),
	searchDomains: listSearch(domains),
	searchDomainUrls: listSearch(domainUrls),
	searchLinks: listSearch(links),
	searchPixels: listSearch(pixels),
	searchQrCodes: listSearch(qrCodes),
	searchRedirectionTypes: listSearch(redirections, splashPages, overlays),
};

/** Tracking pixels, for a field that takes several. */
export const loadPixels = listOptions(pixels);

/** What the trigger may watch, for a field that takes several. */
export const watchable = { getLinks: listOptions(links, { order: 'date' }), getQrCodes: listOptions(qrCodes) };
