/** What each operation on links plans for its rows. */
import type { IDataObject } from 'n8n-workflow';

import { inSlices, inTurns } from '../n8n/slices';
import { ApiError } from '../service/errors';
import { asText, flatRecord } from '../service/records';
import { emptyOf, type LinkFields } from './changes';
import { readLink } from './choose';
import { LinkFinder } from './find';
import { RowAtWork, type Findings } from './perform';
import type { LinkIndex } from './linkIndex';
import { namesToFind, SheetPlan, type PlannedRow, type SheetRow } from './plan';
import { newLinksOf } from './newLinks';
import { aliasNameOf, SeveralLinksError, type LinkRecord } from './reference';
import { accountKey, inOrder, itemRecord, linksOf, namesOfLink, type LinkItem, type LinkRow } from './row';
import { createLink, deleteLink, OtherLinkError, updateLink, type CreatedLink, type LinkRules } from './send';
import { hostOf, isLikeAddress } from './url';

/** So many rows are worth a look-up that tells whether their links are there already. */
const MANY_ROWS = 10;
/** Characters of a value that a hint shows, at most. */
const MOST_QUOTED = 120;

/** What a row says of its link: the fields that it sets, and those that it clears. */
function fieldsOf({ request: { body, cleared = [] } }: LinkRow): LinkFields {
	return { ...body, ...Object.fromEntries(cleared.map((name) => [name, emptyOf(name)])) };
}

/** The same shape for a link that was created and for one that was found. */
function itemFor({ record, existing }: CreatedLink): LinkItem[] {
	return [{ json: { ...record, ...(existing ? { existing: true } : {}) } }];
}

/** A link that was found for a row, with the fields that a creation gives. */
function existing(row: LinkRow, link: LinkRecord): LinkItem[] {
	const { id, shorturl, alias, longurl } = link;
	newLinksOf(row).take(link);
	return itemFor({ record: itemRecord({ id, shorturl, alias, longurl }), existing: true });
}

const isReturning = ({ request: { body, options } }: LinkRow) =>
	options.ifAliasExists === 'returnExisting' && body.custom !== undefined;

const nameOf = ({ request: { body } }: LinkRow) => aliasNameOf(body);

/** The link that has the alias already, in place of the service's refusal. */
async function linkWithAlias(row: LinkRow, refusal: ApiError): Promise<LinkItem[]> {
	const { url, custom } = row.request.body;
	const there = await new LinkFinder(row).find(nameOf(row), true);
	if (there.length === 0) throw refusal;
	const same = there.filter(({ longurl }) => isLikeAddress(longurl, url));
	if (same.length === 1) return existing(row, same[0]);
	if (same.length > 1) throw new SeveralLinksError(`The alias "${String(custom)}"`, same, 'Name the domain too.');
	throw new ApiError(
		'refused',
		`The alias "${String(custom)}" belongs to a link with another long URL`,
		`The service's answer to the creation was: ${refusal.message}`,
		refusal.statusCode,
	);
}

/** Creates the link of a row; where that was asked for, one that has its alias is returned. */
export async function createChosen(row: LinkRow): Promise<LinkItem[]> {
	const { body, options } = row.request;
	const isAnother = options.ifAliasExists === 'another';
	return await createLink(row, body, isAnother).then(itemFor, async (error: unknown) => {
		if (error instanceof OtherLinkError) {
			if (isReturning(row)) return itemFor({ ...error.link, existing: true });
			if (isAnother && error.link.dropped === 'alias') return itemFor(error.link);
			throw error;
		}
		const { custom } = body;
		if (!(error instanceof ApiError) || error.kind !== 'refused' || custom === undefined) throw error;
		if (isReturning(row)) return await linkWithAlias(row, error);
		if (isAnother) return itemFor(await createLink(row, { ...body, custom: undefined }, true));
		// The alias may be the reason: the service says that in words of its own.
		const cure = `The row asked for the alias "${String(custom)}". If a link has that alias already, set Options → If Alias Exists to "Return Existing Link", or use the operation Create or Update.`;
		throw new ApiError('refused', error.message, `${error.advice} ${cure}`, error.statusCode);
	});
}

/**
 * Finds the links of many rows together, if the first row's is there: then the sheet has run before, and this takes fewer requests
 * than to have each creation refused.
 */
async function findExisting(rows: LinkRow[]): Promise<void> {
	if (rows.length < MANY_ROWS) return;
	const [first] = rows;
	const finder = new LinkFinder(first);
	if ((await finder.find(nameOf(first))).length === 0) return;
	await finder.findAll(rows.map(nameOf));
	for await (const row of inTurns(rows)) {
		const there = finder.links.among(nameOf(row));
		// One that leads elsewhere is left to the service to refuse.
		if (there.length !== 1 || !isLikeAddress(there[0].longurl, row.request.body.url)) continue;
		const items = existing(row, there[0]);
		row.decision = async () => items;
	}
}

/** Of rows that name one alias the earlier gets it. Links that are there already, and are to be returned, are found. */
export async function planCreations(rows: readonly LinkRow[]): Promise<void> {
	inOrder(rows, ({ request: { body } }) => (body.custom === undefined ? undefined : String(body.custom)));
	// What can't be read now is left to the creations, each of which says itself what is wrong.
	await findExisting(rows.filter(isReturning)).catch((error: unknown) => {
		if (!(error instanceof ApiError)) throw error;
	});
}

/** Deletes the link that a row chooses. */
export async function deleteChosen(row: LinkRow): Promise<LinkItem[]> {
	const id = Number(row.request.pathValues.linkId);
	const names = namesOfLink(row, id);
	return [{ json: { deleted: true, ...(await deleteLink(row, id)), id, ...names } }];
}

/** Changes the link that a row chooses: reads what it shows, and sends it along. */
export async function updateChosen(row: LinkRow, rules: LinkRules): Promise<LinkItem[]> {
	const { id, details } = await readLink(row);
	const shown: LinkRecord = { ...linksOf(row).known({ id }), ...flatRecord(details), id };
	const { answer } = await updateLink(row, shown, fieldsOf(row), rules);
	return [{ json: { success: true, ...answer, id, ...namesOfLink(row, id) } }];
}

/** A row of Create or Update, before it is known whether its short URL counts. */
function sheetRow(row: LinkRow): SheetRow {
	const { matchOn = 'alias', updateWhen = 'changed' } = row.request.options as Partial<SheetRow>;
	return { row, fields: Object.assign(row.request.body, fieldsOf(row)), matchOn, updateWhen };
}

/**
 * Finds the links of rows. A short URL counts on the hosts of the account: the service's, its domains', and those of the links that
 * are seen. Columns of another service's short URLs are left alone.
 *
 * @returns the hosts of short URLs that do not count
 */
async function findLinks(finder: LinkFinder, sheet: readonly SheetRow[]): Promise<Set<string>> {
	const { links } = finder;
	let foreign = new Set<string>();
	/** @returns the rows whose short URLs count from now on */
	const takeShortUrls = async () => {
		foreign = new Set();
		const counting: SheetRow[] = [];
		for await (const asking of inTurns(sheet)) {
			const { shortUrl } = asking.row.request;
			const host = hostOf(shortUrl);
			if (host === undefined || asking.shortUrl !== undefined) continue;
			if (links.standsOn(host)) counting.push(Object.assign(asking, { shortUrl }));
			else foreign.add(host);
		}
		return counting;
	};
	const find = async (rows: readonly SheetRow[]) => await finder.findAll((await inSlices(rows, namesToFind)).flat());
	await takeShortUrls();
	await find(sheet);
	await finder.findHosts(foreign);
	if (foreign.size > 0) await find(await takeShortUrls());
	// Whether an alias that stands on some domain is free where a link without a domain is made.
	const mayNewHaveAlias = sheet.some(({ matchOn, fields }) => matchOn === 'url' && fields.custom !== undefined);
	if (links.likelyHost === undefined && mayNewHaveAlias) await finder.domains();
	return foreign;
}

/** A value in a sentence: text in quotes, and no more of it than helps. */
function inWords(value: unknown): string {
	const text = typeof value === 'string' ? `"${value}"` : asText(value);
	return text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text;
}

/** What is shown above the items of a run, besides what was done. */
function hintOf({ hidden, keptOtherwise }: Findings, foreign: Set<string>, { labelOf }: LinkRules): string | undefined {
	const hints = [...hidden].map(([name, count]) => {
		const rows = count === 1 ? '1 row is' : `${count} rows are`;
		return `This service doesn't show ${labelOf(name)}, so ${rows} updated in every run.`;
	});
	for (const [name, kept] of keptOtherwise) {
		if (kept === undefined) continue;
		hints.push(
			`This service writes ${labelOf(name)} differently: ${inWords(kept.sent)} comes back as ${inWords(kept.shown)}. Such rows are updated in every run.`,
		);
	}
	if (foreign.size > 0) {
		hints.push(`Short URLs on ${[...foreign].join(', ')} belong to another service. That column was ignored.`);
	}
	return hints.length === 0 ? undefined : hints.join(' ');
}

/** While runs of Create or Update are under way, they tell each other which links without an alias they create. */
function joinOtherRuns(row: LinkRow): void {
	const { creations } = row.connection;
	creations.runs++;
	row.atEnd(() => {
		creations.runs--;
		if (creations.runs === 0) creations.created.clear();
		return undefined;
	});
}

/** Plans each row, in their order, and then once more with all of them in view. Rows that can't be done are refused. */
async function planRows(
	sheet: readonly SheetRow[],
	plan: SheetPlan,
	perform: (planned: PlannedRow) => Promise<IDataObject>,
): Promise<void> {
	const plannedRows: PlannedRow[] = [];
	const orRefuse = (row: LinkRow, work: () => void) => {
		try {
			work();
		} catch (error) {
			row.refuse(error);
		}
	};
	for await (const asking of inTurns(sheet)) {
		const { row } = asking;
		if (row.isRefused) continue;
		orRefuse(row, () => {
			const planned = plan.add(asking);
			row.waitFor(planned.after?.row);
			row.decision = async () => [{ json: await perform(planned) }];
			plannedRows.push(planned);
		});
	}
	for await (const planned of inTurns(plannedRows)) orRefuse(planned.row, () => plan.checkSpelling(planned));
}

/**
 * Sees to it that the account has the links of the rows (interface: Create or Update). What the account has is asked once for all
 * rows, and what becomes of each is planned; a dry run puts the plan out.
 */
export function planUpserts(rules: LinkRules) {
	return async (rows: readonly LinkRow[]): Promise<void> => {
		const [first] = rows;
		if (first === undefined) return;
		joinOtherRuns(first);
		const rounds = first.sharedByRounds(`latest links of ${accountKey(first)}`, (): { links?: LinkIndex } => ({}));
		const links = linksOf(first, rounds.links);
		rounds.links = links;
		const sheet = await inSlices(rows, sheetRow);
		const foreign = await findLinks(new LinkFinder(first), sheet);
		const findings: Findings = { hidden: new Map(), keptOtherwise: new Map() };
		first.atEnd(() => {
			const hint = hintOf(findings, foreign, rules);
			return hint === undefined ? undefined : first.connection.redact.text(hint);
		});
		const plan = new SheetPlan(links, rules.labelOf, (fields) => {
			rules.checkNew(fields, first.timezone);
			rules.check(fields as IDataObject);
		});
		await planRows(sheet, plan, async (planned) => await new RowAtWork(planned, rules, findings).perform());
		const newLinks = newLinksOf(first);
		for (const link of plan.links()) newLinks.take(link);
	};
}
