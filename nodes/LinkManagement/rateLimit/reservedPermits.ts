import type { Window } from './rateLimitState';

/** Windows with fewer requests have none reserved. */
const SMALLEST_LIMIT = 10;
/** At most this part of a window is reserved. */
const LARGEST_PART = 1 / 3;
/** How much the number falls with each window in which fewer asked: a trigger that polls every few minutes is expected back. */
const FORGOTTEN = 0.1;
/** Unused permits are released to all one by one, this time (ms) apart, the last one this long before the window ends: they can still be used. */
const RELEASED_BEFORE = 1_500;

/** How many permits of a window are reserved for interactive requests: as many as asked for one in earlier windows. */
export class ReservedPermits {
	private expected = 1;
	private asked = 0;
	private used = 0;
	private reset?: number;

	requested(): void {
		this.asked++;
	}

	taken(): void {
		this.used++;
	}

	/** @returns how many are reserved and not yet taken, and when (ms) the next of them is released to all */
	in({ limit = 0, reset, resetAt = Infinity }: Window, now: number): { reserved: number; until: number } {
		if (reset !== this.reset) {
			this.expected = Math.max(1, this.asked, this.expected - FORGOTTEN);
			[this.asked, this.used, this.reset] = [0, 0, reset];
		}
		if (limit < SMALLEST_LIMIT) return { reserved: 0, until: now };
		const most = Math.min(Math.ceil(this.expected), Math.floor(limit * LARGEST_PART));
		const notReleased = Math.floor((resetAt - now) / RELEASED_BEFORE);
		// One for a caller that has not asked before.
		const reserved = Math.max(0, Math.min(Math.max(1, most - this.used), notReleased));
		return { reserved, until: resetAt - reserved * RELEASED_BEFORE };
	}
}
