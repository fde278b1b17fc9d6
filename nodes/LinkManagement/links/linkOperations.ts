/** The operations on links that are there: which links their rows mean, and what is done with each. */
import type { IDataObject } from 'n8n-workflow';

import { yielding } from '../n8n/slices';
import { asText, flatRecord, idOf } from '../service/records';
import { LinkFinder } from './find';
import type { LinkFields } from './linkFields';
import { groupedBy, itemRecord, type LinkRow, namesOfLink, type Outcome, readDetails, type Unit } from './linkRow';
import { namedIn } from './named';
import { idOfLink, isReference, type LinkName, type LinkRecord, type LinkReference, type Reference } from './reference';
import { aboutRows, contradictionOf, merged } from './sheetRow';
import { changesOf } from './comparison';
import { deleteLink, prepareUpdate, updateLink } from './updateLink';
import { hostOf } from './url';

/** What came of rows that are done together. */
function together(rows: readonly LinkRow[], itemOf: (row: LinkRow, at: number) => IDataObject): Map<LinkRow, Outcome> {
	return new Map(rows.map((row, at) => [row, { items: [{ json: itemOf(row, at) }] }]));
}

const isLink = (reference: Reference): reference is LinkReference => reference.kind === 'link';

/** The link of a row whose ID is not known yet. */
function namedLink({ request }: LinkRow): LinkReference | undefined {
	const link: unknown = request.pathValues.linkId;
	return isReference(link) && isLink(link) ? link : undefined;
}

/** The ID of the link of a row. */
function chosenId(row: LinkRow): number {
	return idOf({ id: row.request.pathValues.linkId })!;
}

/** Finds the links of all rows together, and puts their IDs into the requests. */
export async function findLinkIds(rows: readonly LinkRow[]): Promise<void> {
	const named = await namedIn(rows, isLink);
	if (named.length === 0) return;
	const finder = new LinkFinder(rows[0]);
	await finder.findAll(named.flatMap(({ reference: { name, or } }) => (or === undefined ? [name] : [])));
	for await (const { row, reference, put } of yielding(named)) {
		try {
			put(await finder.idMeantBy(reference));
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
	const finder = new LinkFinder(rows[0]);
	const open = rows.filter((row) => !row.isRefused && finder.links.get({ id: chosenId(row) }) === undefined);
	if (open.length < 2) return;
	await finder.readFirstPage();
	await finder.isListCheaper(open.length);
}

/** The link at a short URL, if the account has it. */
export async function linkAt(row: LinkRow, shortUrl: string): Promise<IDataObject | undefined> {
	const finder = new LinkFinder(row);
	if (!(await finder.isOwn(hostOf(shortUrl) ?? ''))) return undefined;
	await finder.findAll([{ by: 'shortUrl', shortUrl }]);
	const [link] = finder.links.matching({ by: 'shortUrl', shortUrl });
	return link && itemRecord(link);
}

/** Reads the link that a row chooses. @returns its ID, its details as sent, and its record with what is known besides */
export async function readLink(row: LinkRow): Promise<{ id: number; details: IDataObject; link: LinkRecord }> {
	const named = namedLink(row);
	const finder = new LinkFinder(row);
	if (named !== undefined) await finder.findAll([named.name]);
	const id = named === undefined ? chosenId(row) : idOfLink(finder.oneFor(named));
	const details = await readDetails(row, id);
	return { id, details, link: row.state.index.putDetails(details, id) };
}

/** The record that lists show of a row's link. */
export async function totalsOf(row: LinkRow): Promise<LinkRecord> {
	return row.state.index.get({ id: chosenId(row) }) ?? (await readLink(row)).link;
}

/** Rows by their links. */
const byLink = (rows: readonly LinkRow[]) => groupedBy(rows, (row) => asText(chosenId(row)));

/** Updates a link: reads it, and sends back what its rows do not change. */
async function updateTogether(rows: readonly LinkRow[], fields: LinkFields): Promise<Map<LinkRow, Outcome>> {
	const [row] = rows;
	const { id, details } = await readLink(row);
	const shown = await new LinkFinder(row).fullRecord({ ...flatRecord(details), id });
	const { answer } = await updateLink(row, shown, fields, prepareUpdate(shown, fields));
	const changes = changesOf(fields, shown) as IDataObject;
	return together(rows, (one, at) => ({
		...{ success: true, ...answer, id, ...namesOfLink(one, id) },
		changes: at === 0 ? changes : {},
	}));
}

/** Plans updates: rows of one link are one update, and all links are found before the first is changed. */
export async function planUpdates(rows: readonly LinkRow[]): Promise<Unit[]> {
	await findLinkIds(rows);
	const found = rows.filter(({ isRefused }) => !isRefused);
	if (found.length === 0) return [];
	const names = found.map((row): LinkName => ({ by: 'id', id: chosenId(row) }));
	await new LinkFinder(rows[0]).findListed(names);
	return byLink(found).flatMap((some) => {
		const { fields, contradictions } = merged(some, ({ request }) => request.body);
		if (contradictions.size > 0) {
			for (const row of some) row.refuse(contradictionOf(row, some, contradictions));
			return [];
		}
		const perform: Unit['perform'] = async (open) =>
			await updateTogether(open, fields).catch((error: unknown) => {
				throw aboutRows(error, some);
			});
		return [{ rows: some, perform }];
	});
}

/** Plans deletions: rows of one link are one deletion. */
export async function planDeletions(rows: readonly LinkRow[]): Promise<Unit[]> {
	await findLinkIds(rows);
	const found = rows.filter(({ isRefused }) => !isRefused);
	return byLink(found).map((some) => ({
		rows: some,
		async perform(open) {
			const id = chosenId(some[0]);
			// A model has seen nothing of the link but its name.
			if (open[0].isTool) await readLink(open[0]);
			const shown = namesOfLink(some[0], id, ['alias', 'shorturl', 'longurl', 'clicks']);
			const answer = await deleteLink(open[0], id);
			return together(open, () => ({ deleted: true, ...answer, id, ...shown }));
		},
	}));
}
