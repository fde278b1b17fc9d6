import type { IDataObject } from 'n8n-workflow';

import { inTurns } from '../n8n/slices';
import { linkIn } from './account';
import type { LinkRecord } from './linkIndex';
import { keyOf, linkNameOf, LinkReference, onlyLink } from './reference';
import { accountOf, inOrderOfLinks, linksOf, type LinkRow } from './row';

/** The place of a row's request that names a link by something else than its ID. */
function placeOf({ request: { pathValues } }: LinkRow): { place: string; reference: LinkReference } | undefined {
	for (const [place, value] of Object.entries(pathValues as Record<string, unknown>)) {
		if (value instanceof LinkReference) return { place, reference: value };
	}
	return undefined;
}

/** Finds the links of rows, all of them together, and puts their IDs in the places of what names them. */
export async function findLinkIds(rows: readonly LinkRow[]): Promise<void> {
	const asking = rows.flatMap((row) => {
		const at = placeOf(row);
		return at === undefined ? [] : [{ row, ...at }];
	});
	if (asking.length === 0) return;
	const account = accountOf(asking[0].row);
	await account.findAll(asking.map(({ reference }) => reference.name));
	for await (const { row, place, reference } of inTurns(asking)) {
		const { name } = reference;
		try {
			let found = account.links.among(name);
			if (found.length === 0 && name.by !== 'url') found = await account.find(name, true);
			row.request.pathValues[place] = Number(onlyLink(reference, found).id);
		} catch (error) {
			row.refuse(error);
		}
	}
}

/**
 * The same for operations that read each link's details anyhow, by a request that finds a short URL, too: that is left to them.
 */
export async function findLinksByList(rows: readonly LinkRow[]): Promise<void> {
	const isLeft = (row: LinkRow) => placeOf(row)?.reference.name.by === 'shortUrl';
	const isOnlyByShortUrl = rows.every(isLeft);
	if (!isOnlyByShortUrl) await findLinkIds(rows);
}

/** Lets rows of one link follow one another, once it is known which link they mean. */
export async function inOrderOfChosen(rows: readonly LinkRow[]): Promise<void> {
	inOrderOfLinks(rows, ({ request }) => keyOf(linkNameOf(request.pathValues.linkId)));
}

/**
 * Reads the link that a row names in `linkId`.
 *
 * @returns its ID, and its details as sent
 */
export async function readLink(row: LinkRow): Promise<{ id: number; details: IDataObject }> {
	const account = accountOf(row);
	const { links } = account;
	const given = row.request.pathValues.linkId as unknown;
	let id = Number(given);
	let details: IDataObject | undefined;
	if (given instanceof LinkReference && given.name.by !== 'url') {
		id = Number(onlyLink(given, await account.find(given.name, true)).id);
		details = links.takeDetails(id);
	}
	details ??= await row.send({ method: 'GET', path: `/api/url/${id}` });
	links.note(linkIn(details, id));
	return { id, details };
}

/** What lists say of the links of rows: read from the list for many rows, one by one for a few. */
export async function findTotals(rows: readonly LinkRow[]): Promise<void> {
	if (rows.length === 0) return;
	const account = accountOf(rows[0]);
	await account.findAll(rows.map(({ request }) => linkNameOf(request.pathValues.linkId)));
}

/** What a list says of the link that a row names. */
export async function totalsOf(row: LinkRow): Promise<LinkRecord> {
	const { linkId } = row.request.pathValues as { linkId: unknown };
	const found = linksOf(row).among(linkNameOf(linkId));
	if (linkId instanceof LinkReference) {
		const { name } = linkId;
		const isOpen = found.length === 0 && name.by !== 'url';
		return onlyLink(linkId, isOpen ? await accountOf(row).find(name, true) : found);
	}
	if (found.length > 0) return found[0];
	const { id, details } = await readLink(row);
	return linkIn(details, id);
}
