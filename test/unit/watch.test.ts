/** A watch at services that change while it looks: whatever happens, each event is reported once. */
import assert from 'node:assert/strict';

import fc from 'fast-check';

import { idOf } from '../../nodes/LinkManagement/service/records';
import { reachedThreshold, type Change, type Watch } from '../../nodes/LinkManagement/watch';
import { SimulatedFailure, SimulatedService, SimulatedTrigger, type Order, type Ties } from './watchSimulation';

/** How many histories are drawn for each property; `HISTORIES=5000` draws more. */
const numRuns = Number(process.env.HISTORIES ?? 400);

/** What is looked for. */
type Question = Pick<Watch, 'kind' | 'threshold' | 'mode'>;

const grown: Question = { kind: 'grown', threshold: 1, mode: 'every' };
const created: Question = { ...grown, kind: 'created' };

/** A trigger that watches a service's records. */
function watching(
	service: SimulatedService,
	question: Question,
	{ hasSingles, ...more }: Partial<Watch> & { hasSingles?: boolean } = {},
): SimulatedTrigger {
	return new SimulatedTrigger({ ...question, countField: 'scans', isNewestFirst: false, ...more }, service, hasSingles);
}

/** A service with so many records, each created later than the one before. */
function serviceWith(records: number, pageSize: number, manner = {}): SimulatedService {
	const service = new SimulatedService('newest', pageSize, manner);
	for (let n = 0; n < records; n++, service.tick()) service.create(1);
	return service;
}

/** Something that happens at the service, to several records where `pick` chooses them. */
type Deed =
	| { do: 'create' | 'createLate'; count: number; times: number; pick?: undefined }
	| { do: 'remove' | 'hide' | 'restore' | 'blank' | 'show' | 'reset'; pick: number; times: number }
	| { do: 'grow'; pick: number; times: number; by: number }
	| { do: 'tick' };

interface Round {
	before: Deed[];
	between: Deed[];
	requests?: number;
	failAt?: number;
	crash: boolean;
	/** The page that comes without any record, by an odd answer. */
	emptyIn?: number;
	/** Which records are chosen from now on: every so-manieth. */
	edit?: number;
}

/** @param most records that one deed is done to */
function deeds(most: number, names: Array<Deed['do']>): fc.Arbitrary<Deed> {
	const times = fc.integer({ min: 1, max: most });
	const by = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 60 }));
	return fc.oneof(
		...names.map((name): fc.Arbitrary<Deed> => {
			if (name === 'create' || name === 'createLate')
				return fc.record({ do: fc.constant(name), count: fc.nat(3), times });
			if (name === 'tick') return fc.constant({ do: name });
			if (name === 'grow') return fc.record({ do: fc.constant(name), pick: fc.nat(), times, by });
			return fc.record({ do: fc.constant(name), pick: fc.nat(), times });
		}),
	);
}

const seldom = fc.nat(7).map((drawn) => drawn === 0);

function rounds(most: number, names: Array<Deed['do']>, edits = false): fc.Arbitrary<Round[]> {
	const one = fc.record(
		{
			before: fc.array(deeds(most, names), { maxLength: 6 }),
			between: fc.array(deeds(1, names), { maxLength: 6 }),
			requests: fc.integer({ min: 1, max: 4 }),
			failAt: fc.nat(4),
			crash: seldom,
			emptyIn: fc.nat(5),
			edit: edits ? fc.integer({ min: 1, max: 4 }) : fc.constant(undefined),
		},
		{ requiredKeys: ['before', 'between', 'crash'] },
	);
	return fc.array(one, { minLength: 1, maxLength: 12 });
}

interface Setting {
	order: Order;
	ties: Ties;
	totals: boolean;
	pageSize: number;
	/** The counts of the records that are there at first, and how many come in one second. */
	atFirst: number[];
	inASecond: number;
	/** The page that comes without any record while the baseline is read, by an odd answer. */
	emptyAtFirst?: number;
	/** Time of a poll of the baseline. */
	slice?: number;
	history: Round[];
}

function settings(more: { [Key in keyof Setting]?: fc.Arbitrary<Setting[Key]> } & Pick<Arbitraries, 'history'>) {
	return fc.record<Setting>(
		{
			order: fc.constantFrom<Order>('newest', 'oldest', 'scattered'),
			ties: fc.constantFrom<Ties>('rising', 'falling', 'scattered'),
			totals: fc.boolean(),
			pageSize: fc.integer({ min: 1, max: 6 }),
			atFirst: fc.array(fc.nat(40), { maxLength: 12 }),
			inASecond: fc.integer({ min: 1, max: 3 }),
			emptyAtFirst: fc.nat(5),
			slice: fc.integer({ min: 1, max: 4 }),
			...more,
		},
		{ requiredKeys: [...REQUIRED] },
	);
}
type Arbitraries = { history: fc.Arbitrary<Round[]> };
const REQUIRED = ['order', 'ties', 'totals', 'pageSize', 'atFirst', 'inASecond', 'history'] as const;

/** What was seen of a history. */
interface Played {
	service: SimulatedService;
	changes: Change[];
	/** The count of each record when the baseline was taken. */
	atBaseline: Map<number, number>;
	/** What happened since: how much each count grew, and which records were created. */
	growth: Map<number, number>;
	made: Set<number>;
	/** Records that were watched all along. */
	stayed(id: number): boolean;
}

/** Plays a history, then lets the service rest until nothing more is reported. */
async function play(question: Question, setting: Setting, more: Partial<Watch> = {}): Promise<Played> {
	const { order, pageSize, ties, totals, atFirst, inASecond, emptyAtFirst, slice, history } = setting;
	const service = new SimulatedService(order, pageSize, { ties, totals });
	atFirst.forEach((count, n) => {
		service.create(count);
		if (n % inASecond === 0) service.tick();
	});
	service.tick();
	const trigger = watching(service, question, { hasSingles: pageSize % 2 === 0, ...more });
	const changes: Change[] = [];
	const growth = new Map<number, number>();
	const made = new Set<number>();
	const edits = new Set<number>([1]);
	if (history.some(({ edit }) => edit !== undefined))
		trigger.settings = { ...trigger.settings, selected: service.ids() };
	const poll = async (options: Parameters<SimulatedTrigger['poll']>[0] = {}) =>
		changes.push(...(await trigger.poll(options)));
	// A new record that nobody has seen yet does not vanish: it might as well never have been there.
	const mayHide = (id: number) =>
		question.kind !== 'created' || !made.has(id) || changes.some(({ record }) => record.id === id);
	const does = (deed: Deed) => perform(service, deed, { growth, made, mayHide });

	service.emptyIn = emptyAtFirst;
	for (let polls = 0; trigger.state === undefined; polls++) {
		await poll({ requests: slice });
		assert(polls < 100);
	}
	trigger.save();
	const atBaseline = new Map(service.ids().map((id) => [id, service.countOf(id)]));

	for (const { before, between, requests, failAt, crash, emptyIn, edit } of history) {
		if (crash) trigger.crash();
		if (edit !== undefined && service.ids().length > 0) {
			edits.add(edit);
			const ids = [...service.ids(), ...service.ids(true)].filter((id) => isWatched(id, edit));
			trigger.settings = { ...trigger.settings, selected: ids };
		}
		// More is created in one second than a page holds, but no poll lies within it.
		service.tick();
		for (const deed of before) does(deed);
		service.tick();
		service.emptyIn = emptyIn;
		const left = [...between];
		const during = () => {
			const deed = left.shift();
			if (deed) does(deed);
		};
		try {
			await poll({ requests, failAt, between: during });
			if (edit !== undefined) trigger.save();
		} catch (error) {
			if (!(error instanceof SimulatedFailure)) throw error;
		}
		service.emptyIn = undefined;
	}
	for (const id of service.ids(true)) service.change(id, { isHidden: false });
	for (const id of service.ids()) service.change(id, { isBlank: false });
	service.tick();
	for (let quiet = 0, polls = 0; quiet < 4; polls++) {
		const before = changes.length;
		await poll();
		quiet = changes.length === before ? quiet + 1 : 0;
		assert(polls < 60);
	}
	return {
		service,
		changes,
		atBaseline,
		growth,
		made,
		stayed: (id) => [...edits].every((edit) => isWatched(id, edit)),
	};
}

const isWatched = (id: number, edit: number) => id % edit === 0;

interface Doing extends Pick<Played, 'growth' | 'made'> {
	mayHide(id: number): boolean;
}

function perform(service: SimulatedService, deed: Deed, { growth, made, mayHide }: Doing): void {
	if (deed.do === 'tick') return service.tick();
	const add = (id: number, by: number) => growth.set(id, (growth.get(id) ?? 0) + by);
	for (let n = 0; n < deed.times; n++) {
		if (deed.do === 'create' || deed.do === 'createLate') {
			const id = service.create(deed.count, deed.do === 'createLate');
			made.add(id);
			add(id, deed.count);
			continue;
		}
		const ids = service.ids(deed.do === 'restore').filter((id) => deed.do !== 'hide' || mayHide(id));
		if (ids.length === 0) return;
		const id = ids[((deed.pick ?? 0) + n) % ids.length];
		const count = service.countOf(id);
		if (deed.do === 'grow') add(id, deed.by);
		const changed = {
			grow: { count: count + (deed.do === 'grow' ? deed.by : 0) },
			reset: { count: 0 },
			hide: { isHidden: true },
			restore: { isHidden: false },
			blank: { isBlank: true },
			show: { isBlank: false },
			remove: {},
		}[deed.do];
		if (deed.do === 'remove') service.remove(id);
		else service.change(id, changed);
	}
}

/** How much of each record's count was reported. */
function reportedGrowth(changes: Change[]): Map<number, number> {
	const sums = new Map<number, number>();
	for (const { record, previous = 0, count = 0 } of changes) {
		assert.equal(record.scans, count);
		sums.set(idOf(record)!, (sums.get(idOf(record)!) ?? 0) + count - previous);
	}
	return sums;
}

describe('a count that grows', () => {
	const visible: Array<Deed['do']> = ['create', 'remove', 'hide', 'restore', 'blank', 'show', 'grow', 'grow', 'grow'];

	it('is reported once, whatever happens, also while other records are chosen', async () => {
		// What is not watched for a while is forgotten, also that it has shown a number.
		const always = visible.filter((name) => name !== 'blank');
		const any = settings({ history: fc.oneof(rounds(3, visible), rounds(3, always, true)) });
		await fc.assert(
			fc.asyncProperty(any, async (setting) => {
				const played = await play(grown, setting);
				const { service, changes, atBaseline, growth, made } = played;
				const reported = reportedGrowth(changes);
				const isEdited = setting.history.some(({ edit }) => edit !== undefined);
				for (const { previous = 0, count = 0 } of changes) assert(count > previous);
				for (const id of [...atBaseline.keys(), ...made]) {
					const pending = (growth.get(id) ?? 0) - (reported.get(id) ?? 0);
					assert(pending >= 0, `${id} was reported twice`);
					const isDue = service.ids().includes(id) && (made.has(id) ? !isEdited : played.stayed(id));
					assert(!isDue || pending === 0, `${id} was not reported`);
				}
			}),
			{ numRuns },
		);
	});

	it('is reckoned from zero after a reset, and never reported beyond what happened', async () => {
		const any = settings({ history: rounds(2, ['create', 'remove', 'grow', 'grow', 'reset']) });
		await fc.assert(
			fc.asyncProperty(any, async (setting) => {
				const { changes, growth } = await play(grown, setting);
				for (const [id, sum] of reportedGrowth(changes)) assert(sum <= (growth.get(id) ?? 0));
			}),
			{ numRuns },
		);
	});

	const once: Question = { kind: 'reached', threshold: 100, mode: 'once' };
	it.each<[string, Question, Partial<Watch>, number[], unknown[]]>([
		['after a reset as what came since', grown, {}, [50, 0, 3, 3, 5], [[], [], [], [0, 3], [3, 5]]],
		['not again when a few visits are taken out of it', grown, {}, [50, 47, 49, 49], [[], [], [], [47, 49]]],
		[
			'once where it falls and rises again and again',
			grown,
			{},
			[99, 101, 99, 101, 99, 99, 101, 102],
			[[], [99, 101], [], [], [], [], [], [101, 102]],
		],
		[
			'once at a threshold between them',
			once,
			{},
			[99, 101, 99, 99, 101, 99, 102],
			[[], [99, 101], [], [], [], [], []],
		],
		[
			'again where it reaches a threshold after a reset',
			once,
			{},
			[0, 120, 0, 0, 101],
			[[], [0, 120], [], [], [0, 101]],
		],
	])('is reported %s', async (_what, question, more, shown, expected) => {
		const service = new SimulatedService('newest', 3);
		const id = service.create(shown[0]);
		for (const count of [500, 200, 300, 20, 30, 10, 40]) service.create(count);
		const trigger = watching(service, question, more);
		const reports: unknown[] = [];
		for (const count of shown) {
			service.change(id, { count });
			reports.push((await trigger.poll()).flatMap((change) => [change.previous, change.count]));
		}
		expect(reports).toEqual(expected);
	});
});

describe('thresholds of a count', () => {
	it('are reported once each and in order, of those that a jump passed the highest', async () => {
		const names: Array<Deed['do']> = ['create', 'remove', 'hide', 'restore', 'grow', 'grow', 'grow'];
		const any = settings({ history: fc.oneof(rounds(2, names), rounds(2, names, true)) });
		const modes = fc.constantFrom('once' as const, 'every' as const);
		await fc.assert(
			fc.asyncProperty(any, modes, fc.integer({ min: 10, max: 60 }), async (setting, mode, threshold) => {
				const played = await play({ kind: 'reached', threshold, mode }, setting);
				const { service, changes, atBaseline, made } = played;
				const isEdited = setting.history.some(({ edit }) => edit !== undefined);
				const reported = new Map<number, number[]>();
				for (const { record, threshold: reached = 0, previous = 0, count = 0 } of changes) {
					assert(previous < reached && reached <= count);
					reported.set(idOf(record)!, [...(reported.get(idOf(record)!) ?? []), reached]);
				}
				for (const id of service.ids()) {
					const question = { threshold, mode };
					const highest = reachedThreshold(atBaseline.get(id) ?? 0, service.countOf(id), question);
					const found = reported.get(id) ?? [];
					assert.deepEqual(
						found,
						[...new Set(found)].sort((a, b) => a - b),
						`of ${id}`,
					);
					assert(found.every((one) => one % threshold === 0 && one <= (highest ?? 0)));
					// What was reached while it was not watched is not due.
					const isDue = made.has(id) ? !isEdited : played.stayed(id);
					assert(!isDue || found.at(-1) === highest, `${id} reached ${highest}`);
				}
			}),
			{ numRuns },
		);
	});

	it.each<[number, number, number, 'once' | 'every', number | undefined]>([
		[95, 310, 100, 'every', 300],
		[95, 310, 100, 'once', 100],
		[100, 199, 100, 'every', undefined],
		[100, 310, 100, 'once', undefined],
		[0, 4_294_967_295, 100, 'every', 4_294_967_200],
		[1, Number.MAX_SAFE_INTEGER, 1, 'every', Number.MAX_SAFE_INTEGER],
	])('between %d and %d, at %d, %s', (previous, count, threshold, mode, expected) => {
		expect(reachedThreshold(previous, count, { threshold, mode })).toBe(expected);
	});
});

describe('new records', () => {
	const names: Array<Deed['do']> = ['create', 'createLate', 'remove', 'hide', 'restore', 'tick'];
	const small = settings({ pageSize: fc.integer({ min: 2, max: 6 }), history: rounds(3, names) });
	const newest = settings({
		order: fc.constant('newest'),
		pageSize: fc.integer({ min: 10, max: 20 }),
		atFirst: fc.array(fc.nat(40), { maxLength: 60 }),
		history: rounds(6, names),
	});
	const large = settings({
		pageSize: fc.integer({ min: 20, max: 100 }),
		atFirst: fc.integer({ min: 0, max: 500 }).map((length) => Array<number>(length).fill(0)),
		inASecond: fc.integer({ min: 1, max: 150 }),
		slice: fc.constant(undefined),
		history: rounds(
			120,
			names.filter((name) => name !== 'createLate'),
		),
	});
	/** What moves up between two pages is skipped where no total tells of it, or as much was created meanwhile. */
	const withoutGaps = (setting: Setting): Setting => {
		const { totals, pageSize, history } = setting;
		const mayMove = (deed: Deed) => totals || deed.do === 'create';
		const inOneGo = (round: Round) => ({ ...round, requests: undefined, between: round.between.filter(mayMove) });
		return totals && pageSize < 20 ? setting : { ...setting, history: history.map(inOneGo) };
	};

	it.each<[string, fc.Arbitrary<Setting>, boolean, number]>([
		['of a list that is read whole', small, false, numRuns],
		['of a list with its newest first', newest, true, numRuns],
		['of a long list, in any order', large, true, numRuns / 4],
	])('%s are reported once each', async (_which, any, isNewestFirst, runs) => {
		await fc.assert(
			fc.asyncProperty(any.map(withoutGaps), async (setting) => {
				const played = await play(created, setting, { isNewestFirst });
				const { service, changes, made, atBaseline } = played;
				// What is made while the baseline is taken, and shows later, may have an ID from before it.
				const highest = Math.max(0, ...atBaseline.keys());
				const reported = changes.map(({ record }) => idOf(record)!);
				const all = new Set(reported);
				assert.equal(all.size, reported.length, 'one was reported twice');
				for (const id of service.ids()) assert.equal(all.has(id), made.has(id) && id > highest, `of ${id}`);
			}),
			{ numRuns: runs },
		);
	});

	// Found once: all of these came again as new.
	it.each([
		['created', created, true],
		['created, the whole list', created, false],
		['grown', grown, false],
	] as const)(
		'are none that were hidden for a poll, nor all after a list that was empty once: %s',
		async (_what, question, isNewestFirst) => {
			const service = serviceWith(40, 10);
			const trigger = watching(service, question, { isNewestFirst });
			const polls = async (hidden: number[]) => {
				for (const id of hidden) service.change(id, { isHidden: true });
				const during = await trigger.poll();
				for (const id of hidden) service.change(id, { isHidden: false });
				return [...during, ...(await trigger.poll())];
			};
			expect(await trigger.poll()).toEqual([]);
			expect(await polls(service.ids().slice(-3))).toEqual([]);
			const next = service.create(1);
			expect((await trigger.poll()).map(({ record }) => record.id)).toEqual([next]);
			expect(await polls(service.ids())).toEqual([]);
		},
	);
});

it('a record that moved up while the baseline was taken is not reported as one that began at zero', async () => {
	const service = new SimulatedService('newest', 5, { totals: false });
	const ids = Array.from({ length: 12 }, () => service.create(7));
	const trigger = watching(service, grown);
	let first: number | undefined = ids[0];
	const between = () => {
		if (first !== undefined) service.remove(first);
		first = undefined;
	};
	expect(await trigger.poll({ between })).toEqual([]);
	expect(await trigger.poll()).toEqual([]);
});

// Found once: a page of a list of hardly more than the IDs that are known held the highest of them, and passed for the newest.
it.each([
	['small', 40, 0, false],
	['shrunken', 240, 50, false],
	['shrunken', 240, 50, true],
])('new records are found on any page of a %s list without an order (%d, %d removed, a total: %s)', async (...list) => {
	const [, atFirst, removed, totals] = list;
	const service = new SimulatedService('scattered', 10, { totals });
	for (let at = 0; at < atFirst; at++) service.create();
	const trigger = watching(service, created, { isNewestFirst: true });
	await trigger.poll();
	for (const id of service.ids().slice(0, removed)) service.remove(id);
	for (let at = 0; at < 60; at++) {
		const ids = [service.create(), service.create()];
		expect((await trigger.poll()).map(({ record }) => record.id)).toEqual(ids);
	}
});

it('new records that are more than the IDs that are known are reported once each, over several polls', async () => {
	const service = serviceWith(300, 100);
	const trigger = watching(service, created, { isNewestFirst: true });
	await trigger.poll();
	const made = Array.from({ length: 500 }, () => {
		service.tick();
		return service.create();
	});
	const reported: number[] = [];
	for (let polls = 0; polls < 5; polls++)
		reported.push(...(await trigger.poll({ requests: 2 })).map(({ record }) => idOf(record)!));
	expect(reported.sort((a, b) => a - b)).toEqual(made);
});

describe('selected records', () => {
	async function setUp(records: number, selected: number[]) {
		const service = serviceWith(records, 10);
		const trigger = watching(service, grown, { selected, hasSingles: true });
		expect(await trigger.poll()).toEqual([]);
		service.requests = 0;
		return { service, trigger };
	}

	it.each([
		['one by one, where they are fewer than the pages left', [2, 100, 160], 4],
		['from the listing and one by one, where some are on its first page', [2, 6, 34, 200], 4],
		[
			'from the listing, where they are more than its pages: down to the last of them',
			[170, 171, 172, 173, 174, 175, 176, 177].map((id) => 2 * (id - 80)),
			4,
		],
	])('are read %s', async (_how, selected, requests) => {
		const { service, trigger } = await setUp(100, selected);
		service.change(selected[1], { count: 4 });
		expect(await trigger.poll()).toMatchObject([{ record: { id: selected[1] }, previous: 1, count: 4 }]);
		expect(service.requests).toBeLessThanOrEqual(requests);
	});

	it('get their turn over several polls when time is short', async () => {
		const selected = [2, 40, 60, 80, 100, 120];
		const { service, trigger } = await setUp(100, selected);
		for (const id of selected) service.change(id, { count: 2 });
		const reported: unknown[] = [];
		for (let polls = 0; polls < 5; polls++)
			reported.push(...(await trigger.poll({ requests: 3 })).map(({ record }) => record.id));
		expect(reported.sort((a, b) => Number(a) - Number(b))).toEqual(selected);
	});
});

describe('requests and states', () => {
	it('are one page where nothing happened, also when the newest record is gone, or after an import within a second', async () => {
		const service = serviceWith(300, 100);
		const trigger = watching(service, created, { isNewestFirst: true });
		const quiet = async () => {
			service.requests = 0;
			expect(await trigger.poll()).toEqual([]);
			expect(service.requests).toBe(1);
		};
		await trigger.poll();
		service.remove(600);
		await quiet();
		for (let n = 0; n < 120; n++) {
			if (n === 60) service.tick();
			service.create();
		}
		expect(await trigger.poll()).toHaveLength(120);
		await quiet();
	});

	it.each([0, 9])(
		'forget records that are gone, but for a thousand, where the total counts %d too many',
		async (more) => {
			const service = serviceWith(3000, 100, { more });
			const trigger = watching(service, grown);
			const known = async () => {
				await trigger.poll();
				return Object.keys((trigger.state as { counts: object }).counts).length;
			};
			expect(await known()).toBe(3000);
			service.emptyIn = 0;
			expect(await known()).toBe(3000);
			for (const id of service.ids().slice(0, 2001)) service.remove(id);
			expect(await known()).toBe(999);
		},
	);
});
