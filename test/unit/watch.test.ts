/** What a watch makes of lists that change in known ways; test/life draws the rest. */
import { idOf } from '../../nodes/LinkManagement/service/records';
import { reachedThreshold, type Watch } from '../../nodes/LinkManagement/watch';
import { SimulatedService, SimulatedTrigger } from './watchSimulation';

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

describe('a count that grows', () => {
	const once: Question = { kind: 'reached', threshold: 100, mode: 'once' };
	it.each<[string, Question, Partial<Watch>, Array<number | null>, unknown[]]>([
		[
			'also after none was shown for a while',
			grown,
			{},
			[50, null, null, null, 53, 54],
			[[], [], [], [], [50, 53], [53, 54]],
		],
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
		const id = service.create(shown[0] ?? 0);
		for (const count of [500, 200, 300, 20, 30, 10, 40]) service.create(count);
		const trigger = watching(service, question, more);
		const reports: unknown[] = [];
		for (const count of shown) {
			service.change(id, count === null ? { isBlank: true } : { count });
			reports.push((await trigger.poll()).flatMap((change) => [change.previous, change.count]));
		}
		expect(reports).toEqual(expected);
	});
});

describe('thresholds of a count', () => {
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
	it('are those with a higher ID than all of the first poll, in whatever order they show', async () => {
		const service = serviceWith(40, 10);
		const trigger = watching(service, created, { isNewestFirst: true });
		await trigger.poll();
		const [first, late] = [service.create(), service.create(0, true)];
		expect(late).toBeLessThan(first);
		expect((await trigger.poll()).map(({ record }) => record.id)).toEqual([first, late].sort());
	});

	it('are looked for below known ones where the total says that there are more, also of those made while a poll reads', async () => {
		const service = serviceWith(60, 10);
		const trigger = watching(service, created, { isNewestFirst: true });
		const reported = async (between?: () => void) => (await trigger.poll({ between })).map(({ record }) => record.id);
		// Its date is that of the oldest ones: it stands at the end of the list.
		const createBelow = () => {
			const id = service.create();
			service.change(id, { second: 0 });
			return id;
		};
		await trigger.poll();
		const below = createBelow();
		expect(await reported()).toEqual([below]);
		const above = Array.from({ length: 15 }, () => {
			service.tick();
			return service.create();
		});
		let meanwhile: number | undefined;
		expect(await reported(() => (meanwhile ??= createBelow()))).toEqual(above);
		expect(await reported()).toEqual([meanwhile]);
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
