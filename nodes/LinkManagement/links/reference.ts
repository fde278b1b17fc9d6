import { ApiError, ValueError } from '../service/errors';
import { asText } from '../service/records';
import type { LinkRecord } from './linkIndex';
import { addressKey, hostOf, shortKey } from './url';

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
type LongUrlName = Extract<LinkName, { by: 'url' }>;

function onDomain(domain: unknown): { domain?: string } {
	return domain === undefined ? {} : { domain: asText(domain) };
}

/** Names a link by the alias of a row, on its domain if it has one. */
export function aliasNameOf({ custom, domain }: Readonly<Record<string, unknown>>): AliasName {
	return { by: 'alias', alias: asText(custom), ...onDomain(domain) };
}

/** Names a link by the long URL of a row, on its domain if it has one. */
export function longUrlNameOf({ url, domain }: Readonly<Record<string, unknown>>): LongUrlName {
	return { by: 'url', url: asText(url), ...onDomain(domain) };
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

/** Links in a sentence: the first five, and how many more. */
function describeLinks(links: readonly LinkRecord[]): string {
	const named = links.slice(0, 5).map(describeLink);
	return `${named.join(', ')}${links.length > named.length ? ` and ${links.length - named.length} more` : ''}`;
}

/** A name that several links have. */
export class SeveralLinksError extends ApiError {
	constructor(what: string, found: readonly LinkRecord[], advice: string) {
		super('refused', `${what} belongs to more than one link: ${describeLinks(found)}`, advice);
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

const KINDS = { shortUrl: 'short URL', alias: 'alias', url: 'long URL' } as const;

/** What a row names its link by: an ID, or something else. */
export function linkNameOf(value: unknown): LinkName {
	return value instanceof LinkReference ? value.name : { by: 'id', id: Number(value) };
}

/** The one link that a reference means. @throws ValueError when there is none, SeveralLinksError when there are several */
export function onlyLink({ name, entered }: LinkReference, found: readonly LinkRecord[]): LinkRecord {
	const kind = KINDS[name.by];
	if (found.length === 1) return found[0];
	if (found.length === 0) {
		throw new ValueError(
			`There is no short link with the ${kind} ${entered}`,
			`Check the ${kind}, and that the link belongs to the account of the credential.`,
		);
	}
	const advice =
		name.by === 'alias'
			? 'Name the domain too, as in go.example.com/spring, or choose By Short URL.'
			: 'Name the link by its short URL or its ID.';
	throw new SeveralLinksError(`The ${kind} ${entered}`, found, advice);
}
