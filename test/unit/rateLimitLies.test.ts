/** The limiter beside services that lie about their limit, refuse at random, never answer, or change: what holds all the same. */
import * as fc from 'fast-check';

import { RateLimiter, RateLimitError, type PermitRequest } from '../../nodes/LinkManagement/rateLimit/rateLimiter';
import { serviceSettings, SimulatedService, type ServiceSettings } from './simulation/service';
import { randomFrom, SimulatedTime } from './simulation/time';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What a service does with a request, and what it says. */
type Manner = 'serves' | 'refuses' | 'eitherWay';

/** A service whose headers are as good as random. */
class LyingService {
	manner: Manner = 'serves';
	/** When requests were sent, and when the first of them was refused since the manner was set. */
	sent: number[] = [];
	refusedAt = Infinity;

	constructor(
		private readonly time: SimulatedTime,
		private readonly random: () => number,
		/** How often a request never returns. */
		private readonly lost: number,
	) {}

	private one<T>(...choices: T[]): T {
		return choices[Math.floor(this.random() * choices.length)];
	}

	private headers(): Record<string, unknown> {
		const { random } = this;
		const now = this.time.now();
		const count = () =>
			this.one('0', '0', '1', '7', '30', '-3', '2.5', '1e9', 'many', '', '999999999999999', undefined);
		const ahead = this.one(-HOUR, -1000, 1, 100, 1000 * random(), 3000, MINUTE, 30 * MINUTE, 400 * 24 * HOUR);
		const at = now + ahead;
		const reset = this.one<unknown>(at, at / 1000, Math.floor(at / 1000), ahead / 1000, at * 1000, 'soon', undefined);
		return {
			date: this.one(undefined, 'now', new Date(now + this.one(0, 0, 1500 * random(), -HOUR)).toUTCString()),
			'x-ratelimit-limit': count(),
			'x-ratelimit-remaining': count(),
			'x-ratelimit-reset': reset === undefined ? undefined : this.one<unknown>(String(reset), reset, [String(reset)]),
			'retry-after': this.one(undefined, '0', '0.001', '-5', '3', 'later', '1e400', '99999999'),
		};
	}

	/** @returns whether it was refused; undefined when no answer ever comes */
	async request(): Promise<{ refused: boolean; headers: Record<string, unknown>; retryAfter?: number } | undefined> {
		this.sent.push(this.time.now());
		await this.time.sleep(1 + 100 * this.random());
		const refused = this.manner === 'refuses' || (this.manner === 'eitherWay' && this.random() < 0.5);
		if (refused) this.refusedAt = Math.min(this.refusedAt, this.time.now());
		if (this.random() < this.lost) return undefined;
		const retryAfter = refused ? this.one(undefined, undefined, 0, 1, 41_000, 1e300) : undefined;
		return { refused, headers: this.headers(), ...(retryAfter === undefined ? {} : { retryAfter }) };
	}
}

/** Sends one request until it is taken; who is turned away asks again some seconds later. */
async function untilTaken(
	limiter: RateLimiter,
	service: LyingService,
	time: SimulatedTime,
	request: PermitRequest,
): Promise<void> {
	for (let again = false; ; again = true) {
		const permit = await limiter.acquire({ ...request, again }).catch((error: unknown) => {
			if (!(error instanceof RateLimitError)) throw error;
			expect(new Date(error.retryAt).toISOString()).toMatch(/^20/);
		});
		if (!permit) {
			await time.sleep(5000);
			continue;
		}
		const answer = await service.request();
		// Who sent it never hears of it, and sends it again.
		if (answer === undefined) {
			await time.sleep(MINUTE);
			continue;
		}
		permit.release(answer);
		if (!answer.refused) return;
	}
}

/** A clock whose timers are finite, and counted. */
function countingClock(time: SimulatedTime, seed: number) {
	const timers = { count: 0 };
	const sleep = async (milliseconds: number) => {
		if (!(milliseconds >= 0 && milliseconds <= MINUTE)) throw new Error(`A timer of ${milliseconds} ms`);
		timers.count++;
		await time.sleep(milliseconds);
	};
	return { clock: { ...time.clock(seed), sleep }, timers };
}

/** The most that were sent within one second, from a time on. */
function mostInASecond(sent: readonly number[], from: number): number {
	const later = sent.filter((at) => at > from);
	return Math.max(0, ...later.map((at) => later.filter((other) => other >= at && other < at + 1000).length));
}

const lies = fc.record({
	seed: fc.integer({ min: 1, max: 1e9 }),
	lost: fc.constantFrom(0, 0, 0.05, 0.3),
	callers: fc.array(fc.record({ failFast: fc.boolean(), interactive: fc.boolean() }), { minLength: 1, maxLength: 4 }),
});

test('whatever a service says: no wait for NaN, two requests a second at most while it refuses all, and on as soon as it serves', async () => {
	await fc.assert(
		fc.asyncProperty(lies, async ({ seed, lost, callers }) => {
			const time = new SimulatedTime();
			const service = new LyingService(time, randomFrom(seed), lost);
			const { clock, timers } = countingClock(time, seed);
			const limiter = new RateLimiter(clock);
			const rows = async (count: number) =>
				await Promise.all(
					callers.flatMap((manner) => {
						const caller = {};
						return Array.from(
							{ length: count },
							async () => await untilTaken(limiter, service, time, { caller, ...manner }),
						);
					}),
				);
			service.manner = fc.sample(fc.constantFrom<Manner>('serves', 'eitherWay', 'refuses'), { seed, numRuns: 1 })[0];
			if (service.manner !== 'refuses') await time.run(rows(4), 20 * HOUR);

			service.manner = 'refuses';
			service.refusedAt = Infinity;
			const waiting = rows(3);
			await time.run(time.sleep(10 * MINUTE), HOUR);
			expect(mostInASecond(service.sent, service.refusedAt)).toBeLessThanOrEqual(2);

			service.manner = 'serves';
			await time.run(waiting, 5 * HOUR);
			expect(timers.count).toBeLessThan(20 * service.sent.length + 10_000);
		}),
		{ numRuns: 25 },
	);
}, 240_000);

const honest = (random: () => number, given: Partial<ServiceSettings> = {}) =>
	serviceSettings(random, { latency: () => 1 + random() * 9, ...given });

/** Sends so many at once, and gives the time when the last was served. */
async function sendAll(limiter: RateLimiter, service: SimulatedService, time: SimulatedTime, rows: number) {
	const caller = {};
	const row = async () => {
		for (let again = false; ; again = true) {
			const permit = await limiter.acquire({ caller, again });
			const { statusCode, headers, retryAfter } = await service.request();
			permit.release({ refused: statusCode === 429, headers, retryAfter });
			if (statusCode === 200) return;
		}
	};
	await Promise.all(Array.from({ length: rows }, row));
	return time.now();
}

describe('what stops being true is forgotten', () => {
	test('after a while of lies, an honest service is served at its speed', async () => {
		await fc.assert(
			fc.asyncProperty(lies, async ({ seed }) => {
				const time = new SimulatedTime();
				const random = randomFrom(seed);
				const liar = new LyingService(time, random, 0);
				liar.manner = 'eitherWay';
				const limiter = new RateLimiter(time.clock(seed));
				const lied = Array.from({ length: 30 }, async () => await untilTaken(limiter, liar, time, { caller: limiter }));
				await time.run(Promise.all(lied), 20 * HOUR);
				const service = new SimulatedService(time, honest(random));
				// A few requests find out; a minute is the longest that a lie is believed.
				await time.run(sendAll(limiter, service, time, 60), HOUR);
				const began = time.now();
				service.refused = 0;
				const rows = sendAll(limiter, service, time, 300);
				await time.run(rows, HOUR);
				expect((await rows) - began).toBeLessThan(12 * 3000);
				expect(service.refused).toBeLessThanOrEqual(6);
			}),
			{ numRuns: 10 },
		);
	}, 120_000);

	test('resets that jitter by a second cost hardly a refusal', async () => {
		const time = new SimulatedTime();
		const random = randomFrom(3);
		const service = new SimulatedService(time, honest(random, { windowMs: MINUTE, reset: 'seconds' }));
		const request = service.request.bind(service);
		service.request = async () => {
			const answer = await request();
			const reset = Number(answer.headers['x-ratelimit-reset']) + Math.floor(random() * 3) - 1;
			return { ...answer, headers: { ...answer.headers, 'x-ratelimit-reset': String(reset) } };
		};
		await time.run(sendAll(new RateLimiter(time.clock(3)), service, time, 600), HOUR);
		expect(service.refused).toBeLessThanOrEqual(20);
	});

	test('a service whose windows end late ends them in time again: after an hour no second is lost any more', async () => {
		const time = new SimulatedTime();
		const late = { kind: 'wholeSeconds', reset: 'seconds', retryAfter: 'body' } as const;
		const service = new SimulatedService(time, honest(randomFrom(4), late));
		const limiter = new RateLimiter(time.clock(4));
		await time.run(sendAll(limiter, service, time, 150), HOUR);
		expect(service.refused).toBeLessThanOrEqual(2);
		service.settings.kind = 'fixed';
		await time.run(time.sleep(HOUR), 2 * HOUR);
		const began = time.now();
		const rows = sendAll(limiter, service, time, 300);
		await time.run(rows, HOUR);
		expect((await rows) - began).toBeLessThan(10 * 3000 + 500);
	});

	test('a service that refused without saying how much is left says it now: as many go together as it allows', async () => {
		const time = new SimulatedTime();
		const service = new SimulatedService(time, honest(randomFrom(6), { headers: false, latency: () => 200 }));
		const limiter = new RateLimiter(time.clock(6));
		await time.run(sendAll(limiter, service, time, 60), HOUR);
		service.settings.headers = true;
		service.settings.limit = 1000;
		const began = time.now();
		const rows = sendAll(limiter, service, time, 1000);
		await time.run(rows, HOUR);
		expect((await rows) - began).toBeLessThan(25_000);
	});
});

describe('a reset that is far off', () => {
	const far = (time: SimulatedTime) => ({
		'x-ratelimit-limit': '30',
		'x-ratelimit-remaining': '0',
		'x-ratelimit-reset': String(Math.floor((time.now() + 30 * 24 * HOUR) / 1000)),
	});

	/** Sends rows one after the other, and tells when each was sent and what came of it. */
	async function sendRows(time: SimulatedTime, limiter: RateLimiter, rows: number, takes: (sent: number) => boolean) {
		const sent: number[] = [];
		let failed = 0;
		const row = async () => {
			for (let again = false; ; again = true) {
				const permit = await limiter.acquire({ caller: limiter, again });
				sent.push(time.now());
				await time.sleep(50);
				const isTaken = takes(sent.length);
				permit.release({ refused: !isTaken, headers: far(time) });
				if (isTaken) return;
			}
		};
		const all = Array.from({ length: rows }, async () => await row().catch(() => failed++));
		await time.run(Promise.all(all), 24 * HOUR);
		return { sent, failed };
	}

	test('and untrue: the service takes everything, and no row fails or waits for it', async () => {
		const time = new SimulatedTime();
		const began = time.now();
		const { sent, failed } = await sendRows(time, new RateLimiter(time.clock(1)), 100, () => true);
		expect([sent.length, failed]).toEqual([100, 0]);
		expect(time.now() - began).toBeLessThan(MINUTE);
	});

	test('and true: one request tries, then all rows fail at once; a minute later one tries again', async () => {
		const time = new SimulatedTime();
		const limiter = new RateLimiter(time.clock(1));
		const began = time.now();
		const first = await sendRows(time, limiter, 100, (sent) => sent === 1);
		expect(first).toMatchObject({ failed: 99 });
		expect(first.sent).toHaveLength(2);
		expect(time.now() - began).toBeLessThan(1000);
		expect(await sendRows(time, limiter, 50, () => false)).toEqual({ sent: [], failed: 50 });
		await time.run(time.sleep(MINUTE), HOUR);
		const later = await sendRows(time, limiter, 50, () => false);
		expect(later).toMatchObject({ failed: 50 });
		expect(later.sent).toHaveLength(1);
	});
});
