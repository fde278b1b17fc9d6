/** The limiter beside services in simulated time. */
import { getEventListeners } from 'events';
import * as fc from 'fast-check';

import { median } from '../../bench/statistics';
import { StoppedError } from '../../nodes/LinkManagement/n8n/stop';
import {
	LONGEST_WAIT,
	MOST_IN_FLIGHT,
	type Permit,
	type PermitRequest,
	RateLimiter,
	RateLimitError,
} from '../../nodes/LinkManagement/rateLimit/rateLimiter';
import { FIELD, paceOften, SITUATIONS } from './simulation/pacing';
import { Simulation, type ServiceSettings } from './simulation/service';
import { HOUR, MINUTE } from './simulation/time';

describe('a limit of 30 requests a minute', () => {
	test.each(SITUATIONS.map((situation) => [situation.name, situation] as const))('%s', async (_name, situation) => {
		const all = await paceOften(situation);
		const { share, refused } = situation.promised;
		expect(median(all.map((one) => one.share))).toBeGreaterThan(share);
		expect(Math.max(...all.map((one) => one.refused / one.requests))).toBeLessThanOrEqual(refused);
		const forms = all.flatMap((one) => one.forms);
		const [polls, polled] = (['polls', 'polled'] as const).map((of) => all.reduce((sum, one) => sum + one[of], 0));
		expect(forms.length > 0).toBe(situation.formEvery !== undefined);
		expect(polls > 0).toBe(situation.triggers !== undefined);
		if (forms.length > 0) expect(median(forms)).toBeLessThan(500);
		expect(Math.max(0, ...forms)).toBeLessThan(MINUTE / 2);
		expect(polled).toBeGreaterThanOrEqual(0.98 * polls);
	});

	test.each<[string, Partial<ServiceSettings>, mostRefused: number]>([
		['a reset in milliseconds', { reset: 'milliseconds' }, 0],
		['a clock ten seconds ahead', { reset: 'seconds', skew: 10_300 }, 0],
		['a clock an hour behind', { reset: 'seconds', skew: -HOUR }, 0],
		['a refusal that says no more than its headers', { ...FIELD, retryAfter: false }, 0],
		['no headers', { ...FIELD, headers: false }, 32 + 16],
		['a clock behind, and refusals through a second', { ...FIELD, skew: -300 }, 0],
		['a clock ahead, and refusals through a second', { ...FIELD, skew: 300 }, 0],
	])('at a service with %s: hardly a request refused, hardly a second lost', async (_name, service, mostRefused) => {
		for (const { share, refused } of await paceOften({ ...SITUATIONS[0], service }, 3)) {
			expect(refused).toBeLessThanOrEqual(mostRefused);
			expect(share).toBeGreaterThan(0.99);
		}
	});

	test('a service that refuses without a word of how long is asked less and less often', async () => {
		const all = new Simulation(1, { headers: false, windowMs: 2 * MINUTE });
		await all.run(all.sendMany(31));
		expect(all.service.refused).toBeLessThanOrEqual(10);
	});

	test('after a refusal although requests remained, one goes at a time for ten minutes, and people still go beside it', async () => {
		const all = new Simulation(1, { limit: 100, windowMs: MINUTE, reset: 'seconds', latency: () => 50 });
		const { service, limiter, time } = all;
		let [onTheWay, together] = [0, 0];
		const send = async () => {
			const permit = await limiter.acquire({ caller: all });
			together = Math.max(together, ++onTheWay);
			const answer = await service.request();
			onTheWay--;
			permit.release(answer);
			if (answer.refused) await send();
		};
		const sendMany = async () => {
			together = 0;
			await all.run(Promise.all(Array.from({ length: 20 }, send)));
			return together;
		};
		await all.run(send());
		expect(await sendMany()).toBe(20);
		for (let times = 0; times < 100; times++) service.foreign();
		await sendMany();
		expect(await sendMany()).toBe(1);
		const row = await limiter.acquire({ caller: all });
		const person = await limiter.acquire({ caller: {}, priority: 'people' });
		for (const permit of [row, person]) permit.release();
		await all.run(time.sleep(11 * MINUTE));
		expect(await sendMany()).toBeGreaterThan(10);
	});
});

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

	test('who waits behind requests that use up the window is told when their answers say so', async () => {
		const { limiter, start, time } = new Simulation(1);
		const said = (remaining: number) => {
			const headers = { 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': String(start + 50_000) };
			return { refused: false, headers };
		};
		(await limiter.acquire({ caller: {} })).release(said(1));
		const last = await limiter.acquire({ caller: {} });
		const [brief, long] = [20_000, 60_000].map(async (maxWait) => await limiter.acquire({ caller: {}, maxWait }));
		last.release(said(0));
		await expect(time.run(brief, 1_000)).rejects.toMatchObject({ waitMs: 51_000 });
		await time.run(long, 52_000);
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

describe('six sheets of 30 rows after each other, forms and a trigger on one key', () => {
	const WINDOWS = 12;
	const GRANTED = 36_000;

	/** How long forms waited, which share of the polls was answered, and which of the permits was used, from the third window on. */
	async function day(seed: number, workers: number): Promise<{ forms: number[]; polled: number; used: number }> {
		const latency = (random: () => number) => 20 + random() * 60;
		const all = new Simulation(seed, { latency, windowMs: MINUTE, limit: 30, reset: 'seconds' }, MINUTE);
		const { time, start, random, service } = all;
		const others = Array.from({ length: workers }, () => new RateLimiter(time.clock()));
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
		['in one process', 0, 0.9, 1, MINUTE / 2],
		['the trigger in one process, the others in two', 2, 0.9, 1, MINUTE],
	])('%s', async (_where, workers, leastUsed, leastPolled, longestWait) => {
		const days = [];
		for (const seed of Array.from({ length: 12 }, (_, n) => n + 1)) days.push(await day(seed, workers));
		const forms = days.flatMap((one) => one.forms);
		expect(forms.length).toBeGreaterThan(50);
		expect(Math.max(...forms)).toBeLessThan(longestWait);
		expect(median(forms)).toBeLessThan(1000);
		expect(Math.min(...days.map(({ polled }) => polled))).toBeGreaterThanOrEqual(leastPolled);
		expect(median(days.map(({ used }) => used))).toBeGreaterThanOrEqual(leastUsed);
	});
});

test('a sheet leaves one permit of the window to others, and a fifth of it for ten minutes after they asked; what they have not used by its end, it uses', async () => {
	const all = new Simulation(3, { windowMs: MINUTE, limit: 30, reset: 'seconds' });
	const soon = async (rows: number) => {
		await all.run(all.time.sleep(MINUTE - ((all.time.now() - all.start) % MINUTE) + 5000));
		const waited = Array.from({ length: rows }, async () => await all.send({ caller: all }));
		const { length } = (await all.run(Promise.all(waited))).filter((ms) => ms < MINUTE / 2);
		expect(all.time.now() - all.start).toBeLessThan(20 * MINUTE);
		return length;
	};
	expect(await soon(30)).toBe(29);
	await all.run(all.send({ caller: {}, priority: 'polls' }));
	expect(await soon(30)).toBe(24);
	await all.run(all.time.sleep(12 * MINUTE));
	expect(await soon(30)).toBe(29);
});

test('a sheet whose requests hang leaves people a slot of their own', async () => {
	const clock = { now: () => 0, sleep: async () => await new Promise<void>(() => undefined) };
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
			for (let triedFor: number | undefined; ; triedFor = time.now() - start) {
				const permit = await limiter.acquire({ caller: {}, triedFor });
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
		kind: fc.constantFrom('fixed' as const, 'firstRequest' as const, 'wholeSeconds' as const),
		reset: fc.constantFrom('seconds' as const, 'milliseconds' as const, 'none' as const),
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
							if (request.triedFor === undefined && asked + LONGEST_WAIT > retryAt) throw error;
						}
					}
				};
				const row = async (caller: object) => {
					for (let first: number | undefined; ; first ??= time.now()) {
						const permit = await permitFor({ caller, triedFor: first && time.now() - first, signal });
						onTheWay++;
						const recent = said.filter(({ at }) => at > time.now() - h.windowMs - 20_000);
						const most = h.headers ? Math.max(1, ...recent.map(({ remaining }) => remaining)) : MOST_IN_FLIGHT;
						// One more may probe a new window while the last ones of the old are in flight. Slow answers stop
						// counting after a while: they may not hold up the rest.
						if (h.slowest < 2500 && onTheWay > Math.min(most + 1, MOST_IN_FLIGHT))
							throw new Error(`${onTheWay} in flight, ${most} allowed`);
						const answer = await service.request();
						onTheWay--;
						if (random() < h.lossRate) {
							permit.release();
							continue;
						}
						if (h.headers) said.push({ at: time.now(), remaining: Number(answer.headers['x-ratelimit-remaining']) });
						if (!answer.refused) servedAt = time.now();
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
