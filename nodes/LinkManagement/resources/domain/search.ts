import { listSearch } from '../../service/listSearch';

const list = { path: '/api/domains', collection: 'domains' };

/** Branded domains for a dropdown, by ID. */
export const searchDomains = listSearch({
	...list,
	entry: ({ id, domain }) => ({ name: String(domain || id), value: Number(id), url: domain }),
});

/** Branded domains for a dropdown, by their URL: a short link names its domain, not the ID of it (spec, POST /api/url/add). */
export const searchDomainUrls = listSearch({
	...list,
	entry: ({ domain }) => ({ name: String(domain), value: String(domain), url: domain }),
});
