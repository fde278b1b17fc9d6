/** Whether a request may go: while what remains of the window is more than what is under way. */
import type { KeptPlaces } from './keptPlaces';
import { endOf, isWhole, type Flight, type RateLimitState } from './state';

/** Never more requests on the way than this: more connections gain nothing and weigh on the service. */
export const MOST_IN_FLIGHT = 32;
/** As long as less is left than what our own requests explain, and for so long (ms) after that, one request goes at a time. */
const CAREFUL_FOR = 2 * 60_000;
/** After this long (ms) without an answer a request counts as seen by the service, and no longer holds others back. */
const PATIENCE = 5_000;

export interface Hold {
	/** When to ask again at the latest. */
	readonly waitUntil: number;
	/**
	 * - limit: the rate limit is reached
	 * - answer: an answer that is on its way decides
	 * - kept: the last places are kept for those who wait in front of a screen, and for polls
	 */
	readonly why: 'limit' | 'answer' | 'kept';
	/** When the service will answer again by its own words, where that is what is waited for. */
	readonly answersAt?: number;
}

/**
 * Says whether one more request may go now. Where nothing is known, at the start and after each reset, one feels the way.
 *
 * @param inFlight the requests on their way, oldest first
 * @param waiting how many requests wait, this one included
 * @param places how many of the window are kept
 * @returns undefined when it may
 */
export function admit(
	{ window, concurrency, surprisedAt }: RateLimitState,
	inFlight: ReadonlySet<Flight>,
	now: number,
	waiting: number,
	places: KeptPlaces,
): Hold | undefined {
	if (inFlight.size >= MOST_IN_FLIGHT) return { waitUntil: now + PATIENCE, why: 'answer' };
	const open = [...inFlight].filter(({ sentAt }) => now - sentAt < PATIENCE);
	const end = window === undefined ? -Infinity : endOf(window);
	if (window === undefined || now >= end) {
		const probe = open.filter(({ sentAt }) => sentAt >= end).pop();
		return probe && { waitUntil: probe.sentAt + PATIENCE, why: 'answer' };
	}
	const { remaining, reset } = window;
	if (remaining <= 0) return { waitUntil: end, why: 'limit', answersAt: window.resetAt };
	const isCareful = now - surprisedAt < CAREFUL_FOR;
	const most = Math.min(remaining, isCareful ? 1 : concurrency);
	if (open.length >= most) return { waitUntil: Math.min(end, open[0].sentAt + PATIENCE), why: 'answer' };
	// What waits and finds room may take it, and others who use the key would. Where places come free one by one, as the finer
	// resets of windows that slide show, one that was kept comes free late ever after.
	const left = remaining - open.length;
	if (waiting <= left || isCareful || !isWhole(reset)) return undefined;
	const { kept, until } = places.in(window, now);
	return left <= kept ? { waitUntil: Math.min(end, until), why: 'kept' } : undefined;
}
