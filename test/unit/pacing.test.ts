import * as fc from 'fast-check';

import {
	Budget,
	LONGEST_WAIT,
	MOST_IN_FLIGHT,
	RateLimitError,
	type TurnRequest,
} from '../../nodes/LinkManagement/service/pacing';
import { StoppedError } from '../../nodes/LinkManagement/service/stopping';
import { SimulatedService, type ServiceSettings } from './simulation/service';
import { randomFrom, SimulatedTime } from './simulation/time';

const HOUR = 3_600_000;

function serviceSettings(random: () => number, given: Partial<ServiceSettings> = {}): ServiceSettings {
	return {
		limit: 30,
		windowMs: 3000,
		kind: 'fixed',
		reset: 'milliseconds',
		headers: true,
		retryAfter: false,
		skew: 0,
		latency: () => 1 + random() * 4,
		...given,
	};
}

/** Sends one request until it is not refused, and gives the time at which it was served. */
async function send(budget: Budget, service: SimulatedService, time: SimulatedTime, request: TurnRequest): Promise<number> {
	for (let again = false; ; again = true) {
		const turn = await budget.turn({ ...request, again });
		const answer = await service.request();
		turn.answered(answer);
		if (answer.statusCode === 200) return time.now();
	}
}

async function sendMany(budget: Budget, service: SimulatedService, time: SimulatedTime, rows: number): Promise<number[]> {
	const caller = {};
	return await Promise.all(Array.from({ length: rows }, async () => await send(budget, service, time, { caller })));
}

describe('a key of our own', () => {
	test.each<[string, Partial<ServiceSettings>]>([
		['fixed window, reset in seconds', { reset: 'seconds' }],
		['fixed window, reset in milliseconds', { reset: 'milliseconds' }],
		['fixed window, reset as a date', { reset: 'date' }],
		['fixed window, service clock ten seconds ahead', { reset: 'seconds', skew: 10_300 }],
		['fixed window, service clock an hour behind', { reset: 'milliseconds', skew: -HOUR }],
		['sliding window', { kind: 'sliding' }],
	])('%s: every request served, none refused, hardly a window lost', async (_name, given) => {
		const time = new SimulatedTime();
		const service = new SimulatedService(time, serviceSettings(randomFrom(1), given));
		const start = time.now();
		await time.run(sendMany(new Budget(time.clock(1)), service, time, 300), HOUR);
		expect(service.served).toHaveLength(300);
		// A clock that differs is found out by halves, at the price of a few refusals at the start.
		expect(service.refused).toBeLessThanOrEqual(given.skew === undefined ? 0 : 6);
		const ideal = 9 * 3000;
		expect(ideal / (Math.max(...service.served) - start)).toBeGreaterThan(0.95);
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
		await time.run(Promise.all([sendMany(new Budget(time.clock(1)), service, time, 400), change]), HOUR);
		expect(service.served).toHaveLength(400);
		expect(service.refused).toBeLessThanOrEqual(2);
	});

	test('a limit that falls a thousandfold is not taken for others who use the key', async () => {
		const time = new SimulatedTime();
		const service = new SimulatedService(time, serviceSettings(randomFrom(2), { limit: 1_000_000 }));
		const budget = new Budget(time.clock(1));
		const start = time.now();
		const work = async () => {
			await sendMany(budget, service, time, 10);
			service.settings.limit = 30;
			await sendMany(budget, service, time, 60);
		};
		await time.run(work(), HOUR);
		// Each window is used to its end, the one of the change as well.
		const windows = service.served.map((at) => Math.floor((at - start) / 3000));
		expect([0, 1, 2].map((number) => windows.filter((window) => window === number).length)).toEqual([30, 30, 10]);
	});

	test('a service without any rate-limit header is asked carefully once it has refused', async () => {
		const time = new SimulatedTime();
		const service = new SimulatedService(time, serviceSettings(randomFrom(3), { headers: false }));
		await time.run(sendMany(new Budget(time.clock(1)), service, time, 150), HOUR);
		expect(service.served).toHaveLength(150);
		expect(service.refused).toBeLessThan(75);
	});

	test('Retry-After is kept to', async () => {
		const time = new SimulatedTime();
		const budget = new Budget(time.clock(1));
		const work = async () => {
			const turn = await budget.turn({ caller: {} });
			turn.answered({ statusCode: 429, headers: { 'retry-after': '7' } });
			const before = time.now();
			await budget.turn({ caller: {} });
			return time.now() - before;
		};
		const waited = work();
		await time.run(waited, HOUR);
		expect(await waited).toBeGreaterThanOrEqual(7000);
		expect(await waited).toBeLessThan(7500);
	});

	test('an answer without headers between others takes a place and teaches nothing', async () => {
		const time = new SimulatedTime();
		const budget = new Budget(time.clock(1));
		const reset = String(time.now() + 5000);
		const work = async () => {
			(await budget.turn({ caller: {} })).answered({ statusCode: 200, headers: { 'x-ratelimit-remaining': '2', 'x-ratelimit-reset': reset } });
			(await budget.turn({ caller: {} })).answered({ statusCode: 502, headers: {} });
			(await budget.turn({ caller: {} })).answered({ statusCode: 502, headers: {} });
			const before = time.now();
			await budget.turn({ caller: {} });
			return time.now() - before;
		};
		const waited = work();
		await time.run(waited, HOUR);
		expect(await waited).toBeGreaterThanOrEqual(5000);
	});
});

describe('a key that others use too', () => {
	test.each<[string, (random: () => number) => number]>([
		['on a quick line', (random) => 1 + random() * 4],
		['on a slow line', (random) => 20 + random() * 100],
		['with some requests held up on their way', (random) => (random() < 0.1 ? 100 + random() * 200 : 1 + random() * 10)],
	])('four processes that know nothing of each other, %s: all served, few refused, little time lost', async (_line, latency) => {
		const time = new SimulatedTime();
		const random = randomFrom(4);
		const service = new SimulatedService(time, serviceSettings(random, { latency: () => latency(random) }));
		const start = time.now();
		const processes = [1, 2, 3, 4].map(async (seed) => await sendMany(new Budget(time.clock(seed)), service, time, 150));
		await time.run(Promise.all(processes), HOUR);
		expect(service.served).toHaveLength(600);
		expect(service.refused / (600 + service.refused)).toBeLessThan(0.05);
		expect((19 * 3000) / (Math.max(...service.served) - start)).toBeGreaterThan(0.9);
	});
});

describe('fairness', () => {
	test('a single request that comes in during a long run is served within one window', async () => {
		const time = new SimulatedTime();
		const service = new SimulatedService(time, serviceSettings(randomFrom(5)));
		const budget = new Budget(time.clock(1));
		const run = sendMany(budget, service, time, 1000);
		const single = (async () => {
			await time.sleep(20_000);
			const asked = time.now();
			return (await send(budget, service, time, { caller: {} })) - asked;
		})();
		await time.run(Promise.all([run, single]), HOUR);
		expect(await single).toBeLessThan(3100);
	});

	test('the requests of one caller go out in their order', async () => {
		const time = new SimulatedTime();
		const service = new SimulatedService(time, serviceSettings(randomFrom(6), { limit: 7 }));
		const budget = new Budget(time.clock(1));
		const order: number[] = [];
		const caller = {};
		const rows = Array.from({ length: 50 }, async (_, row) => {
			const turn = await budget.turn({ caller });
			order.push(row);
			turn.answered(await service.request());
		});
		await time.run(Promise.all(rows), HOUR);
		expect(order).toEqual([...order].sort((one, other) => one - other));
	});
});

describe('who does not want to wait', () => {
	async function usedUp(time: SimulatedTime, budget: Budget, resetIn: number): Promise<void> {
		const turn = await budget.turn({ caller: {} });
		turn.answered({ statusCode: 200, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(time.now() + resetIn) } });
	}

	test('fail-fast fails at once, with the time of the reset', async () => {
		const time = new SimulatedTime();
		const budget = new Budget(time.clock(1));
		await usedUp(time, budget, 42_000);
		const error: unknown = await budget.turn({ caller: {}, failFast: true }).catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(RateLimitError);
		expect((error as RateLimitError).waitMs).toBeGreaterThanOrEqual(42_000);
		expect((error as RateLimitError).waitMs).toBeLessThan(43_000);
	});

	test('a wait above ten minutes fails, one below does not', async () => {
		const time = new SimulatedTime();
		const long = new Budget(time.clock(1));
		await usedUp(time, long, LONGEST_WAIT + 5000);
		await expect(long.turn({ caller: {} })).rejects.toBeInstanceOf(RateLimitError);
		const short = new Budget(time.clock(1));
		await usedUp(time, short, LONGEST_WAIT - 5000);
		await time.run(short.turn({ caller: {} }), LONGEST_WAIT);
	});

	test('a signal ends the wait at once, and the place in the queue is given up', async () => {
		const time = new SimulatedTime();
		const budget = new Budget(time.clock(1));
		await usedUp(time, budget, 60_000);
		const stop = new AbortController();
		const stopped = Array.from({ length: 5000 }, async () => await budget.turn({ caller: stop, signal: stop.signal }));
		const other = budget.turn({ caller: {} });
		const began = Date.now();
		stop.abort();
		const results = await Promise.allSettled(stopped);
		expect(Date.now() - began).toBeLessThan(1000);
		expect(results.every((result) => result.status === 'rejected' && result.reason instanceof StoppedError)).toBe(true);
		await time.run(other, 61_000);
	});

	test('a signal that has fired already sends nothing', async () => {
		const time = new SimulatedTime();
		await expect(new Budget(time.clock(1)).turn({ caller: {}, signal: AbortSignal.abort() })).rejects.toBeInstanceOf(StoppedError);
	});
});

test('requests that never come back do not hold up the others for good', async () => {
	const time = new SimulatedTime();
	const budget = new Budget(time.clock(1));
	const service = new SimulatedService(time, serviceSettings(randomFrom(7)));
	await budget.turn({ caller: {} });
	await time.run(sendMany(budget, service, time, 100), HOUR);
	expect(service.served).toHaveLength(100);
});

test('a budget is forgotten only when nobody uses it and nothing it knows matters', async () => {
	const time = new SimulatedTime();
	const budget = new Budget(time.clock(1));
	const turn = await budget.turn({ caller: {} });
	expect(budget.isIdle(time.now() + 2 * LONGEST_WAIT)).toBe(false);
	turn.answered({ statusCode: 200, headers: {} });
	expect(budget.isIdle(time.now() + 1000)).toBe(false);
	expect(budget.isIdle(time.now() + 2 * LONGEST_WAIT)).toBe(true);
});

describe('whatever the service does', () => {
	const history = fc.record({
		seed: fc.integer({ min: 1, max: 1e9 }),
		limit: fc.integer({ min: 1, max: 60 }),
		windowMs: fc.constantFrom(1000, 3000, 10_000, 60_000),
		kind: fc.constantFrom('fixed' as const, 'sliding' as const),
		reset: fc.constantFrom('seconds' as const, 'milliseconds' as const, 'date' as const, 'none' as const),
		headers: fc.boolean(),
		retryAfter: fc.boolean(),
		skew: fc.integer({ min: -HOUR, max: HOUR }),
		slowest: fc.constantFrom(2, 20, 300, 4000),
		callers: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
		foreignEvery: fc.option(fc.integer({ min: 50, max: 5000 })),
		newLimit: fc.option(fc.integer({ min: 1, max: 60 })),
		lossRate: fc.constantFrom(0, 0, 0.1),
	});

	test('every request is served, none waits without end, and no more are on the way than the service said', async () => {
		await fc.assert(
			fc.asyncProperty(history, async (h) => {
				const time = new SimulatedTime();
				const random = randomFrom(h.seed);
				const service = new SimulatedService(time, { ...h, latency: () => 1 + random() * h.slowest });
				const budget = new Budget(time.clock(h.seed));
				const rows = h.callers.reduce((sum, count) => sum + count, 0);
				let onTheWay = 0;
				let done = 0;
				const said: Array<{ at: number; remaining: number }> = [];
				const row = async (caller: object) => {
					for (let again = false; ; again = true) {
						const turn = await budget.turn({ caller, again });
						onTheWay++;
						const recent = said.filter(({ at }) => at > time.now() - h.windowMs - 20_000);
						const most = h.headers ? Math.max(1, ...recent.map(({ remaining }) => remaining)) : MOST_IN_FLIGHT;
						// One more may feel the way into a new window while the last ones of the old are on their way back. Slow answers stop
						// counting after a while: they may not hold up the rest.
						if (h.slowest < 2500 && onTheWay > Math.min(most + 1, MOST_IN_FLIGHT)) throw new Error(`${onTheWay} on the way, ${most} allowed`);
						const answer = await service.request();
						onTheWay--;
						if (random() < h.lossRate) {
							turn.lost();
							continue;
						}
						if (h.headers) said.push({ at: time.now(), remaining: Number(answer.headers['x-ratelimit-remaining']) });
						turn.answered(answer);
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
			{ numRuns: 2000 },
		);
	}, 120_000);
});
