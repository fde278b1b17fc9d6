/** The request budget of one key. */
export interface LimitSettings {
	/** Requests a window; null (or Infinity) for as good as none. */
	requests: number | null;
	/** Window length in milliseconds. */
	windowMs: number;
	/**
	 * Where windows begin: on whole multiples of the window by the service's clock, so that a reset in seconds is
	 * exact for windows of whole seconds, or at a key's first request.
	 */
	begin: 'aligned' | 'firstRequest';
	/** The form of X-RateLimit-Reset. */
	reset: 'seconds' | 'milliseconds';
	/** Whether a reset in seconds is cut down, in place of rounded up, and that whole second is refused as well. */
	wholeSeconds: boolean;
	/** Whether the three X-RateLimit headers are sent. */
	headers: boolean;
}

export const DEFAULT_LIMIT: LimitSettings = {
	requests: 30,
	windowMs: 60_000,
	begin: 'aligned',
	reset: 'seconds',
	wholeSeconds: false,
	headers: true,
};

/** Stands for "no limit" in the headers, which are whole numbers. */
const NO_LIMIT = 1_000_000;

/** What one request found. */
interface Verdict {
	allowed: boolean;
	limit: number;
	remaining: number;
	/** When the window ends: milliseconds by the service's clock. */
	resetAt: number;
}

interface Budget {
	windowAt: number;
	used: number;
}

/** Counts requests by key. Refused requests use nothing up. */
export class Limiter {
	private readonly budgets = new Map<string, Budget>();

	constructor(public settings: LimitSettings) {}

	/** Counts one request of a key at `now`, milliseconds by the service's clock. */
	take(key: string, now: number): Verdict {
		const limit = Math.min(this.settings.requests ?? NO_LIMIT, NO_LIMIT);
		const budget = this.budgets.get(key) ?? { windowAt: this.windowBeginning(now), used: 0 };
		this.budgets.set(key, budget);
		const { windowMs, begin } = this.settings;
		const beginning = this.windowBeginning(now);
		const over = begin === 'aligned' ? beginning !== budget.windowAt : now >= this.endOfRefusals(budget.windowAt);
		if (over) {
			budget.windowAt = beginning;
			budget.used = 0;
		}
		const allowed = budget.used < limit;
		if (allowed) budget.used++;
		return { allowed, limit, remaining: Math.max(0, limit - budget.used), resetAt: budget.windowAt + windowMs };
	}

	/** Headers that tell where the caller stands. */
	headers({ limit, remaining, resetAt }: Omit<Verdict, 'allowed'>): Record<string, string> {
		if (!this.settings.headers) return {};
		return {
			'X-RateLimit-Limit': String(limit),
			'X-RateLimit-Remaining': String(remaining),
			'X-RateLimit-Reset': this.resetText(resetAt),
		};
	}

	/** Whole seconds until the second that the reset names; 0 within it. */
	secondsToReset({ resetAt }: Verdict, now: number): number {
		return Math.max(0, this.inSeconds(resetAt) - Math.floor(now / 1000));
	}

	private windowBeginning(now: number): number {
		const { begin, windowMs } = this.settings;
		return begin === 'aligned' ? Math.floor(now / windowMs) * windowMs : now;
	}

	private endOfRefusals(windowAt: number): number {
		const end = windowAt + this.settings.windowMs;
		return this.settings.wholeSeconds ? (this.inSeconds(end) + 1) * 1000 : end;
	}

	private inSeconds(at: number): number {
		return this.settings.wholeSeconds ? Math.floor(at / 1000) : Math.ceil(at / 1000);
	}

	private resetText(at: number): string {
		return String(this.settings.reset === 'milliseconds' ? Math.ceil(at) : this.inSeconds(at));
	}
}
