/** What an answer teaches about the rate limit: the limit, what remains of it, and when it ends. */
import { MOST_IN_FLIGHT } from './admit';
import { clockDifference, readRateHeaders } from './headers';
import {
	endOf,
	FEELS_AFTER,
	isWhole,
	LONGEST_WAIT,
	type Flight,
	type RateLimitAnswer,
	type RateLimitState,
	type Window,
} from './state';

/** Waited beyond a reset (ms), because timers and clocks are not exact. */
const RESET_MARGIN = 10;
/**
 * First pause (ms) after a refusal, whatever the service says; doubles with each further one, up to the longest. Shorter where
 * the service says until when, for that goes first.
 */
const BACK_OFF = { first: 1_000, longest: FEELS_AFTER };
const BACK_OFF_BEYOND_RESET = { first: 500, longest: 8_000 };
/** How much later (ms) a window ends whose reset means the end of the second that it names. */
const LATE_BY = 1_000;

/** What an answer says of the window in which it was given, as far as it says anything. */
type News = Partial<Omit<Window, 'heardAt'>>;

/** Nothing goes before `until`, and before the pause that so many refusals ask for. */
function blocked(state: RateLimitState, until: number | undefined, now: number, random: () => number): RateLimitState {
	const { first, longest } = until === undefined ? BACK_OFF : BACK_OFF_BEYOND_RESET;
	const pause = Math.min(longest, first * 2 ** Math.max(state.refusals - 1, 0)) * (1 + random() / 4);
	return { ...state, window: { remaining: 0, resetAt: Math.max(until ?? 0, now + pause), heardAt: now } };
}

/**
 * The window after a request was taken: as the answer shows it, unless it is late and speaks of an earlier one. An answer without the
 * headers (a proxy's error page, say) took a place, and tells nothing.
 */
function windowAfter(window: Window | undefined, news: News, { sentAt }: Flight, now: number): Window {
	const { remaining = Infinity, resetAt, reset = 0, limit } = news;
	if (window === undefined) return { ...news, remaining, heardAt: now };
	if (news.remaining === undefined) return { ...window, remaining: window.remaining - 1 };
	if (resetAt !== undefined && resetAt <= now) return window;
	const isOtherLimit = limit !== undefined && limit !== (window.limit ?? limit);
	const isNewer = sentAt >= window.heardAt || reset > (window.reset ?? Infinity) || isOtherLimit;
	return isNewer || remaining <= window.remaining ? { ...news, remaining, heardAt: now } : window;
}

/** Whether less is left of a window than what our own requests explain: this one, and those that are still on the way. */
function isSurprise(window: Window | undefined, { remaining, limit }: News, isRefused: boolean, ours: number): boolean {
	if (window === undefined || window.limit !== limit) return false;
	return isRefused ? window.remaining > 0 : remaining !== undefined && remaining < window.remaining - ours;
}

/**
 * Learns from what came of a request.
 *
 * Some services cut a reset down to whole seconds and refuse through that second. It shows when a refusal says to come back
 * after 0 seconds, or names a reset that the service's own clock has passed; it is believed from then on.
 *
 * @param othersInFlight how many others are still on the way, besides the one that is back
 * @param answer undefined when none came
 * @param random gives numbers from 0 (included) to 1 (excluded)
 */
export function observe(
	known: RateLimitState,
	flight: Flight,
	othersInFlight: number,
	answer: RateLimitAnswer | undefined,
	now: number,
	random: () => number,
): RateLimitState {
	if (answer === undefined) return known;
	const { date, reset, limit, remaining, retryAfter: inHeader } = readRateHeaders(answer.headers, now);
	const clock = date === undefined ? known.clock : clockDifference(known.clock, date, flight.sentAt, now);
	const retryAfter = answer.retryAfter ?? inHeader;
	const isPast = isWhole(reset) && (date ?? -Infinity) >= (reset ?? Infinity);
	const isLate = known.isLate || (answer.refused && (retryAfter === 0 || isPast));
	const lateBy = isLate && isWhole(reset) ? LATE_BY : 0;
	const resetAt = reset === undefined ? undefined : reset + lateBy - clock + RESET_MARGIN;
	// The window in which the request went.
	const window = known.window !== undefined && flight.sentAt < endOf(known.window) ? known.window : undefined;
	const news: News = { remaining, resetAt, reset, limit };
	const isSurprised = isSurprise(window, news, answer.refused, 1 + othersInFlight);
	const state = { ...known, clock, isLate, ...(isSurprised ? { surprisedAt: now, concurrency: 1 } : {}) };
	if (answer.refused) {
		// Seconds that are counted down on a cut-down clock begin with the service's second.
		const countsFrom = isLate && date !== undefined ? date + LATE_BY - clock : now;
		const retryAt = retryAfter === undefined ? undefined : countsFrom + retryAfter + RESET_MARGIN;
		const until = (resetAt ?? 0) > now ? resetAt : (retryAt ?? resetAt);
		// Requests that were on the way together are refused together: that is one refusal.
		const refusals = state.refusals + (flight.sentAt >= state.refusedAt ? 1 : 0);
		const refused = { ...state, refusals, refusedAt: now, refusedSince: state.refusedSince ?? now };
		return blocked(refused, until, now, random);
	}
	const served: RateLimitState = {
		...state,
		refusals: 0,
		refusedSince: undefined,
		servedAt: now,
		concurrency: Math.min(MOST_IN_FLIGHT, state.concurrency + 1),
	};
	const next = windowAfter(window, news, flight, now);
	if (next.remaining > 0) return { ...served, window: next };
	if (next.resetAt === undefined) return blocked(served, undefined, now, random);
	// By a header's word alone nobody waits for so long: the next request tries whether it is true.
	const isBelieved = next.resetAt - now <= LONGEST_WAIT;
	return { ...served, window: isBelieved ? next : { remaining: 1, heardAt: now } };
}
