/** The link that a row chooses, in a field for one link. */
import type { IDataObject } from 'n8n-workflow';

import { inTurns } from '../n8n/slices';
import { LinkFinder } from './find';
import { linkIn } from './linkIndex';
import { keyOf, linkNameOf, LinkReference, type LinkRecord } from './reference';
import { inOrder, linksOf, type LinkRow } from './row';

/** Finds the links of rows, all of them together, and puts their IDs in the places of what names them. */
async function findLinkIds(rows: readonly LinkRow[]): Promise<void> {
	const asking = rows.flatMap((row) => {
		const values = Object.entries(row.request.pathValues as Record<string, unknown>);
		return values.flatMap(([place, reference]) =>
			reference instanceof LinkReference ? [{ row, place, reference }] : [],
		);
	});
	if (asking.length === 0) return;
	const finder = new LinkFinder(asking[0].row);
	await finder.findAll(asking.map(({ reference }) => reference.name));
	for await (const { row, place, reference } of inTurns(asking)) {
		try {
			row.request.pathValues[place] = Number((await finder.findOnly(reference)).id);
		} catch (error) {
			row.refuse(error);
		}
	}
}

/**
 * The same for operations that read each link's details anyhow, by a request that finds a short URL, too: that is left to them.
 */
export async function findLinksByList(rows: readonly LinkRow[]): Promise<void> {
	const isLeft = ({ request }: LinkRow) => linkNameOf(request.pathValues.linkId).by === 'shortUrl';
	if (!rows.every(isLeft)) await findLinkIds(rows);
}

/** The same for changes. Rows of one link follow one another: each finds what the one before has left. */
export async function findLinksInOrder(rows: readonly LinkRow[], find = findLinkIds): Promise<void> {
	await find(rows);
	inOrder(rows, ({ request: { pathValues } }) => keyOf(linkNameOf(pathValues.linkId ?? pathValues.itemId)));
}

/**
 * Reads the link that a row names in `linkId`.
 *
 * @returns its ID, and its details as sent
 */
export async function readLink(row: LinkRow): Promise<{ id: number; details: IDataObject }> {
	const links = linksOf(row);
	const given = row.request.pathValues.linkId as unknown;
	const id = Number(given instanceof LinkReference ? (await new LinkFinder(row).findOnly(given)).id : given);
	const details = links.takeDetails(id) ?? (await row.send({ method: 'GET', path: `/api/url/${id}` }));
	links.note(linkIn(details, id));
	return { id, details };
}

/** What lists say of the links of rows: read from the list for many rows, one by one for a few. */
export async function findTotals(rows: readonly LinkRow[]): Promise<void> {
	if (rows.length === 0) return;
	await new LinkFinder(rows[0]).findAll(rows.map(({ request }) => linkNameOf(request.pathValues.linkId)));
}

/** What a list says of the link that a row names. */
export async function totalsOf(row: LinkRow): Promise<LinkRecord> {
	const given = row.request.pathValues.linkId as unknown;
	if (given instanceof LinkReference) return await new LinkFinder(row).findOnly(given);
	const [known] = linksOf(row).among(linkNameOf(given));
	if (known !== undefined) return known;
	const { id, details } = await readLink(row);
	return linkIn(details, id);
}
