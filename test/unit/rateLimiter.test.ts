import { getEventListeners } from 'events';
import * as fc from 'fast-check';

import {
	RateLimiter,
	RateLimitError,
	type Permit,
	type PermitRequest,
} from '../../nodes/LinkManagement/rateLimit/rateLimiter';
import { MOST_IN_FLIGHT } from '../../nodes/LinkManagement/rateLimit/admit';
import { LONGEST_WAIT, type RateLimitAnswer } from '../../nodes/LinkManagement/rateLimit/state';
import { StoppedError } from '../../nodes/LinkManagement/rateLimit/cancellation';
import { median } from '../../bench/statistics';
import { serviceSettings, SimulatedService, type ServiceSettings, type SimulatedAnswer } from './simulation/service';
import { randomFrom, SimulatedTime } from './simulation/time';

const HOUR = 3_600_000;

/** An answer as the limiter is told of it. */
function heard({ statusCode, headers, retryAfter }: SimulatedAnswer): RateLimitAnswer {
	return { refused: statusCode === 429, headers, retryAfter };
}

/** Sends one request until it is not refused, and gives the time at which it was served. */
async function send(
	limiter: RateLimiter,
	service: SimulatedService,
	time: SimulatedTime,
	request: PermitRequest,
): Promise<number> {
	for (let again = false; ; again = true) {
		const permit = await limiter.acquire({ ...request, again });
		const answer = await service.request();
		permit.release(heard(answer));
		if (answer.statusCode === 200) return time.now();
	}
}

async function sendMany(
	limiter: RateLimiter,
	service: SimulatedService,
	time: SimulatedTime,
	rows: number,
): Promise<number[]> {
	const caller = {};
	return await Promise.all(Array.from({ length: rows }, async () => await send(limiter, service, time, { caller })));
}

describe('a key of our own', () => {
	test.each<[string, Partial<ServiceSettings>]>([
		['fixed window, reset in seconds', { reset: 'seconds' }],
		['fixed window, reset in milliseconds', { reset: 'milliseconds' }],
		['fixed window, reset as a date', { reset: 'date' }],
		['fixed window, service clock ten seconds ahead', { reset: 'seconds', skew: 10_300 }],
		['fixed window, service clock an hour behind', { reset: 'milliseconds', skew: -HOUR }],
		['sliding window', { kind: 'sliding' }],
		['window that begins with its first request', { kind: 'firstRequest' }],
	])('%s: every request served, none refused, hardly a window lost', async (_name, given) => {
		const time = new SimulatedTime();
		const service = new SimulatedService(time, serviceSettings(randomFrom(1), given));
		const start = time.now();
		await time.run(sendMany(new RateLimiter(time.clock(1)), service, time, 300), HOUR);
		expect(service.served).toHaveLength(300);
		// A clock that differs is found out by halves, at the price of a few refusals at the start.
		expect(service.refused).toBeLessThanOrEqual(given.skew === undefined ? 0 : 6);
		const ideal = 9 * 3000;
		expect(ideal / (Math.max(...service.served) - start)).toBeGreaterThan(0.95);
	});

	test.each<[string, Partial<ServiceSettings>, mostRefused: number]>([
		['its refusals say in the body how long to wait', { retryAfter: 'body' }, 1],
		['its refusals say no more than the headers', {}, 2],
		['it sends no rate-limit headers', { headers: false, retryAfter: 'body' }, 32 + 16 * 3],
		['its clock is 300 ms behind', { retryAfter: 'body', skew: -300 }, 6],
		['its clock is 300 ms ahead', { retryAfter: 'body', skew: 300 }, 6],
	])('a service that refuses through the whole second of its reset, %s', async (_name, given, mostRefused) => {
		for (const seed of [1, 2, 3]) {
			const random = randomFrom(seed);
			const time = new SimulatedTime(1_800_000_000_000 + Math.floor(random() * 60_000));
			const windowMs = 60_000;
			const service = new SimulatedService(
				time,
				serviceSettings(random, { kind: 'wholeSeconds', reset: 'seconds', windowMs, ...given }),
			);
			const start = time.now();
			await time.run(sendMany(new RateLimiter(time.clock(seed)), service, time, 500), HOUR);
			expect(service.served).toHaveLength(500);
			expect(service.refused).toBeLessThanOrEqual(mostRefused);
			// The first window ends at the end of a second, and each one after it begins on a whole second and lasts one second more.
			const firstEnd = (Math.floor((start + (given.skew ?? 0) + windowMs) / 1000) + 1) * 1000 - (given.skew ?? 0);
			const ideal = firstEnd - start + 15 * (windowMs + 1000);
			expect(ideal / (Math.max(...service.served) - start)).toBeGreaterThan(0.99);
		}
	});

	test('a limit that changes while requests run is followed', async () => {
		const time = new SimulatedTime();
		const service = new SimulatedService(time, serviceSettings(randomFrom(2)));
		const change = (async () => {
			await time.sleep(6100);
			service.settings.limit = 10;
			await time.sleep(9000);
			service.settings.limit = 60;
		})();
		await time.run(Promise.all([sendMany(new RateLimiter(time.clock(1)), service, time, 400), change]), HOUR);
		expect(service.served).toHaveLength(400);
		expect(service.refused).toBeLessThanOrEqual(2);
	});

	test('a limit that falls a thousandfold is not taken for others who use the key', async () => {
		const time = new SimulatedTime();
		const service = new SimulatedService(time, serviceSettings(randomFrom(2), { limit: 1_000_000 }));
		const limiter = new RateLimiter(time.clock(1));
		const start = time.now();
		const work = async () => {
			await sendMany(limiter, service, time, 10);
			service.settings.limit = 30;
			await sendMany(limiter, service, time, 60);
		};
		await time.run(work(), HOUR);
		// Each window is used to its end, the one of the change as well.
		const windows = service.served.map((at) => Math.floor((at - start) / 3000));
		expect([0, 1, 2].map((number) => windows.filter((window) => window === number).length)).toEqual([30, 30, 10]);
	});

	test('a service without any rate-limit header is asked carefully once it has refused', async () => {
		const time = new SimulatedTime();
		const service = new SimulatedService(time, serviceSettings(randomFrom(3), { headers: false }));
		await time.run(sendMany(new RateLimiter(time.clock(1)), service, time, 150), HOUR);
		expect(service.served).toHaveLength(150);
		expect(service.refused).toBeLessThan(75);
	});

	test('an answer without headers between others takes a place and teaches nothing', async () => {
		const time = new SimulatedTime();
		const limiter = new RateLimiter(time.clock(1));
		const reset = String(time.now() + 5000);
		const work = async () => {
			(await limiter.acquire({ caller: {} })).release({
				refused: false,
				headers: { 'x-ratelimit-remaining': '2', 'x-ratelimit-reset': reset },
			});
			(await limiter.acquire({ caller: {} })).release({ refused: false, headers: {} });
			(await limiter.acquire({ caller: {} })).release({ refused: false, headers: {} });
			const before = time.now();
			await limiter.acquire({ caller: {} });
			return time.now() - before;
		};
		const waited = work();
		await time.run(waited, HOUR);
		expect(await waited).toBeGreaterThanOrEqual(5000);
	});
});

describe('a key that others use too', () => {
	const ROUNDS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

	test.each<[string, (random: () => number) => number]>([
		['on a quick line', (random) => 1 + random() * 4],
		['on a slow line', (random) => 20 + random() * 100],
		[
			'with some requests held up on their way',
			(random) => (random() < 0.1 ? 100 + random() * 200 : 1 + random() * 10),
		],
	])(
		'four processes that know nothing of each other, %s: all served, few refused, little time lost',
		async (_line, latency) => {
			const refused: number[] = [];
			const speed: number[] = [];
			for (const round of ROUNDS) {
				const time = new SimulatedTime();
				const random = randomFrom(round);
				const service = new SimulatedService(time, serviceSettings(random, { latency: () => latency(random) }));
				const start = time.now();
				const processes = [1, 2, 3, 4].map(
					async (seed) => await sendMany(new RateLimiter(time.clock(10 * round + seed)), service, time, 150),
				);
				await time.run(Promise.all(processes), HOUR);
				expect(service.served).toHaveLength(600);
				refused.push(service.refused / (600 + service.refused));
				speed.push((19 * 3000) / (Math.max(...service.served) - start));
			}
			expect(median(refused)).toBeLessThanOrEqual(0.03);
			expect(median(speed)).toBeGreaterThanOrEqual(0.92);
		},
	);

	test('four processes on a window that slides: all served, however many are refused', async () => {
		const time = new SimulatedTime();
		const service = new SimulatedService(time, serviceSettings(randomFrom(5), { kind: 'sliding' }));
		const processes = [1, 2, 3, 4].map(
			async (seed) => await sendMany(new RateLimiter(time.clock(seed)), service, time, 150),
		);
		await time.run(Promise.all(processes), HOUR);
		expect(service.served).toHaveLength(600);
	});
});

describe('fairness', () => {
	test('a single request that comes in during a long run is served within one window', async () => {
		const time = new SimulatedTime();
		const service = new SimulatedService(time, serviceSettings(randomFrom(5)));
		const limiter = new RateLimiter(time.clock(1));
		const run = sendMany(limiter, service, time, 1000);
		const single = (async () => {
			await time.sleep(20_000);
			const asked = time.now();
			return (await send(limiter, service, time, { caller: {} })) - asked;
		})();
		await time.run(Promise.all([run, single]), HOUR);
		expect(await single).toBeLessThan(3100);
	});
});

describe('who does not want to wait', () => {
	async function usedUp(time: SimulatedTime, limiter: RateLimiter, resetIn: number): Promise<void> {
		const permit = await limiter.acquire({ caller: {} });
		permit.release({
			refused: false,
			headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(time.now() + resetIn) },
		});
	}

	test('fail-fast fails at once, with the time of the reset', async () => {
		const time = new SimulatedTime();
		const limiter = new RateLimiter(time.clock(1));
		await usedUp(time, limiter, 42_000);
		const error: unknown = await limiter.acquire({ caller: {}, failFast: true }).catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(RateLimitError);
		expect((error as RateLimitError).waitMs).toBeGreaterThanOrEqual(42_000);
		expect((error as RateLimitError).waitMs).toBeLessThan(43_000);
	});

	test('a wait above ten minutes fails at once when a request has tried it, one below does not', async () => {
		const time = new SimulatedTime();
		const long = new RateLimiter(time.clock(1));
		await usedUp(time, long, LONGEST_WAIT + 5000);
		const tries = await long.acquire({ caller: {} });
		const others = [false, true].map(async (failFast) => await long.acquire({ caller: {}, failFast }));
		const reset = String(time.now() + LONGEST_WAIT + 5000);
		tries.release({ refused: true, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } });
		for (const other of others) await expect(other).rejects.toBeInstanceOf(RateLimitError);
		const short = new RateLimiter(time.clock(1));
		await usedUp(time, short, LONGEST_WAIT - 5000);
		await time.run(short.acquire({ caller: {} }), LONGEST_WAIT);
	});

	test('a signal ends the wait at once, and the place in the queue is given up', async () => {
		const time = new SimulatedTime();
		const limiter = new RateLimiter(time.clock(1));
		await usedUp(time, limiter, 60_000);
		const stop = new AbortController();
		const stopped = Array.from(
			{ length: 5000 },
			async () => await limiter.acquire({ caller: stop, signal: stop.signal }),
		);
		const other = limiter.acquire({ caller: {} });
		const began = Date.now();
		stop.abort();
		const results = await Promise.allSettled(stopped);
		expect(Date.now() - began).toBeLessThan(5000);
		expect(results.every((result) => result.status === 'rejected' && result.reason instanceof StoppedError)).toBe(true);
		await time.run(other, 61_000);
	});

	test('the time that somebody was held up ends when the last one stops waiting, or is turned away', async () => {
		const time = new SimulatedTime();
		const limiter = new RateLimiter(time.clock(1));
		await usedUp(time, limiter, 60_000);
		const stop = new AbortController();
		const waiting = limiter.acquire({ caller: {}, signal: stop.signal }).catch((error: unknown) => error);
		await time.run(time.sleep(5000), 6000);
		stop.abort();
		await waiting;
		await limiter.acquire({ caller: {}, failFast: true }).catch((error: unknown) => error);
		await time.run(time.sleep(20_000), 21_000);
		expect(limiter.heldUp).toBe(5000);
	});

	test('a signal that has fired already sends nothing', async () => {
		const time = new SimulatedTime();
		await expect(
			new RateLimiter(time.clock(1)).acquire({ caller: {}, signal: AbortSignal.abort() }),
		).rejects.toBeInstanceOf(StoppedError);
	});
});

describe('who waits in front of a screen', () => {
	test.each<[string, Partial<ServiceSettings>, secondsMore: number]>([
		['fixed windows', { kind: 'fixed', reset: 'seconds' }, 0],
		['windows that refuse through a whole second', { kind: 'wholeSeconds', reset: 'seconds', retryAfter: 'body' }, 1],
	])('is served within two seconds while 500 rows are under way: %s', async (_name, given, secondsMore) => {
		const inTime: boolean[] = [];
		const shares: number[] = [];
		for (const seed of [1, 2, 3, 4, 5, 6]) {
			const random = randomFrom(seed);
			const time = new SimulatedTime(1_800_000_000_000 + Math.floor(random() * 60_000));
			const windowMs = 60_000;
			const latency = () => 20 + random() * 60;
			const service = new SimulatedService(time, serviceSettings(random, { windowMs, latency, ...given }));
			const limiter = new RateLimiter(time.clock(seed));
			const start = time.now();
			const cycle = windowMs + 1000 * secondsMore;
			const firstEnd =
				given.kind === 'fixed'
					? (Math.floor(start / windowMs) + 1) * windowMs
					: (Math.floor((start + windowMs) / 1000) + 1) * 1000;
			let done = false;
			const bulk = sendMany(limiter, service, time, 500).then((served) => {
				done = true;
				return Math.max(...served);
			});
			const screen = (async () => {
				for (let window = -1; !done; window++) {
					await time.sleep(firstEnd + (window + random()) * cycle - time.now());
					const asked = time.now();
					await send(limiter, service, time, { caller: {}, interactive: true });
					inTime.push(time.now() - asked <= 2000);
				}
			})();
			let last = 0;
			await time.run(Promise.all([bulk.then((at) => (last = at)), screen]), HOUR);
			const granted = service.served.filter((at) => at <= last).length;
			const ideal = firstEnd - start + (Math.ceil(granted / 30) - 2) * cycle;
			shares.push(ideal / (last - start));
			expect(service.refused).toBeLessThanOrEqual(secondsMore);
		}
		expect(inTime.length).toBeGreaterThan(90);
		expect(inTime.filter(Boolean).length / inTime.length).toBeGreaterThanOrEqual(0.9);
		expect(Math.min(...shares)).toBeGreaterThan(0.97);
	});

	test('a stream of single requests and a long run share the places half and half', async () => {
		const time = new SimulatedTime();
		const service = new SimulatedService(time, serviceSettings(randomFrom(8)));
		const limiter = new RateLimiter(time.clock(1));
		const singles = Promise.all(
			Array.from({ length: 300 }, async () => await send(limiter, service, time, { caller: {}, interactive: true })),
		);
		const bulk = sendMany(limiter, service, time, 300);
		await time.run(Promise.all([singles, bulk]), HOUR);
		const halfTime = Math.max(...(await bulk));
		expect(Math.abs(Math.max(...(await singles)) - halfTime)).toBeLessThan(3500);
	});
});

describe('a key that others use up, under a daily window', () => {
	const DAY = 24 * HOUR;
	const shared = (time: SimulatedTime) =>
		new SimulatedService(time, serviceSettings(randomFrom(9), { limit: 40, windowMs: DAY, reset: 'seconds' }));

	/** Asks for permits until one is refused for good, while another client takes three places for each of ours. */
	async function untilTurnedAway(
		time: SimulatedTime,
		request: PermitRequest,
	): Promise<{ longest: number; served: number }> {
		const service = shared(time);
		const limiter = new RateLimiter(time.clock(1));
		let longest = 0;
		let served = 0;
		for (;;) {
			const asked = time.now();
			const error = await send(limiter, service, time, request).then(
				() => undefined,
				(reason: Error) => reason,
			);
			longest = Math.max(longest, time.now() - asked);
			if (error instanceof RateLimitError) return { longest, served };
			if (error !== undefined) throw error;
			served++;
			for (let times = 0; times < 3; times++) service.foreign();
		}
	}

	test('who fails fast is served while there is room, and fails at once when there is none', async () => {
		const time = new SimulatedTime();
		const seen = untilTurnedAway(time, { caller: {}, failFast: true });
		await time.run(seen, HOUR);
		expect((await seen).served).toBe(10);
		expect((await seen).longest).toBeLessThan(1000);
	});

	test('who waits does so for ten minutes at most', async () => {
		const time = new SimulatedTime();
		const seen = untilTurnedAway(time, { caller: {} });
		await time.run(seen, HOUR);
		expect((await seen).served).toBeGreaterThan(8);
		expect((await seen).longest).toBeLessThan(LONGEST_WAIT);
	});

	test('who is refused again and again waits for ten minutes in all', async () => {
		const time = new SimulatedTime();
		const limiter = new RateLimiter(time.clock(1));
		const asked = time.now();
		const work = (async () => {
			for (let again = false; ; again = true) {
				const permit = await limiter.acquire({ caller: {}, again });
				permit.release({ refused: true, headers: {}, retryAfter: 50_000 });
			}
		})().catch((error: unknown) => error);
		await time.run(work, HOUR);
		expect(await work).toBeInstanceOf(RateLimitError);
		expect(time.now() - asked).toBeGreaterThan(LONGEST_WAIT - 70_000);
		expect(time.now() - asked).toBeLessThanOrEqual(LONGEST_WAIT);
	});
});

test.each<[string, Record<string, string>]>([
	['a reset a hundred years ahead', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4900000000' }],
	['a reset in nanoseconds', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4900000000000000000' }],
	['a Retry-After of a century', { 'retry-after': '3155760000' }],
])('%s: a request a minute feels the way, no timer runs longer, and the time can be shown', async (_name, headers) => {
	const time = new SimulatedTime();
	const timers: number[] = [];
	const sleep = async (milliseconds: number) => {
		timers.push(milliseconds);
		await time.sleep(milliseconds);
	};
	const limiter = new RateLimiter({ ...time.clock(1), sleep });
	const start = time.now();
	const felt: number[] = [];
	const work = (async () => {
		while (time.now() - start < 10 * 60_000) {
			const permit = await limiter.acquire({ caller: {} }).catch(async (error: RateLimitError) => {
				expect(new Date(error.retryAt).toISOString()).toMatch(/^20/);
				await time.sleep(1000);
			});
			if (!permit) continue;
			felt.push(time.now() - start);
			permit.release({ refused: true, headers });
		}
	})();
	await time.run(work, HOUR);
	expect(felt.length).toBeGreaterThanOrEqual(10);
	expect(Math.max(...felt.slice(1).map((at, index) => at - felt[index]))).toBeLessThanOrEqual(61_000);
	expect(Math.max(0, ...timers)).toBeLessThanOrEqual(60_000);
});

test('ten thousand rows and a reset that is far off: a handful of timers', async () => {
	const time = new SimulatedTime();
	let timers = 0;
	const sleep = async (milliseconds: number) => {
		timers++;
		await time.sleep(milliseconds);
	};
	const limiter = new RateLimiter({ ...time.clock(1), sleep });
	const first = await limiter.acquire({ caller: {} });
	const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(time.now() + 500_000) };
	first.release({ refused: false, headers });
	const stop = new AbortController();
	const caller = {};
	const rows = Array.from({ length: 10_000 }, async () => await limiter.acquire({ caller, signal: stop.signal }));
	stop.abort();
	const ended = await Promise.allSettled(rows);
	expect(ended.every(({ status }) => status === 'rejected')).toBe(true);
	expect(timers).toBeLessThan(5);
});

test('nothing is left behind: no listener, nobody who waits, nothing on the way', async () => {
	const time = new SimulatedTime();
	const service = new SimulatedService(time, serviceSettings(randomFrom(12), { limit: 1000 }));
	const limiter = new RateLimiter(time.clock(1));
	const { signal } = new AbortController();
	const rows = Array.from({ length: 500 }, async () => await send(limiter, service, time, { caller: {}, signal }));
	await time.run(Promise.all(rows), HOUR);
	expect(getEventListeners(signal, 'abort')).toHaveLength(0);
	expect(limiter.isBusy).toBe(false);
});

test('thirty-four requests that never come back do not hold up the others for good', async () => {
	const time = new SimulatedTime();
	const limiter = new RateLimiter(time.clock(1));
	const service = new SimulatedService(time, serviceSettings(randomFrom(7)));
	const hung = sendMany(limiter, service, time, 40).then(async () => {
		for (let lost = 0; lost < 34; lost++) await limiter.acquire({ caller: {} });
	});
	await time.run(hung, HOUR);
	const start = time.now();
	await time.run(sendMany(limiter, service, time, 300), HOUR);
	// Half a minute until their connections count no more, and then the windows that 300 take.
	expect(time.now() - start).toBeLessThan(30_000 + 15 * 3000);
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

	test('every request is served, none waits without end or gives up before ten minutes, and no more are on the way than the service said', async () => {
		await fc.assert(
			fc.asyncProperty(history, async (h) => {
				const time = new SimulatedTime();
				const random = randomFrom(h.seed);
				const service = new SimulatedService(time, { ...h, latency: () => 1 + random() * h.slowest });
				const limiter = new RateLimiter(time.clock(h.seed));
				const rows = h.callers.reduce((sum, count) => sum + count, 0);
				let onTheWay = 0;
				let done = 0;
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
							if (!(error instanceof RateLimitError) || error.retryAt - servedAt <= LONGEST_WAIT) throw error;
							await time.sleep(error.waitMs);
							if (!request.again && asked + LONGEST_WAIT > error.retryAt) throw error;
						}
					}
				};
				const row = async (caller: object) => {
					for (let again = false; ; again = true) {
						const permit = await permitFor({ caller, again });
						onTheWay++;
						const recent = said.filter(({ at }) => at > time.now() - h.windowMs - 20_000);
						const most = h.headers ? Math.max(1, ...recent.map(({ remaining }) => remaining)) : MOST_IN_FLIGHT;
						// Of a window that slides, each of the own requests that has just dropped out makes room for one.
						const free = served.filter(
							(at) => h.kind === 'sliding' && Math.abs(time.now() - at - h.windowMs) < 1000,
						).length;
						// One more may feel the way into a new window while the last ones of the old are on their way back. Slow answers stop
						// counting after a while: they may not hold up the rest.
						if (h.slowest < 2500 && onTheWay > Math.min(most + 1 + free, MOST_IN_FLIGHT))
							throw new Error(`${onTheWay} on the way, ${most} allowed`);
						const answer = await service.request();
						onTheWay--;
						if (random() < h.lossRate) {
							permit.release();
							continue;
						}
						if (h.headers) said.push({ at: time.now(), remaining: Number(answer.headers['x-ratelimit-remaining']) });
						if (answer.statusCode === 200) served.push((servedAt = time.now()));
						permit.release(heard(answer));
						if (answer.statusCode === 200) break;
					}
					done++;
				};
				const others = (async () => {
					for (let turns = 0; h.foreignEvery !== null && turns < 200; turns++) {
						await time.sleep(h.foreignEvery);
						service.foreign();
					}
				})();
				void others;
				if (h.newLimit !== null) void time.sleep(h.windowMs * 1.5).then(() => (service.settings.limit = h.newLimit!));
				const work = h.callers.flatMap((count) => {
					const caller = {};
					return Array.from({ length: count }, async () => await row(caller));
				});
				await time.run(Promise.all(work), 40 * HOUR);
				expect(done).toBe(rows);
			}),
			{ numRuns: 400 },
		);
	}, 120_000);
});
