import type { SimulatedTime } from './time';

export interface ServiceSettings {
	limit: number;
	windowMs: number;
	kind: 'fixed' | 'sliding';
	/** Form of X-RateLimit-Reset. */
	reset: 'seconds' | 'milliseconds' | 'date' | 'none';
	/** Whether any rate-limit headers are sent. */
	headers: boolean;
	retryAfter: boolean;
	/** The service's clock less ours (ms). */
	skew: number;
	/** Time on the way (ms): there, and back. */
	latency: () => number;
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
		if (kind === 'fixed') {
			const start = Math.floor(now / windowMs) * windowMs;
			if (start !== this.windowStart) {
				this.windowStart = start;
				this.used = 0;
			}
			const ok = this.used < limit;
			if (ok) this.used++;
			return { ok, remaining: Math.max(0, limit - this.used), resetAt: start + windowMs };
		}
		const live = this.served.filter((at) => at > now - windowMs);
		const ok = live.length < limit;
		if (ok) live.push(now);
		return { ok, remaining: Math.max(0, limit - live.length), resetAt: live[0] + windowMs };
	}

	/** A request of another client of the same key. */
	foreign(): void {
		if (this.admit().ok) this.served.push(this.time.now());
	}

	async request(): Promise<{ statusCode: number; headers: Record<string, unknown> }> {
		this.inFlight++;
		await this.time.sleep(this.settings.latency());
		const { ok, remaining, resetAt } = this.admit();
		if (ok) this.served.push(this.time.now());
		else this.refused++;
		const answeredAt = this.clockNow();
		const resetThere = resetAt + this.settings.skew;
		await this.time.sleep(this.settings.latency());
		this.inFlight--;
		const headers: Record<string, unknown> = { date: new Date(answeredAt).toUTCString() };
		if (this.settings.headers) {
			headers['x-ratelimit-limit'] = String(this.settings.limit);
			headers['x-ratelimit-remaining'] = String(remaining);
			if (this.settings.reset === 'seconds') headers['x-ratelimit-reset'] = String(Math.ceil(resetThere / 1000));
			if (this.settings.reset === 'milliseconds') headers['x-ratelimit-reset'] = String(Math.ceil(resetThere));
			if (this.settings.reset === 'date') headers['x-ratelimit-reset'] = new Date(Math.ceil(resetThere / 1000) * 1000).toUTCString();
		}
		if (!ok && this.settings.retryAfter) headers['retry-after'] = String(Math.ceil((resetThere - answeredAt) / 1000));
		return { statusCode: ok ? 200 : 429, headers };
	}
}
