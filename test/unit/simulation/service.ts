import type { SimulatedTime } from './time';

export interface ServiceSettings {
	limit: number;
	windowMs: number;
	/**
	 * Fixed windows begin on whole multiples of their length, or with their first request; those of `wholeSeconds` besides name
	 * a reset that is cut down to whole seconds, and refuse through that second.
	 */
	kind: 'fixed' | 'firstRequest' | 'wholeSeconds' | 'sliding';
	/** Form of X-RateLimit-Reset. */
	reset: 'seconds' | 'milliseconds' | 'date' | 'none';
	/** Whether any rate-limit headers are sent. */
	headers: boolean;
	/** Whether a refusal says in its header, or in its body, how many seconds to wait. */
	retryAfter: boolean | 'body';
	/** The service's clock less ours (ms). */
	skew: number;
	/** Time on the way (ms): there, and back. */
	latency: () => number;
}

/** An honest service: 30 requests in 3 s, a quick line. @param given what is otherwise */
export function serviceSettings(random: () => number, given: Partial<ServiceSettings> = {}): ServiceSettings {
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

export interface SimulatedAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	/** Milliseconds. */
	retryAfter?: number;
}

/** The rate limit of a service in simulated time: counts requests, refuses, and says so in the headers. */
export class SimulatedService {
	served: number[] = [];
	refused = 0;
	inFlight = 0;
	/** How many requests the service had at once beyond what it had said was left. */
	private used = 0;
	private windowStart = -Infinity;

	constructor(
		private readonly time: SimulatedTime,
		readonly settings: ServiceSettings,
	) {}

	private clockNow(): number {
		return this.time.now() + this.settings.skew;
	}

	/** Counts a request at this moment, as the service does. */
	private admit(): { ok: boolean; remaining: number; resetAt: number } {
		const now = this.time.now();
		const { kind, windowMs, limit } = this.settings;
		if (kind !== 'sliding') {
			const isOver = now >= this.windowEnd();
			if (isOver) {
				this.windowStart = kind === 'fixed' ? Math.floor(now / windowMs) * windowMs : now;
				this.used = 0;
			}
			const start = this.windowStart;
			const ok = this.used < limit;
			if (ok) this.used++;
			return { ok, remaining: Math.max(0, limit - this.used), resetAt: start + windowMs };
		}
		const live = this.served.filter((at) => at > now - windowMs);
		const ok = live.length < limit;
		if (ok) live.push(now);
		return { ok, remaining: Math.max(0, limit - live.length), resetAt: live[0] + windowMs };
	}

	/** When the present window no longer refuses. */
	private windowEnd(): number {
		const { kind, windowMs, skew } = this.settings;
		const end = this.windowStart + windowMs;
		return kind === 'wholeSeconds' ? (Math.floor((end + skew) / 1000) + 1) * 1000 - skew : end;
	}

	/** A request of another client of the same key. */
	foreign(): void {
		if (this.admit().ok) this.served.push(this.time.now());
	}

	async request(): Promise<SimulatedAnswer> {
		this.inFlight++;
		await this.time.sleep(this.settings.latency());
		const { ok, remaining, resetAt } = this.admit();
		if (ok) this.served.push(this.time.now());
		else this.refused++;
		const answeredAt = this.clockNow();
		const isCut = this.settings.kind === 'wholeSeconds';
		const inFull = resetAt + this.settings.skew;
		const resetThere = isCut ? Math.floor(inFull / 1000) * 1000 : inFull;
		const secondsLeft = Math.max(
			0,
			Math.ceil((resetThere - (isCut ? answeredAt - (answeredAt % 1000) : answeredAt)) / 1000),
		);
		await this.time.sleep(this.settings.latency());
		this.inFlight--;
		const headers: Record<string, unknown> = { date: new Date(answeredAt).toUTCString() };
		if (this.settings.headers) {
			headers['x-ratelimit-limit'] = String(this.settings.limit);
			headers['x-ratelimit-remaining'] = String(remaining);
			if (this.settings.reset === 'seconds') headers['x-ratelimit-reset'] = String(Math.ceil(resetThere / 1000));
			if (this.settings.reset === 'milliseconds') headers['x-ratelimit-reset'] = String(Math.ceil(resetThere));
			if (this.settings.reset === 'date')
				headers['x-ratelimit-reset'] = new Date(Math.ceil(resetThere / 1000) * 1000).toUTCString();
		}
		if (!ok && this.settings.retryAfter === true) headers['retry-after'] = String(secondsLeft);
		const retryAfter = !ok && this.settings.retryAfter === 'body' ? 1000 * secondsLeft : undefined;
		return { statusCode: ok ? 200 : 429, headers, retryAfter };
	}
}
