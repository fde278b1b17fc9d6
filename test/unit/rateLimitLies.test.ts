/** The limiter beside services that lie about their limit, refuse at random, never answer, or change: what holds all the same. */
import * as fc from 'fast-check';

import type { RateLimitAnswer } from '../../nodes/LinkManagement/rateLimit/headers';
import { RateLimitError, type RateLimiter, type PermitRequest } from '../../nodes/LinkManagement/rateLimit/rateLimiter';
import { Simulation } from './simulation/service';
import { HOUR, MINUTE, type SimulatedTime } from './simulation/time';

const YEAR = 365 * 24 * HOUR;

/** What a service does with a request. */
type Manner = 'serves' | 'refuses' | 'eitherWay';

/** A service whose headers are as good as random. */
class LyingService {
	/** When requests were sent, and when the first of them was refused since the manner was set. */
	sent: number[] = [];
	refusedAt = Infinity;
	/** When the first refusal came back since then: one that never arrives teaches nobody anything. */
	heardAt = Infinity;

	constructor(
		private readonly time: SimulatedTime,
		private readonly random: () => number,
		public manner: Manner,
		/** How often a request never returns. */
		private readonly lost = 0,
	) {}

	private one<T>(...choices: T[]): T {
		return choices[Math.floor(this.random() * choices.length)];
	}

	private headers(): Record<string, unknown> {
		const { random } = this;
		const now = this.time.now();
		const count = () =>
			this.one('0', '0', '1', '7', '30', '-3', '2.5', '1e9', 'many', '', '999999999999999', undefined);
		const ahead = this.one(-HOUR, -1000, 1, 100, 1000 * random(), 3000, MINUTE, 30 * MINUTE, YEAR, 98 * YEAR);
		const at = now + ahead;
		const forms = [at, at / 1000, Math.floor(at / 1000), ahead / 1000, at * 1000, at * 1e6, 'soon', undefined];
		const reset = this.one<unknown>(...forms);
		return {
			date: this.one(undefined, 'now', new Date(now + this.one(0, 0, 1500 * random(), -HOUR)).toUTCString()),
			'x-ratelimit-limit': count(),
			'x-ratelimit-remaining': count(),
			'x-ratelimit-reset': reset === undefined ? undefined : this.one<unknown>(String(reset), reset, [String(reset)]),
			'retry-after': this.one(undefined, '0', '0.001', '-5', '3', 'later', '1e400', '99999999', '3155760000'),
		};
	}

	/** @returns undefined when no answer ever comes */
	async request(): Promise<RateLimitAnswer | undefined> {
		this.sent.push(this.time.now());
		await this.time.sleep(1 + 100 * this.random());
		const refused = this.manner === 'refuses' || (this.manner === 'eitherWay' && this.random() < 0.5);
		if (refused) this.refusedAt = Math.min(this.refusedAt, this.time.now());
		if (this.random() < this.lost) return undefined;
		if (refused) this.heardAt = Math.min(this.heardAt, this.time.now());
		const retryAfter = refused ? this.one(undefined, 0, 1, 41_000, 63_000, 1e300) : undefined;
		return { refused, headers: this.headers(), ...(retryAfter !== undefined && { retryAfter }) };
	}
}

/** Sends one request until it is taken; who is turned away asks again some seconds later. */
async function untilTaken(
	limiter: RateLimiter,
	service: LyingService,
	time: SimulatedTime,
	request: PermitRequest,
): Promise<void> {
	for (let triedFor: number | undefined; ; triedFor = 0) {
		const permit = await limiter.acquire({ ...request, triedFor }).catch((error: unknown) => {
			if (!(error instanceof RateLimitError)) throw error;
		});
		if (!permit) {
			await time.sleep(5000);
			continue;
		}
		const answer = await service.request();
		// Each request has an end, also without an answer: it is sent again.
		if (answer === undefined) {
			await time.sleep(MINUTE);
			permit.release();
			continue;
		}
		permit.release(answer);
		if (!answer.refused) return;
	}
}

/** The most that were sent within one second. */
function mostInASecond(sent: readonly number[]): number {
	return Math.max(0, ...sent.map((at) => sent.filter((other) => other >= at && other < at + 1000).length));
}

const seeds = fc.integer({ min: 1, max: 1e9 });
const lies = fc.record({
	seed: seeds,
	before: fc.constantFrom<Manner>('serves', 'eitherWay', 'refuses'),
	lost: fc.constantFrom(0, 0, 0.05, 0.3),
	callers: fc.array(
		fc.record({ maxWait: fc.constantFrom(0, 20_000, Infinity), priority: fc.constantFrom('people', 'polls', 'bulk') }),
		{
			minLength: 1,
			maxLength: 4,
		},
	),
});

test('whatever a service says: one request a minute probes, no timer runs longer, at most two requests a second while it refuses all, and full speed once it serves', async () => {
	await fc.assert(
		fc.asyncProperty(lies, async ({ seed, before, lost, callers }) => {
			const { time, random, limiter } = new Simulation(seed);
			const service = new LyingService(time, random, before, lost);
			const rows = async (count: number) =>
				await Promise.all(
					callers.flatMap((manner) => {
						const request = { caller: {}, ...manner };
						return Array.from({ length: count }, async () => await untilTaken(limiter, service, time, request));
					}),
				);
			if (before !== 'refuses') await time.run(rows(4), 20 * HOUR);

			service.manner = 'refuses';
			Object.assign(service, { refusedAt: Infinity, heardAt: Infinity });
			const waiting = rows(3);
			await time.run(time.sleep(10 * MINUTE), HOUR);
			const sent = service.sent.filter((at) => at > service.refusedAt);
			// Until a refusal is heard, as many go together as the answers before have earned.
			expect(mostInASecond(sent.filter((at) => at > service.heardAt))).toBeLessThanOrEqual(2);
			// A wait of little more than a minute is believed, and who is turned away is back within five seconds.
			const gaps = [...sent, time.now()].map((at, index) => at - (sent[index - 1] ?? service.refusedAt));
			expect(Math.max(...gaps)).toBeLessThan(MINUTE + 11_000);

			service.manner = 'serves';
			await time.run(waiting, 5 * HOUR);
			expect(time.timers.every((milliseconds) => milliseconds >= 0 && milliseconds <= 65_001)).toBe(true);
			expect(time.timers.length).toBeLessThan(20 * service.sent.length + 10_000);
		}),
		{ numRuns: 25 },
	);
}, 900_000);

describe('what stops being true is forgotten', () => {
	test('after a while of lies, an honest service is served at its speed', async () => {
		await fc.assert(
			fc.asyncProperty(seeds, async (seed) => {
				const all = new Simulation(seed, { latency: (random) => 1 + random() * 9 });
				const { time, limiter, service } = all;
				const liar = new LyingService(time, all.random, 'eitherWay');
				const lied = Array.from({ length: 30 }, async () => await untilTaken(limiter, liar, time, { caller: limiter }));
				await time.run(Promise.all(lied), 20 * HOUR);
				// A few requests find out; a minute is the longest that a lie is believed.
				await all.run(all.sendMany(60));
				service.refused = 0;
				expect(await all.run(all.sendMany(300))).toBeLessThan(12 * 3000);
				expect(service.refused).toBeLessThanOrEqual(6);
			}),
			// Found once: a far reset, believed of a window that an answer without headers used up; a count that fell by 10^15.
			{ numRuns: 6, examples: [[27], [11]] },
		);
	}, 600_000);
});

describe('a reset that is far off', () => {
	/** Sends rows one after the other, and tells when each was sent and how many failed. */
	async function sendRows({ time, limiter }: Simulation, rows: number, takes: (sent: number) => boolean) {
		const sent: number[] = [];
		let failed = 0;
		const row = async () => {
			for (let triedFor: number | undefined; ; triedFor = 0) {
				const permit = await limiter.acquire({ caller: limiter, triedFor });
				sent.push(time.now());
				await time.sleep(50);
				const refused = !takes(sent.length);
				const reset = String(Math.floor((time.now() + YEAR / 12) / 1000));
				const headers = { 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
				permit.release({ refused, headers });
				if (!refused) return;
			}
		};
		const all = Array.from({ length: rows }, async () => await row().catch(() => failed++));
		await time.run(Promise.all(all), 24 * HOUR);
		return { sent: sent.length, failed };
	}

	test('and untrue: the service takes everything, and no row fails or waits for it', async () => {
		const all = new Simulation(1);
		expect(await sendRows(all, 100, () => true)).toEqual({ sent: 100, failed: 0 });
		expect(all.time.now() - all.start).toBeLessThan(MINUTE);
	});

	test('and true: one request tries, then all rows fail at once; a minute later one tries again', async () => {
		const all = new Simulation(1);
		expect(await sendRows(all, 100, (sent) => sent === 1)).toEqual({ sent: 2, failed: 99 });
		expect(all.time.now() - all.start).toBeLessThan(1000);
		expect(await sendRows(all, 50, () => false)).toEqual({ sent: 0, failed: 50 });
		await all.run(all.time.sleep(MINUTE));
		expect(await sendRows(all, 50, () => false)).toEqual({ sent: 1, failed: 50 });
	});
});
