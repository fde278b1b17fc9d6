/** The operations on links besides Create or Update: which links their rows mean, and what is done with each. */
import type { IDataObject } from 'n8n-workflow';

import { yielding } from '../n8n/slices';
import { ApiError, DoneOtherwiseError } from '../service/errors';
import { asText, flatRecord, idOf } from '../service/records';
import { createLink, OtherLinkError, type CreatedLink } from './createLink';
import { LinkFinder } from './find';
import { pick, type LinkFields } from './linkFields';
import {
	groupedBy,
	inTurn,
	itemRecord,
	namesOfLink,
	missingNames,
	readDetails,
	referencesOf,
	type LinkItem,
	type LinkRow,
	type Outcome,
	type Unit,
} from './linkRow';
import { planSheet, type LinkTask } from './plan';
import { aboutLink, aliasNameOf, isReference, type LinkRecord, type LinkReference, type Reference } from './reference';
import { aboutRows, contradictionOf, merged, namesToFind, type SheetRow } from './sheetRow';
import { changesInWords, deleteLink, prepareUpdate, updateLink } from './updateLink';
import { isSameAddress, isSimilarAddress, withParameters } from './url';

/** What came of rows that are done together. */
function together(rows: readonly LinkRow[], itemOf: (row: LinkRow, at: number) => IDataObject): Map<LinkRow, Outcome> {
	return new Map(rows.map((row, at) => [row, { items: [{ json: itemOf(row, at) }] }]));
}

/** The item of a link that was created or found. */
function itemFor({ record, existing }: CreatedLink): LinkItem[] {
	return [{ json: { ...record, ...(existing ? { existing: true } : {}) } }];
}

/** The item of a link that was found, with the fields of a creation. */
function itemForFound({ id, shorturl, alias, longurl }: LinkRecord): LinkItem[] {
	return itemFor({ record: itemRecord({ id, shorturl, alias, longurl }), existing: true });
}

/** The error of a row whose alias belongs to a link with another long URL. */
function leadsElsewhere(alias: unknown, there: LinkRecord, url: unknown): ApiError {
	const other = isSimilarAddress(there.longurl, url) ? 'another spelling of the long URL' : 'another long URL';
	const error = new ApiError(
		'refused',
		`The alias "${asText(alias)}" belongs to a link with ${other}: ${asText(there.longurl)}`,
		'No link was created for this row. Choose another alias, or correct the long URL.',
	);
	return aboutLink(error, there);
}

const isReturning = ({ request: { body, options } }: LinkRow) =>
	options.ifAliasExists === 'returnExisting' && body.custom !== undefined;

/** Whether the service itself refused something, which may be the alias. */
function isOwnRefusal(error: unknown): error is ApiError {
	return error instanceof ApiError && error.kind === 'refused' && !(error instanceof DoneOtherwiseError);
}

/** Creates the link of a row. If its alias is refused, does what the row asks for then. */
async function create(row: LinkRow): Promise<LinkItem[]> {
	const { options } = row.request;
	const body = row.state.resolved(row.request.body);
	const { custom } = body;
	const isAnother = options.ifAliasExists === 'another';
	return await createLink(row, body, { mayLackAlias: isAnother }).then(itemFor, async (error: unknown) => {
		if (error instanceof OtherLinkError) {
			if (isReturning(row)) return itemFor({ ...error.link, existing: true });
			if (isAnother && error.link.lacks === 'alias') return itemFor(error.link);
			throw error;
		}
		if (!isOwnRefusal(error) || custom === undefined) throw error;
		if (isAnother) return itemFor(await createLink(row, { ...body, custom: undefined }, { mayLackAlias: true }));
		if (isReturning(row)) {
			// Others may have made it since.
			const there = await new LinkFinder(row).findMade(body);
			if (there !== undefined && isSameAddress(there.longurl, body.url)) return itemForFound(there);
			throw there === undefined ? error : leadsElsewhere(custom, there, body.url);
		}
		// The alias may be the reason: services say that in different words.
		const cure = `The row asked for the alias "${asText(custom)}". If a link has that alias already, set Options → If Alias Exists to "Return Existing Link", or use the operation Create or Update.`;
		throw error.with({ advice: `${error.advice} ${cure}` });
	});
}

type NamedRow = SheetRow & { readonly row: LinkRow };

/** Rows as those of a sheet. @param fields that count */
function sheetOf(rows: readonly LinkRow[], fields: (body: LinkFields) => LinkFields = (body) => body): NamedRow[] {
	return rows.map((row) => ({
		row,
		label: row.label,
		index: row.index,
		fields: fields(row.state.resolved(row.request.body)),
	}));
}

/** Returns the link of rows, or makes it for the first of them. */
function returnOrCreate({ link, rows }: LinkTask<NamedRow>): Unit {
	const fieldsOf = new Map<LinkRow, LinkFields>(rows.map(({ row, fields }) => [row, fields]));
	const perform = async (row: LinkRow): Promise<LinkItem[]> => {
		const fields = fieldsOf.get(row)!;
		const { custom, url } = fields;
		const known = link ?? (row === rows[0].row ? undefined : row.state.index.matching(aliasNameOf(fields), url)[0]);
		if (known === undefined) return await create(row);
		if (isSameAddress(known.longurl, url)) return itemForFound(known);
		throw leadsElsewhere(custom, known, url);
	};
	return inTurn([...fieldsOf.keys()], perform);
}

/** Finds the links that rows ask to be returned: all before anything is made. */
async function planReturns(rows: readonly LinkRow[]): Promise<Unit[]> {
	if (rows.length === 0) return [];
	const [first] = rows;
	const rules = { matchOn: 'alias', updateWhen: 'changed' } as const;
	const sheet = sheetOf(rows, (body) => pick(body, ['url', 'custom', 'domain']));
	const find = async () => {
		await new LinkFinder(first).findAll(sheet.flatMap((one) => namesToFind(one, rules)));
		const { tasks, refused } = await planSheet(sheet, first.state.index, rules);
		for (const [{ row }, error] of refused) row.refuse(error);
		return tasks.map(returnOrCreate);
	};
	return await find().catch((error: unknown) => {
		for (const row of rows) row.refuse(error);
		return [];
	});
}

/** Plans creations. The first of several rows with one alias gets it. */
export async function planCreations(rows: readonly LinkRow[]): Promise<Unit[]> {
	const returns = await planReturns(rows.filter(isReturning));
	const aliasOf = ({ request: { body } }: LinkRow) => body.custom && asText(body.custom).toLowerCase();
	const others = groupedBy(
		rows.filter((row) => !isReturning(row)),
		(row) => aliasOf(row) || undefined,
	);
	return [...returns, ...others.map((some) => inTurn(some, create))];
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
	const named = asking.filter(({ link }) => link.name.by !== 'id');
	if (named.length === 0) return;
	const finder = new LinkFinder(rows[0]);
	await finder.findAll(named.map(({ link }) => link.name));
	for await (const { row, link } of yielding(named)) {
		try {
			row.state.linkIds.set(link, Number(finder.oneFor(link).id));
		} catch (error) {
			row.refuse(error);
		}
	}
}

/** Whether each row may find its own link when it is done: a short URL names one link, and the look-up brings its details. */
const mayFindLate = (rows: readonly LinkRow[]) => rows.every((row) => chosenLink(row).name.by === 'shortUrl');

/** The same for operations that read each link's details anyway: that request finds a short URL, too. */
export async function findLinksToRead(rows: readonly LinkRow[]): Promise<void> {
	if (!mayFindLate(rows)) await findLinkIds(rows);
}

/** Finds the records that lists show of the links of rows: from the list for many rows, one by one for a few. */
export async function findTotals(rows: readonly LinkRow[]): Promise<void> {
	if (rows.length === 0) return;
	const names = rows.map((row) => chosenLink(row).name);
	const finder = new LinkFinder(rows[0]);
	await finder.findAll(names);
	const ids = names.filter((name) => name.by === 'id' && finder.links.matching(name).length === 0);
	if (ids.length < 2) return;
	await finder.readFirstPage();
	await finder.isListCheaper(ids.length);
}

/** Reads the link that a row chooses. @returns its ID, its details as sent, and its record with what is known besides */
export async function readLink(row: LinkRow): Promise<{ id: number; details: IDataObject; link: LinkRecord }> {
	const { index } = row.state;
	const finder = new LinkFinder(row);
	const chosen = chosenLink(row);
	if (chosenId(row) === undefined) await finder.findAll([chosen.name]);
	const id = chosenId(row) ?? Number(finder.oneFor(chosen).id);
	const details = index.takeDetails(id) ?? (await readDetails(row, id));
	return { id, details, link: index.putDetails(details, id) };
}

/** The record that lists show of a row's link. */
export async function totalsOf(row: LinkRow): Promise<LinkRecord> {
	const link = chosenLink(row);
	if (link.name.by !== 'id') return new LinkFinder(row).oneFor(link);
	const [known] = row.state.index.matching(link.name);
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
async function update(open: readonly LinkRow[], rows: readonly NamedRow[]): Promise<Map<LinkRow, Outcome>> {
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
	return byLink(found).flatMap((some) => {
		const sheet = sheetOf(some);
		const { contradictions } = merged(sheet);
		if (contradictions.size > 0) {
			for (const one of sheet) one.row.refuse(contradictionOf(one, sheet, contradictions));
			return [];
		}
		const missing = some.flatMap(missingNames);
		const perform: Unit['perform'] = async (open) =>
			await update(open, sheet).catch((error: unknown) => {
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
			const names = namesOfLink(some[0], id);
			const answer = await deleteLink(open[0], id);
			return together(open, () => ({ deleted: true, ...answer, id, ...names }));
		},
	}));
}
