import assert from 'node:assert/strict';

import fc from 'fast-check';

import { ListReading } from '../../nodes/LinkManagement/api/listReading';
import { idOf } from '../../nodes/LinkManagement/api/records';
import {
	openState,
	passedThresholds,
	sealState,
	startPoll,
	type Change,
	type Outcome,
	type Question,
	type Reading,
	type ServiceRecord,
	type StoredState,
	type WatchSettings,
} from '../../nodes/LinkManagement/watch';
import { decodeCounts, encodeCounts } from '../../nodes/LinkManagement/watch/state';
import {
	pageOf,
	SimulatedFailure,
	SimulatedService,
	SimulatedTrigger,
	type Manner,
	type Order,
} from './watchSimulation';

const grown: Question = { kind: 'grown', minimumIncrease: 1 };

/** A trigger that watches the scans of a service's records. */
function watching(
	service: SimulatedService,
	question: Question = grown,
	more: Partial<WatchSettings> = {},
): SimulatedTrigger {
	return new SimulatedTrigger({ question, reading: 'all', countField: 'scans', ...more }, service);
}

/** What a poll after each count that a record comes to reports: from where, and to where. */
function reportsOf(trigger: SimulatedTrigger, service: SimulatedService, id: number, shown: number[]) {
	return shown.map((count) => {
		service.setCount(id, count);
		return trigger.poll().map((change) => [change.previous, change.count]);
	});
}

/** A service with so many records, each dated later than the one before. */
function serviceWith(records: number, pageSize: number, order: Order = 'newest'): SimulatedService {
	const service = new SimulatedService(order, pageSize);
	for (let n = 0; n < records; n++, service.tick()) service.create({ count: 1 });
	return service;
}

const OWNER = { settings: 'settings', account: 'account', access: 'key' };

/** Something that happens at the service. `pick` chooses a record among those that are there. */
type Deed =
	| { do: 'create'; count: number; lowId?: boolean; secondsAgo?: number }
	| { do: 'remove' | 'reset'; pick: number }
	| { do: 'grow'; pick: number; by: number }
	| { do: 'tick' };

interface Round {
	before: Deed[];
	between: Deed[][];
	requests?: number;
	failAt?: number;
	crash: boolean;
}

const create = fc.record({ do: fc.constant('create' as const), count: fc.nat(3) });
const createLowId = create.map((made): Deed => ({ ...made, lowId: true }));
const remove = fc.record({ do: fc.constant('remove' as const), pick: fc.nat() });
const by = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 60 }));
const grow = fc.record({ do: fc.constant('grow' as const), pick: fc.nat(), by });
const reset = fc.record({ do: fc.constant('reset' as const), pick: fc.nat() });
const tick = fc.constant({ do: 'tick' as const });

function rounds(deed: fc.Arbitrary<Deed>, whilePaging = deed): fc.Arbitrary<Round[]> {
	const deeds = fc.array(deed, { maxLength: 6 });
	return fc.array(
		fc.record(
			{
				before: deeds,
				between: fc.array(fc.array(whilePaging, { maxLength: 2 }), { maxLength: 6 }),
				requests: fc.integer({ min: 1, max: 4 }),
				failAt: fc.nat(4),
				crash: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
			},
			{ requiredKeys: ['before', 'between', 'crash'] },
		),
		{ minLength: 1, maxLength: 12 },
	);
}

function perform(service: SimulatedService, one: Deed, done?: (one: Deed, id: number) => void): void {
	if (one.do === 'tick') return service.tick();
	if (one.do === 'create') {
		const id = service.create(one);
		return done?.(one, id);
	}
	const ids = service.ids();
	if (ids.length === 0) return;
	const id = ids[one.pick % ids.length];
	done?.(one, id);
	if (one.do === 'remove') service.remove(id);
	else if (one.do === 'grow') service.grow(id, one.by);
	else service.setCount(id, 0);
}

interface Play {
	question: Question;
	reading: Reading;
	order: Order;
	pageSize: number;
	manner?: Partial<Manner>;
	atFirst: number[];
	history: Round[];
	/** What happens while the baseline is read. */
	baselineBetween?: Deed[][];
	onDeed?: (deed: Deed, id: number) => void;
	onStart?: (service: SimulatedService) => void;
	onBaseline?: (service: SimulatedService) => void;
	onChanges: (changes: Change[]) => void;
}

/** Plays a history, then lets the service rest until a poll finds nothing more. */
function play(given: Play): SimulatedService {
	const { question, reading, order, pageSize, manner, atFirst, history, onDeed, onChanges } = given;
	const service = new SimulatedService(order, pageSize, manner);
	for (const count of atFirst) {
		service.create({ count });
		service.tick();
	}
	given.onStart?.(service);
	const trigger = watching(service, question, { reading });
	const during = (deeds: Deed[][] = []) => {
		const left = [...deeds];
		return () => left.shift()?.forEach((one) => perform(service, one, onDeed));
	};
	const polled = (options: Parameters<SimulatedTrigger['poll']>[0], since: Deed[]) => {
		// What is created right after a poll may share its second; until the next poll the clock goes on.
		if (!since.some((one) => one.do === 'tick')) service.tick();
		return trigger.poll(options);
	};
	onChanges(trigger.poll({ between: during(given.baselineBetween) }));
	given.onBaseline?.(service);
	for (const { before, between, requests, failAt, crash } of history) {
		if (crash) trigger.crash();
		before.forEach((one) => perform(service, one, onDeed));
		try {
			onChanges(polled({ requests, failAt, between: during(between) }, before));
		} catch (error) {
			if (!(error instanceof SimulatedFailure)) throw error;
		}
	}
	for (let quiet = 0, polls = 0; quiet < 3; polls++) {
		const changes = polled({}, []);
		onChanges(changes);
		quiet = changes.length === 0 ? quiet + 1 : 0;
		assert(polls < 60);
	}
	return service;
}

const anyOrder = fc.constantFrom<Order>('newest', 'oldest', 'scattered');
const small = {
	order: anyOrder,
	pageSize: fc.integer({ min: 1, max: 6 }),
	atFirst: fc.array(fc.nat(40), { maxLength: 12 }),
};
const anyManner = fc.record<Manner>({
	dates: fc.constantFrom<Manner['dates']>('spec', 'none', 'dayFirst'),
	totals: fc.constantFrom<Manner['totals']>('told', 'none', 'comeAndGo'),
});

describe('a count that grows', () => {
	it('is reported once, whatever happens: each report begins where the last one ended, and nothing is left at rest', () => {
		fc.assert(
			fc.property(
				fc.record({
					...small,
					minimumIncrease: fc.integer({ min: 1, max: 5 }),
					baselineBetween: fc.array(fc.array(fc.oneof(grow, grow, create, remove), { maxLength: 2 }), { maxLength: 8 }),
					history: rounds(fc.oneof(create, createLowId, remove, grow, grow, grow)),
				}),
				({ minimumIncrease, ...setting }) => {
					const { atFirst, pageSize } = setting;
					const reportedUpTo = new Map<number, number>();
					const firstReport = new Map<number, number>();
					let atBaseline = new Map<number, number>();
					let atStart = new Map<number, number>();
					const all = (at: SimulatedService) => new Map(at.ids().map((id) => [id, at.countOf(id)]));
					const service = play({
						...setting,
						question: { kind: 'grown', minimumIncrease },
						reading: 'all',
						onStart: (at) => (atStart = all(at)),
						onBaseline: (at) => (atBaseline = all(at)),
						onChanges: (changes) => {
							for (const { record, previous = 0, count = 0 } of changes) {
								const id = idOf(record)!;
								assert(count - previous >= minimumIncrease);
								assert.equal(record.scans, count);
								if (reportedUpTo.has(id)) assert.equal(previous, reportedUpTo.get(id));
								else firstReport.set(id, previous);
								reportedUpTo.set(id, count);
							}
						},
					});
					for (const [id, previous] of firstReport) {
						// What was there at activation never begins below the count that it had then, also where the baseline missed it.
						if (atStart.has(id)) assert(previous >= atStart.get(id)!);
						// One created while the baseline was read may have slid past it: nothing tells it from an old one, so it begins where it is met.
						else if (!atBaseline.has(id) && atFirst.length <= pageSize) assert.equal(previous, 0);
					}
					for (const id of service.ids()) {
						// One that the baseline may have missed begins where it is met later.
						const from = reportedUpTo.get(id) ?? (atFirst.length <= pageSize ? atBaseline.get(id) : undefined);
						if (from !== undefined) assert(service.countOf(id) - from < minimumIncrease);
					}
				},
			),
			{ numRuns: 1000 },
		);
	});

	it('is reckoned from zero after a reset, and never reported beyond what happened', () => {
		fc.assert(
			fc.property(
				fc.record({ ...small, history: rounds(fc.oneof(create, remove, grow, grow, grow, reset)) }),
				(setting) => {
					const happened = new Map<number, number>();
					const reported = new Map<number, number>();
					const add = (to: Map<number, number>, id: number, by: number) => to.set(id, (to.get(id) ?? 0) + by);
					play({
						...setting,
						question: grown,
						reading: 'all',
						onDeed: (one, id) => {
							if (one.do === 'grow') add(happened, id, one.by);
							if (one.do === 'create') add(happened, id, one.count);
						},
						onChanges: (changes) =>
							changes.forEach(({ record, previous = 0, count = 0 }) => add(reported, idOf(record)!, count - previous)),
					});
					for (const [id, sum] of reported) assert(sum <= (happened.get(id) ?? 0));
				},
			),
			{ numRuns: 500 },
		);
	});

	it.each<[string, Question]>([
		['clicks', grown],
		['a threshold between them', { kind: 'reached', threshold: 100, mode: 'once' }],
	])('and falls and rises again and again is reported once: %s', (_what, question) => {
		const service = new SimulatedService('newest', 10);
		const id = service.create({ count: 99 });
		const trigger = watching(service, question);
		trigger.poll();
		const reports = [101, 99, 101, 99, 99, 101, 99, 101].map((count) => {
			service.setCount(id, count);
			// What is kept of falls is lost with n8n now and then.
			if (count === 99) trigger.crash();
			return trigger.poll().length;
		});
		expect(reports).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
		service.setCount(id, 102);
		expect(trigger.poll()).toHaveLength(question.kind === 'grown' ? 1 : 0);
	});

	it.each([
		['after a reset as what came since', [0, 3, 3, 5], [[], [], [[0, 3]], [[3, 5]]]],
		['not again when a few visits are taken out of it', [47, 49, 49], [[], [], [[47, 49]]]],
	])('is reported %s', (_what, shown, expected) => {
		const service = new SimulatedService('newest', 10);
		const trigger = watching(service);
		expect(reportsOf(trigger, service, service.create({ count: 50 }), [50, ...shown])).toEqual([[], ...expected]);
	});
});

describe('thresholds of a count', () => {
	const once: Question = { kind: 'reached', threshold: 100, mode: 'once' };

	it('are reported once each and in order, also those that a jump passed', () => {
		fc.assert(
			fc.property(
				fc.record({
					...small,
					reading: fc.constantFrom<Reading>('all', 'highest'),
					// It may ignore what it is asked for.
					order: fc.constantFrom<Order>('newest', 'oldest', 'scattered', 'highest'),
					manner: anyManner,
					mode: fc.constantFrom('once', 'every'),
					threshold: fc.integer({ min: 1, max: 30 }),
					history: rounds(fc.oneof(create, remove, grow, grow, grow)),
				}),
				({ mode, threshold, ...setting }) => {
					const { atFirst, pageSize } = setting;
					const atBaseline = new Map<number, number>();
					const reported = new Map<number, number[]>();
					const service = play({
						...setting,
						question: { kind: 'reached', threshold, mode },
						onBaseline: (at) => at.ids().forEach((id) => atBaseline.set(id, at.countOf(id))),
						onChanges: (changes) => {
							for (const { record, count = 0, threshold: last = 0, together } of changes) {
								assert(last <= count);
								const passed = together
									? Array.from({ length: together.passed }, (_, n) => together.first + n * threshold)
									: [last];
								assert.equal(passed.at(-1), last);
								reported.set(idOf(record)!, [...(reported.get(idOf(record)!) ?? []), ...passed]);
							}
						},
					});
					for (const id of service.ids()) {
						const from = atBaseline.get(id) ?? 0;
						const expected: number[] = [];
						for (let next = threshold; next <= service.countOf(id); next += threshold) {
							if (next > from && (mode === 'every' || next === threshold)) expected.push(next);
						}
						// The one that is unknown when the baseline takes more than a page may be taken as old.
						if (atFirst.length <= pageSize || atBaseline.has(id)) assert.deepEqual(reported.get(id) ?? [], expected);
					}
				},
			),
			{ numRuns: 1000 },
		);
	});

	it.each<[number, number, number, ReturnType<typeof passedThresholds>]>([
		[0, 10, 1.1, { passed: 9, first: 1.1, last: 9.9 }],
		[2, 4, 1.1, { passed: 2, first: 2.2, last: 3.3 }],
		[0, 4_294_967_295, 100, { passed: 42_949_672, first: 100, last: 4_294_967_200 }],
		[1, Number.MAX_SAFE_INTEGER, 1, { passed: 2 ** 53 - 2, first: 2, last: Number.MAX_SAFE_INTEGER }],
	])('between %d and %d, at every %d', (previous, count, threshold, expected) => {
		expect(passedThresholds(previous, count, threshold, 'every')).toEqual(expected);
	});

	it('are told together where a poll has 10,000 events already', () => {
		const service = new SimulatedService('newest', 1000);
		for (let made = 0; made < 150; made++) service.create();
		const trigger = watching(service, { kind: 'reached', threshold: 1, mode: 'every' });
		trigger.poll();
		service.ids().forEach((id) => service.grow(id, 100));
		expect(trigger.poll()).toHaveLength(100 * 100 + 50);
		expect(trigger.poll()).toEqual([]);
	});

	it.each([
		['newest', 'all'],
		['highest', 'highest'],
	] as const)('are reached again after a reset, the %s first', (order, reading) => {
		const service = new SimulatedService(order, 10);
		const id = service.create({ count: 0 });
		service.create({ count: 500 });
		const trigger = watching(service, once, { reading });
		const reports = reportsOf(trigger, service, id, [0, 120, 0, 0, 101]);
		expect(reports).toEqual([[], [[0, 120]], [], [], [[0, 101]]]);
	});
});

describe('new records', () => {
	type Setting = Pick<Play, 'reading' | 'order' | 'manner' | 'pageSize' | 'atFirst' | 'history'>;
	const all = { ...small, reading: fc.constant<Reading>('all') };
	const newest = { ...small, reading: fc.constant<Reading>('newest'), order: fc.constant<Order>('newest') };
	const secondsAgo = fc.integer({ min: 1, max: 20 });
	const createInPast = fc.tuple(create, secondsAgo).map(([made, ago]): Deed => ({ ...made, secondsAgo: ago }));
	/** In one go: a slice that ends among records dated back may take one of them for old. */
	const inOneGo = (history: Round[]) => history.map((round) => ({ ...round, requests: undefined }));

	it.each<[string, fc.Arbitrary<Setting>]>([
		[
			'when the whole listing is read',
			fc.record({ ...all, history: rounds(fc.oneof(create, create, remove, tick, createLowId)) }),
		],
		[
			'when reading stops at the first page without any',
			fc.record({ ...newest, history: rounds(fc.oneof(create, create, create, remove, tick)) }),
		],
		[
			'by a service of any order, whatever its dates and totals',
			fc.record({
				...newest,
				order: fc.constantFrom<Order>('newest', 'oldest', 'scattered', 'highest'),
				manner: anyManner,
				pageSize: fc.integer({ min: 10, max: 20 }),
				atFirst: fc.array(fc.nat(1000), { maxLength: 60 }),
				history: rounds(fc.oneof(create, create, create, remove, tick)),
			}),
		],
		[
			'by their number where they are dated back, or have an ID below others',
			fc.record({
				...newest,
				history: rounds(fc.oneof(create, createLowId, tick, createInPast), tick).map(inOneGo),
			}),
		],
	])('are reported once each %s', (_how, settings) => {
		fc.assert(
			fc.property(settings, fc.boolean(), (setting, includeExisting) => {
				const made = new Map<number, boolean>();
				const reported: number[] = [];
				const service = play({
					...setting,
					question: { kind: 'created', includeExisting },
					onDeed: (one, id) => {
						if (one.do === 'create') made.set(id, one.lowId === true);
					},
					onChanges: (changes) => changes.forEach(({ record }) => reported.push(idOf(record)!)),
				});
				assert.equal(new Set(reported).size, reported.length);
				const { reading, atFirst, pageSize } = setting;
				for (const id of service.ids()) {
					// An ID from a gap in the very second of the baseline can't be told from one that was there, unless one page showed all.
					const mayBeOld = reading === 'all' && made.get(id) === true && atFirst.length > pageSize;
					if (mayBeOld && !includeExisting) continue;
					assert.equal(reported.includes(id), includeExisting || made.has(id));
				}
			}),
			{ numRuns: 1000 },
		);
	});
});

describe('selected records', () => {
	function setUp(records: number, selected: number[], question = grown, reading: Reading = 'all') {
		const service = serviceWith(records, 10, reading === 'highest' ? 'highest' : 'newest');
		const trigger = watching(service, question, { reading, selected });
		expect(trigger.poll()).toEqual([]);
		service.requests = 0;
		return { service, trigger };
	}

	it('are read from the listing when that takes fewer requests', () => {
		const { service, trigger } = setUp(20, [2, 6, 34, 40]);
		service.grow(6, 3);
		service.grow(10, 3);
		expect(trigger.poll()).toMatchObject([{ record: { id: 6 }, previous: 1, count: 4 }]);
		expect(service.requests).toBe(2);
	});

	it('get their turn over several polls when time is short', () => {
		const selected = [2, 40, 60, 80, 100, 120];
		const { service, trigger } = setUp(100, selected);
		selected.forEach((id) => service.grow(id, 1));
		const reported = [1, 2, 3].flatMap(() => trigger.poll({ requests: 2 })).map(({ record }) => record.id);
		expect(reported).toEqual(selected);
	});

	it('that are gone are passed over, as long as the service answers at all', () => {
		const { service, trigger } = setUp(100, [2, 100]);
		service.remove(2);
		service.grow(100, 1);
		expect(trigger.poll()).toMatchObject([{ record: { id: 100 } }]);
		service.remove(100);
		service.requests = 0;
		expect(trigger.poll()).toEqual([]);
		expect(service.requests).toBe(3);
		expect(() => trigger.poll({ failAt: 2 })).toThrow(SimulatedFailure);
	});

	it.each([
		[9, []],
		[20, [10]],
	])('reach a threshold below which they stood unread: at %d', (count, thresholds) => {
		const { service, trigger } = setUp(100, [2, 100], { kind: 'reached', threshold: 10, mode: 'once' }, 'highest');
		service.setCount(100, count);
		expect(trigger.poll().map(({ threshold }) => threshold)).toEqual(thresholds);
	});
});

describe('a record that a pass did not meet', () => {
	it.each([
		['is forgotten when the service says that it is gone', 'gone', [1]],
		['is kept when the service refuses to say', 'unknown', [1, 2]],
	] as const)('%s', (_what, answer, kept) => {
		const settings = { question: grown, reading: 'all', countField: 'scans' } as const;
		const known = encodeCounts(new Map([1, 2].map((id) => [id, 7])));
		const poll = startPoll(settings, { known });
		expect(poll.next().value).toEqual({ from: { position: 0 } });
		const asked = poll.next({ listing: { records: [{ id: 1, scans: 7 }], total: 1, pagesLeft: 0 } });
		expect(asked.value).toEqual({ id: 2 });
		const { value } = poll.next({ record: answer });
		expect([...decodeCounts(String((value as Outcome).fields.known)).keys()]).toEqual(kept);
	});
});

describe('a listing too long for one poll', () => {
	it('is read to its end once, also when pages change their size between polls', () => {
		const service = serviceWith(200, 10);
		const trigger = watching(service, { kind: 'created', includeExisting: true }, { reading: 'newest' });
		const reported: number[] = [];
		for (const size of [10, 50, 5, 25, 100]) {
			service.pageSize = size;
			reported.push(...trigger.poll({ requests: 3 }).map(({ record }) => idOf(record)!));
		}
		expect(reported.sort((a, b) => a - b)).toEqual(service.ids().sort((a, b) => a - b));
	});

	it('forgets deleted records also when a pass takes several polls', () => {
		const service = serviceWith(100, 10);
		const trigger = watching(service);
		for (let n = 0; n < 3; n++) trigger.poll({ requests: 4 });
		for (const id of service.ids().slice(0, 90)) service.remove(id);
		for (let n = 0; n < 30; n++) trigger.poll({ requests: 6 });
		expect(decodeCounts(String(trigger.state?.known)).size).toBe(10);
	});

	it.each([
		['repeats itself', Array.from({ length: 50 }, (_, n) => ({ id: n + 1, scans: 1 })), { maxpage: 1_000_000 }],
		['does not say how long it is, and holds one record, over and over', [{ id: 1, scans: 1 }], {}],
		['does not say how long it is, and holds nothing that has an ID', [{ name: 'No ID' }, { id: 'x' }], {}],
	])('that %s is left', (_what, records, figures) => {
		const poll = startPoll({ question: grown, reading: 'all', countField: 'scans' });
		const reading = new ListReading<ServiceRecord>(Infinity);
		let pages = 0;
		for (let step = poll.next(); !step.done;) {
			step = poll.next({ listing: pageOf(reading, () => (pages++, { records, ...figures })) });
			expect(pages).toBeLessThan(5);
		}
	});
});

describe('requests of a poll', () => {
	it('are no more when the newest record is gone', () => {
		const service = serviceWith(300, 100);
		const trigger = watching(service, { kind: 'created', includeExisting: false }, { reading: 'newest' });
		for (const requests of [1, 1]) {
			service.requests = 0;
			expect(trigger.poll()).toEqual([]);
			expect(service.requests).toBe(requests);
			service.remove(600);
		}
	});

	it('are a page each for 100,000 codes, with a state of a few bytes each', () => {
		const service = new SimulatedService('newest', 10_000);
		for (let n = 0; n < 100_000; n++) service.create({ count: (n * 7919) % 5000 });
		const trigger = watching(service);
		trigger.poll();
		expect(service.requests).toBe(10);
		expect(JSON.stringify(sealState(OWNER, trigger.state!)).length / 100_000).toBeLessThan(8);
	});
});

describe('a stored state', () => {
	const states = fc.dictionary(
		fc.constantFrom('known', 'floor', 'page', 'baseline', 'after'),
		fc.oneof(fc.string(), fc.nat(), fc.boolean()),
	);

	const owners = fc.record({ settings: fc.string(), account: fc.string(), access: fc.string() });

	it('comes back as it was, whatever the order of its keys', () => {
		fc.assert(
			fc.property(states, owners, (fields, owner) => {
				const sealed = JSON.parse(JSON.stringify(sealState(owner, fields))) as StoredState;
				const shuffled = Object.fromEntries(Object.entries(sealed).reverse());
				shuffled.fields = Object.fromEntries(Object.entries(sealed.fields).reverse());
				expect(openState(shuffled)).toEqual({ ...sealed, ...owner, fields });
			}),
		);
	});

	it('is never believed when it is damaged, and never throws', () => {
		fc.assert(
			fc.property(states, fc.nat(), fc.integer({ min: 32, max: 126 }), (fields, at, code) => {
				const text = JSON.stringify(sealState(OWNER, { ...fields, known: '3,1.a,2' }));
				const damaged =
					text.slice(0, at % text.length) + String.fromCharCode(code) + text.slice((at % text.length) + 1);
				let stored: unknown;
				try {
					stored = JSON.parse(damaged);
				} catch {
					return;
				}
				if (JSON.stringify(stored) === text) return;
				expect(['damaged', 'otherVersion']).toContain(openState(stored));
			}),
		);
		const { v, ...owner } = { v: 1, ...OWNER };
		for (const stored of ['text', [], { v }, { v, ...owner, sum: '0', fields: null }, { v, sum: '0', fields: {} }])
			expect(openState(stored)).toBe('damaged');
		expect(openState({ v: 99, ...owner, sum: '', fields: {} })).toBe('otherVersion');
		expect(openState(undefined)).toBe('none');
	});

	it('holds any IDs and counts', () => {
		fc.assert(
			fc.property(
				fc.dictionary(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map(String), fc.nat()),
				(entries) => {
					const map = new Map(Object.entries(entries).map(([id, count]) => [Number(id), count]));
					expect(new Map([...decodeCounts(encodeCounts(map))].sort())).toEqual(new Map([...map].sort()));
				},
			),
		);
	});
});
