import type { IDataObject } from 'n8n-workflow';

import { idOf } from '../../api/records';
import { isRecord } from '../../api/envelope';
import { listSearch, type Ask } from '../../execution/listSearch';
import { aliasOf, shortUrlsIn } from '../../match/url';
import { overlays } from '../overlay/search';
import { splashPages } from '../splashPage/search';
import { linkWithShortUrl } from './shortUrl';

/** What is worth asking for as a short URL: an address with its scheme, or at least with a host that has a dot. */
const ADDRESS = /^(?:https?:\/\/|[^\s/?#.]+\.[^\s/?#]+\/)/i;

/**
 * The link whose short URL was pasted into the search. Services that ignore `short` or answer with an error envelope (field notes)
 * are asked for the alias; another link is never taken for it.
 */
async function findByShortUrl(text: string, ask: Ask): Promise<IDataObject | undefined> {
	if (!ADDRESS.test(text)) return undefined;
	for (const shortUrl of shortUrlsIn(text)) {
		for (const query of [{ short: shortUrl }, { q: aliasOf({ shorturl: shortUrl }), limit: 100, page: 1 }]) {
			const answer = await ask('/api/urls', query);
			const link = isRecord(answer) ? linkWithShortUrl(answer, shortUrl) : undefined;
			if (link !== undefined) return link;
		}
	}
	return undefined;
}

/** Short links for a dropdown, searched by the service's own keyword search. */
export const searchLinks = listSearch({
	path: '/api/urls',
	collection: 'urls',
	searchParameter: 'q',
	find: findByShortUrl,
	entry(link) {
		const value = idOf(link);
		const { title, shorturl, longurl } = link;
		const parts = [shorturl, title || longurl].filter((part) => typeof part === 'string' && part !== '');
		return value === undefined ? undefined : { name: parts.join(' · ') || String(value), value, url: shorturl };
	},
});

/**
 * Redirection types of a short link for a dropdown: the words of the spec, then splash pages by their ID and
 * overlays as `overlay-<id>` (field notes).
 */
export const searchRedirectionTypes = listSearch(
	() => [
		{ name: 'Direct', value: 'direct' },
		{ name: 'Frame', value: 'frame' },
		{ name: 'Splash', value: 'splash' },
	],
	splashPages,
	overlays,
);
