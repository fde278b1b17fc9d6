/** Lists read from services that each have their own idea of a page: nothing is skipped, and no reading goes on for ever. */
import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { ApiError } from '../../nodes/LinkManagement/api/apiError';
import { ListReader, type ListSpeaker } from '../../nodes/LinkManagement/api/list';
import { afterRefusal, sizeAtTop, UNKNOWN_SIZING } from '../../nodes/LinkManagement/api/pageSizing';
import { Learned } from '../../nodes/LinkManagement/api/learned';
import type { PageRequest } from '../../nodes/LinkManagement/api/paging';
import { PagedService, rows, type Manner } from './simulation/list';
import { randomFrom } from './simulation/time';

const LINKS = { path: '/api/urls', collection: 'urls' };

/** Ten times what the longest list takes in its smallest pages. */
const MOST_REQUESTS = 500;

/** A service with a list, called as `sendRequest` calls it: what fails is tried again three times. */
class Service extends PagedService {
	/** Whether the next request fails, besides for its size. */
	fails = (): boolean => false;
	readonly speaker: ListSpeaker & { connection: { learned: Learned } } = {
		connection: { learned: new Learned(() => Date.now()) },
		send: async ({ query }): Promise<IDataObject> => {
			for (let tries = 1; ; tries++) {
				const asked = typeof query === 'function' ? query(tries > 1) : query;
				if (this.asked.length === MOST_REQUESTS) throw new Error('Asked too often');
				const answer = this.answer(asked as unknown as PageRequest);
				if (answer !== undefined && !this.fails()) {
					const { records: urls, ...figures } = answer.page;
					return await Promise.resolve({ error: 0, data: { ...figures, urls } } as unknown as IDataObject);
				}
				if (tries === 4) throw new ApiError('unreachable', 'The service failed four times', 'Ask again.');
			}
		},
	};
}

const idsTo = (count: number) => rows(count).map(({ id }) => id);

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

const repeats: Partial<Manner> = { figures: (_page, asked) => ({ perpage: asked }) };
const says15: Partial<Manner> = { figures: () => ({ perpage: 15 }) };
const saysNoSize: Partial<Manner> = { figures: () => ({ perpage: undefined }) };

/** How services make pages, and how often in a row they may fail: twice unless stated. */
const MANNERS: Array<[string, Partial<Manner>, mostFailures?: number]> = [
	['makes the pages that are asked for', {}],
	['grants at most 100', { most: 100 }],
	['grants at most 100 and repeats what was asked for', { most: 100, ...repeats }],
	// Once pages became smaller after failures, a short page can't always be told from a full one here.
	[
		'grants at most 100 and reckons with what was asked for',
		{
			most: 100,
			figures: ({ result }, asked) => ({ perpage: asked, maxpage: Math.max(1, Math.ceil(result / asked)) }),
		},
		0,
	],
	['grants at most 100 and says 15', { most: 100, ...says15 }, 0],
	[
		'grants at most 100, and counts the page for the list',
		{ most: 100, figures: ({ records }) => ({ result: records.length }) },
	],
	['grants at most 100, and says that there is one page', { most: 100, figures: () => ({ maxpage: 1 }) }],
	['grants at most 100, and tells the last page alone', { most: 100, figures: () => ({ result: undefined }) }],
	['grants at most 100, and tells the number of records alone', { most: 100, figures: () => ({ maxpage: undefined }) }],
	['grants at most 100 and does not say so', { most: 100, ...saysNoSize }],
	['grants at most 100, and says that the last page is far away', { most: 100, figures: () => ({ maxpage: 1e9 }) }],
	// Here, too, a short page is hard to tell from a full one once pages became smaller after failures.
	[
		'grants at most 40, and says that there are twice as many pages',
		{ most: 40, figures: ({ maxpage }) => ({ maxpage: 2 * maxpage }) },
		0,
	],
	['makes pages of 15, whatever is asked for', { most: 15, least: 15 }],
	['makes pages of 15, repeating what was asked for', { most: 15, least: 15, ...repeats }],
	['makes pages of 15 without a word', { most: 15, least: 15, ...saysNoSize }],
	['makes the pages that are asked for and says 15', says15],
	['makes pages of at least 30', { least: 30 }],
	['fails above 50', { failsAbove: 50 }, 0],
	// A page in another size can't be told from a short one here, so that none may be asked for: after two failures in a row one is.
	[
		'makes pages of 40 and tells nothing',
		{ most: 40, least: 40, figures: () => ({ result: undefined, perpage: undefined, maxpage: undefined }) },
		1,
	],
];

/** Lengths of lists that end with a page, or just beside it. */
const LENGTHS = [0, 1, 14, 15, 16, 30, 99, 100, 101, 345];

describe.each(WAYS)('%s', (_way, read) => {
	/** The whole list comes, and again with what the first time has taught, though requests fail now and then. */
	async function expectWhole(
		length: number,
		seed: number,
		mostFailures: number,
		manner: Partial<Manner>,
	): Promise<void> {
		const service = new Service(rows(length), manner);
		const random = randomFrom(seed);
		let inARow = 0;
		service.fails = () => {
			inARow = inARow < mostFailures && random() < 0.4 ? inARow + 1 : 0;
			return inARow > 0;
		};
		for (let times = 0; times < 2; times++) {
			service.asked.length = 0;
			expect(await read(service)).toEqual(idsTo(length));
		}
	}

	const count = fc.integer({ min: 0, max: 400 });
	const seed = fc.integer({ min: 1, max: 1e6 });

	test.each(MANNERS)('from a service that %s: whole, and again, though it fails now and then', async (...row) => {
		const [, manner, mostFailures = 2] = row;
		for (const length of LENGTHS) await expectWhole(length, 1, 0, manner);
		await fc.assert(
			fc.asyncProperty(count, seed, async (length, random) => {
				await expectWhole(length, random, mostFailures, manner);
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
				async (length, random, [least, most], isRepeated) => {
					// One that makes larger pages and repeats what was asked for can't be told from one with a short last page.
					const figures = isRepeated && least === 1 ? repeats : {};
					await expectWhole(length, random, 2, { least, most, ...figures });
				},
			),
			{ numRuns: 200 },
		);
	});
});

test('a service that grants more than it used to is asked for more again, and one that refuses is not', async () => {
	const manner = { most: 7 };
	const service = new Service(rows(345), manner);
	const requests = async () => {
		service.asked.length = 0;
		expect(await readAll(service)).toEqual(idsTo(345));
		return service.asked.length;
	};
	await requests();
	manner.most = 100;
	expect(await requests()).toBe(4);
	// And back: it costs nothing where small pages come.
	manner.most = 7;
	expect(await requests()).toBe(50);
	const { size, isRefused } = afterRefusal(UNKNOWN_SIZING, 100);
	expect(sizeAtTop({ size, worked: 0, most: size, isRefused })).toBe(15);
});
