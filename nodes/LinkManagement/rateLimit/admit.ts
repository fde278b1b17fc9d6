/** Decides whether a request may go: while more requests remain in the window than are in flight. */
import { type InFlightRequest, isShared, type RateLimitState, trustedUntil } from './rateLimitState';

/** Most requests in flight: more connections gain nothing and burden the service. One more is kept for people. */
export const MOST_IN_FLIGHT = 31;
/** A request without an answer is taken as counted by the service after this time (ms), and no longer holds others back. */
const ASSUMED_COUNTED_AFTER = 5_000;

export interface Delay {
	/** The latest time to ask again. */
	readonly waitUntil: number;
	/**
	 * - limit: the rate limit is reached
	 * - answer: the answer to a request in flight decides
	 * - reserved: what remains of the window is kept for others
	 */
	readonly why: 'limit' | 'answer' | 'reserved';
	/** When the service says that it answers again, if that is what is waited for. */
	readonly answersAt?: number;
}

/**
 * Decides whether one more request may go now. Where nothing is known, at the start and after each reset, one request probes.
 *
 * @param inFlight the requests in flight, oldest first
 * @param kept how many permits of the window are kept for others, and when (ms) that changes
 * @returns undefined when it may go
 */
export function admit(
	state: RateLimitState,
	inFlight: ReadonlySet<InFlightRequest>,
	now: number,
	kept: { permits: number; until: number },
	isOfPeople = false,
): Delay | undefined {
	const own = isOfPeople ? 1 : 0;
	if (inFlight.size >= MOST_IN_FLIGHT + own) return { waitUntil: now + ASSUMED_COUNTED_AFTER, why: 'answer' };
	const open = [...inFlight].filter(({ sentAt }) => now - sentAt < ASSUMED_COUNTED_AFTER);
	const { window, concurrency } = state;
	const end = window === undefined ? -Infinity : trustedUntil(window);
	if (window === undefined || now >= end) {
		const probe = open.filter(({ sentAt }) => sentAt >= end).pop();
		return probe && { waitUntil: probe.sentAt + ASSUMED_COUNTED_AFTER, why: 'answer' };
	}
	const { remaining } = window;
	if (remaining <= 0) return { waitUntil: end, why: 'limit', answersAt: window.resetAt };
	const most = Math.min(remaining, (isShared(state, now) ? 1 : concurrency) + own);
	if (open.length >= most) return { waitUntil: Math.min(end, open[0].sentAt + ASSUMED_COUNTED_AFTER), why: 'answer' };
	const isKept = remaining - open.length <= kept.permits;
	return isKept ? { waitUntil: Math.min(end, kept.until), why: 'reserved' } : undefined;
}
