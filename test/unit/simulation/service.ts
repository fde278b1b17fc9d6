import type { RateLimitAnswer } from '../../../nodes/LinkManagement/rateLimit/headers';
import { RateLimiter, type PermitRequest } from '../../../nodes/LinkManagement/rateLimit/rateLimiter';
import { HOUR, randomFrom, SimulatedTime } from './time';

export interface ServiceSettings {
	limit: number;
	windowMs: number;
	/**
	 * Fixed windows begin on whole multiples of their length, or with their first request; those of `wholeSeconds` besides name
	 * a reset that is cut down to whole seconds, and refuse through that second.
	 */
	kind: 'fixed' | 'firstRequest' | 'wholeSeconds';
	/** Form of X-RateLimit-Reset. */
	reset: 'seconds' | 'milliseconds' | 'none';
	/** Whether any rate-limit headers are sent. */
	headers: boolean;
	/** Whether a refusal says in its header, or in its body, how many seconds to wait. */
	retryAfter: boolean | 'body';
	/** The service's clock less ours (ms). */
	skew: number;
	/** Latency (ms): to the service, and back. */
	latency: (random: () => number) => number;
}

/** An honest service: 30 requests in 3 s, a quick line. */
const HONEST: ServiceSettings = {
	limit: 30,
	windowMs: 3000,
	kind: 'fixed',
	reset: 'milliseconds',
	headers: true,
	retryAfter: false,
	skew: 0,
	latency: (random) => 1 + random() * 4,
};

/** The rate limit of a service in simulated time: counts requests, refuses, and says so in the headers. */
class SimulatedService {
	served: number[] = [];
	refused = 0;
	readonly settings: ServiceSettings;
	private used = 0;
	private windowStart = -Infinity;

	/** @param given how it differs from an honest one */
	constructor(
		private readonly time: SimulatedTime,
		private readonly random: () => number,
		given: Partial<ServiceSettings>,
	) {
		this.settings = { ...HONEST, ...given };
	}

	/** Counts a request at this moment, as the service does. */
	private admit(): { ok: boolean; remaining: number; resetAt: number } {
		const now = this.time.now();
		const { kind, windowMs, limit } = this.settings;
		if (now >= this.endOfWindow(this.windowStart)) {
			this.windowStart = kind === 'fixed' ? Math.floor(now / windowMs) * windowMs : now;
			this.used = 0;
		}
		const ok = this.used < limit;
		if (ok) this.used++;
		return { ok, remaining: Math.max(0, limit - this.used), resetAt: this.windowStart + windowMs };
	}

	/** When a window no longer refuses whose first request comes at a time. */
	endOfWindow(first: number): number {
		const { kind, windowMs, skew } = this.settings;
		if (kind === 'fixed') return (Math.floor(first / windowMs) + 1) * windowMs;
		const end = first + windowMs;
		return kind === 'wholeSeconds' ? (Math.floor((end + skew) / 1000) + 1) * 1000 - skew : end;
	}

	/** How long so many requests take at the least, the first of them sent at a time. */
	ideal(requests: number, start: number): number {
		const { kind, windowMs, limit } = this.settings;
		const windows = Math.ceil(requests / limit) - 1;
		// Windows that begin on a whole second and refuse through the one that their reset names last one second more.
		const length = kind === 'wholeSeconds' ? windowMs + 1000 : windowMs;
		return this.endOfWindow(start) - start + (windows - 1) * length;
	}

	/** A request of another client of the same key. */
	foreign(): void {
		if (this.admit().ok) this.served.push(this.time.now());
	}

	async request(): Promise<RateLimitAnswer> {
		const { latency, skew, kind, headers: namesLimits, limit, reset, retryAfter } = this.settings;
		await this.time.sleep(latency(this.random));
		const { ok, remaining, resetAt } = this.admit();
		if (ok) this.served.push(this.time.now());
		else this.refused++;
		const answeredAt = this.time.now() + skew;
		const cut = (at: number) => (kind === 'wholeSeconds' ? Math.floor(at / 1000) * 1000 : at);
		const resetThere = cut(resetAt + skew);
		const secondsLeft = Math.max(0, Math.ceil((resetThere - cut(answeredAt)) / 1000));
		await this.time.sleep(latency(this.random));
		const headers: Record<string, unknown> = { date: new Date(answeredAt).toUTCString() };
		if (namesLimits) {
			const inSeconds = Math.ceil(resetThere / 1000);
			const forms = { seconds: String(inSeconds), milliseconds: String(Math.ceil(resetThere)), none: undefined };
			headers['x-ratelimit-limit'] = String(limit);
			headers['x-ratelimit-remaining'] = String(remaining);
			headers['x-ratelimit-reset'] = forms[reset];
		}
		if (!ok && retryAfter === true) headers['retry-after'] = String(secondsLeft);
		return { refused: !ok, headers, ...(!ok && retryAfter === 'body' && { retryAfter: 1000 * secondsLeft }) };
	}
}

/** A service, and who speaks to it through a limiter, in simulated time. */
export class Simulation {
	readonly random: () => number;
	readonly time: SimulatedTime;
	readonly start: number;
	readonly service: SimulatedService;
	readonly limiter: RateLimiter;

	/** @param startsWithin the time begins on a whole minute, or so many ms later at most */
	constructor(seed: number, given: Partial<ServiceSettings> = {}, startsWithin = 0) {
		this.random = randomFrom(seed);
		this.start = 1_800_000_000_000 + Math.floor(this.random() * startsWithin);
		this.time = new SimulatedTime(this.start);
		this.service = new SimulatedService(this.time, this.random, given);
		this.limiter = new RateLimiter(this.time.clock());
	}

	/** Sends one request until it is not refused. @returns how long that took */
	async send(request: PermitRequest, limiter = this.limiter): Promise<number> {
		const asked = this.time.now();
		for (let refusedAt: number | undefined; ; refusedAt ??= this.time.now()) {
			const triedFor = refusedAt && this.time.now() - refusedAt;
			const permit = await limiter.acquire({ ...request, triedFor });
			const answer = await this.service.request();
			permit.release(answer);
			if (!answer.refused) return this.time.now() - asked;
		}
	}

	/** Sends so many at once on behalf of one caller. @returns how long that took */
	async sendMany(rows: number, limiter = this.limiter): Promise<number> {
		const caller = {};
		const all = Array.from({ length: rows }, async () => await this.send({ caller }, limiter));
		return Math.max(...(await Promise.all(all)));
	}

	/** Lets time pass until the work is done: an hour at most. */
	async run<T>(work: Promise<T>, limit = HOUR): Promise<T> {
		return await this.time.run(work, limit);
	}
}
