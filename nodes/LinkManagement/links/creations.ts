/** Creations of links: what is made, and what is there already. */
import { inEditor } from '../service/advice';
import { ApiError, DoneOtherwiseError, ignoreRefusedEndpoint, listed } from '../service/errors';
import { inQuotes } from '../service/failures';
import { asText } from '../service/records';
import { type CreatedLink, createLink, OtherLinkError } from './createLink';
import { LinkFinder } from './find';
import { labelOf, LINK_FIELD_NAMES, type LinkFields, pick } from './linkFields';
import { type NamedRow, sheetOf } from './linkOperations';
import { groupedBy, inTurn, itemRecord, type LinkItem, type LinkRow, type Unit } from './linkRow';
import { refuseShortLinks } from './ownLinks';
import { type LinkTask, planSheet } from './plan';
import { aboutLink, type AliasName, aliasNameOf, type LinkRecord } from './reference';
import { namesToFind } from './sheetRow';
import { isSameAddress, isSimilarAddress } from './url';

/** The item of a link that was created or found. */
function itemFor({ record, existing }: CreatedLink): LinkItem[] {
	return [{ json: { ...record, ...(existing ? { existing: true } : {}) } }];
}

/** The item of a link that was found, with the fields of a creation. */
function itemForFound({ id, shorturl, alias, longurl }: LinkRecord, note?: string): LinkItem[] {
	const told = note === undefined ? {} : { note };
	return itemFor({ record: { ...itemRecord({ id, shorturl, alias, longurl }), ...told }, existing: true });
}

/** Which fields of a creation a link that was there has not been given. */
function notApplied(body: LinkFields): string | undefined {
	const others = LINK_FIELD_NAMES.filter((name) => name in body && !['url', 'custom', 'domain'].includes(name));
	if (others.length === 0) return undefined;
	return `The link was there. Not applied: ${listed(others.map(labelOf))}. Update the link to apply them.`;
}

/** The error of a row whose alias belongs to a link with another long URL. */
function takenElsewhere(alias: unknown, there: LinkRecord, url: unknown): ApiError {
	const other = isSimilarAddress(there.longurl, url) ? 'another spelling of the long URL' : 'another long URL';
	const error = new ApiError(
		'refused',
		`The alias "${asText(alias)}" belongs to a link with ${other}: ${inQuotes(there.longurl)}`,
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

/** The item of the link that has the alias of a creation. @throws ApiError if it leads elsewhere */
function itemOfTaken(row: LinkRow, body: LinkFields, there: LinkRecord): LinkItem[] {
	if (!isSameAddress(there.longurl, body.url)) throw takenElsewhere(body.custom, there, body.url);
	return itemForFound(there, row.isTool ? notApplied(body) : undefined);
}

/** A model repeats a call whose answer it has not seen, and some services answer as if the link were new. */
function looksFirst({ isTool, request: { body, options } }: LinkRow): boolean {
	return isTool && body.custom !== undefined && options.ifAliasExists !== 'another';
}

/** The alias of a creation, where the link will be. */
function placedAlias({ state }: LinkRow, body: LinkFields): AliasName {
	const name = aliasNameOf(body);
	return { ...name, domain: name.domain ?? state.index.likelyPlace };
}

/** Finds the links that have the aliases of creations. */
async function findTaken(rows: readonly LinkRow[]): Promise<void> {
	if (rows.length === 0) return;
	const finder = new LinkFinder(rows[0]);
	const find = async () => {
		await finder.readFirstPage();
		await finder.findAll(rows.map((row) => placedAlias(row, row.state.resolved(row.request.body))));
	};
	// A key that may create links may have no right to see them.
	await find().catch(ignoreRefusedEndpoint);
}

/** Creates the link of a row. If its alias is taken, does what the row asks for then. */
async function createOrTake(row: LinkRow): Promise<LinkItem[]> {
	const { options } = row.request;
	const body = row.state.resolved(row.request.body);
	const { custom } = body;
	const isAnother = options.ifAliasExists === 'another';
	const [known] = looksFirst(row) ? row.state.index.matching(placedAlias(row, body), body.url) : [];
	if (known !== undefined) return itemOfTaken(row, body, known);
	return await createLink(row, body, { mayLackAlias: isAnother }).then(itemFor, async (error: unknown) => {
		if (error instanceof OtherLinkError) {
			if (isReturning(row)) return itemFor({ ...error.link, existing: true });
			if (isAnother && error.link.lacks === 'alias') return itemFor(error.link);
			throw error;
		}
		if (!isOwnRefusal(error) || custom === undefined) throw error;
		if (isAnother) return itemFor(await createLink(row, { ...body, custom: undefined }, { mayLackAlias: true }));
		// Others may have made it since.
		const there = isReturning(row) || row.isTool ? await new LinkFinder(row).findMade(body) : undefined;
		if (there !== undefined) return itemOfTaken(row, body, there);
		if (isReturning(row)) throw error;
		// The alias may be the reason: services say that in different words.
		const cure = `The row asked for the alias "${asText(custom)}". If a link has that alias already, set Options → If Alias Exists to "Return Existing Link", or use the operation Create or Update.`;
		throw error.with({ advice: `${error.advice} ${inEditor(cure)}` });
	});
}

/** Returns the link of rows, or makes it for the first of them. */
function returnOrCreate({ link, rows }: LinkTask<NamedRow>): Unit {
	const fieldsOf = new Map<LinkRow, LinkFields>(rows.map(({ row, fields }) => [row, fields]));
	const perform = async (row: LinkRow): Promise<LinkItem[]> => {
		const fields = fieldsOf.get(row)!;
		const { custom, url } = fields;
		const known = link ?? (row === rows[0].row ? undefined : row.state.index.matching(aliasNameOf(fields), url)[0]);
		if (known === undefined) return await createOrTake(row);
		if (isSameAddress(known.longurl, url)) return itemForFound(known);
		throw takenElsewhere(custom, known, url);
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
		const made = tasks.filter(({ link }) => link === undefined);
		await refuseShortLinks(made.map(({ fields, rows: of }) => ({ url: fields.url, rows: of.map(({ row }) => row) })));
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
	const others = rows.filter((row) => !isReturning(row));
	await findTaken(others.filter(looksFirst));
	await refuseShortLinks(others.map((row) => ({ rows: [row], url: row.request.body.url })));
	const byAlias = groupedBy(others, (row) => aliasOf(row) || undefined);
	return [...returns, ...byAlias.map((some) => inTurn(some, createOrTake))];
}
