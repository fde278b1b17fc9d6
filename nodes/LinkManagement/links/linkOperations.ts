/** The operations on links that are there: which links their rows mean, and what is done with each. */
import type { IDataObject } from 'n8n-workflow';

import { yielding } from '../n8n/slices';
import { asText, flatRecord, idOf } from '../service/records';
import { LinkFinder } from './find';
import { type LinkFields, pick } from './linkFields';
import {
	groupedBy,
	itemRecord,
	type LinkRow,
	missingNames,
	namesOfLink,
	type Outcome,
	readDetails,
	referencesOf,
	type Unit,
} from './linkRow';
import { refuseShortLinks } from './ownLinks';
import { idOfLink, isReference, type LinkName, type LinkRecord, type LinkReference, type Reference } from './reference';
import { aboutRows, contradictionOf, merged, type SheetRow } from './sheetRow';
import { changesInWords, deleteLink, prepareUpdate, updateLink } from './updateLink';
import { hostOf, withParameters } from './url';

/** What came of rows that are done together. */
function together(rows: readonly LinkRow[], itemOf: (row: LinkRow, at: number) => IDataObject): Map<LinkRow, Outcome> {
	return new Map(rows.map((row, at) => [row, { items: [{ json: itemOf(row, at) }] }]));
}

/** A row of a run, as one of a sheet. */
export type NamedRow = SheetRow & { readonly row: LinkRow };

/** Rows as those of a sheet. @param fields that count */
export function sheetOf(
	rows: readonly LinkRow[],
	fields: (body: LinkFields) => LinkFields = (body) => body,
): NamedRow[] {
	return rows.map((row) => ({
		row,
		label: row.label,
		index: row.index,
		fields: fields(row.state.resolved(row.request.body)),
	}));
}

/** The reference to the link of a row, in an operation on one link. */
const isLink = (reference: Reference): reference is LinkReference => reference.kind === 'link';
const chosenLink = (row: LinkRow): LinkReference => referencesOf(row, isLink)[0];

/** The ID of the link of a row, as far as it is known. */
function chosenId(row: LinkRow): number | undefined {
	const { id } = row.state.resolved<{ id: unknown }>({ id: chosenLink(row) });
	return idOf({ id });
}

/** Finds the links of all rows together. */
export async function findLinkIds(rows: readonly LinkRow[]): Promise<void> {
	const asking = rows.flatMap((row) => referencesOf(row, isLink).map((link) => ({ row, link })));
	const named = asking.filter(({ link }) => link.name.by !== 'id' || link.or !== undefined);
	if (named.length === 0) return;
	const finder = new LinkFinder(rows[0]);
	await finder.findAll(named.flatMap(({ link: { name, or } }) => (or === undefined ? [name] : [])));
	for await (const { row, link } of yielding(named)) {
		try {
			row.state.linkIds.set(link, await finder.idMeantBy(link));
		} catch (error) {
			row.refuse(error);
		}
	}
}

/** Whether each row may find its own link when it is done: a short URL names one link, and the look-up brings its details. */
const mayFindLate = (rows: readonly LinkRow[]) =>
	rows.every((row) => chosenLink(row).name.by === 'shortUrl' && chosenLink(row).or === undefined);

/** How the link of a row is named: by its ID, as soon as that is known. */
function chosenName(row: LinkRow): LinkName {
	const id = chosenId(row);
	return id === undefined ? chosenLink(row).name : { by: 'id', id };
}

/** The same for operations that read each link's details anyway: that request finds a short URL, too. */
export async function findLinksToRead(rows: readonly LinkRow[]): Promise<void> {
	if (!mayFindLate(rows)) await findLinkIds(rows);
}

/** Finds the records that lists show of the links of rows: from the list for many rows, one by one for a few. */
export async function findTotals(rows: readonly LinkRow[]): Promise<void> {
	if (rows.length === 0) return;
	await findLinkIds(rows.filter((row) => chosenLink(row).or !== undefined));
	const names = rows.map(chosenName);
	const finder = new LinkFinder(rows[0]);
	await finder.findAll(names);
	const ids = names.filter((name) => name.by === 'id' && finder.links.matching(name).length === 0);
	if (ids.length < 2) return;
	await finder.readFirstPage();
	await finder.isListCheaper(ids.length);
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
	const { index } = row.state;
	const finder = new LinkFinder(row);
	const chosen = chosenLink(row);
	if (chosenId(row) === undefined) await finder.findAll([chosen.name]);
	const id = chosenId(row) ?? idOfLink(finder.oneFor(chosen));
	const details = index.takeDetails(id) ?? (await readDetails(row, id));
	return { id, details, link: index.putDetails(details, id) };
}

/** The record that lists show of a row's link. */
export async function totalsOf(row: LinkRow): Promise<LinkRecord> {
	const name = chosenName(row);
	if (name.by !== 'id') return new LinkFinder(row).oneFor(chosenLink(row));
	const [known] = row.state.index.matching(name);
	return known ?? (await readLink(row)).link;
}

/** Rows by their links. */
const byLink = (rows: readonly LinkRow[]) => groupedBy(rows, (row) => asText(chosenId(row)));

/** Fields whose long URL is the link's own, with other UTM parameters. */
function withOwnUrl(fields: LinkFields, { longurl }: LinkRecord): LinkFields {
	const { url } = fields;
	if (!isReference(url) || url.kind !== 'ownUrl') return fields;
	return { ...fields, url: withParameters(asText(longurl), url.utm, true) };
}

/** Updates a link: reads it, and sends back what its rows do not change. */
async function updateTogether(open: readonly LinkRow[], rows: readonly NamedRow[]): Promise<Map<LinkRow, Outcome>> {
	const [row] = open;
	const { fields: said, saidBy } = merged(rows);
	const { id, details } = await readLink(row);
	const shown = await new LinkFinder(row).fullRecord({ ...flatRecord(details), id });
	const fields = withOwnUrl(said, shown);
	const { answer } = await updateLink(row, shown, fields, prepareUpdate(row, shown, fields));
	return together(open, (one) => {
		const own = [...saidBy].flatMap(([name, { row: first }]) => (first === one ? [name] : []));
		const changes = changesInWords(one, pick(fields, own), shown);
		return { success: true, ...answer, id, ...namesOfLink(one, id), changes };
	});
}

/** Plans updates: rows of one link are one update, and all links are found before the first is changed. */
export async function planUpdates(rows: readonly LinkRow[]): Promise<Unit[]> {
	await findLinkIds(rows);
	const found = rows.filter(({ isRefused }) => !isRefused);
	if (found.length === 0) return [];
	await new LinkFinder(rows[0]).findListed(found.map((row) => ({ by: 'id', id: chosenId(row)! })));
	await refuseShortLinks(found.map((row) => ({ rows: [row], url: row.request.body.url, link: { id: chosenId(row) } })));
	return byLink(found).flatMap((some) => {
		const sheet = sheetOf(some);
		const { contradictions } = merged(sheet);
		if (contradictions.size > 0) {
			for (const one of sheet) one.row.refuse(contradictionOf(one, sheet, contradictions));
			return [];
		}
		const missing = some.flatMap(missingNames);
		const perform: Unit['perform'] = async (open) =>
			await updateTogether(open, sheet).catch((error: unknown) => {
				throw aboutRows(error, some);
			});
		return [{ rows: some, missing, perform }];
	});
}

/** Plans deletions: rows of one link are one deletion. */
export async function planDeletions(rows: readonly LinkRow[]): Promise<Unit[]> {
	await findLinkIds(rows);
	const found = rows.filter(({ isRefused }) => !isRefused);
	return byLink(found).map((some) => ({
		rows: some,
		async perform(open) {
			const id = chosenId(some[0])!;
			// A model has seen nothing of the link but its name.
			if (open[0].isTool) await readLink(open[0]);
			const shown = namesOfLink(some[0], id, ['alias', 'shorturl', 'longurl', 'clicks']);
			const answer = await deleteLink(open[0], id);
			return together(open, () => ({ deleted: true, ...answer, id, ...shown }));
		},
	}));
}
