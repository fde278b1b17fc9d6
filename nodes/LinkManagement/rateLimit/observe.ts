/**
 * What an answer teaches about the rate limit. Windows that end all at once are what services have, and get the care; where
 * places come free one by one, each reset that is named is the end of one place.
 */
import { MOST_IN_FLIGHT } from './admit';
import { clockDifference, readRateHeaders } from './headers';
import {
	ALONE,
	endOf,
	FEELS_AFTER,
	isWhole,
	LONGEST_WAIT,
	type Flight,
	type News,
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
/**
 * So many of our answers it takes, about, to notice others who use the key, and to believe that they are gone: who happens
 * to be the first for a while is not alone.
 */
const NOTICED_WITHIN = 2;
const FORGOTTEN_WITHIN = 4;
/** More requests of others for each of ours tell nothing more, and would be believed for long. */
const MOST_NOTICED = 16;
/** How much more room than the others need one leaves them at the end of a window. */
const CAUTION = 1.6;
type Random = () => number;

/** What came of a request. */
interface Outcome {
	/** The request that is back. */
	readonly flight: Flight;
	/** How many others are still on the way. */
	readonly othersInFlight: number;
	/** Left out when no answer came. */
	readonly answer?: RateLimitAnswer;
}

/** An answer, and what was known when it came. */
interface Observation extends Outcome {
	readonly state: RateLimitState;
	/** The window in which the request went, if it was known. */
	readonly window?: Window;
	readonly news: News;
	readonly now: number;
	readonly random: Random;
}

/** Answers that came grow the number of those on the way together, unless others use the key. */
function grown(state: RateLimitState): RateLimitState {
	if (state.fallPerRequest > ALONE) return state;
	return { ...state, concurrency: Math.min(MOST_IN_FLIGHT, state.concurrency + 1) };
}

function othersSeen(state: RateLimitState, atLeast: number): RateLimitState {
	return { ...state, concurrency: 1, fallPerRequest: Math.max(state.fallPerRequest, atLeast) };
}

/**
 * Clients that share a window spread their requests over this part of what is left of it: when all rush at it, a request that is
 * held up on its way finds it used up.
 */
const SPREAD_OVER = 0.5;

/** The window as an answer shows it, with the share that is left to others who use it. */
function withWindow(state: RateLimitState, news: News, now: number, random: Random): RateLimitState {
	const { resetAt, remaining = Infinity } = news;
	if (remaining <= 0 && resetAt === undefined) return blocked(state, undefined, now, random);
	// By a header's word alone nobody waits for so long: the next request tries whether it is true.
	if (remaining <= 0 && resetAt! - now > LONGEST_WAIT) return withWindow(state, { remaining: 1 }, now, random);
	const isShared = state.fallPerRequest > ALONE && remaining > 0 && resetAt !== undefined;
	const givesWay = isShared && random() * state.fallPerRequest * CAUTION >= remaining;
	const ours = Math.max(1, remaining / state.fallPerRequest);
	// Windows that slide name their resets more finely than in seconds: their places come free one by one.
	const isSpread = isShared && isWhole(news.reset);
	const gap = isSpread ? (SPREAD_OVER * Math.min(resetAt - now, FEELS_AFTER)) / ours : 0;
	const notBefore = now + gap * (0.5 + random());
	return { ...state, window: { ...news, remaining, givesWay, notBefore, settled: state.settled, heardAt: now } };
}

/** Nothing goes before `until`, and before the pause that so many refusals ask for. */
function blocked(state: RateLimitState, until: number | undefined, now: number, random: Random): RateLimitState {
	const { first, longest } = until === undefined ? BACK_OFF : BACK_OFF_BEYOND_RESET;
	const pause = Math.min(longest, first * 2 ** Math.max(state.refusals - 1, 0)) * (1 + random() / 4);
	const resetAt = Math.max(until ?? 0, now + pause);
	const concurrency = until === undefined ? 1 : state.concurrency;
	const settled = { settled: state.settled, heardAt: now, notBefore: now };
	const window: Window = { remaining: 0, resetAt, givesWay: false, ...settled };
	return { ...state, concurrency, window };
}

/** @param retryAt when to try again by the answer's own words, beside its reset */
function refusal(
	{ state, window, flight, news, now, random }: Observation,
	retryAt: number | undefined,
): RateLimitState {
	const { resetAt = 0, limit } = news;
	// Somebody else took the place that was said to be left, unless the limit itself has changed.
	const isTaken = window !== undefined && window.remaining > 0 && window.limit === limit;
	const next: RateLimitState = {
		...(isTaken ? othersSeen(state, 2) : state),
		// Requests that were on the way together are refused together: that is one refusal.
		refusals: state.refusals + (flight.sentAt >= state.refusedAt ? 1 : 0),
		refusedAt: now,
		refusedSince: state.refusedSince ?? now,
	};
	return blocked(next, resetAt > now ? resetAt : (retryAt ?? (resetAt || undefined)), now, random);
}

/** An answer without the headers (a proxy's error page, say) took a place, and tells nothing. */
function tellsNothing({ state, window, news, now, random }: Observation): RateLimitState | undefined {
	if (news.remaining !== undefined || !state.namesLimits || window === undefined) return undefined;
	return withWindow(state, { ...window, remaining: window.remaining - 1 }, now, random);
}

/** Of the window in which the request went nothing is known, or it has another limit (of another plan) now. */
function windowIsNew({ state, window, news, now, random }: Observation): RateLimitState | undefined {
	const isNewLimit = news.limit !== undefined && window?.limit !== undefined && news.limit !== window.limit;
	if (window !== undefined && !isNewLimit) return undefined;
	return withWindow(grown({ ...state, namesLimits: news.remaining !== undefined }), news, now, random);
}

/** The answer is late: it speaks of a window that is over. */
function windowIsOver({ state, news, now }: Observation): RateLimitState | undefined {
	return news.resetAt !== undefined && news.resetAt <= now ? state : undefined;
}

/** The count falls by our own requests, what is still on the way included, and by those of others. */
function windowGoesOn(observation: Observation): RateLimitState | undefined {
	const { state, window, flight, othersInFlight, news, now, random } = observation;
	if (window === undefined) return undefined;
	const { remaining = Infinity, reset = 0 } = news;
	const ours = Math.max(1, state.settled + othersInFlight - window.settled);
	const fallen = window.remaining === Infinity ? 1 : (window.remaining - remaining) / ours;
	const fall = Math.min(Math.max(1, fallen), MOST_NOTICED);
	const known = state.fallPerRequest;
	const fallPerRequest = known + (fall - known) / (fall > known ? NOTICED_WITHIN : FORGOTTEN_WITHIN);
	const heard = { ...state, fallPerRequest, namesLimits: news.remaining !== undefined };
	const next = fall > 1 ? othersSeen(heard, 1) : grown(heard);
	const isNewer = flight.sentAt >= window.heardAt || reset > (window.reset ?? Infinity);
	return isNewer || remaining <= window.remaining ? withWindow(next, news, now, random) : next;
}

/** What an answer to a request that was taken teaches: the first that applies. */
const FACTS: ReadonlyArray<(observation: Observation) => RateLimitState | undefined> = [
	tellsNothing,
	windowIsNew,
	windowIsOver,
	windowGoesOn,
];

/**
 * Learns from what came of a request.
 *
 * Some services cut a reset down to whole seconds and refuse through that second. It shows when a refusal says to come back
 * after 0 seconds, or names a reset that the service's own clock has passed; it is believed from then on.
 *
 * @param random gives numbers from 0 (included) to 1 (excluded)
 */
export function observe(known: RateLimitState, outcome: Outcome, now: number, random: Random): RateLimitState {
	const { flight, answer } = outcome;
	if (answer === undefined) return { ...known, settled: known.settled + 1 };
	const { date, reset, limit, remaining, retryAfter: inHeader } = readRateHeaders(answer.headers, now);
	const clock = date === undefined ? known.clock : clockDifference(known.clock, date, flight.sentAt, now);
	const retryAfter = answer.retryAfter ?? inHeader;
	const isPast = isWhole(reset) && (date ?? -Infinity) >= (reset ?? Infinity);
	const isLate = known.isLate || (answer.refused && (retryAfter === 0 || isPast));
	const lateBy = isLate && isWhole(reset) ? LATE_BY : 0;
	const resetAt = reset === undefined ? undefined : reset + lateBy - clock + RESET_MARGIN;
	const window = known.window !== undefined && flight.sentAt < endOf(known.window) ? known.window : undefined;
	const state = { ...known, clock, isLate };
	const news = { remaining, resetAt, reset, limit };
	if (answer.refused) {
		// Seconds that are counted down on a cut-down clock begin with the service's second.
		const countsFrom = isLate && date !== undefined ? date + LATE_BY - clock : now;
		const retryAt = retryAfter === undefined ? undefined : countsFrom + retryAfter + RESET_MARGIN;
		return refusal({ ...outcome, state, window, news, now, random }, retryAt);
	}
	const served = { ...state, refusals: 0, refusedSince: undefined, servedAt: now, settled: known.settled + 1 };
	const observation = { ...outcome, state: served, window, news, now, random };
	for (const fact of FACTS) {
		const learned = fact(observation);
		if (learned !== undefined) return learned;
	}
	return served;
}
