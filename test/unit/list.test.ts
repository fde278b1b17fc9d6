/** Lists read from services that each have their own idea of a page: nothing is skipped, and no reading goes on for ever. */
import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { ApiError } from '../../nodes/LinkManagement/api/apiError';
import { ListReader, type ListSpeaker } from '../../nodes/LinkManagement/api/list';
import { afterRefusal, sizeAtTop, UNKNOWN_SIZING } from '../../nodes/LinkManagement/api/pageSizing';
import { Learned } from '../../nodes/LinkManagement/api/learned';
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

const LINKS = { path: '/api/urls', collection: 'urls' };

/** Ten times what the longest list takes in its smallest pages. */
const MOST_REQUESTS = 500;

/** A service with one list, called as `sendRequest` calls it: what fails is tried again three times. */
class Service {
	requests = 0;
	/** Whether the next request fails, besides for its size. */
	fails = (): boolean => false;
	readonly speaker: ListSpeaker & { connection: { learned: Learned } } = {
		connection: { learned: new Learned(() => Date.now()) },
		send: async ({ query }): Promise<IDataObject> => {
			for (let tries = 1; ; tries++) {
				const body = this.answer(typeof query === 'function' ? query(tries > 1) : query!);
				if (body !== undefined) return await Promise.resolve(body);
				if (tries === 4) throw new ApiError('unreachable', 'The service failed four times', 'Ask again.');
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

async function readAll({ speaker }: Pick<Service, 'speaker'>, largest?: number): Promise<unknown[]> {
	const reader = new ListReader(speaker, LINKS, Infinity, { largest });
	while ((await reader.next()) !== undefined);
	return reader.records.map(({ id }) => id);
}

/**
 * Reads a few pages at a time, as polls do whose time runs out: each goes on where the one before it stopped.
 *
 * @param forgets n8n is started again in between, so that nothing is known of the service's pages
 */
async function readInSlices(service: Service, forgets: boolean): Promise<unknown[]> {
	const ids = new Set<unknown>();
	let begin: number | undefined = 0;
	for (let total: number | undefined; begin !== undefined;) {
		const reader: ListReader = new ListReader(service.speaker, LINKS, Infinity, { begin, total });
		for (let pages = 0; pages < 2 && reader.place !== undefined; pages++) await reader.next();
		for (const { id } of reader.records) ids.add(id);
		({ place: begin, total } = reader);
		if (forgets) service.speaker.connection.learned = new Learned(() => Date.now());
	}
	return [...ids];
}

const WAYS: Array<[string, (service: Service) => Promise<unknown[]>]> = [
	['a list read at once', readAll],
	['a list read in slices', async (service) => await readInSlices(service, false)],
	['a list read in slices, with n8n started again in between', async (service) => await readInSlices(service, true)],
	['a list read in pages of 60', async ({ speaker }) => await readAll({ speaker }, 60)],
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
	[
		'grants at most 100, and says that the last page is far away',
		{ most: 100, length: ({ count }) => ({ result: count, maxpage: 1e9 }) },
	],
	// Here, too, a short page is hard to tell from a full one once pages became smaller after failures.
	[
		'grants at most 40, and says that there are twice as many pages',
		{ most: 40, length: ({ count, size }) => ({ result: count, maxpage: 2 * pages(count, size) }), mostFailures: 0 },
	],
	['makes pages of 15, whatever is asked for', { most: 15, least: 15 }],
	['makes pages of 15, repeating what was asked for', { most: 15, least: 15, perpage: 'asked' }],
	['makes pages of 15 without a word', { most: 15, least: 15, perpage: 'untold' }],
	['makes the pages that are asked for and says 15', { perpage: 'default' }],
	['makes pages of at least 30', { least: 30 }],
	['fails above 50', { failsAbove: 50, mostFailures: 0 }],
	// A page in another size can't be told from a short one here, so that none may be asked for: after two failures in a row one is.
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

test('a service that grants more than it used to is asked for more again, and one that refuses is not', async () => {
	const manner = { ...HONEST, most: 7 };
	const service = new Service(345, manner);
	expect(await readAll(service)).toEqual(idsTo(345));
	manner.most = 100;
	service.requests = 0;
	expect(await readAll(service)).toEqual(idsTo(345));
	expect(service.requests).toBe(4);
	// And back: it costs nothing where small pages come.
	manner.most = 7;
	service.requests = 0;
	expect(await readAll(service)).toEqual(idsTo(345));
	expect(service.requests).toBe(50);
	const { size, isRefused } = afterRefusal(UNKNOWN_SIZING, 100);
	expect(sizeAtTop({ size, worked: 0, most: size, isRefused })).toBe(15);
});
