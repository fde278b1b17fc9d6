import { ApiError } from '../service/errors';
import { asText, idOf } from '../service/records';
import { addressKey, hostOf, shortKey } from './url';

/** A link as a list shows it (spec, "Short link list item"); services show more than the document says. */
export type LinkRecord = Readonly<Record<string, unknown>>;

/** What tells a link from all others: its ID, or its short URL where the ID is not known. */
export type Identity = number | string;

export function identityOf(record: LinkRecord): Identity | undefined {
	return idOf(record) ?? shortKey(record.shorturl);
}

/** How a link is named. A domain stands as it was entered. */
export type LinkName =
	| { by: 'id'; id: number }
	| { by: 'shortUrl'; shortUrl: string }
	| { by: 'alias'; alias: string; domain?: string }
	| { by: 'url'; url: string; domain?: string };

/** Names of links that one request or two may find. */
export type SearchedName = Exclude<LinkName, { by: 'id' | 'url' }>;

/** Names of links by fields that a row says of them (spec, "Body of POST /api/url/add"). */
type AliasName = Extract<LinkName, { by: 'alias' }>;
export type LongUrlName = Extract<LinkName, { by: 'url' }>;

/** Names a link by the alias of a row, on its domain if it has one. */
export function aliasNameOf({ custom, domain }: Readonly<Record<string, unknown>>): AliasName {
	return { by: 'alias', alias: asText(custom), domain: domain as string | undefined };
}

/** Names a link by the long URL of a row, on its domain if it has one. */
export function longUrlNameOf({ url, domain }: Readonly<Record<string, unknown>>): LongUrlName {
	return { by: 'url', url: asText(url), domain: domain as string | undefined };
}

/** Names of the same link in the same way have the same key. */
export function keyOf(name: LinkName): string {
	switch (name.by) {
		case 'id':
			return `id ${name.id}`;
		case 'shortUrl':
			return `short ${shortKey(name.shortUrl)}`;
		case 'alias':
			return `alias ${hostOf(name.domain) ?? ''} ${name.alias}`;
		case 'url':
			return `url ${hostOf(name.domain) ?? ''} ${addressKey(name.url) ?? name.url}`;
	}
}

/** A link by which people find it: its short URL and its ID. */
export function describeLink({ shorturl, id }: LinkRecord): string {
	return id === undefined ? asText(shorturl) : `${asText(shorturl)} (ID ${asText(id)})`;
}

/** Links that a message names at most. */
const MOST_NAMED = 5;

/** A name that several links have. */
export class SeveralLinksError extends ApiError {
	constructor(what: string, found: readonly LinkRecord[], advice: string) {
		const named = found.slice(0, MOST_NAMED).map(describeLink).join(', ');
		const more = found.length > MOST_NAMED ? ` and ${found.length - MOST_NAMED} more` : '';
		super('refused', `${what} belongs to more than one link: ${named}${more}`, advice);
	}
}

/** A link that is named by something else than its ID, in a place where the ID goes out. */
export class LinkReference {
	constructor(
		readonly name: Exclude<LinkName, { by: 'id' }>,
		/** As it was entered. */
		readonly entered: string,
	) {}
}

/** What a row names its link by: an ID, or something else. */
export function linkNameOf(value: unknown): LinkName {
	return value instanceof LinkReference ? value.name : { by: 'id', id: Number(value) };
}
