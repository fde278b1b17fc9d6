import { parseUrl } from '../../api/baseUrl';
import { byId, listCreation, listSearch } from '../../account/dropdown';

const list = { path: '/api/domains', collection: 'domains' };

/** Branded domains for a dropdown, by ID. Shared domains of the service have none (field notes), so they can't be chosen. */
export const searchDomains = listSearch({
	...list,
	entry: byId(({ domain }, id) => ({ name: String(domain || id), url: domain })),
});

/**
 * Branded domains for a dropdown, by their URL: a short link names its domain, not the ID of it (spec, POST /api/url/add). Shared
 * domains count as well.
 */
export const searchDomainUrls = listSearch({
	...list,
	entry: ({ domain }) =>
		typeof domain === 'string' && domain !== '' ? { name: domain, value: domain, url: domain } : undefined,
});

/** Adds a branded domain from the dropdown of domains by their URL; https:// unless another scheme was typed. */
export const createDomainUrl = listCreation({
	noun: 'domain',
	path: '/api/domain/add',
	body(typed) {
		const domain = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`;
		return /\s/.test(domain) || parseUrl(domain)?.hostname.includes('.') !== true ? undefined : { domain };
	},
	example: 'go.example.com',
	value: ({ domain }) => String(domain),
});
