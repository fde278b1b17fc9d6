/** Reading lists page by page: how many requests it takes, at which sizes, and that no record is lost or comes twice. */
import * as fc from 'fast-check';

import { EndlessListError, ListReading } from '../../nodes/LinkManagement/api/listReading';
import {
	afterFailure,
	afterPage,
	isSizeRefusal,
	UNKNOWN_SIZING,
	type PageSizing,
} from '../../nodes/LinkManagement/api/pageSizing';
import { grantedSize } from '../../nodes/LinkManagement/api/paging';
import { PagedService, rows, type Manner, type Row } from './simulation/list';
import { randomFrom } from './simulation/time';

/** Reads a list as the node does, but without waiting. */
function read(service: PagedService, sizing?: PageSizing): ListReading<Row> {
	const reading = new ListReading<Row>(Infinity, sizing);
	for (let ask = reading.ask(); ask !== undefined; ask = reading.ask()) {
		let tries = 0;
		for (let answer = service.answer(ask); ; answer = service.answer(ask)) {
			if (answer !== undefined) {
				reading.take(ask, answer.page, answer.milliseconds);
				break;
			}
			if (++tries > 3) throw new Error('The service failed four times');
			ask = reading.smaller(ask);
		}
	}
	return reading;
}

const sizesOf = (service: PagedService) => service.asked.map(({ limit }) => limit);

test.each<[string, number, Partial<Manner>, number]>([
	['a quick service without a maximum', 10_000, {}, 15],
	['a service that grants 100', 10_000, { most: 100 }, 100],
	['a service that grants 15', 300, { most: 15 }, 20],
	['8 ms a record behind a gateway that gives up after 2.5 s', 1234, { cost: 8, gateway: 2500 }, 25],
	['a failure above 200 records', 10_000, { failsAbove: 200 }, 60],
	['a page or two, of at most 100', 250, { most: 100 }, 3],
	['a thousand, of at most 100', 1000, { most: 100 }, 10],
])('%s: %d links', (_name, count, settings, requests) => {
	const service = new PagedService(rows(count), settings);
	expect(read(service).records).toEqual(rows(count));
	expect(service.asked.length).toBeLessThanOrEqual(requests);
	expect(service.asked[0].limit).toBeLessThanOrEqual(100);
	for (const size of sizesOf(service)) expect(size).toBeLessThanOrEqual(1000);
});

test('a size that failed is not asked for time and again', () => {
	const service = new PagedService(rows(20_000), { failsAbove: 200 });
	expect(read(service).records).toEqual(rows(20_000));
	expect(sizesOf(service).filter((size) => size! > 200).length).toBeLessThanOrEqual(4);
});

test('slowness that is not of the records makes pages no smaller than 50', () => {
	const service = new PagedService(rows(1000), { latency: 3000, cost: 0 });
	expect(read(service).records).toEqual(rows(1000));
	expect(Math.min(...service.asked.map(({ limit }) => limit!))).toBe(50);
});

test('records without an ID, which the total does not count, come once, whatever sizes the pages have', () => {
	const shared = [{ id: null }, { id: null }];
	const service = new PagedService([...rows(1500), ...shared], {
		figures: ({ perpage }) => ({ result: 1500, maxpage: Math.ceil(1500 / perpage) }),
	});
	expect(read(service).records).toEqual([...rows(1500), ...shared]);
	const few = new PagedService([...shared, ...rows(350)], {});
	expect(read(few).records).toEqual([...shared, ...rows(350)]);
});

test('a list that always has more than it said fails instead of going on', () => {
	const service = new PagedService(rows(100), {
		most: 10,
		between: (self) => self.list.push(...rows(20).map((_, index) => ({ id: self.list.length + index + 1 }))),
	});
	expect(() => read(service)).toThrow(EndlessListError);
	expect(service.asked.length).toBeLessThan(100);
});

test('a list that gives the same page for ever fails soon, whatever is known of its page sizes', () => {
	const size = fc.constantFrom(1, 2, 3, 15, 100, 1000);
	const optional = fc.option(size, { nil: undefined });
	fc.assert(
		fc.property(size, size, optional, optional, size, fc.boolean(), (known, worked, most, least, perpage, hasId) => {
			const record = hasId ? { id: 1 } : { id: null };
			const service = new PagedService([], {
				figures: () => ({ records: [record, record], perpage, result: 1e9, maxpage: 5e8 }),
			});
			expect(() => read(service, { size: Math.max(known, least ?? 0), worked, most, least })).toThrow(EndlessListError);
			expect(service.asked.length).toBeLessThan(40);
		}),
		{ numRuns: 1000 },
	);
});

test('whatever is created and deleted meanwhile, at whatever page sizes: in order, none twice, none that stayed is skipped', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 0, max: 2500 }),
			fc.constantFrom(7, 50, 100, 300, Infinity),
			fc.constantFrom(0.1, 3, 8, 30),
			fc.integer({ min: 1, max: 1e6 }),
			fc.constantFrom<'create' | 'delete'>('create', 'delete'),
			(total, most, cost, seed, happening) => {
				const random = randomFrom(seed);
				let fresh = 10_000;
				const gone = new Set<unknown>();
				const service = new PagedService(rows(total), {
					most,
					cost,
					between: (self) => {
						if (random() < 0.8 || self.list.length === 0) return;
						if (happening === 'create') self.list = [{ id: fresh++ }, ...self.list];
						else gone.add(self.list.splice(Math.floor(random() * self.list.length), 1)[0].id);
					},
				});
				const found = read(service).records.map(({ id }) => id!);
				expect(new Set(found).size).toBe(found.length);
				const old = found.filter((id) => id <= total);
				expect(old.every((id, index) => index === 0 || id > old[index - 1])).toBe(true);
				const met = new Set(found);
				expect(rows(total).filter(({ id }) => !gone.has(id) && !met.has(id!))).toEqual([]);
			},
		),
		{ numRuns: 200 },
	);
});

test('records without an ID do not count for the size of a page', () => {
	const page = { records: [...rows(15), { id: null }], perpage: 15, result: 45 };
	expect(grantedSize(page, { page: 1, limit: 15 }, 0)).toBe(15);
});

test.each([
	[422, 1000, true],
	[400, 100, true],
	[413, 500, true],
	[422, 50, false],
	[500, 1000, false],
])('status %d at %d a page may refuse the size: %s', (status, limit, expected) => {
	expect(isSizeRefusal(status, limit)).toBe(expected);
});

describe('page sizes', () => {
	const page = (asked: number, milliseconds: number, granted = asked) => ({
		asked,
		granted,
		records: Math.min(asked, granted),
		milliseconds,
	});

	test.each<[string, PageSizing, Parameters<typeof afterPage>[1], number]>([
		['quick', UNKNOWN_SIZING, page(100, 20), 1000],
		['0.8 s for 100', UNKNOWN_SIZING, page(100, 800), 200],
		['1.9 s for 100', UNKNOWN_SIZING, page(100, 1900), 100],
		['4 s for 100', UNKNOWN_SIZING, page(100, 4000), 50],
		['8 s for 1000', { size: 1000, worked: 1000 }, page(1000, 8000), 200],
		['a page with a few records', UNKNOWN_SIZING, { ...page(100, 2), records: 3 }, 100],
		['a small page', UNKNOWN_SIZING, page(5, 1), 100],
		['granted less', UNKNOWN_SIZING, page(1000, 20, 250), 250],
		['granted more', { size: 10, worked: 0 }, { asked: 10, granted: 15, records: 15, milliseconds: 1900 }, 15],
	])('%s', (_name, sizing, answer, size) => {
		expect(afterPage(sizing, answer).size).toBe(size);
	});

	test('a failure that had nothing to do with the size is forgiven once', () => {
		const failed = afterFailure(UNKNOWN_SIZING, 100);
		expect(failed.size).toBe(50);
		const forgiven = afterPage(failed, page(50, 20));
		expect(forgiven.size).toBe(500);
		const again = afterFailure(forgiven, 500);
		expect(afterPage(again, page(200, 1)).size).toBe(200);
	});

	test.each<[string, PageSizing, number, number]>([
		['a page whose size has worked', { size: 1000, worked: 1000 }, 1000, 1000],
		['a page that was large', { size: 100, worked: 0 }, 100, 50],
		['a small page that the service settled for', { size: 15, worked: 0, most: 15 }, 15, 15],
		['a page below which it makes none', { size: 30, worked: 0, least: 30 }, 30, 30],
		['a page of less than it ever makes', { size: 30, worked: 0, least: 30 }, 10, 10],
	])('after the failure of %s', (_name, sizing, asked, size) => {
		expect(afterFailure(sizing, asked).size).toBe(size);
	});

	test('failures one after the other are one failure', () => {
		const down = afterFailure(afterFailure(UNKNOWN_SIZING, 100), 50);
		expect(afterPage(down, page(25, 1)).size).toBe(200);
	});
});
