/** Create or Update: from the rows of a sheet to what is done with their links. */
import { mapYielding, yielding } from '../../n8n/slices';
import { listed } from '../../service/answer/errors';
import { asText } from '../../service/records';
import { groupedBy, type LinkRow, type Unit } from '../linkRow';
import { type LinkTask, namesToFind, planSheet, type SheetRules } from '../plan';
import { hostOf } from '../url';
import { performTask, type PlannedRow } from './performTask';

/** Finds the links of all rows. Short URLs of other services are left alone. @returns the rows that can be planned */
async function findLinks(rows: readonly LinkRow[]): Promise<PlannedRow[]> {
	const [first] = rows;
	const { account } = first;
	const named = new Set(await mapYielding(rows, ({ request }) => hostOf(request.shortUrl)));
	const hosts = [...named].filter((host) => host !== undefined);
	await account.findHosts(hosts);
	const foreign = hosts.filter((host) => !account.index.hasHost(host));
	if (foreign.length > 0)
		first.atEnd(
			'foreign short URLs',
			() => `Short URLs on ${listed(foreign)} belong to another service. They were left alone.`,
		);
	const sheet = await mapYielding(rows, (row): PlannedRow => {
		const { body: fields, shortUrl } = row.request;
		const isForeign = foreign.includes(hostOf(shortUrl) ?? '');
		return { row, label: row.label, index: row.index, fields, shortUrl: isForeign ? undefined : shortUrl };
	});
	await account.find((await mapYielding(sheet, namesToFind)).flat());
	return sheet;
}

/** Where a task stands among those that ask for one alias: its place in the sheet does not matter. */
const placeOf = ({ link, fields: { custom, domain, url } }: LinkTask) =>
	JSON.stringify([custom, domain, url, link?.id]);

/** Tasks that ask for one alias, as far as services tell aliases apart, are done one after another. */
function unitsOf(tasks: Array<LinkTask<PlannedRow>>, rules: SheetRules): Unit[] {
	const turnOf = ({ fields: { custom } }: LinkTask) =>
		custom === undefined ? undefined : asText(custom).toLowerCase();
	const sorted = groupedBy(tasks, turnOf).flatMap((some) =>
		some.length === 1 ? some : some.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1)),
	);
	return sorted.map((task) => ({
		rows: task.rows.map(({ row }) => row),
		turn: turnOf(task),
		perform: async () => await performTask(task, rules),
	}));
}

/**
 * Plans Create or Update (interface): reads the account once for all rows, and decides what becomes of each link. A dry run puts the
 * plan out.
 */
export async function planUpserts(rows: readonly LinkRow[]): Promise<Unit[]> {
	const [first] = rows;
	const { updateWhen, dryRun } = first.request.options;
	const rules: SheetRules = { updateWhen: updateWhen === 'never' ? 'never' : 'changed', dryRun: dryRun === true };
	const { index, client } = first.account;
	const end = client.connection.beingMade.begin();
	first.atEnd('what it makes', () => void end());
	const sheet = await findLinks(rows);
	const { tasks, refused } = await planSheet(sheet, index, rules);
	for await (const [{ row }, error] of yielding(refused)) row.refuse(error);
	return unitsOf(tasks, rules);
}
