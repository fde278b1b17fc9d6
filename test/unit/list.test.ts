/** Lists read from services that each have their own idea of a page: nothing is skipped, and no reading goes on for ever. */
import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { ApiError } from '../../nodes/LinkManagement/api/apiError';
import type { Answer } from '../../nodes/LinkManagement/api/envelope';
import { ListReader, PassReader, type ListAccess } from '../../nodes/LinkManagement/api/list';
import { isLastPage } from '../../nodes/LinkManagement/api/paging';
import { randomFrom } from './simulation/time';

/** How a service makes its pages. */
interface Manner {
	/** Grants no more. */
	most: number;
	/** Grants no less. */
	least: number;
	/** What `perpage` says: the size of the page, the one that was asked for, 15 whatever it is, or nothing. */
	perpage: 'granted' | 'asked' | 'default' | 'untold';
	/** `result` and `maxpage`, of a list of this length in pages of this size, and with those that were asked for. */
	length(page: { count: number; held: number; size: number; asked: number }): IDataObject;
	/** Larger pages fail. */
	failsAbove: number;
	/** How often a request fails in a row. */
	mostFailures: number;
}

function pages(count: number, size: number): number {
	return Math.max(1, Math.ceil(count / size));
}

const HONEST: Manner = {
	most: Infinity,
	least: 1,
	perpage: 'granted',
	length: ({ count, size }) => ({ result: count, maxpage: pages(count, size) }),
	failsAbove: Infinity,
	mostFailures: 2,
};

/** Ten times what the longest list takes in its smallest pages. */
const MOST_REQUESTS = 500;

let services = 0;

/** A service with one list, called as `sendRequest` calls it: what fails is tried again three times. */
class Service {
	requests = 0;
	/** Whether the next request fails, besides for its size. */
	fails = (): boolean => false;
	readonly access: ListAccess = {
		path: '/api/urls',
		collection: 'urls',
		address: `https://service-${++services}.example`,
		send: async ({ query = {}, queryAfterFailure }): Promise<Answer> => {
			let wanted = query;
			for (let tries = 1; ; tries++) {
				const body = this.answer(wanted);
				if (body !== undefined) return await Promise.resolve({ statusCode: 200, headers: {}, body, milliseconds: 1 });
				if (tries === 4) throw new ApiError('unreachable', 'The service failed four times', 'Ask again.');
				wanted = queryAfterFailure?.() ?? wanted;
			}
		},
	};

	constructor(
		readonly count: number,
		private readonly manner: Manner,
	) {}

	private answer({ page, limit }: IDataObject): IDataObject | undefined {
		const { most, least, perpage, length, failsAbove } = this.manner;
		const asked = Number(limit ?? 15);
		if (++this.requests > MOST_REQUESTS) throw new Error('Asked too often');
		const size = Math.max(least, Math.min(asked, most));
		if (size > failsAbove || this.fails()) return undefined;
		const begin = (Number(page) - 1) * size;
		const held = Math.max(0, Math.min(size, this.count - begin));
		return {
			error: 0,
			data: {
				perpage: { granted: size, asked, default: 15, untold: undefined }[perpage],
				...length({ count: this.count, held, size, asked }),
				urls: Array.from({ length: held }, (_, index) => ({ id: begin + index + 1 })),
			},
		};
	}
}

const idsTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

async function readAll({ access }: Service): Promise<unknown[]> {
	const reader = new ListReader(access);
	while ((await reader.next()) !== undefined);
	return reader.records.map(({ id }) => id);
}

/** Reads on where another reading stopped, and puts its own records behind those of that one. */
async function readOn({ access }: Service): Promise<unknown[]> {
	const first = new ListReader(access, 37);
	while ((await first.next()) !== undefined);
	const begin = Math.min(37, first.records.length);
	const rest = new ListReader(access, Infinity, { begin });
	while ((await rest.next()) !== undefined);
	return [...first.records.slice(0, begin), ...rest.records].map(({ id }) => id);
}

/** Reads the list page by page, as a poll of the trigger does. */
async function readInPass({ access }: Service, readsAll: boolean): Promise<unknown[]> {
	const reader = new PassReader(access, readsAll);
	const ids: unknown[] = [];
	let size: number | undefined;
	for (let number = 1; ; number++) {
		const page = await reader.page(number, size);
		size = page.perpage;
		ids.push(...page.records.map(({ id }) => id));
		if (isLastPage(page, number, size)) return ids;
	}
}

const WAYS: Array<[string, (service: Service) => Promise<unknown[]>]> = [
	['a list read at once', readAll],
	['a list read in two', readOn],
	['a pass over all', async (service) => await readInPass(service, true)],
	['a pass from the newest', async (service) => await readInPass(service, false)],
];

const MANNERS: Array<[string, Partial<Manner>]> = [
	['makes the pages that are asked for', {}],
	['grants at most 100', { most: 100 }],
	['grants at most 100 and repeats what was asked for', { most: 100, perpage: 'asked' }],
	// Once pages became smaller after failures, a short page can't always be told from a full one here.
	[
		'grants at most 100 and reckons with what was asked for',
		{
			most: 100,
			perpage: 'asked',
			length: ({ count, asked }) => ({ result: count, maxpage: pages(count, asked) }),
			mostFailures: 0,
		},
	],
	['grants at most 100 and says 15', { most: 100, perpage: 'default', mostFailures: 0 }],
	[
		'grants at most 100, and counts the page for the list',
		{ most: 100, length: ({ count, held, size }) => ({ result: held, maxpage: pages(count, size) }) },
	],
	[
		'grants at most 100, and says that there is one page',
		{ most: 100, length: ({ count }) => ({ result: count, maxpage: 1 }) },
	],
	[
		'grants at most 100, and tells the last page alone',
		{ most: 100, length: ({ count, size }) => ({ maxpage: pages(count, size) }) },
	],
	[
		'grants at most 100, and tells the number of records alone',
		{ most: 100, length: ({ count }) => ({ result: count }) },
	],
	['grants at most 100 and does not say so', { most: 100, perpage: 'untold' }],
	['makes pages of 15, whatever is asked for', { most: 15, least: 15 }],
	['makes pages of 15, repeating what was asked for', { most: 15, least: 15, perpage: 'asked' }],
	['makes pages of 15 without a word', { most: 15, least: 15, perpage: 'untold' }],
	['makes the pages that are asked for and says 15', { perpage: 'default' }],
	['makes pages of at least 30', { least: 30 }],
	['fails above 50', { failsAbove: 50, mostFailures: 0 }],
	// A page in another size can't be told from a short one here, so that none may be asked for.
	[
		'makes pages of 40 and tells nothing',
		{ most: 40, least: 40, perpage: 'untold', length: () => ({}), mostFailures: 1 },
	],
];

describe.each(WAYS)('%s', (_way, read) => {
	test.each(MANNERS)('from a service that %s: whole, and again', async (_manner, manner) => {
		for (const count of [0, 1, 14, 15, 16, 30, 99, 100, 101, 345]) {
			const service = new Service(count, { ...HONEST, ...manner });
			expect(await read(service)).toEqual(idsTo(count));
			// Now with what the first time has taught.
			expect(await read(service)).toEqual(idsTo(count));
		}
	});

	async function expectWhole(count: number, seed: number, manner: Manner): Promise<void> {
		const service = new Service(count, manner);
		const random = randomFrom(seed);
		let inARow = 0;
		service.fails = () => {
			inARow = inARow < manner.mostFailures && random() < 0.4 ? inARow + 1 : 0;
			return inARow > 0;
		};
		expect(await read(service)).toEqual(idsTo(count));
		expect(await read(service)).toEqual(idsTo(count));
	}

	const count = fc.integer({ min: 0, max: 400 });
	const seed = fc.integer({ min: 1, max: 1e6 });

	test.each(MANNERS)('from a service that %s, and fails now and then', async (_manner, manner) => {
		await fc.assert(
			fc.asyncProperty(count, seed, async (length, random) => {
				await expectWhole(length, random, { ...HONEST, ...manner });
			}),
			{ numRuns: 50 },
		);
	});

	test('from a service of any manner that fails now and then', async () => {
		const bounds = fc.tuple(fc.constantFrom(1, 15, 30, 60), fc.constantFrom(15, 40, 75, 100, 250, Infinity));
		await fc.assert(
			fc.asyncProperty(
				count,
				seed,
				bounds.filter(([least, most]) => least <= most),
				fc.boolean(),
				async (length, random, [least, most], repeats) => {
					// One that makes larger pages and repeats what was asked for can't be told from one with a short last page.
					const perpage = repeats && least === 1 ? 'asked' : 'granted';
					await expectWhole(length, random, { ...HONEST, least, most, perpage });
				},
			),
			{ numRuns: 200 },
		);
	});
});

test('a service that never makes the pages that it is asked for is given up after a few requests, in plain words', async () => {
	const asked: unknown[] = [];
	const access: ListAccess = {
		path: '/api/urls',
		collection: 'urls',
		address: 'https://fickle.example',
		// Asked for 50, it makes 20; asked for 20, it says that it makes 50.
		send: async ({ query }) => {
			asked.push(query?.limit);
			const urls = Array.from({ length: 20 }, (_, index) => ({ id: index + 1 }));
			const perpage = Number(query?.limit) < 50 ? 50 : 20;
			return await Promise.resolve({
				statusCode: 200,
				headers: {},
				body: { data: { perpage, urls } },
				milliseconds: 1,
			});
		},
	};
	await expect(new PassReader(access, false).page(2, 50)).rejects.toThrow(
		new ApiError('unreadable', 'The service answers with pages of another size each time', 'Try again later.'),
	);
	expect(asked).toEqual([50, 20, 50, 20]);
});
