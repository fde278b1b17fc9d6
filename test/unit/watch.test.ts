/** A watch at services that change while it looks: whatever happens, each event is reported once. */
import assert from 'node:assert/strict';

import fc from 'fast-check';

import { idOf } from '../../nodes/LinkManagement/service/records';
import {
	openState,
	reachedThresholds,
	sealState,
	type Change,
	type Question,
	type StateFields,
	type StoredState,
	type WatchSettings,
} from '../../nodes/LinkManagement/watch';
import { SimulatedFailure, SimulatedService, SimulatedTrigger, type Order, type Ties } from './watchSimulation';

/** How many histories are drawn for each property; `HISTORIES=5000` draws more. */
const numRuns = Number(process.env.HISTORIES ?? 400);

const grown: Question = { kind: 'grown', minimumIncrease: 1 };
const created: Question = { kind: 'created', includeExisting: false };

/** A trigger that watches a service's records. */
function watching(service: SimulatedService, question: Question, more: Partial<WatchSettings> = {}): SimulatedTrigger {
	return new SimulatedTrigger({ question, countField: 'scans', ...more }, service);
}

/** A service with so many records, each created later than the one before. */
function serviceWith(records: number, pageSize: number, order: Order = 'newest'): SimulatedService {
	const service = new SimulatedService(order, pageSize);
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
	/** The list is empty for this poll. */
	isEmpty: boolean;
	/** Which records are watched from now on: every so-manieth, or all. */
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
			isEmpty: seldom,
			edit: edits ? fc.integer({ min: 1, max: 4 }) : fc.constant(undefined),
		},
		{ requiredKeys: ['before', 'between', 'crash', 'isEmpty'] },
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
	/** The list is empty when it is looked at first. */
	isEmptyAtFirst: boolean;
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
			isEmptyAtFirst: seldom,
			slice: fc.integer({ min: 1, max: 4 }),
			...more,
		},
		{ requiredKeys: [...REQUIRED] },
	);
}
type Arbitraries = { history: fc.Arbitrary<Round[]> };
const REQUIRED = ['order', 'ties', 'totals', 'pageSize', 'atFirst', 'inASecond', 'isEmptyAtFirst', 'history'] as const;

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
function play(question: Question, setting: Setting, more: Partial<WatchSettings> = {}): Played {
	const { order, pageSize, ties, totals, atFirst, inASecond, isEmptyAtFirst, slice, history } = setting;
	const service = new SimulatedService(order, pageSize, { ties, totals });
	atFirst.forEach((count, n) => {
		service.create(count);
		if (n % inASecond === 0) service.tick();
	});
	service.tick();
	const trigger = watching(service, question, more);
	const changes: Change[] = [];
	const growth = new Map<number, number>();
	const made = new Set<number>();
	const edits = new Set<number>([1]);
	const poll = (options: Parameters<SimulatedTrigger['poll']>[0] = {}) => changes.push(...trigger.poll(options));

	service.isEmpty = isEmptyAtFirst && atFirst.length > 0;
	if (service.isEmpty) poll();
	service.isEmpty = false;
	for (let polls = 0; polls === 0 || isAtBaseline(trigger.state); polls++) {
		poll({ requests: slice });
		assert(polls < 100);
	}
	trigger.save();
	const atBaseline = new Map(service.ids().map((id) => [id, service.countOf(id)]));

	for (const { before, between, requests, failAt, crash, isEmpty, edit } of history) {
		if (crash) trigger.crash();
		if (edit !== undefined && service.ids().length > 0) {
			edits.add(edit);
			const ids = [...service.ids(), ...service.ids(true)].filter((id) => isWatched(id, edit));
			trigger.settings = { ...trigger.settings, selected: edit === 1 ? undefined : ids };
		}
		// More is created in one second than a page holds, but no poll lies within it.
		service.tick();
		for (const deed of before) perform(service, deed, growth, made);
		service.tick();
		service.isEmpty = isEmpty;
		const left = [...between];
		const during = () => {
			const deed = left.shift();
			if (deed) perform(service, deed, growth, made);
		};
		try {
			poll({ requests, failAt, between: during });
			if (edit !== undefined) trigger.save();
		} catch (error) {
			if (!(error instanceof SimulatedFailure)) throw error;
		}
		service.isEmpty = false;
	}
	for (const id of service.ids(true)) service.change(id, { isHidden: false });
	for (const id of service.ids()) service.change(id, { isBlank: false });
	service.tick();
	for (let quiet = 0, polls = 0; quiet < 4; polls++) {
		const before = changes.length;
		poll();
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

/** The baseline is not complete: it takes more polls, or an empty list is looked at once more. */
function isAtBaseline(state: { isBaseline?: boolean; begun?: unknown } = {}): boolean {
	return state.isBaseline ?? state.begun !== 'all';
}

const isWatched = (id: number, edit: number) => edit === 1 || id % edit === 0;

function perform(service: SimulatedService, deed: Deed, growth: Map<number, number>, made: Set<number>): void {
	if (deed.do === 'tick') return service.tick();
	const add = (id: number, by: number) => growth.set(id, (growth.get(id) ?? 0) + by);
	for (let n = 0; n < deed.times; n++) {
		if (deed.do === 'create' || deed.do === 'createLate') {
			const id = service.create(deed.count, deed.do === 'createLate');
			made.add(id);
			add(id, deed.count);
			continue;
		}
		// What nobody has seen yet does not vanish: it might as well never have been there.
		const ids = service.ids(deed.do === 'restore').filter((id) => deed.do !== 'hide' || !made.has(id));
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

	it('is reported once, whatever happens, also while other records are chosen to be watched', () => {
		// What is not watched for a while is forgotten, also that it has shown a number.
		const always = visible.filter((name) => name !== 'blank');
		const any = settings({ history: fc.oneof(rounds(3, visible), rounds(3, always, true)) });
		fc.assert(
			fc.property(any, fc.integer({ min: 1, max: 5 }), (setting, minimumIncrease) => {
				const played = play({ kind: 'grown', minimumIncrease }, setting);
				const { service, changes, atBaseline, growth, made } = played;
				const reported = reportedGrowth(changes);
				const isEdited = setting.history.some(({ edit }) => edit !== undefined);
				for (const { previous = 0, count = 0 } of changes) assert(count - previous >= minimumIncrease);
				for (const id of [...atBaseline.keys(), ...made]) {
					const pending = (growth.get(id) ?? 0) - (reported.get(id) ?? 0);
					assert(pending >= 0, `${id} was reported twice`);
					const isDue = service.ids().includes(id) && (made.has(id) ? !isEdited : played.stayed(id));
					assert(!isDue || pending < minimumIncrease, `${id} was not reported`);
				}
			}),
			{ numRuns },
		);
	});

	it('is reckoned from zero after a reset, and never reported beyond what happened', () => {
		const any = settings({ history: rounds(2, ['create', 'remove', 'grow', 'grow', 'reset']) });
		fc.assert(
			fc.property(any, (setting) => {
				const { changes, growth } = play(grown, setting);
				for (const [id, sum] of reportedGrowth(changes)) assert(sum <= (growth.get(id) ?? 0));
			}),
			{ numRuns },
		);
	});

	it.each<[string, Question]>([
		['clicks', grown],
		['a threshold between them', { kind: 'reached', threshold: 100, mode: 'once' }],
	])('and falls and rises again and again is reported once: %s', (_what, question) => {
		const service = new SimulatedService('newest', 10);
		const id = service.create(99);
		const trigger = watching(service, question);
		trigger.poll();
		const reports = [101, 99, 101, 99, 99, 101, 99, 101].map((count) => {
			service.change(id, { count });
			// What is kept of falls is lost with n8n now and then.
			if (count === 99) trigger.crash();
			return trigger.poll().length;
		});
		expect(reports).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
		service.change(id, { count: 102 });
		expect(trigger.poll()).toHaveLength(question.kind === 'grown' ? 1 : 0);
	});

	const once: Question = { kind: 'reached', threshold: 100, mode: 'once' };
	it.each<[string, Question, Partial<WatchSettings>, number[], unknown[]]>([
		['after a reset as what came since', grown, {}, [50, 0, 3, 3, 5], [[], [], [], [0, 3], [3, 5]]],
		['not again when a few visits are taken out of it', grown, {}, [50, 47, 49, 49], [[], [], [], [47, 49]]],
		[
			'again where it reaches a threshold after a reset',
			once,
			{},
			[0, 120, 0, 0, 101],
			[[], [0, 120], [], [], [0, 101]],
		],
		[
			'again also where the highest come first',
			once,
			{ order: 'highest' },
			[0, 120, 0, 0, 0, 101],
			[[], [0, 120], [], [], [], [0, 101]],
		],
	])('is reported %s', (_what, question, more, shown, expected) => {
		const service = new SimulatedService('highest', 3);
		const id = service.create(shown[0]);
		for (const count of [500, 200, 300, 20, 30, 10, 40]) service.create(count);
		const trigger = watching(service, question, more);
		const reports = shown.map((count) => {
			service.change(id, { count });
			return trigger.poll().flatMap((change) => [change.previous, change.count]);
		});
		expect(reports).toEqual(expected);
	});
});

describe('thresholds of a count', () => {
	it('are reported once each and in order, also those that a jump passed', () => {
		const history = rounds(2, ['create', 'remove', 'hide', 'restore', 'grow', 'grow', 'grow']);
		const ordered = settings({
			history,
			// It may ignore what it is asked for.
			order: fc.constantFrom<Order>('newest', 'oldest', 'highest'),
			ties: fc.constantFrom<Ties>('rising', 'falling'),
			inASecond: fc.constant(1),
		}).map((setting) => (setting.order === 'newest' ? { ...setting, ties: 'falling' as const } : setting));
		const cases = fc.oneof(
			fc.tuple(settings({ history }), fc.constant({})),
			fc.tuple(ordered, fc.constant({ order: 'highest' as const })),
		);
		const modes = fc.constantFrom('once' as const, 'every' as const);
		fc.assert(
			fc.property(cases, modes, fc.integer({ min: 10, max: 60 }), ([setting, more], mode, threshold) => {
				const { service, changes, atBaseline } = play({ kind: 'reached', threshold, mode }, setting, more);
				const reported = new Map<number, number[]>();
				for (const { record, threshold: reached = 0 } of changes) {
					reported.set(idOf(record)!, [...(reported.get(idOf(record)!) ?? []), reached]);
				}
				for (const id of service.ids()) {
					const expected = reachedThresholds(atBaseline.get(id) ?? 0, service.countOf(id), threshold, mode);
					assert.deepEqual(reported.get(id) ?? [], expected);
				}
			}),
			{ numRuns },
		);
	});

	it.each<[number, number, number, number[]]>([
		[95, 310, 100, [100, 200, 300]],
		[100, 199, 100, []],
		[1, 101, 1, Array.from({ length: 100 }, (_, n) => n + 2)],
		[0, 4_294_967_295, 100, [4_294_967_200]],
		[1, Number.MAX_SAFE_INTEGER, 1, [Number.MAX_SAFE_INTEGER]],
	])('between %d and %d, at every %d', (previous, count, threshold, expected) => {
		expect(reachedThresholds(previous, count, threshold, 'every')).toEqual(expected);
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

	it.each<[string, fc.Arbitrary<Setting>, WatchSettings['order'], number]>([
		['of a list that is read whole', small, undefined, numRuns],
		['of a list with its newest first', newest, 'newest', numRuns],
		['of a long list, in any order', large, 'newest', numRuns / 4],
	])('%s are reported once each', (_which, any, order, runs) => {
		fc.assert(
			fc.property(any.map(withoutGaps), fc.boolean(), (setting, includeExisting) => {
				const { service, changes, made } = play({ kind: 'created', includeExisting }, setting, { order });
				const reported = changes.map(({ record }) => idOf(record)!);
				const all = new Set(reported);
				assert.equal(all.size, reported.length, 'one was reported twice');
				for (const id of service.ids()) assert.equal(all.has(id), includeExisting || made.has(id), `of ${id}`);
			}),
			{ numRuns: runs },
		);
	});

	it.each([
		['created', created, 'newest'],
		['created, the whole list', created, undefined],
		['grown', grown, undefined],
	] as const)(
		'are none that were hidden for a poll, nor all after a list that was empty once: %s',
		(_what, question, order) => {
			for (const pageSize of [10, 100]) {
				const service = serviceWith(40, pageSize);
				const trigger = watching(service, question, { order });
				const polls = (hidden: number[]) => {
					for (const id of hidden) service.change(id, { isHidden: true });
					const during = trigger.poll();
					for (const id of hidden) service.change(id, { isHidden: false });
					return [...during, ...trigger.poll()];
				};
				expect(trigger.poll()).toEqual([]);
				expect(polls(service.ids().slice(-3))).toEqual([]);
				const next = service.create(1);
				expect(trigger.poll().map(({ record }) => record.id)).toEqual([next]);
				expect(polls(service.ids())).toEqual([]);
				expect(polls(service.ids().slice(20))).toEqual([]);
			}
		},
	);
});

describe('selected records', () => {
	function setUp(records: number, selected: number[], question = grown, order?: WatchSettings['order']) {
		const service = serviceWith(records, 10, order === 'highest' ? 'highest' : 'newest');
		const trigger = watching(service, question, { order, selected });
		expect(trigger.poll()).toEqual([]);
		service.requests = 0;
		return { service, trigger };
	}

	it.each([
		['one by one, where they are few', [2, 100], 2],
		['from the listing, where that takes fewer requests', [2, 6, 34, 200], 4],
		['one by one, where the listing turns out to be long', [2, 6, 8, 10, 12], 6],
	])('are read %s', (_how, selected, requests) => {
		const { service, trigger } = setUp(selected.includes(200) ? 40 * 2.5 : 100, selected);
		service.change(selected[1], { count: 4 });
		expect(trigger.poll()).toMatchObject([{ record: { id: selected[1] }, previous: 1, count: 4 }]);
		expect(service.requests).toBeLessThanOrEqual(requests);
	});

	it('get their turn over several polls when time is short', () => {
		const selected = [2, 40, 60, 80, 100, 120];
		const { service, trigger } = setUp(100, selected);
		for (const id of selected) service.change(id, { count: 2 });
		const reported = [1, 2, 3, 4, 5].flatMap(() => trigger.poll({ requests: 3 })).map(({ record }) => record.id);
		expect(reported.sort((a, b) => Number(a) - Number(b))).toEqual(selected);
	});

	it.each([
		[9, []],
		[20, [10]],
	])('reach a threshold below which they stood unread: at %d', (count, thresholds) => {
		const question: Question = { kind: 'reached', threshold: 10, mode: 'once' };
		const { service, trigger } = setUp(100, [2, 6, 8, 100], question, 'highest');
		service.change(100, { count });
		expect(trigger.poll().map(({ threshold }) => threshold)).toEqual(thresholds);
	});
});

describe('requests and states', () => {
	it('are one page where the newest come first and nothing happened, also when the newest record is gone', () => {
		const service = serviceWith(300, 100);
		const trigger = watching(service, created, { order: 'newest' });
		for (let polls = 0; polls < 3; polls++) {
			service.requests = 0;
			expect(trigger.poll()).toEqual([]);
			expect(service.requests).toBe(1);
			service.remove(600 - 2 * polls);
		}
	});

	it('are one page where an import has put many records into one second', () => {
		const service = serviceWith(300, 100);
		const trigger = watching(service, created, { order: 'newest' });
		trigger.poll();
		for (let n = 0; n < 120; n++) {
			if (n === 60) service.tick();
			service.create();
		}
		expect(trigger.poll()).toHaveLength(120);
		service.requests = 0;
		expect(trigger.poll()).toEqual([]);
		expect(service.requests).toBe(1);
	});

	it('forget records that are gone, but for a thousand', () => {
		const service = serviceWith(3000, 100);
		const trigger = watching(service, grown);
		trigger.poll();
		for (const id of service.ids().slice(0, 2001)) service.remove(id);
		trigger.poll();
		expect(Object.keys((trigger.state as { counts: object }).counts)).toHaveLength(999);
	});
});

describe('a stored state', () => {
	const owner = { settings: 'settings', account: 'account', access: 'key' };
	const fields: StateFields = {
		begun: 'all',
		counts: { 3: 1, 41: 10 },
		falls: { 3: [0, 1] },
		tail: 41,
		place: { position: 3 },
	};

	it('comes back as it was, whatever the order of its keys', () => {
		const sealed = JSON.parse(JSON.stringify(sealState(owner, fields))) as StoredState;
		const shuffled = Object.fromEntries(Object.entries(sealed).reverse());
		shuffled.fields = Object.fromEntries(Object.entries(sealed.fields).reverse());
		expect(openState(shuffled)).toEqual(sealed);
	});

	it('is never believed when it is damaged, and never throws', () => {
		fc.assert(
			fc.property(fc.nat(), fc.integer({ min: 32, max: 126 }), (at, code) => {
				const text = JSON.stringify(sealState(owner, fields));
				const place = at % text.length;
				const damaged = text.slice(0, place) + String.fromCharCode(code) + text.slice(place + 1);
				let stored: unknown;
				try {
					stored = JSON.parse(damaged);
				} catch {
					return;
				}
				if (JSON.stringify(stored) === text) return;
				expect(openState(stored)).toBe('damaged');
			}),
		);
		for (const stored of ['text', 7, true, [], {}, { v: 2 }, { v: 2, ...owner, sum: '0', fields: null }]) {
			expect(openState(stored)).toBe('damaged');
		}
		expect(openState({ v: 99, ...owner, sum: '', fields: {} })).toBe('damaged');
		expect(openState(undefined)).toBe('none');
	});
});
