import type { IDataObject } from 'n8n-workflow';

import { ApiError } from '../api/apiError';
import { withoutSlashAtEnd } from '../api/baseUrl';
import { flatRecord } from '../api/flatRecord';
import { listed, type AccountLinks } from './accountLinks';
import { identityOf, linkIdOf, LinkIndex, type LinkRecord } from './linkIndex';
import type { AccountReader } from './reader';
import { inSlices, Slices } from '../engine/slices';
import { addressKey, aliasOf, hostOf, isSameShortUrl, shortKey } from './url';

/** How a link is named. A domain stands as it was entered. */
export type LinkName =
	| { by: 'id'; id: number }
	| { by: 'shortUrl'; shortUrl: string }
	| { by: 'alias'; alias: string; domain?: string }
	| { by: 'url'; url: string; domain?: string };

/** Names of links that one request or two may find. */
type LookedUp = Exclude<LinkName, { by: 'id' | 'url' }>;

/** Whether the search for a short URL has settled whether there is such a link. */
type LookUp = LinkRecord | 'none' | 'unclear';

/** What a look-up may have to be paid with, in requests: an alias without a domain may stand on others too. */
function mostRequests(name: LinkName): number {
	return name.by === 'alias' && name.domain === undefined ? 2 : 1;
}

/** Rows that name a link in the same way have the same key. */
function keyOf(name: LinkName): string {
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

/** The links of what was read that a name may mean. */
export function linksAmong({ index }: AccountLinks, name: LinkName): LinkRecord[] {
	switch (name.by) {
		case 'id':
			return [index.byId(name.id)].filter((link) => link !== undefined);
		case 'shortUrl':
			return index.byShortUrl(name.shortUrl);
		case 'alias':
			return index.byAlias(name.alias, hostOf(name.domain));
		case 'url':
			return index.byLongUrl(name.url, hostOf(name.domain));
	}
}

/**
 * Finds the links that rows name, all of them together and with the fewest requests: looks them up one by one, or reads the list.
 * From then on `linksAmong` answers for each of them.
 */
export async function findLinks(links: AccountLinks, names: readonly LinkName[], reader: AccountReader): Promise<void> {
	const byKey = new Map<string, LinkName>();
	await inSlices(names, (name) => byKey.set(keyOf(name), name));
	const open = [...byKey.values()];
	if (open.length === 0) return;
	if (links.isComplete) {
		await freshen(links, open, reader);
		return;
	}
	// What an earlier run of the execution has looked up may have changed since.
	links.index = new LinkIndex();
	const [only] = open;
	if (open.length === 1 && only.by !== 'url') {
		if (only.by !== 'id') await findLink(links, only as LookedUp, reader);
		return;
	}
	await readOrLookUp(links, open, reader);
}

/** Reads the list page by page as long as that takes fewer requests than looking up what is open one by one. */
async function readOrLookUp(links: AccountLinks, names: LinkName[], reader: AccountReader): Promise<void> {
	let expected = 0;
	for await (const { records, pagesLeft } of reader.pages()) {
		for (const record of records) links.note(record);
		// A service may grant smaller pages than it was hoped for.
		if (pagesLeft > expected && (await lookUpAll(links, names, reader, pagesLeft))) return;
		expected = Math.max(expected, pagesLeft);
	}
	links.isComplete = true;
	links.missing = 0;
}

/**
 * Looks up what is open one by one, unless the rest of the list takes fewer requests.
 *
 * @returns whether everything was looked up
 */
async function lookUpAll(
	links: AccountLinks,
	names: LinkName[],
	reader: AccountReader,
	pagesLeft: number,
): Promise<boolean> {
	// Without a domain, the alias may stand on another one too.
	const isOpen = (name: LinkName) =>
		linksAmong(links, name).length === 0 || name.by === 'url' || mostRequests(name) > 1;
	const open: LinkName[] = [];
	const slices = new Slices();
	let cost = 0;
	for (const name of names) {
		await slices.turn();
		if (!isOpen(name)) continue;
		open.push(name);
		// An ID that was not seen is asked for by the operation itself.
		cost += mostRequests(name);
		if (name.by === 'url' || cost >= pagesLeft) return false;
	}
	const most = reader.requests + pagesLeft;
	for (const name of open) {
		if (name.by === 'shortUrl' || name.by === 'alias') await findLink(links, name, reader);
		// A search may find more than was to be expected.
		if (reader.requests > most) return false;
	}
	return true;
}

/** Reads the newest links until one that is known, and notices by the count when others are gone. */
async function freshen(links: AccountLinks, names: LinkName[], reader: AccountReader): Promise<void> {
	for await (const page of reader.pages()) {
		const isKnown = page.records.some((record) => links.known(record.id) !== undefined);
		for (const record of page.records) links.note(record);
		if (!isKnown && page.records.length > 0) continue;
		links.missing = page.total === undefined ? 0 : Math.max(0, links.index.size - page.total);
		if (links.missing > 0) await findMissing(links, names, reader, page.pagesLeft + 1);
		return;
	}
}

/** Some links are gone: finds out whether rows mean them, or reads the list again where that takes fewer requests. */
async function findMissing(links: AccountLinks, names: LinkName[], reader: AccountReader, pages: number) {
	const meant = new Map(
		(await inSlices(names, (name) => linksAmong(links, name))).flat().map((link) => [identityOf(link), link]),
	);
	if (meant.size >= pages) {
		links.index = new LinkIndex();
		for await (const page of reader.pages()) for (const record of page.records) links.note(record);
		links.missing = 0;
		return;
	}
	for (const link of meant.values()) {
		if (links.missing <= 0) return;
		const id = linkIdOf(link);
		if (id === undefined || (await readDetails(links, id, reader)) === undefined) links.forget(link);
	}
}

/**
 * Reads the details of a link, and keeps them for the row that needs them.
 *
 * @param details those that a look-up has brought
 * @returns undefined when there is no such link
 */
export async function readDetails(
	links: AccountLinks,
	id: number | string,
	reader: AccountReader,
	details?: IDataObject,
) {
	const read = details ?? (await reader.byId(id));
	if (read !== undefined) links.noteDetails(read, { ...links.known(id), ...linkIn(read, id) });
	return read;
}

/** The link of an answer with details, as a list would show it. */
export function linkIn(answer: IDataObject, id?: number | string): LinkRecord {
	return listed({ ...(id === undefined ? {} : { id }), ...flatRecord(answer) });
}

/**
 * Finds the links that one name may mean, without the list where a look-up tells. Never takes another link for the one that is
 * named: a service may answer for another address than was asked for.
 *
 * @returns all links that it may mean: several where an alias without a domain stands on more than one
 */
export async function findLink(links: AccountLinks, name: LookedUp, reader: AccountReader): Promise<LinkRecord[]> {
	const alias = name.by === 'alias' ? name.alias : (aliasOf({ shorturl: name.shortUrl }) ?? '');
	if (name.by === 'alias' && name.domain === undefined) return await findEverywhere(links, name, reader);
	const shortUrls = name.by === 'alias' ? links.shortUrlsOf(alias, name.domain) : links.spellings(name.shortUrl);
	const looked = await lookUp(links, shortUrls, reader);
	if (looked === 'none') return [];
	return looked === 'unclear' ? await search(links, name, alias, reader) : [looked];
}

/**
 * Finds the links with an alias on all domains: a search shows them. Where it finds more than a page, for the alias is a part of
 * others, the domains are asked for it one by one if that takes fewer requests.
 */
async function findEverywhere(
	links: AccountLinks,
	name: LookedUp & { by: 'alias' },
	reader: AccountReader,
): Promise<LinkRecord[]> {
	const { alias } = name;
	let expected = 1;
	for await (const { records, pagesLeft } of reader.pages(alias)) {
		for (const record of records) links.note(record);
		if (pagesLeft > expected && (await askEveryDomain(links, alias, reader, pagesLeft))) return linksAmong(links, name);
		expected = Math.max(expected, pagesLeft);
	}
	const found = linksAmong(links, name);
	if (found.length > 0) return found;
	const looked = await lookUp(links, links.shortUrlsOf(alias), reader);
	return typeof looked === 'string' ? [] : [looked];
}

/** @returns whether it is clear now on which domains the alias stands */
async function askEveryDomain(
	links: AccountLinks,
	alias: string,
	reader: AccountReader,
	most: number,
): Promise<boolean> {
	if (links.ignoresShort || (links.domains === undefined && most <= 2)) return false;
	links.domains ??= await reader.domains();
	const listed = links.domains.map((domain) =>
		/^https?:/i.test(domain) ? `${withoutSlashAtEnd(domain)}/${alias}` : links.shortUrlsOf(alias, domain)[0],
	);
	const shortUrls = new Map([...links.shortUrlsOf(alias), ...listed].map((one) => [shortKey(one), one]));
	if (shortUrls.size >= most) return false;
	let isClear = true;
	for (const shortUrl of shortUrls.values()) {
		if ((await atShortUrl(links, shortUrl, reader)) === 'unclear') isClear = false;
	}
	return isClear;
}

/** Asks for short URLs, until one is there. */
async function lookUp(links: AccountLinks, shortUrls: readonly string[], reader: AccountReader): Promise<LookUp> {
	if (links.ignoresShort) return 'unclear';
	let answer: LookUp = 'none';
	for (const shortUrl of shortUrls) {
		const found = await atShortUrl(links, shortUrl, reader);
		if (typeof found !== 'string') return found;
		if (found === 'unclear') answer = found;
	}
	return answer;
}

async function atShortUrl(links: AccountLinks, shortUrl: string, reader: AccountReader): Promise<LookUp> {
	const answer = await reader.byShortUrl(shortUrl);
	if (answer === 'none') return 'none';
	if ('details' in answer) {
		const link = linkIn(answer.details);
		// Some take the last part of the path for the alias, and answer with another link.
		return isSameShortUrl(link.shorturl, shortUrl) ? links.noteDetails(answer.details, link) : 'unclear';
	}
	const found = answer.records.find((record) => isSameShortUrl(record.shorturl, shortUrl));
	if (found !== undefined) {
		links.note(found);
		return found;
	}
	if (answer.records.length === 0) return 'none';
	// A list of other links: the parameter was ignored.
	if (answer.records.length > 1) links.noteIgnoresShort();
	return 'unclear';
}

/** Searches by keyword, and reads on until the link is there. */
async function search(
	links: AccountLinks,
	name: LookedUp,
	alias: string,
	reader: AccountReader,
): Promise<LinkRecord[]> {
	for await (const { records } of reader.pages(alias)) {
		for (const record of records) links.note(record);
		if (linksAmong(links, name).length > 0) break;
	}
	return linksAmong(links, name);
}

/** A name that several links have. */
export class SeveralLinksError extends ApiError {
	constructor(what: string, found: readonly LinkRecord[], advice: string) {
		const named = found.slice(0, 5).map((link) => `${String(link.shorturl)} (ID ${String(link.id)})`);
		const more = found.length > named.length ? ` and ${found.length - named.length} more` : '';
		super('refused', `${what} means more than one link: ${named.join(', ')}${more}`, advice);
	}
}
