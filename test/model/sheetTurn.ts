/** A sheet is run over the account: dry, then in earnest, then again. */
import type { IDataObject } from 'n8n-workflow';

import { CONTINUE, upsertOf, type Work } from '../engine/account';
import type { LinkWithAddress, LoggedRequest } from '../sandbox';
import { expectedOf, isPlain, isSameAddress, linksOf, type Expected } from './oracle';
import type { SheetRow, Turn } from './scenario';
import type { World } from './world';

const DEEP_LINKS = { deeplink: { value: { auto: '={{ $json.deep === true }}' } } };

/** What came of each row; all of them errors where the run ended with one. */
function outcomes(rows: SheetRow[], { items, error }: Work): Expected[] {
	return rows.map((_, at) =>
		error !== undefined || items[at]?.json.error !== undefined ? 'error' : (items[at]?.json.action as Expected),
	);
}

/** Targets by state can't be sent along: such a row may be refused where it would change something. */
function hasStates(row: SheetRow, before: LinkWithAddress[]): boolean {
	return linksOf(row, before).some(({ location }) => 'united states' in location);
}

export async function runSheet(
	world: World,
	turn: Extract<Turn, { kind: 'sheet' }>,
	before: LinkWithAddress[],
): Promise<void> {
	const { rows, updateWhen, way } = turn;
	const node = turn.isStopping && way !== 'in a loop' ? {} : CONTINUE;
	const fields = rows.some(({ deep }) => deep === true) ? DEEP_LINKS : {};
	const run = async (options: IDataObject = {}, how = way): Promise<Work> =>
		await world.account.work(upsertOf({ updateWhen, ...options }, fields), rows, how, node);

	const isCertain = world.isCalm && world.takesEverything;
	// A dry run leaves nothing behind, so that what comes after it in its execution begins with the account as it is: each round of a
	// loop by itself can't know what the rounds before would make. A dry run of the whole sheet knows; what it can't know is that a
	// round after one that is refused finds nothing said.
	const isRounds = way === 'in a loop';
	const mayFail = rows.some((row) => hasStates(row, before));
	const mayPlan = isCertain && (!isRounds || (isPlain(rows, before) && !mayFail));
	const planned = mayPlan ? await run({ dryRun: true }, isRounds ? 'at once' : way) : undefined;
	if (planned !== undefined && (await world.look()).length > 0) world.complain('the dry run changed something');
	const done = await run();
	await world.account.sandbox.clearFaults();
	const changes = await world.look();

	world.expectNamed(
		changes,
		rows.flatMap((row) => linksOf(row, world.seen)).map(({ id }) => id),
	);
	world.expectKept(changes, before, rows);
	expectMade(world, rows, before, changes);
	expectTrue(world, rows, done, before);
	const [said, saidBefore] = [outcomes(rows, done), planned && outcomes(rows, planned)];
	if (saidBefore !== undefined && String(said) !== String(saidBefore)) {
		world.complain(`the dry run said ${String(saidBefore)}, the run came to ${String(said)}`);
	}
	if (isCertain && isPlain(rows, before)) expectPlain(world, turn, node === CONTINUE, before, said, changes);
	await again(world, turn, run, said.includes('error'));
}

function expectPlain(
	world: World,
	{ rows, updateWhen }: Extract<Turn, { kind: 'sheet' }>,
	goesOn: boolean,
	before: LinkWithAddress[],
	said: Expected[],
	changes: LoggedRequest[],
): void {
	const showsCampaigns = world.scenario.dialect === 'field';
	const expected = expectedOf(rows, before, { updateWhen, showsCampaigns });
	const mayFail = rows.map((row, at) => expected[at] === 'updated' && hasStates(row, before));
	if (mayFail.includes(true)) return;
	if (!goesOn && expected.includes('error')) {
		if (changes.length > 0) world.complain(`a run with bad rows sent ${changes.map(({ path }) => path).join(', ')}`);
		if (!said.every((one) => one === 'error')) world.complain('a run with bad rows gave items');
		return;
	}
	if (String(said) !== String(expected)) world.complain(`rows should come to ${String(expected)}, not ${String(said)}`);
}

/** The same sheet again, while nobody meddles and nothing fails. */
async function again(
	world: World,
	{ rows }: Extract<Turn, { kind: 'sheet' }>,
	run: () => Promise<Work>,
	hasFailed: boolean,
): Promise<void> {
	await world.calm();
	// What failed the first time may be done now: a later row has made the link that an earlier one is about.
	if (!world.isCalm || hasFailed) await run();
	await world.look();
	await run();
	const changes = await world.look();
	const creations = changes.filter(({ path }) => path === '/api/url/add');
	const { knownLongUrl, targetsDropped } = world.scenario.deviations;
	const isShown = rows.every(({ campaign, deep }) => campaign === undefined && deep === undefined);
	const made = knownLongUrl === 'returned' ? [] : creations;
	if (made.length > 0) world.complain(`the next night made ${made.length} links more`);
	const updates = changes.filter(({ method }) => method === 'PUT');
	if (updates.length > 0 && isShown && targetsDropped !== true) world.complain('the next night updated links again');
}

/** As many links as rows ask for. */
function expectMade(world: World, rows: SheetRow[], before: LinkWithAddress[], changes: LoggedRequest[]): void {
	const creations = changes.filter(({ path }) => path === '/api/url/add');
	const made = world.links.filter(({ id, title }) => title !== 'Theirs' && !before.some((link) => link.id === id));
	const wanted = new Set(
		rows
			.filter((row) => linksOf(row, before).length === 0)
			.map((row) => (row.alias === undefined ? new URL(String(row.url)).href : `${row.domain ?? ''}/${row.alias}`)),
	);
	const most = world.scenario.meddling === undefined ? wanted.size : rows.length;
	const count = made.filter(({ alias }) => !alias.startsWith('their-')).length;
	if (count > most && creations.length > 0) world.complain(`${count} links were made where ${most} were wanted`);
}

/** What is reported is there, each row once. */
export function expectTrue(world: World, rows: SheetRow[], { items, error }: Work, before: LinkWithAddress[]): void {
	if (error === undefined && items.length !== rows.length) {
		world.complain(`${rows.length} rows came out as ${items.length} items`);
		return;
	}
	items.forEach(({ json }, at) => {
		if (json.error !== undefined || json.id === undefined) return;
		const [row, link] = [rows[at], world.links.find(({ id }) => id === Number(json.id))];
		const isGone = link === undefined && world.scenario.meddling === undefined;
		if (isGone) world.complain(`row ${at} came out as a link that is not there`);
		if (link === undefined || world.scenario.meddling?.does === 'renames') return;
		if (json.action === 'created' && before.some(({ id }) => id === link.id)) {
			world.complain(`row ${at} came out as created, and was there before`);
		}
		if (json.action === 'unchanged') return;
		const isLater = rows.slice(at + 1).some((other) => linksOf(other, [link]).length > 0);
		const { url, title } = row;
		if (!isLater && url !== undefined && !isSameAddress(link.longurl, url)) world.complain(`row ${at} leads elsewhere`);
		if (!isLater && title !== undefined && json.action !== undefined && link.title !== title) {
			world.complain(`row ${at} came out as ${String(json.action)}, without its title`);
		}
	});
}
