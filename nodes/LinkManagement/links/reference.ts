import type { IDataObject } from 'n8n-workflow';

import type { Advice } from '../service/answer/advice';
import { ApiError, listed, ValueError } from '../service/answer/errors';
import { inQuotes } from '../service/answer/failures';
import { asText, idOf, isRecord } from '../service/records';
import { addressKey, hostOf, shortKey } from './url';

/** A link as a list shows it (spec, "Short link list item"); services show more than the specification says. */
export type LinkRecord = Readonly<Record<string, unknown>>;

/** What tells a link from others: its ID, or its short URL where a service shows no ID. */
export function identityOf(record: LinkRecord): number | string {
	return idOf(record) ?? shortKey(record.shorturl) ?? '';
}

/** How a link is named, unless by its ID. The domain is as entered. */
export type LinkName =
	| { by: 'shortUrl'; shortUrl: string }
	| { by: 'alias'; alias: string; domain?: string }
	| { by: 'url'; url: string; domain?: string };

/** Names that a request can find (spec, GET /api/urls, `short`). */
export type PlacedName = Exclude<LinkName, { by: 'url' }>;

export type AliasName = Extract<LinkName, { by: 'alias' }>;
export type LongUrlName = Extract<LinkName, { by: 'url' }>;

export function aliasNameOf({ custom, domain }: Readonly<Record<string, unknown>>): AliasName {
	return { by: 'alias', alias: asText(custom), domain: domain as string | undefined };
}

export function longUrlNameOf({ url, domain }: Readonly<Record<string, unknown>>): LongUrlName {
	return { by: 'url', url: asText(url), domain: domain as string | undefined };
}

export function keyOf(name: LinkName): string {
	switch (name.by) {
		case 'shortUrl':
			return `short ${shortKey(name.shortUrl)}`;
		case 'alias':
			return `alias ${hostOf(name.domain) ?? ''} ${name.alias}`;
		case 'url':
			return `url ${hostOf(name.domain) ?? ''} ${addressKey(name.url) ?? name.url}`;
	}
}

/** A link by which people find it: its short URL and its ID. What is no address, or a long one, stands in quotes. */
export function describeLink(link: LinkRecord): string {
	const address = asText(link.shorturl);
	const shown = /^https?:\/\/[^\s"]{1,300}$/i.test(address) ? address : inQuotes(address);
	const id = idOf(link);
	return id === undefined ? shown : `${shown} (ID ${id})`;
}

/** The ID of a link that is to be read or changed. @throws ApiError if the service shows none */
export function idOfLink(link: LinkRecord): number {
	const id = idOf(link);
	if (id !== undefined) return id;
	throw new ApiError(
		'refused',
		`The service shows no ID of the link ${describeLink(link)}`,
		'Nothing was sent for it. Look at the link at the service.',
	);
}

/** Adds a link to an error: the failed item shows it as `existingLink`. */
export function aboutLink<E extends ApiError | ValueError>(error: E, { id, shorturl }: LinkRecord): E {
	error.shown = { existingLink: { ...(id === undefined ? {} : { id }), shorturl } as IDataObject };
	return error;
}

/** The error of a name that several links have. @param found the links, or descriptions of them */
export function severalLinks(what: string, found: ReadonlyArray<LinkRecord | string>, advice: Advice): ValueError {
	const named = found.map((one) => (typeof one === 'string' ? one : describeLink(one)));
	return new ValueError(`${what} belongs to more than one link: ${listed(named, 5)}`, advice);
}

export const NOUNS = {
	campaign: 'campaign',
	channel: 'channel',
	pixel: 'pixel',
	domain: 'branded domain',
	qrCode: 'QR code',
} as const;

export type NamedKind = keyof typeof NOUNS;

/** A record by its name; a branded domain by its host. `host`: only the account's spelling of a domain is wanted. */
export interface NameReference<Kind = NamedKind> {
	readonly kind: Kind;
	readonly name: string;
	/** The ID that is meant if no record has the name: a number in a column may be either. */
	readonly id?: number;
	/** Neither counts more: a number is refused if it is the name of one record, and the ID of another. */
	readonly isOnlyOne?: boolean;
	/** The title of the column that was matched by it. */
	readonly column?: string;
}

export type DomainReference = NameReference<'host'>;

export interface LinkReference {
	readonly kind: 'link';
	readonly name: LinkName;
	/** What a model may have meant as well, an ID or another name: it can't say which kind of name it gives. */
	readonly or?: number | LinkName;
	readonly entered: string;
}

/** A record that a row names, until its ID is known (or of a domain, the account's spelling). */
export type Reference = NameReference | LinkReference | DomainReference;

const ALL_KINDS: unknown[] = [...Object.keys(NOUNS), 'link', 'host'];

/** Advice for a column that was matched by its title, and may be meant for something else. */
export function howToLeaveOut(column: string): string {
	return `If the column "${column}" is not meant for the link, set Mapping Column Mode to Map Each Column Manually and leave it out.`;
}

export function isReference(value: unknown): value is Reference {
	return isRecord(value) && ALL_KINDS.includes(value.kind);
}

export function isNamed(reference: Reference): reference is NameReference {
	return reference.kind in NOUNS;
}

/** Names are compared without case: services capitalize the first letter. */
export function nameKey(name: string): string {
	return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}
