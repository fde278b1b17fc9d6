import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../../nodes/LinkManagement/service/envelope';
import { Fault } from '../../nodes/LinkManagement/service/fault';
import { collect, LARGEST_PAGE } from '../../nodes/LinkManagement/service/listing';
import { randomFrom } from './simulation/time';

function records(from: number, to: number): IDataObject[] {
	return Array.from({ length: to - from }, (_, index) => ({ id: from + index }));
}

/** A list behind a service that grants at most `cap` records a page. */
class List {
	readonly asked: Array<{ page: number; limit: number | undefined }> = [];

	constructor(
		public rows: IDataObject[],
		private readonly cap: number,
		private readonly figures: (page: Page) => Page = (page) => page,
		private readonly between: (list: List, page: number) => void = () => undefined,
	) {}

	fetch = async (page: number, limit: number | undefined): Promise<Page> => {
		if (this.asked.length > 0) this.between(this, page);
		this.asked.push({ page, limit });
		const perpage = Math.min(limit ?? 15, this.cap);
		return this.figures({
			records: this.rows.slice((page - 1) * perpage, page * perpage),
			result: this.rows.length,
			perpage,
			maxpage: Math.ceil(this.rows.length / perpage),
		});
	};
}

const ids = (rows: IDataObject[]) => rows.map(({ id }) => id);

test.each([
	[250, Infinity, 100, 3],
	[250, 30, 100, 1],
	[250, 100, 100, 1],
	[250, 101, 100, 2],
	[100, Infinity, 100, 1],
	[0, Infinity, 100, 1],
	[250, Infinity, LARGEST_PAGE, 1],
	[250, 1000, 100, 3],
])('of %d records, %d wanted, at most %d a page: %d requests', async (total, wanted, cap, requests) => {
	const list = new List(records(1, total + 1), cap);
	const found = await collect(list.fetch, wanted);
	expect(ids(found)).toEqual(ids(records(1, Math.min(total, wanted) + 1)));
	expect(list.asked).toHaveLength(requests);
	expect(list.asked[0].limit).toBe(Math.min(wanted, LARGEST_PAGE));
});

test('records that move to the next page come once', async () => {
	const list = new List(records(1, 201), 50, undefined, (self, page) => {
		self.rows = [{ id: 1000 + page }, ...self.rows];
	});
	const found = ids(await collect(list.fetch, Infinity));
	expect(new Set(found).size).toBe(found.length);
	expect(found).toEqual(expect.arrayContaining(ids(records(1, 201))));
});

test('a record that moves up over the page border because another was deleted is not skipped', async () => {
	const list = new List(records(1, 201), 50, undefined, (self, page) => {
		if (page === 2 && self.rows.length === 200) self.rows = self.rows.filter(({ id }) => id !== 7);
	});
	const found = ids(await collect(list.fetch, Infinity));
	expect(found).toEqual(ids(records(1, 201)));
});

test('many deletions at once: the pages before are read again', async () => {
	const list = new List(records(1, 401), 50, undefined, (self, page) => {
		if (page === 5 && self.rows.length === 400) self.rows = self.rows.filter(({ id }) => Number(id) > 120);
	});
	const found = new Set(ids(await collect(list.fetch, Infinity)));
	for (const { id } of records(1, 401)) expect(found.has(id)).toBe(true);
});

test('items of different types may have the same id', async () => {
	const rows = [
		{ type: 'links', id: 1 },
		{ type: 'qr', id: 1 },
		{ type: 'bio', id: 1 },
	];
	expect(await collect(new List(rows, 2).fetch, Infinity)).toEqual(rows);
});

test.each<[string, (page: Page) => Page]>([
	['says the last page is far away', (page) => ({ ...page, maxpage: 1e9 })],
	['has no figures', ({ records: rows }) => ({ records: rows })],
	['counts only the page as result', (page) => ({ ...page, result: page.records.length })],
])('a list that %s ends all the same', async (_name, figures) => {
	const list = new List(records(1, 121), 50, figures);
	expect(ids(await collect(list.fetch, Infinity))).toEqual(ids(records(1, 121)));
	expect(list.asked.length).toBeLessThanOrEqual(8);
});

test('a list that repeats its first page for ever ends', async () => {
	let asked = 0;
	const found = await collect(async () => {
		asked++;
		return { records: records(1, 11) };
	}, Infinity);
	expect(found).toHaveLength(10);
	expect(asked).toBeLessThan(5);
});

test('a list that always has more than it said fails instead of going on', async () => {
	let next = 1;
	const endless = async (): Promise<Page> => {
		const rows = records(next, next + 10);
		next += 10;
		return { records: rows, result: next + 9, perpage: 10, maxpage: next };
	};
	await expect(collect(endless, Infinity)).rejects.toThrow(/goes on beyond/);
});

test('a service that refuses a large page is asked for its own page size', async () => {
	const list = new List(records(1, 41), 15);
	const found = await collect(async (page, limit) => {
		if ((limit ?? 0) > 100) throw new Fault('rejected', 'limit too large', '', 422);
		return await list.fetch(page, limit);
	}, Infinity);
	expect(ids(found)).toEqual(ids(records(1, 41)));
});

test('whatever is created and deleted meanwhile: in order, none twice, none that stayed is skipped', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 0, max: 300 }),
			fc.integer({ min: 1, max: 60 }),
			fc.integer({ min: 1, max: 1e6 }),
			fc.constantFrom<'create' | 'delete'>('create', 'delete'),
			async (total, cap, seed, happening) => {
				const random = randomFrom(seed);
				let fresh = 10_000;
				const gone = new Set<unknown>();
				const list = new List(records(1, total + 1), cap, undefined, (self) => {
					if (random() < 0.8 || self.rows.length === 0) return;
					if (happening === 'create') {
						self.rows = [{ id: fresh++ }, ...self.rows];
					} else {
						const [row] = self.rows.splice(Math.floor(random() * self.rows.length), 1);
						gone.add(row.id);
					}
				});
				const found = ids(await collect(list.fetch, Infinity)) as number[];
				expect(new Set(found).size).toBe(found.length);
				const old = found.filter((id) => id <= total);
				expect(old).toEqual([...old].sort((one, other) => one - other));
				for (const { id } of records(1, total + 1)) if (!gone.has(id)) expect(found).toContain(id);
			},
		),
		{ numRuns: 500 },
	);
});
