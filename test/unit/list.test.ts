/** Lists read from services that each have their own idea of a page: none is skipped or repeated, and no reading goes on for ever. */
import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { ApiError } from '../../nodes/LinkManagement/service/answer/errors';
import { readList } from '../../nodes/LinkManagement/service/lists/listReader';
import { PagedService, REFUSED, rows, STYLES, type Manner } from './simulation/list';
import { randomFrom } from './simulation/time';

const LINKS = { path: '/api/urls', collection: 'urls' };

/** Readings of the property: some hundreds, or as many as are asked for. */
const READINGS = Number(process.env.LIST_READINGS ?? 500);

const idsOf = (records: Array<{ id?: unknown }>) => records.map(({ id }) => id);
const idsTo = (count: number) => idsOf(rows(count));

async function readAll({ client }: PagedService): Promise<unknown[]> {
	return idsOf(await readList(client, LINKS, Infinity));
}

describe('the list comes whole', () => {
	test('with records that have no ID, and that the total does not count, each once', async () => {
		const shared = ['a', 'b'].map((domain) => ({ id: null, domain }));
		for (const list of [
			[...rows(350), ...shared],
			[...shared, ...rows(350)],
			[shared[0], ...rows(350), shared[1]],
		]) {
			const service = new PagedService(list, { result: 'missing' });
			expect(await readList(service.client, LINKS, Infinity)).toEqual(list);
		}
	});
});

test.each([1, 2, 3])('a page that shows the one before it again, once, leaves nothing out: page %d', async (odd) => {
	const service = new PagedService(rows(340), {});
	const { client } = service;
	const answers: IDataObject[] = [];
	const oddly: typeof client = {
		...client,
		send: async (...request: Parameters<typeof client.send>) => {
			answers.push(await client.send(...request));
			return answers.length === odd + 1 ? answers[odd - 1] : answers.at(-1)!;
		},
	};
	expect(idsOf(await readList(oddly, LINKS, Infinity)).sort()).toEqual(idsTo(340).sort());
});

describe('the size of pages', () => {
	beforeEach(() => jest.restoreAllMocks());

	/** A service whose time passes with what it does. */
	function timed(count: number, manner: Partial<Manner>): PagedService {
		const service = new PagedService(rows(count), manner);
		jest.spyOn(Date, 'now').mockImplementation(() => service.time);
		return service;
	}

	async function sizes(service: PagedService): Promise<number[]> {
		service.asked.length = 0;
		expect(await readAll(service)).toEqual(idsOf(service.list));
		return service.sizes;
	}

	const pages = (count: number, size: number) => Array.from({ length: count }, () => size);

	test.each<[string, number, Partial<Manner>, number[], number[]]>([
		['1,000 where that is quick', 2500, { cost: 1 }, [100, ...pages(3, 1000)], pages(3, 1000)],
		['100 where that takes more than a second', 1100, { cost: 11 }, pages(11, 100), pages(11, 100)],
		['what comes of 1,000', 1100, { most: 250 }, [100, 1000, ...pages(4, 250)], [1000, ...pages(4, 250)]],
		['100 where a larger page fails', 1100, { failsAbove: 500 }, [100, 1000, 1000, ...pages(11, 100)], pages(11, 100)],
		[
			'100 where a larger one is refused',
			1100,
			{ refusesAbove: { size: 500, status: 422 } },
			[100, 1000, ...pages(11, 100)],
			pages(11, 100),
		],
		['15 where a page of 100 fails', 50, { failsAbove: 60 }, [100, 100, ...pages(4, 15)], pages(4, 15)],
		['15 where 100 is refused', 50, { refusesAbove: { size: 60, status: 400 } }, [100, ...pages(4, 15)], pages(4, 15)],
	])('is %s, and remembered', async (_what, count, manner, first, next) => {
		const service = timed(count, manner);
		expect(await sizes(service)).toEqual(first);
		expect(await sizes(service)).toEqual(next);
	});

	test('is no matter where no more is wanted', async () => {
		const service = timed(3000, {});
		expect(await readList(service.client, LINKS, 150)).toHaveLength(150);
		expect(await readList(service.client, LINKS, 7)).toHaveLength(7);
		expect(service.sizes).toEqual([100, 100, 7]);
	});

	test('that is refused at any size is an error', async () => {
		const service = timed(78, { refusesAbove: { size: 0, status: 400 } });
		await expect(readAll(service)).rejects.toThrow(ApiError);
		expect(service.sizes).toEqual([100, 15]);
	});
});

/**
 * What a service is true to: its records. Its figures may be anything, but for a `result` that is the count of the page: it looks
 * like that of a short list, so that another figure has to speak of more.
 */
const manners: fc.Arbitrary<Partial<Manner>> = fc
	.record({
		sizes: fc.oneof(
			fc.constantFrom<[number, number]>(
				[1, 7],
				[15, 15],
				[1, 25],
				[1, 40],
				[1, 100],
				[1, 250],
				[1, 1000],
				[30, Infinity],
			),
			fc.tuple(fc.constant(1), fc.integer({ min: 7, max: 1000 })),
		),
		result: fc.constantFrom(...(Object.keys(STYLES.result) as Array<Manner['result']>)),
		nextpage: fc.constantFrom(...(Object.keys(STYLES.nextpage) as Array<Manner['nextpage']>)),
		maxpage: fc.constantFrom(...(Object.keys(STYLES.maxpage) as Array<Manner['maxpage']>)),
		perpage: fc.constantFrom(...(Object.keys(STYLES.perpage) as Array<Manner['perpage']>)),
		currentpage: fc.constantFrom(...(Object.keys(STYLES.currentpage) as Array<Manner['currentpage']>)),
		beyond: fc.constantFrom<Manner['beyond']>('empty', 'error200', 'error404', 'lastPage'),
		ties: fc.constantFrom(1, 1, 1, 3, 30, 450),
	})
	.filter(({ result, nextpage, maxpage }) => {
		const isTrue = (style: string) => ['right', 'text', 'same', 'further', 'oneTooMany', 'huge'].includes(style);
		return result !== 'ofThePage' || isTrue(nextpage) || isTrue(maxpage);
	})
	.map(({ sizes: [least, most], ...manner }) => ({ ...manner, least, most }));

/** Whether figures speak of pages that are not there. */
function isLying({ result = 'right', nextpage = 'right', maxpage = 'right' }: Partial<Manner>): boolean {
	const isTooLarge = ['tooLarge', 'huge', 'further', 'oneTooMany', 'fortyTooMany'];
	return [result, nextpage, maxpage].some((style) => isTooLarge.includes(style));
}

describe('records of equal date, in another order on each page', () => {
	const sizes: Array<[most: number, ties: number]> = [
		[100, 30],
		[100, 450],
		[250, 450],
		[1000, 450],
		[15, 3],
	];

	test.each(sizes)(
		'in pages of %d, with ties of %d: whole, or an error that says how many are missing',
		async (most, ties) => {
			for (const count of [ties - 1, ties, ties + 1, 2 * ties, 451, 900]) {
				const service = new PagedService(rows(count), { most, ties });
				const found = await readAll(service).catch((error: Error) => error);
				if (found instanceof Error) expect(found.message).toMatch(new RegExp(`^Read \\d+ of the ${count} records`));
				else expect(found.sort((a, b) => Number(a) - Number(b))).toEqual(idsTo(count));
			}
		},
	);

	test('the list is whole where the service takes a page that holds all of them', async () => {
		const service = new PagedService(rows(900), { ties: 450 });
		expect((await readAll(service)).length).toBe(900);
		expect(service.sizes).toEqual([...Array.from({ length: 9 }, () => 100), 1000]);
	});
});

test('a list from which records are deleted while each reading goes on is an error that says so', async () => {
	const service = new PagedService(rows(1001), { most: 100, between: ({ list }) => void list.pop() });
	await expect(readAll(service)).rejects.toThrow(
		/^Read \d+ of the \d+ records in the list "urls": others were deleted meanwhile, each time$/,
	);
	expect(service.asked.length).toBeLessThan(100);
});

/** What happens while a list is read. */
type Happening = 'nothing' | 'failures' | 'create' | 'createAtEnd' | 'delete' | 'createAndDelete';

/** What came of a reading while something happened. */
interface Reading {
	service: PagedService;
	/** IDs of records that were there from the beginning to the end. */
	stayed: Set<number>;
	isDeleted: boolean;
	found: unknown[];
	error?: unknown;
}

/** A list that changes more often may grow faster than it is read. */
const MOST_EVENTS = 30;

async function readWhile(
	count: number,
	manner: Partial<Manner>,
	happening: Happening,
	seed: number,
	read: (service: PagedService) => Promise<unknown[]>,
): Promise<Reading> {
	const random = randomFrom(seed);
	let lastId = count;
	const stayed = new Set(idsTo(count) as number[]);
	const isToldOf = manner.result === undefined || ['right', 'text'].includes(manner.result);
	const rate = random() / 3;
	let events = 0;
	const service = new PagedService(rows(count), {
		...manner,
		fails: () => happening === 'failures' && random() < rate,
		between(self) {
			if (happening === 'nothing' || happening === 'failures' || random() > rate || events++ >= MOST_EVENTS) return;
			const page = self.granted(7);
			const most = isToldOf ? 3 * page : page - 1;
			if (happening !== 'delete' && (happening !== 'createAndDelete' || random() < 0.5)) {
				const made = Array.from({ length: Math.floor(random() * (most + 1)) }, () => ({ id: ++lastId }));
				self.list = happening === 'createAtEnd' ? [...self.list, ...made] : [...made.reverse(), ...self.list];
			} else {
				for (let left = Math.ceil(random() * page); left > 0 && self.list.length > 0; left--) {
					const [{ id }] = self.list.splice(Math.floor(random() * self.list.length), 1);
					stayed.delete(id!);
					reading.isDeleted = true;
				}
			}
		},
	});
	const reading: Reading = { service, stayed, isDeleted: false, found: [] };
	reading.found = await read(service).catch((error: unknown) => {
		reading.error = error;
		return [];
	});
	return reading;
}

test('at any service that is honest in its records: none twice, none that stayed is left out without a word, in few requests', async () => {
	const lengths = fc.oneof(
		fc.constantFrom(0, 1, 14, 15, 16, 30, 78, 99, 100, 101, 200, 334, 452, 1000, 1001, 1200, 2000),
		fc.integer({ min: 0, max: 400 }),
		fc.integer({ min: 0, max: 2500 }),
	);
	const happenings = fc.constantFrom<Happening>(
		'nothing',
		'nothing',
		'failures',
		'create',
		'createAtEnd',
		'delete',
		'createAndDelete',
	);
	await fc.assert(
		fc.asyncProperty(
			lengths,
			manners,
			happenings,
			fc.integer({ min: 1, max: 1e6 }),
			async (count, manner, happening, seed) => {
				const reading = await readWhile(count, manner, happening, seed, readAll);
				const { service, stayed, found, error } = reading;
				const message = (error as Error | undefined)?.message;
				const { ties = 1, result } = manner;
				// Beyond the last page, a refusal is the end where no figure speaks of more.
				const isRefused = /^error/.test(manner.beyond ?? '') && message === REFUSED;
				if (isRefused && (isLying(manner) || reading.isDeleted)) return;
				const isShort = message !== undefined && /^Read \d+ of the \d+ records/.test(message);
				// While records come and go, a total that tells nothing of it, or a last page that stands for more, are like ties.
				const isLike = isLying(manner) && happening !== 'nothing';
				// Of a list that shows nothing, no total is disbelieved.
				if (isShort && (ties > 1 || result === 'huge' || isLike || (count === 0 && isLying(manner)))) return;
				// Where records are deleted while each reading goes on, nobody knows what has moved up unseen.
				if (isShort && reading.isDeleted && message.endsWith(': others were deleted meanwhile, each time')) return;
				if (message !== undefined) {
					expect([happening, message]).toEqual(['failures', 'The service failed each time']);
					return;
				}
				expect(new Set(found).size).toBe(found.length);
				const isJudge = ['right', 'text'].includes(result!);
				// A deletion that `result` does not tell of moves records up unseen.
				const isTold = !reading.isDeleted || (isJudge && manner.beyond === 'empty');
				// Without it, nobody can tell what ties hide; nor where as many records are created as they hide.
				const isShown = ties === 1 || (isJudge && ['nothing', 'failures'].includes(happening));
				const met = new Set(found);
				if (isTold && isShown) expect([...stayed].filter((id) => !met.has(id))).toEqual([]);
				if (happening !== 'nothing' || ties > 1) return;
				const pages = Math.max(1, Math.ceil(count / service.granted(100)));
				const isSound = isJudge && [manner.nextpage, manner.maxpage].every((style) => /^(?:right|text)$/.test(style!));
				const more = isSound ? (count === 0 || count > 1000 ? 1 : 0) : 3;
				// That a total is too large is found by three readings that show the same, in pages of different sizes.
				const readings = /TooMany|tooLarge|huge/.test(result!) ? 6 : 1;
				expect(service.asked.length).toBeLessThanOrEqual((pages + more) * readings);
			},
		),
		{ numRuns: READINGS },
	);
}, 3_600_000);
