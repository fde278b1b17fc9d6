/** Decides whether a request may go: while more requests remain in the window than are in flight. */
import type { ReservedPermits } from './reservedPermits';
import { trustedUntil, isWhole, type InFlightRequest, type RateLimitState } from './rateLimitState';

/** Most requests in flight: more connections gain nothing and burden the service. */
export const MOST_IN_FLIGHT = 32;
/** For so long (ms) after other clients were seen to use the key, one request goes at a time. */
const ONE_AT_A_TIME_FOR = 2 * 60_000;
/** A request without an answer is taken as counted by the service after this time (ms), and no longer holds others back. */
const ASSUMED_COUNTED_AFTER = 5_000;

export interface Delay {
	/** The latest time to ask again. */
	readonly waitUntil: number;
	/**
	 * - limit: the rate limit is reached
	 * - answer: the answer to a request in flight decides
	 * - reserved: the last permits of the window are reserved for interactive requests
	 */
	readonly why: 'limit' | 'answer' | 'reserved';
	/** When the service says that it answers again, if that is what is waited for. */
	readonly answersAt?: number;
}

/**
 * Decides whether one more request may go now. Where nothing is known, at the start and after each reset, one request probes.
 *
 * @param inFlight the requests in flight, oldest first
 * @param waiting number of requests that wait, including this one
 * @returns undefined when it may go
 */
export function admit(
	{ window, concurrency, otherClientsSeenAt }: RateLimitState,
	inFlight: ReadonlySet<InFlightRequest>,
	now: number,
	waiting: number,
	permits: ReservedPermits,
): Delay | undefined {
	if (inFlight.size >= MOST_IN_FLIGHT) return { waitUntil: now + ASSUMED_COUNTED_AFTER, why: 'answer' };
	const open = [...inFlight].filter(({ sentAt }) => now - sentAt < ASSUMED_COUNTED_AFTER);
	const end = window === undefined ? -Infinity : trustedUntil(window);
	if (window === undefined || now >= end) {
		const probe = open.filter(({ sentAt }) => sentAt >= end).pop();
		return probe && { waitUntil: probe.sentAt + ASSUMED_COUNTED_AFTER, why: 'answer' };
	}
	const { remaining, reset } = window;
	if (remaining <= 0) return { waitUntil: end, why: 'limit', answersAt: window.resetAt };
	const isCareful = now - otherClientsSeenAt < ONE_AT_A_TIME_FOR;
	const most = Math.min(remaining, isCareful ? 1 : concurrency);
	if (open.length >= most) return { waitUntil: Math.min(end, open[0].sentAt + ASSUMED_COUNTED_AFTER), why: 'answer' };
	// All that wait find room; other clients would take what is left unused; and in a sliding window, which has a finer reset, a permit
	// that is held back delays every later one.
	const left = remaining - open.length;
	if (waiting <= left || isCareful || !isWhole(reset)) return undefined;
	const { reserved, until } = permits.in(window, now);
	return left <= reserved ? { waitUntil: Math.min(end, until), why: 'reserved' } : undefined;
}
