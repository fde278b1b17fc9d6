/** Create or Update: from the rows of a sheet to what is done with their links. */
import { mapYielding, yielding } from '../n8n/slices';
import { listed, ValueError } from '../service/errors';
import { FEW, LinkFinder } from './find';
import { labelOf, type LinkFieldName } from './linkFields';
import { groupedBy, type LinkRow, type Outcome, type ShortUrlCell, type Unit } from './linkRow';
import { countedNames } from './names';
import { refuseShortLinks } from './ownLinks';
import { TaskPerformer } from './performTask';
import { type LinkTask, planSheet } from './plan';
import { isReference, nameKey, type NameReference } from './reference';
import { namesToFind, type SheetRow, type SheetRules } from './sheetRow';
import { hostOf, shortKey } from './url';

interface PlannedRow extends SheetRow {
	readonly row: LinkRow;
}

/** The one short URL that a row means. @throws ValueError if it holds several */
function onlyOne(cells: readonly ShortUrlCell[], what: string): ShortUrlCell | undefined {
	const byKey = new Map(cells.map((cell) => [shortKey(cell.shortUrl), cell]));
	if (byKey.size <= 1) return cells[0];
	const named = [...byKey.values()].map(({ title, shortUrl }) => `${shortUrl} (${title})`);
	throw new ValueError(`The row holds ${byKey.size} short URLs ${what}: ${listed(named, 3)}`, 'Keep one of them.');
}

/**
 * Tells the short URLs of a row apart: on hosts of the account, or of another service. Those of others are left alone, unless their
 * last parts are to become aliases.
 *
 * @param foreign receives the hosts of other services
 */
function sheetRowOf(row: LinkRow, { links }: LinkFinder, foreign: Set<string>): PlannedRow {
	const { body, options, errorsIfGiven, shortUrls = [] } = row.request;
	const isOwn = ({ shortUrl }: ShortUrlCell) => links.hasHost(hostOf(shortUrl) ?? '');
	const own = onlyOne(shortUrls.filter(isOwn), 'of the account');
	const fields = row.state.resolved(body);
	const planned = { row, label: row.label, index: row.index, fields, errorsIfGiven, shortUrl: own?.shortUrl };
	if (own !== undefined) return planned;
	for (const { shortUrl } of shortUrls) foreign.add(hostOf(shortUrl) ?? '');
	if (options.foreignShortUrls !== 'alias' || body.custom !== undefined || shortUrls.length === 0) return planned;
	// Some services export their own short URL besides the chosen one.
	const chosen = shortUrls.filter(({ title }) => /custom/i.test(title));
	const custom = onlyOne(chosen.length > 0 ? chosen : shortUrls, 'of another service')?.alias();
	return { ...planned, fields: { ...fields, custom } };
}

/** Finds the links of all rows. @returns the rows that can be planned */
async function findLinks(rows: readonly LinkRow[], rules: SheetRules, foreign: Set<string>): Promise<PlannedRow[]> {
	const finder = new LinkFinder(rows[0]);
	const hosts = new Set<string>();
	for await (const { request } of yielding(rows))
		for (const { shortUrl } of request.shortUrls ?? []) hosts.add(hostOf(shortUrl) ?? '');
	await finder.findHosts(hosts, rows.length > FEW);
	const sheet: PlannedRow[] = [];
	for await (const row of yielding(rows)) {
		try {
			sheet.push(sheetRowOf(row, finder, foreign));
		} catch (error) {
			row.refuse(error);
		}
	}
	await finder.findAll((await mapYielding(sheet, (one) => namesToFind(one, rules))).flat());
	// An alias that exists on one domain may be free on the default one.
	const mayNewHaveAlias = rules.matchOn === 'url' && sheet.some(({ fields: { custom } }) => custom !== undefined);
	if (finder.links.likelyHost === undefined && mayNewHaveAlias) await finder.domains();
	return sheet;
}

/** Reports short URLs that were ignored. */
function foreignInWords(foreign: ReadonlySet<string>, isKept: boolean): string | undefined {
	if (foreign.size === 0) return undefined;
	const what = isKept
		? 'Rows without an alias take their last parts as aliases.'
		: 'They were ignored. To keep their last parts as aliases, add Options → Short URLs of Other Services.';
	return `Short URLs on ${[...foreign].join(', ')} belong to another service. ${what}`;
}

/** Reports fields for which alone rows were updated because the service does not show them. */
function hiddenInWords(hidden: ReadonlyMap<LinkFieldName, number>): string | undefined {
	const hints = [...hidden].map(([name, count]) => {
		const rows = count === 1 ? '1 row is' : `${count} rows are`;
		return `This service doesn't show ${labelOf(name)}, so ${rows} updated in every run.`;
	});
	return hints.join(' ') || undefined;
}

/** The campaigns and channels that a task needs and that are missing. */
function missingIn({ link, fields }: LinkTask, { updateWhen }: SheetRules): NameReference[] {
	if (link !== undefined && updateWhen === 'never') return [];
	return [fields.campaign, fields.channel].filter(isReference) as NameReference[];
}

/** Where a task stands among those that ask for one alias: its place in the sheet does not matter. */
const placeOf = ({ link, fields: { custom, domain, url } }: LinkTask) =>
	JSON.stringify([custom, domain, url, link?.id]);

/** What is done with one link, or with links that ask for one alias, as far as the service tells aliases apart: one after another. */
function unitOf(tasks: Array<LinkTask<PlannedRow>>, rules: SheetRules, performer: TaskPerformer): Unit {
	const sorted = [...tasks].sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
	return {
		rows: tasks.flatMap(({ rows }) => rows.map(({ row }) => row)),
		missing: performer.isDryRun ? [] : tasks.flatMap((task) => missingIn(task, rules)),
		async perform(open) {
			const outcomes = new Map<LinkRow, Outcome>();
			for (const task of sorted) {
				if (!task.rows.some(({ row }) => open.includes(row))) continue;
				const ofTask = await performer.outcomesOf(task);
				if (ofTask === undefined) break;
				for (const [row, outcome] of ofTask) outcomes.set(row, outcome);
				const ends = !performer.isDryRun && !task.rows[0].row.continues;
				if (ends && [...ofTask.values()].some(({ error }) => error !== undefined)) break;
			}
			return outcomes;
		},
	};
}

/**
 * Plans Create or Update (interface): reads the account once for all rows, and decides what becomes of each link. A dry run puts the
 * plan out.
 */
export async function planUpserts(rows: readonly LinkRow[]): Promise<Unit[]> {
	const [first] = rows;
	const { options } = first.request;
	const { matchOn = 'alias', updateWhen = 'changed' } = options as Partial<SheetRules>;
	const rules = { matchOn, updateWhen };
	const foreign = new Set<string>();
	const end = first.connection.beingMade.begin();
	first.atEnd('what it makes', () => void end());
	const sheet = await findLinks(rows, rules, foreign);
	const { tasks, refused } = await planSheet(sheet, first.state.index, rules);
	for await (const [{ row }, error] of yielding(refused)) row.refuse(error);
	const giving = updateWhen === 'never' ? tasks.filter(({ link }) => link === undefined) : tasks;
	await refuseShortLinks(
		giving.map(({ link, fields: { url }, rows: of }) => ({ link, url, rows: of.map(({ row }) => row) })),
	);
	const performer = new TaskPerformer(tasks, rules, options.dryRun === true);
	for await (const task of yielding(tasks)) {
		if (task.rows[0].row.isRefused) continue;
		await performer.check(task).catch((error: unknown) => {
			for (const { row } of task.rows) row.refuse(error);
		});
	}
	const isKept = options.foreignShortUrls === 'alias';
	first.atEnd('what was found', () => {
		return [hiddenInWords(performer.hidden), foreignInWords(foreign, isKept)].filter(Boolean).join(' ') || undefined;
	});
	const missing = tasks.flatMap((task) => missingIn(task, rules));
	const once = [...new Map(missing.map((name) => [`${name.kind} ${nameKey(name.name)}`, name])).values()];
	if (performer.isDryRun && once.length > 0)
		first.atEnd('new names', () => `Would also be created: ${countedNames(once)}.`);
	const open = tasks.filter(({ rows: [{ row }] }) => !row.isRefused);
	const together = groupedBy(open, ({ fields: { custom } }) =>
		custom === undefined ? undefined : String(custom).toLowerCase(),
	);
	return together.map((some) => unitOf(some, rules, performer));
}
