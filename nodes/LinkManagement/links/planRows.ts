/** What each operation on links plans for its rows. */
import { mapYielding, yielding } from '../n8n/slices';
import { ApiError, ValueError } from '../service/errors';
import { LinkFinder } from './find';
import type { LinkIndex } from './linkIndex';
import { newLinksOf } from './newLinks';
import { SheetPlan, type PlannedRow } from './plan';
import { labelOf, type LinkFieldName } from './linkFields';
import { aliasNameOf } from './reference';
import { isNamed, namesToFind, type SheetRow } from './rowNames';
import { createdMeanwhile, inOrder, linksOf, type LinkRow, type ShortUrlCell, type Step, type Steps } from './linkRow';
import { hostOf, isSameAddress, shortKey } from './url';

/** With fewer rows, a look-up of whether their links exist is not worth a request. */
const MANY_ROWS = 10;

const isReturning = ({ request: { body, options } }: LinkRow) =>
	options.ifAliasExists === 'returnExisting' && body.custom !== undefined;

const nameOf = ({ request: { body } }: LinkRow) => aliasNameOf(body);

/**
 * Finds the links of many rows together if the sheet seems to have run before: some are among the newest links, or those of the first
 * or last row exist. That takes fewer requests than having each creation refused.
 */
async function findExisting(rows: LinkRow[], steps: Map<LinkRow, Step>): Promise<void> {
	if (rows.length < MANY_ROWS) return;
	const [first] = rows;
	const finder = new LinkFinder(first);
	const isThere = (row: LinkRow) => finder.links.matching(nameOf(row)).length > 0;
	await finder.readUntil(() => true);
	for (const row of [first, rows[rows.length - 1]]) if (!rows.some(isThere)) await finder.find(nameOf(row));
	if (!rows.some(isThere)) return;
	await finder.findAll(rows.map(nameOf));
	for await (const row of yielding(rows)) {
		const there = finder.links.matching(nameOf(row));
		// The service refuses an alias of a link with another long URL.
		if (there.length !== 1 || !isSameAddress(there[0].longurl, row.request.body.url)) continue;
		newLinksOf(row).claim(there[0]);
		steps.set(row, { kind: 'return', link: there[0] });
	}
}

/** Plans creations: links to be returned are found, and the first of several rows with one alias gets it. */
export async function planCreations(rows: readonly LinkRow[]): Promise<Steps> {
	inOrder(rows, ({ request: { body } }) => (body.custom === undefined ? undefined : String(body.custom)));
	const steps = new Map<LinkRow, Step>();
	// If this fails, each creation reports its own problem.
	await findExisting(rows.filter(isReturning), steps).catch((error: unknown) => {
		if (!(error instanceof ApiError)) throw error;
	});
	return steps;
}

/** A row of Create or Update, before its short URL is matched with the account's hosts. */
function sheetRowOf({ label, request: { body, options, errorsIfGiven = {} } }: LinkRow): SheetRow {
	const { matchOn = 'alias', updateWhen = 'changed' } = options as Partial<SheetRow>;
	return { label, fields: body, errorsIfGiven, matchOn, updateWhen };
}

const MOST_NAMED = 3;

/** Runs `work` for a row. An error refuses the row. */
function refuseOnError<T>(row: LinkRow, work: () => T): T | undefined {
	try {
		return work();
	} catch (error) {
		row.refuse(error);
		return undefined;
	}
}

/** The one short URL that a row means. @throws ValueError if it holds several */
function onlyOne(cells: readonly ShortUrlCell[], what: string): ShortUrlCell | undefined {
	const byKey = new Map(cells.map((cell) => [shortKey(cell.shortUrl), cell]));
	if (byKey.size <= 1) return cells[0];
	const named = [...byKey.values()].slice(0, MOST_NAMED).map(({ title, shortUrl }) => `${shortUrl} (${title})`);
	throw new ValueError(`The row holds ${byKey.size} short URLs ${what}: ${named.join(', ')}`, 'Keep one of them.');
}

/** Sorts the short URLs of a sheet: on hosts of the account, or of another service. */
class SheetShortUrls {
	/** The hosts of other services. */
	readonly foreign = new Set<string>();

	constructor(
		private readonly finder: LinkFinder,
		private readonly sheet: ReadonlyMap<LinkRow, SheetRow>,
	) {}

	/** Takes those on hosts of the account, as far as these are known. @returns the rows that they name */
	async take(): Promise<SheetRow[]> {
		this.foreign.clear();
		const counting: SheetRow[] = [];
		for await (const [row, asking] of yielding(this.sheet)) {
			if (asking.shortUrl !== undefined || row.isRefused) continue;
			const { shortUrls = [] } = row.request;
			const own = refuseOnError(row, () => onlyOne(shortUrls.filter(this.isOwn), 'of the account'));
			if (own !== undefined) counting.push(Object.assign(asking, { shortUrl: own.shortUrl }));
			else for (const { shortUrl } of shortUrls) this.foreign.add(hostOf(shortUrl) ?? '');
		}
		return counting;
	}

	/** Gives rows without an alias the last part of another service's short URL, if the option says so. */
	async keepBackHalves(): Promise<void> {
		const isAsked = ({ request: { body, options, shortUrls = [] } }: LinkRow) =>
			options.foreignShortUrls === 'alias' && body.custom === undefined && shortUrls.length > 0;
		const asking = [...this.sheet.keys()].filter(isAsked);
		if (asking.length === 0) return;
		await this.finder.findHosts(this.foreign);
		await this.take();
		for await (const row of yielding(asking)) {
			const { body, shortUrls = [] } = row.request;
			if (this.sheet.get(row)?.shortUrl !== undefined || row.isRefused) continue;
			refuseOnError(row, () => {
				// Some services export their own short URL besides the chosen one.
				const chosen = shortUrls.filter(({ title }) => /custom/i.test(title));
				body.custom = onlyOne(chosen.length > 0 ? chosen : shortUrls, 'of another service')?.alias();
			});
		}
	}

	private readonly isOwn = ({ shortUrl }: ShortUrlCell): boolean => {
		const host = hostOf(shortUrl);
		return host !== undefined && this.finder.links.hasHost(host);
	};
}

/**
 * Finds the links of rows. Short URLs count if they are on hosts of the account: the service's, its domains, and those of its links.
 * Others are left alone, unless their last parts are to become aliases.
 *
 * @returns the hosts of other services
 */
async function findLinks(finder: LinkFinder, sheet: ReadonlyMap<LinkRow, SheetRow>): Promise<ReadonlySet<string>> {
	const { links } = finder;
	const shortUrls = new SheetShortUrls(finder, sheet);
	const find = async (rows: readonly SheetRow[]) => await finder.findAll((await mapYielding(rows, namesToFind)).flat());
	const all = [...sheet.values()];
	await shortUrls.take();
	await shortUrls.keepBackHalves();
	await find(all);
	await finder.findHosts(shortUrls.foreign);
	if (shortUrls.foreign.size > 0) await find(await shortUrls.take());
	// An alias that exists on one domain may be free on the default one.
	const mayNewHaveAlias = all.some(({ matchOn, fields }) => matchOn === 'url' && fields.custom !== undefined);
	if (links.likelyHost === undefined && mayNewHaveAlias) await finder.domains();
	return shortUrls.foreign;
}

/** Reports fields for which alone rows were updated because the service does not show them, and short URLs that were ignored. */
function hintOf(
	hidden: ReadonlyMap<LinkFieldName, number>,
	foreign: ReadonlySet<string>,
	isKept: boolean,
): string | undefined {
	const hints = [...hidden].map(([name, count]) => {
		const rows = count === 1 ? '1 row is' : `${count} rows are`;
		return `This service doesn't show ${labelOf(name)}, so ${rows} updated in every run.`;
	});
	if (foreign.size > 0)
		hints.push(
			`Short URLs on ${[...foreign].join(', ')} belong to another service. ${isKept ? 'Rows without an alias take their last parts as aliases.' : 'They were ignored. To keep their last parts as aliases, add Options → Short URLs of Other Services.'}`,
		);
	return hints.join(' ') || undefined;
}

/** Has concurrent runs of Create or Update share the links without an alias that they create. */
function joinOtherRuns(row: LinkRow): void {
	const { creations } = row.connection;
	const own = createdMeanwhile(row);
	creations.join(own);
	row.atEnd('leave other runs', () => void creations.leave(own));
}

/**
 * Plans the rows in their order, named ones first, then checks them once more against the whole plan. Rows that can't be done are
 * refused. Rows are done in the order of the plan.
 */
async function planRows(
	sheet: ReadonlyMap<LinkRow, SheetRow>,
	plan: SheetPlan,
): Promise<ReadonlyMap<PlannedRow, LinkRow>> {
	const rowOf = new Map<PlannedRow, LinkRow>();
	let order = 0;
	const all = [...sheet];
	for await (const [row, asking] of yielding([
		...all.filter(([, one]) => isNamed(one)),
		...all.filter(([, one]) => !isNamed(one)),
	])) {
		row.order = order++;
		if (!row.isRefused) refuseOnError(row, () => rowOf.set(plan.add(asking), row));
	}
	for await (const [planned, row] of yielding(rowOf)) refuseOnError(row, () => plan.checkSpelling(planned));
	return rowOf;
}

/**
 * Plans Create or Update (interface): reads the account once for all rows, and decides what becomes of each. A dry run puts the plan
 * out.
 */
export async function planUpserts(rows: readonly LinkRow[]): Promise<Steps> {
	const [first] = rows;
	joinOtherRuns(first);
	const rounds = first.sharedInLoop('latest links', (): { links?: LinkIndex } => ({}));
	const links = linksOf(first, rounds.links);
	rounds.links = links;
	const sheet = new Map(await mapYielding(rows, (row) => [row, sheetRowOf(row)] as const));
	const foreign = await findLinks(new LinkFinder(first), sheet);
	const hidden = new Map<LinkFieldName, number>();
	first.atEnd('what was found', () =>
		hintOf(
			hidden,
			foreign,
			rows.some(({ request }) => request.options.foreignShortUrls === 'alias'),
		),
	);
	const plan = new SheetPlan(links);
	const rowOf = await planRows(sheet, plan);
	const steps = new Map<LinkRow, Step>();
	for await (const [planned, row] of yielding(rowOf)) {
		if (planned.after !== undefined) row.waitFor(rowOf.get(planned.after));
		steps.set(row, {
			kind: row.request.options.dryRun === true ? 'show' : 'createOrUpdate',
			planned,
			hidden,
		});
	}
	const newLinks = newLinksOf(first);
	for (const link of plan.links()) newLinks.claim(link);
	return steps;
}
