/**
 * Whether a request may go. Where nothing is known, at the start and after each reset, one request feels the way; in a known
 * window the first of the facts in `FACTS` that applies decides, and if none does, it goes.
 */
import { ALONE, endOf, isWhole, type Flight, type RateLimitState, type Window } from './state';

/** Never more requests on the way than this: more connections gain nothing and weigh on the service. */
export const MOST_IN_FLIGHT = 32;
/** How many go together to a service that refuses and does not say how much is left; and for how long (ms) after a refusal. */
const CAREFUL_CONCURRENCY = 3;
const CAREFUL_FOR = 60 * 60_000;
/** After this long (ms) without an answer a request counts as seen by the service, and no longer holds others back. */
const PATIENCE = 5_000;
/** The place that is kept is given to whoever waits this long before the window ends: early enough to arrive within it. */
const KEPT_UNTIL = 1_500;
/** No place is kept in windows with fewer. */
const SMALLEST_LIMIT_TO_KEEP_FROM = 10;

/**
 * - limit: the rate limit is used up
 * - answer: an answer that is on its way decides
 * - others: others use the key too, and places are left to them
 * - kept: the last place is kept for those who wait in front of a screen
 */
type Reason = 'limit' | 'answer' | 'others' | 'kept';

/** A request has to wait. */
export interface Hold {
	/** When to ask again at the latest. */
	readonly waitUntil: number;
	readonly why: Reason;
	/** When the service will answer again by its own words, where that is what is waited for. */
	readonly answersAt?: number;
}

export type Verdict = 'go' | Hold;

/** Who asks whether a request may go. */
export interface Asking {
	/** It takes the place that is kept, and leaves none to others who use the key. */
	readonly urgent?: boolean;
	/** How many wait besides, who are not urgent. */
	readonly alsoWaiting?: number;
}

interface Admission extends Required<Asking> {
	readonly state: RateLimitState;
	readonly window: Window;
	/** When the window ends. */
	readonly end: number;
	/** Requests on the way that the service may not have counted yet, oldest first. */
	readonly open: readonly Flight[];
	readonly now: number;
}

function usedUp({ window, end }: Admission): Hold | undefined {
	return window.remaining <= 0 ? { waitUntil: end, why: 'limit', answersAt: window.resetAt } : undefined;
}

/** Others use the window too: the last few places are left to them, and ours are spread. */
function othersUseItToo({ window, open, urgent, end, now }: Admission): Hold | undefined {
	if (urgent) return undefined;
	if (window.givesWay && open.length === 0) return { waitUntil: end, why: 'others' };
	return now < window.notBefore ? { waitUntil: window.notBefore, why: 'others' } : undefined;
}

/**
 * The last place is kept for who waits in front of a screen, until shortly before the window ends. Who finishes with it need
 * not wait, for nobody else wants it. Where places come free one by one, a place that was kept comes free late ever after:
 * none is kept where resets are named more finely than in seconds, as only windows that slide need.
 */
function lastPlaceIsKept({ state, window, open, urgent, alsoWaiting, end, now }: Admission): Hold | undefined {
	const { limit = 0, resetAt = 0, reset, remaining } = window;
	if (urgent || alsoWaiting === 0 || remaining - open.length > 1 || !isWhole(reset)) return undefined;
	if (limit < SMALLEST_LIMIT_TO_KEEP_FROM || state.fallPerRequest > ALONE) return undefined;
	const waitUntil = Math.min(end, resetAt - KEPT_UNTIL);
	return now < waitUntil ? { waitUntil, why: 'kept' } : undefined;
}

/** How many go together grows with every answer, up to the places that are left. */
function answersAreAwaited({ state, window, open, end, now }: Admission): Hold | undefined {
	const isCareful = !state.namesLimits && now - state.refusedAt < CAREFUL_FOR;
	const most = Math.min(window.remaining, state.concurrency, isCareful ? CAREFUL_CONCURRENCY : MOST_IN_FLIGHT);
	return open.length < most ? undefined : { waitUntil: Math.min(end, open[0].sentAt + PATIENCE), why: 'answer' };
}

const FACTS: ReadonlyArray<(admission: Admission) => Hold | undefined> = [
	usedUp,
	othersUseItToo,
	lastPlaceIsKept,
	answersAreAwaited,
];

/**
 * Says whether one more request may go now.
 *
 * @param inFlight the requests on their way, oldest first
 */
export function admit(
	state: RateLimitState,
	inFlight: ReadonlySet<Flight>,
	now: number,
	{ urgent = false, alsoWaiting = 0 }: Asking = {},
): Verdict {
	const { window } = state;
	if (inFlight.size >= MOST_IN_FLIGHT) return { waitUntil: now + PATIENCE, why: 'answer' };
	const open = [...inFlight].filter(({ sentAt }) => now - sentAt < PATIENCE);
	const end = window === undefined ? -Infinity : endOf(window);
	if (window === undefined || now >= end) {
		const probe = open.filter(({ sentAt }) => sentAt >= end).pop();
		return probe === undefined ? 'go' : { waitUntil: probe.sentAt + PATIENCE, why: 'answer' };
	}
	const admission = { state, window, end, open, now, urgent, alsoWaiting };
	for (const fact of FACTS) {
		const hold = fact(admission);
		if (hold !== undefined) return hold;
	}
	return 'go';
}
