/** Create or Update: from the rows of a sheet to what is done with their links. */
import { StoppedError } from '../../n8n/stop';
import { mapYielding, yielding } from '../../n8n/slices';
import { listed, ValueError } from '../../service/errors';
import { type Account, FEW } from '../account';
import { groupedBy, type LinkRow, type Outcome, type ShortUrlCell, type Unit } from '../linkRow';
import { aboutRows, type LinkTask, namesToFind, planSheet, type SheetRules } from '../plan';
import { hostOf, shortKey } from '../url';
import { performTask, type PlannedRow } from './performTask';

/** The one short URL that a row means. @throws ValueError if it holds several */
function onlyOne(cells: readonly ShortUrlCell[]): ShortUrlCell | undefined {
	const byKey = new Map(cells.map((cell) => [shortKey(cell.shortUrl), cell]));
	if (byKey.size <= 1) return cells[0];
	const named = [...byKey.values()].map(({ title, shortUrl }) => `${shortUrl} (${title})`);
	throw new ValueError(
		`The row holds ${byKey.size} short URLs of the account: ${listed(named, 3)}`,
		'Keep one of them.',
	);
}

/**
 * A row with its short URL, if that is on a host of the account. Those of other services are left alone.
 *
 * @param foreign receives the hosts of other services
 */
function plannedRow(row: LinkRow, { index: links }: Account, foreign: Set<string>): PlannedRow {
	const { body: fields, shortUrls = [] } = row.request;
	const isOwn = ({ shortUrl }: ShortUrlCell) => links.hasHost(hostOf(shortUrl) ?? '');
	for (const cell of shortUrls) if (!isOwn(cell)) foreign.add(hostOf(cell.shortUrl) ?? '');
	const { label, index } = row;
	const shortUrl = onlyOne(shortUrls.filter(isOwn))?.shortUrl;
	return { row, label, index, fields, shortUrl };
}

/** Finds the links of all rows. @returns the rows that can be planned */
async function findLinks(rows: readonly LinkRow[], foreign: Set<string>): Promise<PlannedRow[]> {
	const [{ account }] = rows;
	const hosts = new Set<string>();
	for await (const { request } of yielding(rows))
		for (const { shortUrl } of request.shortUrls ?? []) hosts.add(hostOf(shortUrl) ?? '');
	await account.findHosts(hosts, rows.length > FEW);
	const sheet: PlannedRow[] = [];
	for await (const row of yielding(rows)) {
		try {
			sheet.push(plannedRow(row, account, foreign));
		} catch (error) {
			row.refuse(error);
		}
	}
	await account.find((await mapYielding(sheet, namesToFind)).flat());
	return sheet;
}

/** Where a task stands among those that ask for one alias: its place in the sheet does not matter. */
const placeOf = ({ link, fields: { custom, domain, url } }: LinkTask) =>
	JSON.stringify([custom, domain, url, link?.id]);

/** What is done with one link, or with links that ask for one alias, as far as the service tells aliases apart: one after another. */
function unitOf(tasks: Array<LinkTask<PlannedRow>>, rules: SheetRules): Unit {
	const sorted = [...tasks].sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
	return {
		rows: tasks.flatMap(({ rows }) => rows.map(({ row }) => row)),
		async perform() {
			const outcomes = new Map<LinkRow, Outcome>();
			for (const task of sorted) {
				const failed = (error: unknown) => {
					const ofAll = aboutRows(error, task.rows);
					return new Map(task.rows.map(({ row }) => [row, { items: [], error: ofAll }]));
				};
				const ofTask: Map<LinkRow, Outcome> = await performTask(task, rules).catch(failed);
				const [{ error }] = ofTask.values();
				if (error instanceof StoppedError) break;
				for (const [row, outcome] of ofTask) outcomes.set(row, outcome);
				if (error !== undefined && !rules.dryRun && !task.rows[0].row.continues) break;
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
	const { updateWhen, dryRun } = first.request.options;
	const rules: SheetRules = { updateWhen: updateWhen === 'never' ? 'never' : 'changed', dryRun: dryRun === true };
	const foreign = new Set<string>();
	const { index, client } = first.account;
	const end = client.connection.beingMade.begin();
	first.atEnd('what it makes', () => void end());
	const sheet = await findLinks(rows, foreign);
	const { tasks, refused } = await planSheet(sheet, index, rules);
	for await (const [{ row }, error] of yielding(refused)) row.refuse(error);
	if (foreign.size > 0)
		first.atEnd(
			'foreign short URLs',
			() => `Short URLs on ${listed([...foreign])} belong to another service. They were left alone.`,
		);
	const byAlias = groupedBy(tasks, ({ fields: { custom } }) =>
		custom === undefined ? undefined : String(custom).toLowerCase(),
	);
	return byAlias.map((some) => unitOf(some, rules));
}
