/** The link that a row chooses, in a field for one link. */
import type { IDataObject } from 'n8n-workflow';

import { yielding } from '../n8n/slices';
import { asText } from '../service/records';
import { LinkFinder } from './find';
import { keyOf, type LinkRecord, type LinkReference } from './reference';
import { inOrder, linksOf, putLinkId, readDetails, type LinkRow } from './linkRow';

/** Finds the links of all rows together, and puts their IDs into the requests. */
async function findLinkIds(rows: readonly LinkRow[], finder = new LinkFinder(rows[0])): Promise<void> {
	const asking = rows.flatMap((row) => {
		const { link } = row.request;
		return link === undefined || link.name.by === 'id' ? [] : [{ row, link }];
	});
	if (asking.length === 0) return;
	await finder.findAll(asking.map(({ link }) => link.name));
	for await (const { row, link } of yielding(asking)) {
		await finder.findOne(link).then(({ id }) => putLinkId(row.request, link, Number(id)), row.refuse.bind(row));
	}
}

/** The same for operations that read each link's details anyway: that request finds a short URL, too. */
export async function findLinksByList(rows: readonly LinkRow[], finder?: LinkFinder): Promise<void> {
	if (!rows.every(({ request: { link } }) => link?.name.by === 'shortUrl')) await findLinkIds(rows, finder);
}

/** The same for updates, which also send back what only lists may show. Rows of one link are done one after another. */
export async function findLinksToUpdate(rows: readonly LinkRow[]): Promise<void> {
	const finder = new LinkFinder(rows[0]);
	await findLinksByList(rows, finder);
	await finder.findListed(rows.flatMap(({ request: { link } }) => link?.name ?? []));
	followOneAnother(rows);
}

/** The same for changes. Rows of one link are done one after another. */
export async function findLinksInOrder(rows: readonly LinkRow[]): Promise<void> {
	await findLinkIds(rows);
	followOneAnother(rows);
}

function followOneAnother(rows: readonly LinkRow[]): void {
	inOrder(rows, ({ request: { link, pathValues } }) => (link ? keyOf(link.name) : asText(pathValues.itemId)));
}

/** The reference to the link of a row, in an operation on one link. */
function chosenLink({ request: { link } }: LinkRow): LinkReference {
	if (link === undefined) throw new TypeError('The operation has no field for a link');
	return link;
}

/** Reads the link that a row chooses. @returns its ID, its details as sent, and its record with what is known besides */
export async function readLink(row: LinkRow): Promise<{ id: number; details: IDataObject; link: LinkRecord }> {
	const links = linksOf(row);
	const link = chosenLink(row);
	const id = link.name.by === 'id' ? link.name.id : Number((await new LinkFinder(row).findOne(link)).id);
	const details = links.takeDetails(id) ?? (await readDetails(row, id));
	return { id, details, link: links.putDetails(details, id) };
}

/** Finds the records that lists show of the links of rows: from the list for many rows, one by one for a few. */
export async function findTotals(rows: readonly LinkRow[]): Promise<void> {
	const names = rows.flatMap(({ request: { link } }) => link?.name ?? []);
	if (names.length > 0) await new LinkFinder(rows[0]).findAll(names);
}

/** The record that lists show of a row's link. */
export async function totalsOf(row: LinkRow): Promise<LinkRecord> {
	const link = chosenLink(row);
	if (link.name.by !== 'id') return await new LinkFinder(row).findOne(link);
	const [known] = linksOf(row).matching(link.name);
	if (known !== undefined) return known;
	return (await readLink(row)).link;
}
