/** What each operation on links plans for its rows. */
import { inSlices, inTurns } from '../n8n/slices';
import { ApiError } from '../service/errors';
import { LinkFinder } from './find';
import type { LinkIndex } from './linkIndex';
import { newLinksOf } from './newLinks';
import { SheetPlan, type PlannedRow } from './plan';
import { labelOf, type LinkFieldName } from './linkFields';
import { aliasNameOf } from './reference';
import { isNamed, namesToFind, type SheetRow } from './rowNames';
import { createdMeanwhile, inOrder, linksOf, type LinkRow, type Step, type Steps } from './linkRow';
import { hostOf, isSameAddress } from './url';

/** So many rows are worth a look-up that tells whether their links are there already. */
const MANY_ROWS = 10;

const isReturning = ({ request: { body, options } }: LinkRow) =>
	options.ifAliasExists === 'returnExisting' && body.custom !== undefined;

const nameOf = ({ request: { body } }: LinkRow) => aliasNameOf(body);

/**
 * Finds the links of many rows together, if some are among the newest links, or those of the first or last row are there: then the
 * sheet has run before, and this takes fewer requests than to have each creation refused.
 */
async function findExisting(rows: LinkRow[], steps: Map<LinkRow, Step>): Promise<void> {
	if (rows.length < MANY_ROWS) return;
	const [first] = rows;
	const finder = new LinkFinder(first);
	const isThere = (row: LinkRow) => finder.links.among(nameOf(row)).length > 0;
	await finder.readOn(() => true);
	for (const row of [first, rows[rows.length - 1]]) if (!rows.some(isThere)) await finder.find(nameOf(row));
	if (!rows.some(isThere)) return;
	await finder.findAll(rows.map(nameOf));
	for await (const row of inTurns(rows)) {
		const there = finder.links.among(nameOf(row));
		// One that leads elsewhere is left to the service to refuse.
		if (there.length !== 1 || !isSameAddress(there[0].longurl, row.request.body.url)) continue;
		newLinksOf(row).take(there[0]);
		steps.set(row, { does: 'return', link: there[0] });
	}
}

/** Of rows that name one alias the earlier gets it. Links that are there already, and are to be returned, are found. */
export async function planCreations(rows: readonly LinkRow[]): Promise<Steps> {
	inOrder(rows, ({ request: { body } }) => (body.custom === undefined ? undefined : String(body.custom)));
	const steps = new Map<LinkRow, Step>();
	// What can't be read now is left to the creations, each of which says itself what is wrong.
	await findExisting(rows.filter(isReturning), steps).catch((error: unknown) => {
		if (!(error instanceof ApiError)) throw error;
	});
	return steps;
}

/** A row of Create or Update, before it is known whether its short URL counts. */
function sheetRow({ label, request: { body, options, unfit = {} } }: LinkRow): SheetRow {
	const { matchOn = 'alias', updateWhen = 'changed' } = options as Partial<SheetRow>;
	return { label, fields: body, unfit, matchOn, updateWhen };
}

/**
 * Finds the links of rows. A short URL counts on the hosts of the account: the service's, its domains', and those of the links that
 * are seen. Columns of another service's short URLs are left alone.
 *
 * @returns the hosts of short URLs that do not count
 */
async function findLinks(finder: LinkFinder, sheet: ReadonlyMap<LinkRow, SheetRow>): Promise<Set<string>> {
	const { links } = finder;
	let foreign = new Set<string>();
	/** @returns the rows whose short URLs count from now on */
	const takeShortUrls = async () => {
		foreign = new Set();
		const counting: SheetRow[] = [];
		for await (const [{ request }, asking] of inTurns(sheet)) {
			const { shortUrl } = request;
			const host = hostOf(shortUrl);
			if (host === undefined || asking.shortUrl !== undefined) continue;
			if (links.standsOn(host)) counting.push(Object.assign(asking, { shortUrl }));
			else foreign.add(host);
		}
		return counting;
	};
	const find = async (rows: readonly SheetRow[]) => await finder.findAll((await inSlices(rows, namesToFind)).flat());
	const all = [...sheet.values()];
	await takeShortUrls();
	await find(all);
	await finder.findHosts(foreign);
	if (foreign.size > 0) await find(await takeShortUrls());
	// Whether an alias that stands on some domain is free where a link without a domain is made.
	const mayNewHaveAlias = all.some(({ matchOn, fields }) => matchOn === 'url' && fields.custom !== undefined);
	if (links.likelyHost === undefined && mayNewHaveAlias) await finder.domains();
	return foreign;
}

/** Says which fields had rows updated that did not differ in anything that is shown, and which short URLs did not count. */
function hintOf(hidden: ReadonlyMap<LinkFieldName, number>, foreign: ReadonlySet<string>): string | undefined {
	const hints = [...hidden].map(([name, count]) => {
		const rows = count === 1 ? '1 row is' : `${count} rows are`;
		return `This service doesn't show ${labelOf(name)}, so ${rows} updated in every run.`;
	});
	if (foreign.size > 0)
		hints.push(`Short URLs on ${[...foreign].join(', ')} belong to another service. That column was ignored.`);
	return hints.join(' ') || undefined;
}

/** While runs of Create or Update are under way, they tell each other which links without an alias they create. */
function joinOtherRuns(row: LinkRow): void {
	const { creations } = row.connection;
	const own = createdMeanwhile(row);
	creations.join(own);
	row.atEnd('leave other runs', () => void creations.leave(own));
}

/**
 * Plans each row, in their order, named ones first, and then once more with all of them in view. Rows that can't be done are refused.
 * Rows are done in the order of the plan.
 */
async function planRows(
	sheet: ReadonlyMap<LinkRow, SheetRow>,
	plan: SheetPlan,
): Promise<ReadonlyMap<PlannedRow, LinkRow>> {
	const rowOf = new Map<PlannedRow, LinkRow>();
	const orRefuse = (row: LinkRow, work: () => void) => {
		try {
			work();
		} catch (error) {
			row.refuse(error);
		}
	};
	let turn = 0;
	const all = [...sheet];
	for await (const [row, asking] of inTurns([
		...all.filter(([, one]) => isNamed(one)),
		...all.filter(([, one]) => !isNamed(one)),
	])) {
		row.turn = turn++;
		if (!row.isRefused) orRefuse(row, () => rowOf.set(plan.add(asking), row));
	}
	for await (const [planned, row] of inTurns(rowOf)) orRefuse(row, () => plan.checkSpelling(planned));
	return rowOf;
}

/**
 * Sees to it that the account has the links of the rows (interface: Create or Update). The account is read once for all
 * rows, and a plan says what becomes of each; a dry run puts the plan out.
 */
export async function planUpserts(rows: readonly LinkRow[]): Promise<Steps> {
	const [first] = rows;
	joinOtherRuns(first);
	const rounds = first.sharedByRounds('latest links', (): { links?: LinkIndex } => ({}));
	const links = linksOf(first, rounds.links);
	rounds.links = links;
	const sheet = new Map(await inSlices(rows, (row) => [row, sheetRow(row)] as const));
	const foreign = await findLinks(new LinkFinder(first), sheet);
	const hidden = new Map<LinkFieldName, number>();
	first.atEnd('what was found', () => hintOf(hidden, foreign));
	const plan = new SheetPlan(links);
	const rowOf = await planRows(sheet, plan);
	const steps = new Map<LinkRow, Step>();
	for await (const [planned, row] of inTurns(rowOf)) {
		if (planned.after !== undefined) row.waitFor(rowOf.get(planned.after));
		steps.set(row, {
			does: row.request.options.dryRun === true ? 'show' : 'createOrUpdate',
			planned,
			hidden,
		});
	}
	const newLinks = newLinksOf(first);
	for (const link of plan.links()) newLinks.take(link);
	return steps;
}
