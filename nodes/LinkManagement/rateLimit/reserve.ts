import { isShared, isWhole, type RateLimitState, type Window } from './rateLimitState';

/** For whom a request is: somebody waits for it; a poll of a trigger; or rows of a sheet. The first ones go first. */
export const PRIORITIES = ['people', 'polls', 'bulk'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Windows with fewer requests have none reserved. */
const SMALLEST_LIMIT = 10;
/** At most this part of a window is reserved; this one at least where other clients use the key, and find what remains. */
const LARGEST_PART = 1 / 3;
const PART_IF_SHARED = 1 / 5;
/** How much the number falls with each window in which fewer asked: a trigger that polls every few minutes is expected back. */
const FORGOTTEN = 0.1;
/** Unused permits are released to all one by one, this time (ms) apart, the last one this long before the window ends: they can still be used. */
const RELEASED_BEFORE = 1_500;
/** A sheet that fits into what remains goes at once if nobody else has asked for this time (ms). */
const ALONE_AFTER = 10 * 60_000;

/** What a priority has asked for. */
interface Demand {
	/** How many permits a window is expected to need. */
	expected: number;
	asked: number;
	used: number;
	askedAt: number;
}

const none = (): Demand => ({ expected: 0, asked: 0, used: 0, askedAt: -Infinity });

/** How many permits of a window are kept for people and polls: as many as they asked for in earlier windows. */
export class Reserve {
	private readonly demands: Readonly<Record<Priority, Demand>> = { people: none(), polls: none(), bulk: none() };
	private reset?: number;

	requested(priority: Priority, now: number): void {
		this.demands[priority].asked++;
		this.demands[priority].askedAt = now;
	}

	taken(priority: Priority): void {
		this.demands[priority].used++;
	}

	/**
	 * @param open requests of this priority that wait, and all that are in flight
	 * @returns how many permits it leaves, and when (ms) the next of them is released to all
	 */
	keptFrom(priority: Priority, open: number, state: RateLimitState, now: number): { permits: number; until: number } {
		const { window } = state;
		// In a sliding window, which has a finer reset, a permit that is held back delays every later one.
		if (priority === 'people' || window === undefined || !isWhole(window.reset)) return { permits: 0, until: now };
		this.begin(window);
		const { limit = 0, remaining, resetAt = Infinity } = window;
		if (limit < SMALLEST_LIMIT) return { permits: 0, until: now };
		const { people, polls } = this.demands;
		const ahead = priority === 'polls' ? [people] : [people, polls];
		const isOthers = isShared(state, now);
		const isAlone = !isOthers && ahead.every(({ askedAt }) => now - askedAt >= ALONE_AFTER);
		if (isAlone && open <= remaining) return { permits: 0, until: now };
		const left = ({ expected, used }: Demand) => Math.max(0, Math.ceil(expected) - used);
		// To sheets, one more than was asked for: who asks more often than expected takes nothing from polls.
		const expected = priority === 'polls' ? left(people) : Math.max(1, left(people)) + left(polls);
		const least = isOthers && priority === 'bulk' ? Math.floor(limit * PART_IF_SHARED) : 0;
		const most = Math.min(Math.max(least, expected), Math.floor(limit * LARGEST_PART));
		const notReleased = Math.floor((resetAt - now) / RELEASED_BEFORE);
		const permits = Math.max(0, Math.min(most, notReleased));
		return { permits, until: resetAt - permits * RELEASED_BEFORE };
	}

	/** A new window begins. */
	private begin({ reset }: Window): void {
		if (reset === this.reset) return;
		this.reset = reset;
		for (const demand of Object.values(this.demands)) {
			demand.expected = Math.max(demand.asked, demand.expected - FORGOTTEN);
			[demand.asked, demand.used] = [0, 0];
		}
	}
}
