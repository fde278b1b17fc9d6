/** The limiter beside services in simulated time. */
import { getEventListeners } from 'events';
import * as fc from 'fast-check';

import { median } from '../../bench/statistics';
import { MOST_IN_FLIGHT } from '../../nodes/LinkManagement/rateLimit/admit';
import { StoppedError } from '../../nodes/LinkManagement/n8n/stop';
import {
	RateLimiter,
	RateLimitError,
	type Permit,
	type PermitRequest,
} from '../../nodes/LinkManagement/rateLimit/rateLimiter';
import { LONGEST_WAIT } from '../../nodes/LinkManagement/rateLimit/rateLimitState';
import { Simulation, type ServiceSettings } from './simulation/service';
import { HOUR, MINUTE } from './simulation/time';

/** A service that refuses through the whole second of its reset. */
const LATE = { kind: 'wholeSeconds', reset: 'seconds' } as const;

describe('a key of our own', () => {
	test.each<[string, Partial<ServiceSettings>, mostRefused: number]>([
		['with a reset in seconds', { reset: 'seconds' }, 0],
		['with a reset in milliseconds', { reset: 'milliseconds' }, 0],
		['with a reset as a date', { reset: 'date' }, 0],
		['with a clock ten seconds ahead', { reset: 'seconds', skew: 10_300 }, 0],
		['with a clock an hour behind', { reset: 'milliseconds', skew: -HOUR }, 2],
		['whose window slides', { kind: 'sliding' }, 0],
		['whose windows begin with their first request', { kind: 'firstRequest' }, 0],
		['that refuses through a second and says in the body how long to wait', { ...LATE, retryAfter: 'body' }, 1],
		['that refuses through a second and says no more than the headers', LATE, 2],
		['that refuses through a second, without headers', { ...LATE, headers: false, retryAfter: 'body' }, 32 + 16 * 3],
		['that refuses through a second, its clock behind', { ...LATE, retryAfter: 'body', skew: -300 }, 2],
		['that refuses through a second, its clock ahead', { ...LATE, retryAfter: 'body', skew: 300 }, 2],
	])('at a service %s: hardly a request refused, hardly a second lost', async (_name, given, mostRefused) => {
		for (const seed of [1, 2, 3]) {
			const all = new Simulation(seed, { windowMs: MINUTE, ...given }, MINUTE);
			const taken = await all.run(all.sendMany(500));
			expect(all.service.refused).toBeLessThanOrEqual(mostRefused);
			expect(all.service.ideal(500, all.start) / taken).toBeGreaterThan(0.99);
		}
	});

	test('a service that refuses without a word of how long is asked less and less often', async () => {
		const all = new Simulation(1, { headers: false, windowMs: 2 * MINUTE });
		await all.run(all.sendMany(31));
		expect(all.service.refused).toBeLessThanOrEqual(10);
	});

	test('a limit that falls a thousandfold is not taken for others who use the key', async () => {
		const all = new Simulation(2, { limit: 1_000_000 });
		await all.run(all.sendMany(10));
		all.service.settings.limit = 30;
		await all.run(all.sendMany(60));
		// Each window is used to its end, the one of the change as well.
		const windows = all.service.served.map((at) => Math.floor((at - all.start) / 3000));
		expect([0, 1, 2].map((number) => windows.filter((window) => window === number).length)).toEqual([30, 30, 10]);
	});
});

test.each<[string, Partial<ServiceSettings>, mostRefused: number, leastSpeed: number]>([
	['on a quick line', {}, 0.15, 0.93],
	[
		'with some requests held up',
		{ latency: (random) => (random() < 0.1 ? 100 + random() * 200 : 1 + random() * 10) },
		0.15,
		0.93,
	],
])('four processes that know nothing of each other, %s: all served, nearly at the speed of one', async (...row) => {
	const [, given, mostRefused, leastSpeed] = row;
	const refused: number[] = [];
	const speed: number[] = [];
	for (const round of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
		const all = new Simulation(round, given);
		const limiters = [1, 2, 3, 4].map((seed) => new RateLimiter(all.time.clock(10 * round + seed)));
		const taken = await all.run(Promise.all(limiters.map(async (limiter) => await all.sendMany(150, limiter))));
		refused.push(all.service.refused / (600 + all.service.refused));
		speed.push((19 * 3000) / Math.max(...taken));
	}
	expect(median(refused)).toBeLessThanOrEqual(mostRefused);
	expect(median(speed)).toBeGreaterThanOrEqual(leastSpeed);
});

test.each([
	['none', 0, 8, 32],
	['others', 3, 1, 1],
])(
	'where %s use the key, the count tells before a refusal does: so many go together',
	async (_who, foreign, least, most) => {
		const all = new Simulation(1, { limit: 100, windowMs: MINUTE, reset: 'seconds', latency: () => 50 });
		const { service, limiter } = all;
		let [onTheWay, together] = [0, 0];
		const send = async () => {
			const permit = await limiter.acquire({ caller: all });
			together = Math.max(together, ++onTheWay);
			const answer = await service.request();
			onTheWay--;
			permit.release(answer);
		};
		await all.run(send());
		for (let times = 0; times < foreign; times++) service.foreign();
		await all.run(send());
		await all.run(Promise.all(Array.from({ length: 20 }, send)));
		expect(service.refused).toBe(0);
		expect(together).toBeGreaterThanOrEqual(least);
		expect(together).toBeLessThanOrEqual(most);
	},
);

describe('who does not want to wait', () => {
	/** A service whose window is used up for this time (ms). */
	async function usedUp(resetIn: number): Promise<Simulation> {
		const all = new Simulation(1);
		const permit = await all.limiter.acquire({ caller: {} });
		const reset = String(all.start + resetIn);
		permit.release({ refused: false, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } });
		return all;
	}

	test('a wait above ten minutes fails at once when a request has tried it, one below does not', async () => {
		const { limiter: long, start } = await usedUp(LONGEST_WAIT + 5000);
		const tries = await long.acquire({ caller: {} });
		const others = [Infinity, 0].map(async (maxWait) => await long.acquire({ caller: {}, maxWait }));
		const reset = String(start + LONGEST_WAIT + 5000);
		tries.release({ refused: true, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } });
		for (const other of others) await expect(other).rejects.toBeInstanceOf(RateLimitError);
		const short = await usedUp(LONGEST_WAIT - 5000);
		await short.run(short.limiter.acquire({ caller: {} }), LONGEST_WAIT);
	});

	test('a signal ends the wait of ten thousand rows at once, with a handful of timers, and frees their permits', async () => {
		const all = await usedUp(60_000);
		const stop = new AbortController();
		const request = { caller: stop, signal: stop.signal };
		const stopped = Array.from({ length: 10_000 }, async () => await all.limiter.acquire(request));
		const other = all.limiter.acquire({ caller: {} });
		const began = Date.now();
		stop.abort();
		stopped.push(all.limiter.acquire(request));
		const results = await Promise.allSettled(stopped);
		expect(Date.now() - began).toBeLessThan(5000);
		expect(results.every((result) => result.status === 'rejected' && result.reason instanceof StoppedError)).toBe(true);
		expect(all.time.timers.length).toBeLessThan(5);
		await all.run(other, 61_000);
	});
});

describe('who waits in front of a screen', () => {
	test.each<[string, Partial<ServiceSettings>, mostRefused: number]>([
		['fixed windows', { reset: 'seconds' }, 0],
		['windows that refuse through a whole second', { ...LATE, retryAfter: 'body' }, 1],
	])('is served within two seconds while 500 rows are under way: %s', async (_name, given, mostRefused) => {
		const inTime: boolean[] = [];
		const shares: number[] = [];
		for (const seed of [1, 2, 3, 4, 5, 6]) {
			const latency = (random: () => number) => 20 + random() * 60;
			const all = new Simulation(seed, { latency, windowMs: MINUTE, ...given }, MINUTE);
			const { service, time, start, random } = all;
			let last = Infinity;
			const bulk = all.sendMany(500).then((taken) => (last = start + taken));
			const screen = async () => {
				for (let begin = start, end = 0; last === Infinity; begin = end) {
					end = service.endOfWindow(begin);
					await time.sleep(begin + random() * (end - begin) - time.now());
					inTime.push((await all.send({ caller: {}, priority: 'people' })) <= 2000);
				}
			};
			await all.run(Promise.all([bulk, screen()]));
			const granted = service.served.filter((at) => at <= last).length;
			shares.push(service.ideal(granted, start) / (last - start));
			expect(service.refused).toBeLessThanOrEqual(mostRefused);
		}
		expect(inTime.length).toBeGreaterThan(90);
		expect(inTime.filter(Boolean).length / inTime.length).toBeGreaterThanOrEqual(0.9);
		expect(Math.min(...shares)).toBeGreaterThan(0.97);
	});
});

describe('polls that end before a window does', () => {
	test.each([
		[1, 1],
		[3, 1],
		[3, 2],
		[2, 4],
	])(
		'have their turn while 300 rows are under way: %d triggers, whose polls ask for %d pages',
		async (triggers, pages) => {
			const shares: number[] = [];
			let [polls, answered] = [0, 0];
			for (const seed of [1, 2, 3, 4, 5, 6]) {
				const latency = (random: () => number) => 20 + random() * 60;
				const all = new Simulation(seed, { latency, windowMs: MINUTE, limit: 30, reset: 'seconds' }, MINUTE);
				const { service, time, start, random } = all;
				let last = Infinity;
				const bulk = all.sendMany(300).then((taken) => (last = start + taken));
				const trigger = async () => {
					await time.sleep(random() * MINUTE);
					for (;;) {
						const begun = time.now();
						const ended = new AbortController();
						void time.sleep(36_000).then(() => ended.abort());
						let read = 0;
						for (; read < pages && !ended.signal.aborted; read++) {
							const request = { caller: ended, priority: 'polls' as const, signal: ended.signal };
							if (!(await all.send(request).then(Boolean, () => false))) break;
						}
						if (last < Infinity) return;
						// The first one may come after the rows have taken the window.
						if (begun > start + 2 * MINUTE) {
							polls++;
							answered += read > 0 ? 1 : 0;
						}
						await time.sleep(begun + MINUTE - time.now());
					}
				};
				await all.run(Promise.all([bulk, ...Array.from({ length: triggers }, trigger)]));
				const granted = service.served.filter((at) => at <= last).length;
				shares.push(service.ideal(granted, start) / (last - start));
				expect(service.refused).toBe(0);
			}
			expect(polls).toBeGreaterThan(40);
			expect(answered).toBe(polls);
			// The last rows wait for the end of their window.
			expect(Math.min(...shares)).toBeGreaterThan(0.9);
		},
	);
});

describe('six sheets of 30 rows after each other, forms and a trigger on one key', () => {
	const WINDOWS = 12;
	const GRANTED = 36_000;

	/** How long forms waited, which share of the polls was answered, and which of the permits was used, from the third window on. */
	async function day(seed: number, workers: number): Promise<{ forms: number[]; polled: number; used: number }> {
		const latency = (random: () => number) => 20 + random() * 60;
		const all = new Simulation(seed, { latency, windowMs: MINUTE, limit: 30, reset: 'seconds' }, MINUTE);
		const { time, start, random, service } = all;
		const others = Array.from({ length: workers }, (_, n) => new RateLimiter(time.clock(100 * seed + n)));
		const sheets = workers === 0 ? [all.limiter] : others;
		const end = start + WINDOWS * MINUTE;
		const isCounted = (asked: number) => asked > start + 2 * MINUTE;
		const forms: number[] = [];
		const polls: boolean[] = [];
		const sheet = async (n: number) => {
			while (time.now() < end) {
				const caller = {};
				// A few at a time, as short sheets do.
				for (let rows = 0; rows < 30; rows += 5)
					await Promise.all([1, 2, 3, 4, 5].map(async () => await all.send({ caller }, sheets[n % sheets.length])));
			}
		};
		const form = async () => {
			for (let asked = start; asked < end; asked = time.now()) {
				await time.sleep(MINUTE * (0.3 + random() * 0.6));
				const begun = time.now();
				const waited = await all.send({ caller: {}, priority: 'people' }, sheets[Math.floor(random() * sheets.length)]);
				if (isCounted(begun)) forms.push(waited);
			}
		};
		const trigger = async () => {
			await time.sleep(random() * MINUTE);
			while (time.now() < end) {
				const begun = time.now();
				const ended = new AbortController();
				void time.sleep(GRANTED).then(() => ended.abort());
				const request = { caller: ended, priority: 'polls' as const, signal: ended.signal };
				const isAnswered = await all.send(request).then(
					() => true,
					() => false,
				);
				if (isCounted(begun)) polls.push(isAnswered);
				await time.sleep(begun + MINUTE - time.now());
			}
		};
		await all.run(Promise.all([...[0, 1, 2, 3, 4, 5].map(sheet), form(), trigger()]));
		const counted = service.served.filter((at) => at > start + MINUTE && at <= end - MINUTE).length;
		const used = counted / (30 * (WINDOWS - 2));
		return { forms, polled: polls.filter(Boolean).length / polls.length, used };
	}

	test.each([
		['in one process', 0, 0.95, 1],
		['the trigger in one process, the others in two', 2, 0.9, 1],
	])('%s', async (_where, workers, leastUsed, leastPolled) => {
		const days = [];
		for (const seed of Array.from({ length: 12 }, (_, n) => n + 1)) days.push(await day(seed, workers));
		const forms = days.flatMap((one) => one.forms);
		expect(forms.length).toBeGreaterThan(50);
		expect(Math.max(...forms)).toBeLessThan(MINUTE / 2);
		expect(median(forms)).toBeLessThan(1000);
		expect(Math.min(...days.map(({ polled }) => polled))).toBeGreaterThanOrEqual(leastPolled);
		expect(median(days.map(({ used }) => used))).toBeGreaterThanOrEqual(leastUsed);
	});

	test('a sheet that fits into what remains goes at once, unless somebody else has asked in the last ten minutes', async () => {
		const all = new Simulation(3, { windowMs: MINUTE, limit: 30, reset: 'seconds' });
		expect(await all.run(all.sendMany(30))).toBeLessThan(3000);
		await all.run(all.time.sleep(2 * MINUTE));
		await all.run(all.send({ caller: {}, priority: 'polls' }));
		expect(await all.run(all.sendMany(29))).toBeGreaterThan(30_000);
		await all.run(all.time.sleep(12 * MINUTE));
		expect(await all.run(all.sendMany(30))).toBeLessThan(3000);
	});
});

test('a sheet whose requests hang leaves people a slot of their own', async () => {
	const clock = { now: () => 0, sleep: async () => await new Promise<void>(() => undefined), random: () => 0 };
	const limiter = new RateLimiter(clock);
	const [sheet, person] = [{}, {}];
	const done = { refused: false, headers: { 'x-ratelimit-remaining': '1000', 'x-ratelimit-reset': '60' } };
	for (let n = 0; n < MOST_IN_FLIGHT; n++) (await limiter.acquire({ caller: sheet })).release(done);
	for (let n = 0; n < MOST_IN_FLIGHT; n++) await limiter.acquire({ caller: sheet });
	let isGranted = false;
	void limiter.acquire({ caller: sheet }).then(() => (isGranted = true));
	await limiter.acquire({ caller: person, priority: 'people' });
	expect(isGranted).toBe(false);
});

describe('a key that others use up, under a daily window', () => {
	/** Asks for permits until one is refused for good, while another client sends three requests for each of ours. */
	async function untilTurnedAway(request: Omit<PermitRequest, 'caller'>): Promise<{ longest: number; served: number }> {
		const all = new Simulation(9, { limit: 40, windowMs: 24 * HOUR, reset: 'seconds' });
		let longest = 0;
		for (let served = 0; ; served++) {
			const asked = all.time.now();
			const result = await all.run(all.send({ caller: {}, ...request }).catch((error: unknown) => error));
			longest = Math.max(longest, all.time.now() - asked);
			if (result instanceof RateLimitError) return { longest, served };
			expect(result).toEqual(expect.any(Number));
			for (let times = 0; times < 3; times++) all.service.foreign();
		}
	}

	test('who fails fast is served while there is room, and fails at once when there is none', async () => {
		const { served, longest } = await untilTurnedAway({ maxWait: 0 });
		expect(served).toBe(10);
		expect(longest).toBeLessThan(1000);
	});

	test('who waits does so for ten minutes at most', async () => {
		const { served, longest } = await untilTurnedAway({});
		expect(served).toBeGreaterThan(8);
		expect(longest).toBeLessThan(LONGEST_WAIT);
	});

	test('who is refused again and again waits for ten minutes in all', async () => {
		const { limiter, time, start } = new Simulation(1);
		const work = async () => {
			for (let isRetry = false; ; isRetry = true) {
				const permit = await limiter.acquire({ caller: {}, isRetry });
				permit.release({ refused: true, headers: {}, retryAfter: 50_000 });
			}
		};
		await expect(time.run(work(), HOUR)).rejects.toBeInstanceOf(RateLimitError);
		expect(time.now() - start).toBeGreaterThan(LONGEST_WAIT - 70_000);
		expect(time.now() - start).toBeLessThanOrEqual(LONGEST_WAIT);
	});
});

describe('whatever the service does', () => {
	const history = fc.record({
		seed: fc.integer({ min: 1, max: 1e9 }),
		limit: fc.integer({ min: 1, max: 60 }),
		windowMs: fc.constantFrom(1000, 3000, 10_000, 60_000),
		kind: fc.constantFrom('fixed' as const, 'firstRequest' as const, 'wholeSeconds' as const, 'sliding' as const),
		reset: fc.constantFrom('seconds' as const, 'milliseconds' as const, 'date' as const, 'none' as const),
		headers: fc.boolean(),
		retryAfter: fc.constantFrom(false, true, 'body' as const),
		skew: fc.integer({ min: -HOUR, max: HOUR }),
		slowest: fc.constantFrom(2, 20, 300, 4000),
		callers: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
		foreignEvery: fc.option(fc.integer({ min: 50, max: 5000 })),
		newLimit: fc.option(fc.integer({ min: 1, max: 60 })),
		lossRate: fc.constantFrom(0, 0, 0.1),
	});

	test('every request is served, none waits without end or gives up before ten minutes, no more are in flight than the service allows, and nothing is left behind', async () => {
		await fc.assert(
			fc.asyncProperty(history, async (h) => {
				const all = new Simulation(h.seed, { ...h, latency: (random) => 1 + random() * h.slowest });
				const { time, service, limiter, random } = all;
				const { signal } = new AbortController();
				let onTheWay = 0;
				const said: Array<{ at: number; remaining: number }> = [];
				let servedAt = time.now();
				const served: number[] = [];
				const permitFor = async (request: PermitRequest): Promise<Permit> => {
					for (;;) {
						const asked = time.now();
						try {
							return await limiter.acquire(request);
						} catch (error) {
							// Only when nobody was served, or would be, for ten minutes.
							if (!(error instanceof RateLimitError)) throw error;
							const retryAt = time.now() + error.waitMs;
							if (retryAt - servedAt <= LONGEST_WAIT) throw error;
							await time.sleep(error.waitMs);
							if (!request.isRetry && asked + LONGEST_WAIT > retryAt) throw error;
						}
					}
				};
				const row = async (caller: object) => {
					for (let isRetry = false; ; isRetry = true) {
						const permit = await permitFor({ caller, isRetry, signal });
						onTheWay++;
						const recent = said.filter(({ at }) => at > time.now() - h.windowMs - 20_000);
						const most = h.headers ? Math.max(1, ...recent.map(({ remaining }) => remaining)) : MOST_IN_FLIGHT;
						// Of a window that slides, each of the own requests that has just dropped out makes room for one.
						const free = served.filter(
							(at) => h.kind === 'sliding' && Math.abs(time.now() - at - h.windowMs) < 1000,
						).length;
						// One more may probe a new window while the last ones of the old are in flight. Slow answers stop
						// counting after a while: they may not hold up the rest.
						if (h.slowest < 2500 && onTheWay > Math.min(most + 1 + free, MOST_IN_FLIGHT))
							throw new Error(`${onTheWay} in flight, ${most} allowed`);
						const answer = await service.request();
						onTheWay--;
						if (random() < h.lossRate) {
							permit.release();
							continue;
						}
						if (h.headers) said.push({ at: time.now(), remaining: Number(answer.headers['x-ratelimit-remaining']) });
						if (!answer.refused) served.push((servedAt = time.now()));
						permit.release(answer);
						if (!answer.refused) return;
					}
				};
				const others = async () => {
					for (let turns = 0; h.foreignEvery !== null && turns < 200; turns++) {
						await time.sleep(h.foreignEvery);
						service.foreign();
					}
				};
				void others();
				if (h.newLimit !== null) void time.sleep(h.windowMs * 1.5).then(() => (service.settings.limit = h.newLimit!));
				const work = h.callers.flatMap((count) => {
					const caller = {};
					return Array.from({ length: count }, async () => await row(caller));
				});
				await all.run(Promise.all(work), 40 * HOUR);
				expect(getEventListeners(signal, 'abort')).toHaveLength(0);
				expect(limiter.isBusy).toBe(false);
			}),
			{ numRuns: 400 },
		);
	}, 600_000);
});
