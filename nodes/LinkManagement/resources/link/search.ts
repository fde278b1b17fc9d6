import type { IDataObject } from 'n8n-workflow';

import { Account } from '../../account/account';
import { AccountLinks } from '../../account/accountLinks';
import type { Speaker } from '../../api/sendRequest';
import { shortUrlIn } from '../../account/url';
import { byId, listSearch, type Choices } from '../../account/dropdown';
import { overlays } from '../overlay/search';
import { splashPages } from '../splashPage/search';
import { redirections } from './fieldRules';

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

/** Short links for a dropdown, searched by the service's own keyword search. */
export const links: Choices = {
	path: '/api/urls',
	collection: 'urls',
	searchParameter: 'q',
	find: findByShortUrl,
	entry: byId(({ title, shorturl, longurl }, id) => {
		const parts = [shorturl, title || longurl].filter((part) => typeof part === 'string' && part !== '');
		return { name: parts.join(' · ') || String(id), url: shorturl };
	}),
};

export const searchLinks = listSearch(links);

/**
 * Redirection types of a short link for a dropdown: the words of the spec, then splash pages by their ID and
 * overlays as `overlay-<id>` (field notes).
 */
export const searchRedirectionTypes = listSearch(() => redirections, splashPages, overlays);
