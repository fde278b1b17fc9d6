/** The links that rows choose, by an ID or another name. */
import type { IDataObject } from 'n8n-workflow';

import { yielding } from '../../n8n/slices';
import { ValueError } from '../../service/answer/errors';
import { inQuotes } from '../../service/answer/failures';
import { idOf } from '../../service/records';
import { type Account, linkIn, namedIn } from '../account';
import type { LinkRow } from '../linkRow';
import { idOfLink, isReference, type LinkRecord, type LinkReference, type Reference, severalLinks } from '../reference';
import { hostOf } from '../url';

/** The kinds of names, as the editor calls them. */
const LINK_NAME_WORDS = { shortUrl: 'short URL', alias: 'alias', url: 'long URL' } as const;

const isLink = (reference: Reference): reference is LinkReference => reference.kind === 'link';

/** The link of a row whose ID is not known yet. */
function namedLink({ request }: LinkRow): LinkReference | undefined {
	const link: unknown = request.pathValues.linkId;
	return isReference(link) && isLink(link) ? link : undefined;
}

export function chosenId(row: LinkRow): number {
	return idOf({ id: row.request.pathValues.linkId })!;
}

/** The one link that a reference means, of those that are known. @throws ValueError if there is none, ApiError if several */
function oneFor({ index }: Account, { name, entered }: LinkReference): LinkRecord {
	const found = index.matching(name);
	const kind = LINK_NAME_WORDS[name.by];
	if (found.length === 1) return found[0];
	if (found.length === 0)
		throw new ValueError(`There is no short link with the ${kind} ${inQuotes(entered)}`, {
			editor: `Check the ${kind}, and that the link belongs to the account of the credential.`,
			model: `Check the ${kind}.`,
		});
	const advice =
		name.by === 'alias'
			? {
					editor: 'Name the domain too, as in go.example.com/spring, or choose By Short URL.',
					model: 'Name the domain too, as in go.example.com/spring.',
				}
			: 'Name the link by its short URL or its ID.';
	throw severalLinks(`The ${kind} ${inQuotes(entered)}`, found, advice);
}

/** The ID of the link that a reference means. From a model, a number may be an alias, and an address a long one. @throws ApiError, ValueError */
async function idMeantBy(account: Account, { name, or, ...link }: LinkReference): Promise<number> {
	const { index } = account;
	if (or === undefined) return idOfLink(oneFor(account, { ...link, name }));
	if (typeof or === 'number') {
		await account.find([name]);
		const others = index.matching(name).filter(({ id }) => id !== or);
		if (others.length === 0) return or;
		const there = await account.detailsIfThere(or);
		if (there === undefined) return idOfLink(oneFor(account, { ...link, name }));
		const found = [linkIn(there, or), ...others];
		throw severalLinks(inQuotes(link.entered), found, 'Pass the short URL of the one that is meant.');
	}
	// On a host of the account it is a short URL alone: a repeated deletion must not take a link that leads there.
	const host = hostOf(link.entered) ?? '';
	// The whole list shows all hosts.
	await account.findHosts([host], false);
	if (!index.hasHost(host)) await account.find([or]);
	const reading = index.hasHost(host) ? name : or;
	await account.find([reading]);
	return idOfLink(oneFor(account, { ...link, name: reading }));
}

/** Finds the links of all rows together, and puts their IDs into the requests. */
export async function findLinkIds(rows: readonly LinkRow[]): Promise<void> {
	const named = await namedIn(rows, isLink);
	if (named.length === 0) return;
	const [{ account }] = rows;
	await account.find(named.flatMap(({ reference: { name, or } }) => (or === undefined ? [name] : [])));
	for await (const { row, reference, put } of yielding(named)) {
		try {
			put(await idMeantBy(account, reference));
		} catch (error) {
			row.refuse(error);
		}
	}
}

/** Finds the links of rows that read their details anyway: where each has a short URL, that request finds it, too. */
export async function findLinksToRead(rows: readonly LinkRow[]): Promise<void> {
	const isByShortUrl = (row: LinkRow) => {
		const { name, or } = namedLink(row) ?? {};
		return name?.by === 'shortUrl' && or === undefined;
	};
	if (!rows.every(isByShortUrl)) await findLinkIds(rows);
}

/** Finds the records that lists show of the links of rows: from the list for many rows, one by one for a few. */
export async function findTotals(rows: readonly LinkRow[]): Promise<void> {
	if (rows.length === 0) return;
	await findLinkIds(rows);
	const [{ account }] = rows;
	const open = rows.filter((row) => !row.isRefused && account.index.get({ id: chosenId(row) }) === undefined);
	if (open.length > 1) await account.readIfFewer(open.length);
}

/** Reads the link that a row chooses. @returns its ID, its details as sent, and its record with what is known besides */
export async function readLink(row: LinkRow): Promise<{ id: number; details: IDataObject; link: LinkRecord }> {
	const { account } = row;
	const named = namedLink(row);
	if (named !== undefined) await account.find([named.name]);
	const id = named === undefined ? chosenId(row) : idOfLink(oneFor(account, named));
	const details = await account.details(id);
	return { id, details, link: account.index.putDetails(details, id) };
}

/** Finds and reads the links of rows, so that what is done with them can be shown. */
export async function findAndRead(rows: readonly LinkRow[]): Promise<void> {
	await findLinkIds(rows);
	for (const row of rows) if (!row.isRefused) await readLink(row);
}

/** The record that lists show of a row's link. */
export async function totalsOf(row: LinkRow): Promise<LinkRecord> {
	return row.account.index.get({ id: chosenId(row) }) ?? (await readLink(row)).link;
}
