import type { IDataObject } from 'n8n-workflow';

import { inSlices, inTurns } from '../n8n/slices';
import { asText } from '../service/records';
import type { AccountLinks } from './account';
import { emptyOf, type LinkFields } from './changes';
import type { Account } from './find';
import { RowAtWork, type Upserting, type UpsertNotes } from './perform';
import { namesToFind, SheetPlan, type PlannedRow, type SheetRow } from './plan';
import { accountKey, accountOf, type LinkRow } from './row';
import { hostOf } from './url';

/** What a row says of its link: the fields that it sets, and those that it clears. */
function fieldsOf({ request: { body, cleared = [] } }: LinkRow): LinkFields {
	return { ...body, ...Object.fromEntries(cleared.map((name) => [name, emptyOf(name)])) };
}

/** Fields of a plan, with the IDs of campaigns and channels that were missing when it was made; in a dry run with their names. */
function withNewIds(fields: LinkFields, { request: { body } }: LinkRow): LinkFields {
	return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, body[name] ?? value]));
}

/** A row, and what it asks for. */
interface Asking {
	readonly row: LinkRow;
	readonly asks: SheetRow;
}

function sheetRow(row: LinkRow): SheetRow {
	const { matchOn, updateWhen } = row.request.options;
	return {
		label: row.label,
		fields: fieldsOf(row),
		matchOn: matchOn === 'url' ? 'url' : 'alias',
		updateWhen: updateWhen === 'always' || updateWhen === 'never' ? updateWhen : 'changed',
	};
}

/**
 * Finds the links of rows. A short URL counts on the hosts of the account: the service's, its domains', and those of the links that
 * are seen. Columns of another service's short URLs are left alone.
 *
 * @returns the hosts of short URLs that do not count
 */
async function findLinks(account: Account, sheet: readonly Asking[]): Promise<Set<string>> {
	const { links } = account;
	const foreign = new Set<string>();
	// Once more, for reading the list may show on which hosts links stand; if not, the domains do.
	for (const isAgain of [false, true]) {
		if (isAgain && [...foreign].some((host) => !links.standsOn(host))) await account.domains();
		const open: SheetRow[] = [];
		for await (const { row, asks } of inTurns(sheet)) {
			const { shortUrl } = row.request;
			const host = hostOf(shortUrl);
			const isOfAccount = host !== undefined && links.standsOn(host);
			if (host !== undefined && !isOfAccount) foreign.add(host);
			const isNew = asks.shortUrl === undefined && isOfAccount;
			if (isNew) asks.shortUrl = shortUrl;
			if (isNew || !isAgain) open.push(asks);
		}
		await account.findAll((await inSlices(open, namesToFind)).flat());
	}
	for (const host of foreign) if (links.standsOn(host)) foreign.delete(host);
	// Whether an alias that stands on some domain is free where a link without a domain is made.
	if (links.likelyHost === undefined && sheet.some(({ asks }) => isAliasElsewhere(links, asks)))
		await account.domains();
	return foreign;
}

/** Whether a row may give a new link an alias that a link has. */
function isAliasElsewhere(links: AccountLinks, { fields: { custom, domain }, shortUrl, matchOn }: SheetRow): boolean {
	if (custom === undefined || domain !== undefined || shortUrl !== undefined || matchOn === 'alias') return false;
	return links.among({ by: 'alias', alias: asText(custom) }).length > 0;
}

function counted(count: number): string {
	return count === 1 ? '1 row is' : `${count} rows are`;
}

/** What is shown above the items of a run, besides what was done. */
function hintOf({ notShown }: UpsertNotes, foreign: Set<string>, labels: Upserting['labels']): string | undefined {
	const hints = [...notShown].map(
		([name, rows]) => `${labels(name)} can't be read back from this service: ${counted(rows)} updated at every run.`,
	);
	if (foreign.size > 0) {
		hints.push(`Short URLs on ${[...foreign].join(', ')} are of another service: that column was left alone.`);
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

/**
 * Sees to it that the account has the links of the rows (interface: Create or Update). What the account has is asked once for all
 * rows, and what becomes of each is planned; a dry run puts the plan out.
 */
export function planUpserts(upserting: Upserting) {
	return async (rows: readonly LinkRow[]): Promise<void> => {
		const [first] = rows;
		if (first === undefined) return;
		joinOtherRuns(first);
		const account = accountOf(first);
		const { links } = account;
		const rounds = first.sharedByRounds(`latest links of ${accountKey(first)}`, () => ({ links }));
		if (rounds.links !== links) links.takeHint(rounds.links);
		rounds.links = links;
		const sheet = await inSlices(rows, (row): Asking => ({ row, asks: sheetRow(row) }));
		const foreign = await findLinks(account, sheet);
		const notes: UpsertNotes = { owners: new Map(), notShown: new Map() };
		first.atEnd(() => hintOf(notes, foreign, (name) => upserting.labels(name)));
		const { likelyHost, homeHost } = links;
		const plan = new SheetPlan(
			{ among: (name) => links.among(name), likelyHost, homeHost },
			(name) => upserting.labels(name),
			(fields) => {
				upserting.checkNew(first.timezone, fields);
				upserting.check(fields as IDataObject);
			},
		);
		const byPlan = new Map<PlannedRow, LinkRow>();
		for await (const { row, asks } of inTurns(sheet)) {
			if (row.isRefused) continue;
			try {
				const planned = plan.add(asks);
				byPlan.set(planned, row);
				row.waitFor(planned.after && byPlan.get(planned.after));
				row.decision = async () => {
					planned.fields = withNewIds(planned.fields, row);
					planned.open = withNewIds(planned.open, row);
					return [{ json: await new RowAtWork(row, planned, upserting, notes).perform() }];
				};
			} catch (error) {
				row.refuse(error);
			}
		}
	};
}
