import type { LinkRecord } from './linkIndex';
import { addressKey, hostOf, shortKey } from './url';
import { ApiError } from '../api/apiError';
import { asText } from '../api/records';

/** How a link is named. A domain stands as it was entered. */
export type LinkName =
	| { by: 'id'; id: number }
	| { by: 'shortUrl'; shortUrl: string }
	| { by: 'alias'; alias: string; domain?: string }
	| { by: 'url'; url: string; domain?: string };

/** Names of links that one request or two may find. */
export type LookedUp = Exclude<LinkName, { by: 'id' | 'url' }>;

/** Rows that name a link in the same way have the same key. */
export function keyOf(name: LinkName): string {
	switch (name.by) {
		case 'id':
			return `id ${name.id}`;
		case 'shortUrl':
			return `short ${shortKey(name.shortUrl)}`;
		case 'alias':
			return `alias ${hostOf(name.domain) ?? ''} ${name.alias}`;
		case 'url':
			return `url ${hostOf(name.domain) ?? ''} ${addressKey(name.url)}`;
	}
}

/** A link by which people find it: its short URL and its ID. */
export function told({ shorturl, id }: LinkRecord): string {
	return id === undefined ? asText(shorturl) : `${asText(shorturl)} (ID ${asText(id)})`;
}

/** A name that several links have. */
export class SeveralLinksError extends ApiError {
	constructor(what: string, found: readonly LinkRecord[], advice: string) {
		const named = found.slice(0, 5).map(told);
		const more = found.length > named.length ? ` and ${found.length - named.length} more` : '';
		super('refused', `${what} means more than one link: ${named.join(', ')}${more}`, advice);
	}
}
