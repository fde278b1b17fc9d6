/** A sheet is run over the account: dry, then in earnest, then again. */
import type { IDataObject } from 'n8n-workflow';

import { isFailed } from '../failed';
import { BATCH, CONTINUE, upsertOf, type Work } from '../engine/account';
import type { LinkWithAddress, LoggedRequest } from '../sandbox';
import { expectedOf, isSameAddress, linksOf, type Culprit, type Expected, type Traits } from './oracle';
import { OTHER, type SheetRow, type Turn } from './scenario';
import { isBlank, itemOf } from './typed';
import { THEIR_ID, type World } from './world';

type SheetTurn = Extract<Turn, { kind: 'sheet' }>;

/** What does not fit into columns. */
function fieldsOf(rows: SheetRow[]): IDataObject {
	const germany = { values: [{ location: 'Germany', link: '={{ $json.germany }}' }] };
	return {
		...(rows.some(({ deep }) => deep === true) ? { deeplink: { value: { auto: '={{ $json.deep === true }}' } } } : {}),
		...(rows.some((row) => row.germany !== undefined) ? { geotarget: germany } : {}),
	};
}

/** What came of each row; all of them errors where the run ended with one. */
function outcomes(rows: SheetRow[], { items, error }: Work): string[] {
	return rows.map((_, at) =>
		error !== undefined || isFailed(items[at]?.json) ? 'error' : String(items[at]?.json.action),
	);
}

const wordOf = (expected: Expected): string => (typeof expected === 'object' ? 'error' : expected);

function traitsOf({ behaviour }: World): Traits {
	return {
		showsCampaigns: behaviour.moreFields,
		knowsOwnDomain: !behaviour.shortLinksElsewhere,
		clearsNothing: behaviour.emptyValue === 'ignored' && behaviour.linkUpdate === 'keeps',
		lowers: behaviour.aliasLowered,
		dropsAliases: behaviour.aliasDropped,
		dropsDomains: behaviour.domainDropped,
		dropsTargets: behaviour.targetsDropped,
		hasOthers: behaviour.aliasOfOthers,
		returnsKnown: behaviour.knownLongUrl === 'returned',
	};
}

export async function runSheet(world: World, turn: SheetTurn, before: LinkWithAddress[]): Promise<void> {
	const { rows, settings, way } = turn;
	const { matchOn, ...options } = settings;
	const isRounds = way === 'in a loop';
	const goesOn = !turn.isStopping || isRounds;
	const items = rows.map((row, at) => itemOf(row, world.own, at));
	const run = async (more: IDataObject = {}): Promise<Work> => {
		world.beforeRun();
		const parameters = { ...upsertOf({ ...options, ...more }, fieldsOf(rows)), matchOn };
		return await world.account.work(parameters, items, way, goesOn ? CONTINUE : {});
	};
	// Where one row asks for automatic deep links, each says whether it does.
	const told = rows.map((row) => (isBlank(row) ? row : { ...row, deep: row.deep === true }));
	const rounds = isRounds ? told.flatMap((_, at) => (at % BATCH === 0 ? [told.slice(at, at + BATCH)] : [])) : [told];
	const expected = expectedOf(rounds, before, settings, traitsOf(world));
	const isCertain = world.isCalm;

	// The dry run of a round can't know what the rounds before would make, nor that of a row whether its service clears anything.
	const mayPlan = isCertain && !isRounds && !(settings.emptyCells === 'clear' && traitsOf(world).clearsNothing);
	const planned = mayPlan ? await run({ dryRun: true }) : undefined;
	if (planned !== undefined && (await world.look()).length > 0) world.complain('the dry run changed something');
	const done = await run();
	await world.account.sandbox.clearFaults();
	const changes = await world.look();

	world.expectNamed(
		changes,
		rows.flatMap((row) => linksOf(row, world.seen)).map(({ id }) => id),
	);
	world.expectKept(changes, before, rows);
	expectMade(world, turn, before, changes);
	expectTrue(world, rows, done, before, isCertain && settings.updateWhen === 'changed');
	const came = outcomes(rows, done);
	// Nobody knows beforehand which aliases the service writes otherwise.
	const isForeseen = !expected.rows.some(
		(one) => one === 'any' || (typeof one === 'object' && one.isOfService === true),
	);
	if (planned !== undefined) expectPlanned(world, expected, goesOn, planned, isForeseen ? came : undefined);
	if (isCertain) expectAsReckoned(world, expected, goesOn, done, changes);
	// Rounds that contradict each other change their link in each run.
	const [whole] = isRounds ? [expectedOf([told], before, settings, traitsOf(world)).rows] : [expected.rows];
	const isSettled = !isRounds || whole.every((one) => typeof one !== 'object' && one !== 'any');
	await again(world, turn, run, came.includes('error') || !isSettled, isSettled);
}

/** A dry run lists every row, whatever On Error says. @param came what the run has come to, where that could be foreseen */
function expectPlanned(
	world: World,
	{ rows }: ReturnType<typeof expectedOf>,
	goesOn: boolean,
	planned: Work,
	came?: string[],
): void {
	const cameBefore = outcomes(rows as SheetRow[], planned);
	if (planned.error !== undefined) world.complain(`the dry run ended with ${planned.error.message}`);
	if (planned.items.some(({ json }) => json.dryRun !== true)) world.complain('an item of the dry run is not marked');
	if (came === undefined) return;
	const wanted = goesOn ? came : rows.map(wordOf);
	if (String(wanted) !== String(cameBefore))
		world.complain(`the dry run came to ${String(cameBefore)}, the run to ${String(wanted)}`);
}

function expectAsReckoned(
	world: World,
	{ rows, links }: ReturnType<typeof expectedOf>,
	goesOn: boolean,
	done: Work,
	changes: LoggedRequest[],
): void {
	const came = outcomes(rows as SheetRow[], done);
	const failures = rows.filter((one) => typeof one === 'object');
	if (!goesOn && failures.some(({ isPlanned }) => isPlanned)) {
		if (changes.length > 0) world.complain(`a run with bad rows sent ${changes.map(({ path }) => path).join(', ')}`);
		if (!came.every((one) => one === 'error')) world.complain('a run with bad rows gave items');
		return;
	}
	if (!goesOn && (failures.length > 0 || rows.includes('any'))) return;
	const isWrong = rows.some((one, at) => one !== 'any' && wordOf(one) !== came[at]);
	if (isWrong) world.complain(`rows should come to ${rows.map(wordOf).join()}, not ${came.join()}`);
	rows.forEach((one, at) => {
		if (isWrong || typeof one !== 'object') return;
		const text = String(done.items[at].json.error);
		const missing = one.names.filter((culprit) => !isNamedIn(text, culprit));
		if (missing.length > 0) world.complain(`row ${at} does not name ${JSON.stringify(missing)}: ${text}`);
	});
	if (isWrong || links === undefined) return;
	for (const link of links) {
		const { id, alias, domain, longurl } = link;
		const is = world.links.find((one) => (id === undefined ? isAt(one, link) : one.id === id));
		const differing = ['alias', 'longurl', 'title', 'description', 'expiry', 'location'] as const;
		const wrong = differing.filter((name) => link[name] !== undefined && !isLike(link[name], is?.[name]));
		if (wrong.length > 0) {
			world.complain(
				`link ${id ?? `${domain}/${alias ?? longurl}`} has ${wrong.map((name) => `${name} ${JSON.stringify(is?.[name])} for ${JSON.stringify(link[name])}`).join(', ')}`,
			);
		}
	}
	if (world.links.length !== links.length)
		world.complain(`${world.links.length} links are there, and not ${links.length}`);
}

const isAt = (
	one: LinkWithAddress,
	{ alias, domain, longurl }: Pick<LinkWithAddress, 'domain' | 'longurl'> & { alias?: string },
) => one.domain === domain && (alias === undefined ? isSameAddress(one.longurl, longurl) : one.alias === alias);

const isLike = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** An error names a row by its number in the sheet, a link by its address or its ID. */
function isNamedIn(text: string, culprit: Culprit): boolean {
	if (typeof culprit === 'number') return new RegExp(`\\b${culprit + 2}\\b`).test(text);
	const { shorturl = '', id } = culprit;
	return text.includes(shorturl.replace(/^\w+:\/\//, '')) || new RegExp(`\\b${id}\\b`).test(text);
}

/** The same sheet again, while nobody meddles and nothing fails. */
async function again(
	world: World,
	{ rows }: SheetTurn,
	run: () => Promise<Work>,
	mayGoOn: boolean,
	isSettled: boolean,
): Promise<void> {
	await world.calm();
	// What failed the first time may be done now: an alias that was taken is free, a later row has made the link that an earlier one is
	// about. That may free further ones. A later round may have changed what a row of an earlier one was matched by.
	const afterCalm = mayGoOn ? rows.length : 0;
	const more = world.isCalm ? afterCalm : rows.length + 1;
	let changes: LoggedRequest[] = [];
	let made = 0;
	let came: string[] = [];
	for (let night = 0; night <= more; night++) {
		await world.look();
		const before = world.links.length;
		came = outcomes(rows, await run());
		changes = await world.look();
		made = world.links.length - before;
		if (changes.length === 0) return;
	}
	const { aliasDropped, domainDropped, targetsDropped } = world.behaviour;
	// The first of a night shows that the service still drops them.
	const most = [aliasDropped, domainDropped].filter(Boolean).length;
	if (made > most) world.complain(`the next night made ${made} links more`);
	const isShown = rows.every(({ campaign, deep }) => campaign === undefined && deep === undefined);
	const updates = changes.filter(({ method }) => method === 'PUT');
	if (updates.length > 0 && isShown && isSettled && !targetsDropped && !came.includes('error'))
		world.complain('the next night updated links again');
}

/** As many links as rows ask for. */
function expectMade(
	world: World,
	{ rows, way, settings: { matchOn } }: SheetTurn,
	before: LinkWithAddress[],
	changes: LoggedRequest[],
): void {
	const creations = changes.filter(({ path }) => path === '/api/url/add');
	const made = world.links.filter(({ id, title }) => title !== 'Theirs' && !before.some((link) => link.id === id));
	// Where no link shows that the service's own links stand elsewhere, a short URL there is another service's.
	const isOwnKnown = traitsOf(world).knowsOwnDomain || before.some((link) => link.domain === '');
	const isOfAccount = (domain: string) => domain !== OTHER && (domain !== '' || isOwnKnown);
	const wanted = rows.flatMap(({ short, alias, domain, url }) => {
		if (url === undefined || (short !== undefined && isOfAccount(short.domain))) return [];
		const isByAlias = alias !== undefined && matchOn === 'alias';
		const isThere = linksOf(isByAlias ? { alias, domain } : { url, domain }, before).length > 0;
		// A round may change what the next one means.
		if (isThere && way !== 'in a loop') return [];
		// A service that drops the alias makes one link of each request.
		const isOne = isByAlias && world.takesEverything;
		return [[domain, isByAlias ? alias : '', isOne ? '' : new URL(url).href].join()];
	});
	const most = world.scenario.meddling === undefined ? new Set(wanted).size : rows.length;
	const count = made.filter(({ alias }) => !alias.startsWith('their-')).length;
	if (count > most && creations.length > 0) world.complain(`${count} links were made where ${most} were wanted`);
}

/** What is reported is there, each row once. @param isSet where `unchanged` says that the link is as the row has it */
export function expectTrue(world: World, rows: SheetRow[], work: Work, before: LinkWithAddress[], isSet = false): void {
	const { items, error } = work;
	if (error === undefined && items.length !== rows.length) {
		world.complain(`${rows.length} rows came out as ${items.length} items`);
		return;
	}
	items.forEach(({ json }, at) => {
		if (isFailed(json) || json.id === undefined) return;
		const [row, link] = [rows[at], world.links.find(({ id }) => id === Number(json.id))];
		const isGone = link === undefined && world.scenario.meddling === undefined;
		if (isGone) world.complain(`row ${at} came out as a link that is not there`);
		if (link === undefined || world.scenario.meddling?.does === 'renames') return;
		if (json.action === 'created' && before.some(({ id }) => id === link.id)) {
			world.complain(`row ${at} came out as created, and was there before`);
		}
		if (json.action === 'unchanged' && (!isSet || json.existing !== undefined || rows[at].title === '')) return;
		const isLater = rows.slice(at + 1).some((other) => linksOf(other, [link]).length > 0);
		const { url, title } = row;
		if (!isLater && url !== undefined && !isSameAddress(link.longurl, url)) world.complain(`row ${at} leads elsewhere`);
		// A service may answer a creation with the link that others made of the long URL meanwhile: that looks like a new one.
		const isTheirs = link.id === THEIR_ID && json.action === 'created';
		if (!isLater && !isTheirs && title !== undefined && json.action !== undefined && link.title !== title) {
			world.complain(`row ${at} came out as ${String(json.action)}, without its title`);
		}
	});
}
