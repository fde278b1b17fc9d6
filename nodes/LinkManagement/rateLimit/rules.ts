/**
 * The rules of the rate limit, without a queue and without timers: what the answers of a service say about its window
 * (`observe`), and whether a request may go (`admit`). Everything that is known is one readonly value.
 *
 * - Nothing known (at the start, and after each reset): one request feels the way, the others wait for its answer.
 * - Known: no more on the way than the service said are left. How many go at once grows with every answer, in the first
 *   window to half of what is left, and falls to one when the count drops by more than our own requests, for then others use
 *   the key and news ages fast.
 * - Used up: nothing until the reset, but for one request a minute that feels the way, whatever a header says.
 * - The last place of a window is kept for those who wait in front of a screen, until shortly before the window ends.
 *
 * All times are local and in milliseconds.
 */
import { readRateHeaders, span } from './headers';
import { freed, hasFewPlaces, nextFreedAt, NO_PLACES, unused, withAnswer, type Places } from './ownPlaces';
import { narrowClock, toLocalTime, UNKNOWN_CLOCK, type ServiceClock } from './serviceClock';

/** Never more requests on the way than this: more connections gain nothing and weigh on the service. */
export const MOST_IN_FLIGHT = 32;
/** After this long without an answer a request counts as seen by the service, and no longer holds others back. */
const PATIENCE = 5_000;
/** Waited beyond a reset, because timers and clocks are not exact. */
const RESET_MARGIN = 10;
/** First pause when the service refuses without saying until when; doubles up to the longest. */
const FIRST_BACK_OFF = 1_000;
/**
 * However long a wait is said to be, after this long one request feels the way. A window of a minute lasts up to two seconds
 * longer where its reset is cut down to whole seconds and refuses through that second: such a wait is trusted to its end.
 */
const FEELS_AFTER = 60_000;
const TRUSTED_WAIT = 65_000;
/** First pause when the reset that the service names has just passed and it still refuses. */
const FIRST_OVERDUE_PAUSE = 100;
const OVERDUE_FOR = 5_000;
/** Resets are named in seconds; one that refuses through the second that it names ends this much later. */
const SECOND = 1_000;
const MINUTE = 60_000;
/** After so many windows the lateness of a reset is put to the test again: services change, and may have been misread. */
const LATE_WINDOWS = 50;
/** Where windows slide, this long at least lies between two requests to places that nobody uses. */
const SETTLES_WITHIN = 250;
/** Over this part of a window those who see a single place that nobody uses spread their requests for it. */
const SPREAD_UNUSED_OVER = 0.25;
/** A clock that goes back by more than this was set to another time. */
const CLOCK_TOLERANCE = 1_000;
/** The place that is kept is given to whoever waits this long before the window ends: early enough to arrive within it. */
const KEPT_UNTIL = 1_500;
/** No place is kept in windows with fewer. */
const SMALLEST_LIMIT_TO_KEEP_FROM = 10;
/** How many requests go together to a service that limits the rate and does not say how much is left. */
const CAREFUL_CONCURRENCY = 3;
/** How many requests go together to places of ours that should be free. */
const MOST_TO_OWN_PLACES = 2;
/** Above this many requests counted by the service for each one of ours, others are using the key. */
const ALONE = 1.2;
/**
 * So many of our answers it takes, about, to notice others who use the key, and to believe that they are gone: who happens
 * to be the first for a while is not alone.
 */
const NOTICED_WITHIN = 2;
const FORGOTTEN_WITHIN = 4;
/** How much more room than the others need one leaves them at the end of a window. */
const CAUTION = 1.5;
/**
 * Clients that share a window spread their requests over this part of it: when all rush at it, a request that is held up on
 * its way finds it used up.
 */
const SPREAD_OVER = 0.5;

/** A request on its way. */
export interface Flight {
	readonly sentAt: number;
	/** The service had said that a place is left for it, under this limit. */
	readonly promised?: { readonly limit?: number };
}

/** What came of a request. */
export interface Outcome {
	/** The request that is back. */
	readonly flight: Flight;
	/** How many others are still on the way. */
	readonly othersInFlight: number;
	/** Left out when no answer came. */
	readonly answer?: RateLimitAnswer;
}

/** What an answer says about the rate limit. */
export interface RateLimitAnswer {
	/** The service did nothing, because the rate limit is used up. */
	readonly refused: boolean;
	/** Header names in lower case. */
	readonly headers: Record<string, unknown>;
	/** What the body says about the time until a next try (ms); goes before the header. */
	readonly retryAfter?: number;
}

/** What the service said of its present window. */
interface Window {
	/** Requests that the service said are left. */
	readonly remaining: number;
	/** When it resets, margin included. */
	readonly resetAt?: number;
	/** The service's reset, as it named it: tells one window from another. */
	readonly reset?: number;
	/** The limit that the service named. */
	readonly limit?: number;
	readonly heardAt: number;
	/** Our requests that had come back by then. */
	readonly settled: number;
	/** Before this no further request goes, because others use the window too. */
	readonly notBefore: number;
	/** The last few places of a window that others use too are left to them, by lot. */
	readonly givesWay: boolean;
}

/** Everything that is known of the rate limit of one service and key. */
export interface RateLimitState {
	readonly clock: ServiceClock;
	readonly window?: Window;
	/** The service refused: nothing goes before `until`; then one request feels the way. */
	readonly block?: { readonly heardAt: number; readonly until: number };
	/** When the service last took a request, and since when it has refused without taking one. */
	readonly servedAt?: number;
	readonly refusedSince?: number;
	/** Windows seen since it was learned that a reset means the end of the second that it names. */
	readonly lateWindows?: number;
	/** A reset that the service named although its own clock had passed it, and when that was first heard. */
	readonly overdue?: { readonly reset: number; readonly heardAt: number };
	/** Windows end all at once, or places come free one by one; unknown until a reset was seen. */
	readonly kind?: 'fixed' | 'sliding';
	/** Its length is the longest time to a reset that was heard of; places are counted where windows slide. */
	readonly places: Places;
	/** How long an answer takes to come, smoothed. */
	readonly roundTrip: number;
	readonly othersHavePlaces: boolean;
	/** How many places others had at most, in the present and the last quarter of a window. */
	readonly peak: { readonly since: number; readonly now: number; readonly before: number };
	/** Requests that came back, but for those that were refused. */
	readonly settled: number;
	/** How many requests may be on the way together, and how far that may grow. */
	readonly concurrency: number;
	readonly mostConcurrency: number;
	/** How far the remaining count falls for each request of ours, smoothed: 1 when the key is ours alone. */
	readonly fallPerRequest: number;
	/** Whether the service's answers carry the rate-limit headers. */
	readonly namesLimits: boolean;
	/** Refusals in a row, and when the latest was heard. */
	readonly refusals: number;
	readonly refusedAt: number;
}

/** Nothing is known yet. */
export const NOTHING_KNOWN: RateLimitState = {
	clock: UNKNOWN_CLOCK,
	places: NO_PLACES,
	roundTrip: 0,
	othersHavePlaces: false,
	peak: { since: 0, now: 0, before: 0 },
	settled: 0,
	concurrency: 1,
	mostConcurrency: MOST_IN_FLIGHT,
	fallPerRequest: 1,
	namesLimits: false,
	refusals: 0,
	refusedAt: -Infinity,
};

/**
 * - limit: the rate limit is used up
 * - answer: an answer that is on its way decides
 * - others: others use the key too, and places are left to them
 * - kept: the last place is kept for those who wait in front of a screen
 */
export type Reason = 'limit' | 'answer' | 'others' | 'kept';

/** A request has to wait. */
export interface Hold {
	/** When to ask again at the latest. */
	readonly waitUntil: number;
	readonly why: Reason;
	/** When the service will answer again by its own words, where that is what is waited for. */
	readonly answersAt?: number;
}

/** Whether a request may go now. */
export type Verdict = 'go' | Hold;

/** Who asks whether a request may go. */
export interface Asking {
	/** It takes the place that is kept, and leaves none to others who use the key. */
	readonly urgent?: boolean;
	/** How many wait besides, who are not urgent. */
	readonly alsoWaiting?: number;
}

/** Requests on the way that the service may not have counted yet, oldest first. */
function uncounted(inFlight: Iterable<Flight>, now: number): Flight[] {
	return [...inFlight].filter(({ sentAt }) => now - sentAt < PATIENCE && sentAt - now < CLOCK_TOLERANCE);
}

/** Until when a wait is trusted that was heard of at that time. */
function trusted(until: number, heardAt: number): number {
	return until - heardAt > TRUSTED_WAIT ? heardAt + FEELS_AFTER : until;
}

function endOf({ resetAt, heardAt }: Window): number {
	return resetAt === undefined ? Infinity : trusted(resetAt, heardAt);
}

/** What is known, but for what was heard in a future that the local clock has taken back. */
function withoutFuture(state: RateLimitState, now: number): RateLimitState {
	const latest = Math.max(state.window?.heardAt ?? 0, state.block?.heardAt ?? 0, state.servedAt ?? 0);
	if (latest - now < CLOCK_TOLERANCE) return state;
	const { mostConcurrency, namesLimits, lateWindows, kind, settled } = state;
	const places = { ...NO_PLACES, length: state.places.length };
	return { ...NOTHING_KNOWN, mostConcurrency, namesLimits, lateWindows, kind, places, settled };
}

/** Whether the last place of the window is kept from those who are not urgent. */
function keepsLastPlace(
	{ kind, fallPerRequest }: RateLimitState,
	{ limit = 0, resetAt }: Window,
	now: number,
): boolean {
	return (
		kind === 'fixed' &&
		limit >= SMALLEST_LIMIT_TO_KEEP_FROM &&
		fallPerRequest <= ALONE &&
		resetAt !== undefined &&
		now < resetAt - KEPT_UNTIL
	);
}

/**
 * Says whether one more request may go now.
 *
 * @param inFlight the requests on their way, oldest first
 */
export function admit(
	known: RateLimitState,
	inFlight: ReadonlySet<Flight>,
	now: number,
	{ urgent = false, alsoWaiting = 0 }: Asking = {},
): Verdict {
	const state = withoutFuture(known, now);
	const { window, block } = state;
	if (block !== undefined && now < trusted(block.until, block.heardAt))
		return { waitUntil: trusted(block.until, block.heardAt), why: 'limit', answersAt: block.until };
	const open = uncounted(inFlight, now);
	if (window !== undefined && isAmongPlaces(state)) return admitToPlace(state, window, open, now, urgent);
	const end = window === undefined ? -Infinity : endOf(window);
	if (window === undefined || now >= end) {
		const probe = open.filter((flight) => flight.sentAt >= end).pop();
		return probe === undefined ? 'go' : { waitUntil: probe.sentAt + PATIENCE, why: 'answer' };
	}
	const left = window.remaining - open.length;
	if (left <= 0) {
		if (window.remaining <= 0) return { waitUntil: end, why: 'limit', answersAt: window.resetAt };
		return { waitUntil: Math.min(end, open[0].sentAt + PATIENCE), why: 'answer' };
	}
	if (!urgent) {
		if (window.givesWay && open.length === 0) return { waitUntil: end, why: 'others' };
		if (now < window.notBefore) return { waitUntil: window.notBefore, why: 'others' };
		// Who finishes with the last place need not wait: nobody else wants it.
		if (left === 1 && alsoWaiting > 0 && keepsLastPlace(state, window, now))
			return { waitUntil: Math.min(end, (window.resetAt ?? end) - KEPT_UNTIL), why: 'kept' };
	}
	if (open.length >= concurrencyNow(state, window)) return { waitUntil: open[0].sentAt + PATIENCE, why: 'answer' };
	if (inFlight.size >= MOST_IN_FLIGHT) return { waitUntil: now + PATIENCE, why: 'answer' };
	return 'go';
}

/** In the first window others may come at any time: the more of it is used up, the fewer go together. */
function concurrencyNow({ kind, concurrency }: RateLimitState, { remaining }: Window): number {
	return kind === undefined ? Math.min(concurrency, Math.ceil(remaining / 2)) : concurrency;
}

/** Where places come free one by one and others use the key too: to a place that was ours, or that nobody uses. */
function admitToPlace(
	{ places }: RateLimitState,
	window: Window,
	open: readonly Flight[],
	now: number,
	urgent: boolean,
): Verdict {
	if (open.length < Math.min(freed(places, now), MOST_TO_OWN_PLACES)) return 'go';
	const next = Math.min(nextFreedAt(places, now), window.heardAt + FEELS_AFTER);
	if (open.length > 0) return { waitUntil: Math.min(next, open[0].sentAt + PATIENCE), why: 'answer' };
	const waitUntil = Math.min(next, mayTryFrom(places, window, now, urgent));
	if (waitUntil <= now) return 'go';
	return window.remaining > 0 ? { waitUntil, why: 'others' } : { waitUntil, why: 'limit', answersAt: window.resetAt };
}

/** From when on a request may go to a place that was not ours. */
function mayTryFrom(places: Places, window: Window, now: number, urgent: boolean): number {
	const { remaining, limit = 0, resetAt = 0, heardAt, notBefore } = window;
	const isLeft = remaining > 0;
	if (urgent) return isLeft ? now : Math.max(resetAt, heardAt + FIRST_OVERDUE_PAUSE);
	if (hasFewPlaces(places, limit)) return notBefore;
	return isLeft ? Math.max(notBefore, unused(places, limit, now).from) : Infinity;
}

/** The request that goes now. */
export function departure({ window }: RateLimitState, now: number): Flight {
	return { sentAt: now, promised: window !== undefined && now < endOf(window) ? window : undefined };
}

function grown(state: RateLimitState): RateLimitState {
	if (state.fallPerRequest > ALONE) return state;
	return { ...state, concurrency: Math.min(state.mostConcurrency, state.concurrency + 1) };
}

function othersSeen(state: RateLimitState, atLeast: number): RateLimitState {
	return { ...state, concurrency: 1, fallPerRequest: Math.max(state.fallPerRequest, atLeast) };
}

/** Nothing goes before `until`; then one request feels the way. */
function blocked(state: RateLimitState, until: number, now: number): RateLimitState {
	return { ...state, block: { until, heardAt: now }, window: undefined };
}

/** How long to wait where the service does not say until when. */
function backOff({ refusals }: RateLimitState, random: () => number): number {
	const pause = FIRST_BACK_OFF * 2 ** Math.min(Math.max(refusals - 1, 0), 10);
	return Math.min(FEELS_AFTER, pause * (1 + random() / 4));
}

/** Where places of a window that slides are counted, they tell of others, and not the count of what is left. */
function countsPlaces({ kind, places }: RateLimitState): boolean {
	return kind === 'sliding' && places.ours.length > 0;
}

function isAmongPlaces({ kind, places }: RateLimitState): boolean {
	return kind === 'sliding' && places.othersHaveSome;
}

/** When a request may go to a place of a sliding window that was not ours. */
function placeNotBefore(
	{ window, refusals, places, roundTrip }: RateLimitState,
	{ remaining, resetAt, limit = Infinity }: News,
	now: number,
	random: () => number,
): number {
	const lot = random();
	// Most of them have come free at once: whoever is there takes his share.
	if (remaining > limit / 2) return now;
	if (remaining > 0) {
		// The fewer places nobody uses, the more those who want them keep apart: there may be none for the second.
		const apart = (places.length * SPREAD_UNUSED_OVER) / Math.max(1, unused(places, limit, now).count);
		const settled = now + Math.max(SETTLES_WITHIN, 3 * roundTrip) * (1 + lot) + apart * lot;
		const isAsBefore = window !== undefined && window.remaining > 0 && remaining >= window.remaining;
		return isAsBefore ? Math.min(window.notBefore, settled) : settled;
	}
	// Who has hardly any tries for one that comes free, and when that fails, not for another window.
	return refusals % 2 === 1 ? (resetAt ?? now) : now + places.length;
}

type News = Pick<Window, 'remaining' | 'resetAt' | 'reset' | 'limit'>;

function withWindow(state: RateLimitState, news: News, now: number, random: () => number): RateLimitState {
	const { remaining, resetAt } = news;
	// Used up, and nobody says until when.
	if (remaining <= 0 && resetAt === undefined)
		return { ...blocked(state, now + backOff(state, random), now), concurrency: 1 };
	const isShared = state.fallPerRequest > ALONE && remaining > 0;
	const ours = Math.max(1, remaining / state.fallPerRequest);
	const ahead = (resetAt ?? now) - now;
	const gap = isShared ? (SPREAD_OVER * Math.min(ahead, FEELS_AFTER)) / ours : 0;
	const notBefore = isAmongPlaces(state) ? placeNotBefore(state, news, now, random) : now + gap * (0.5 + random());
	return {
		...state,
		window: {
			...news,
			settled: state.settled,
			heardAt: now,
			notBefore,
			givesWay: isShared && resetAt !== undefined && random() * state.fallPerRequest * CAUTION >= remaining,
		},
	};
}

/**
 * Learns from what came of a request.
 *
 * @param random gives numbers from 0 (included) to 1 (excluded)
 */
export function observe(
	before: RateLimitState,
	{ flight, othersInFlight, answer }: Outcome,
	now: number,
	random: () => number,
): RateLimitState {
	const present = withoutFuture(before, now);
	if (answer === undefined) return { ...present, settled: present.settled + 1 };
	const { date, reset, limit, remaining, retryAfter: retryHeader } = readRateHeaders(answer.headers, now);
	const clock = date === undefined ? present.clock : narrowClock(present.clock, date, flight.sentAt, now);
	const retryAfter = answer.retryAfter === undefined ? retryHeader : span(answer.retryAfter);
	const serviceTime = date ?? (reset !== undefined && toLocalTime(clock, reset) <= flight.sentAt ? reset : undefined);
	const late = { reset, serviceTime, isLastSecond: answer.refused && retryAfter === 0 };
	const roundTrip = present.roundTrip + (now - flight.sentAt - present.roundTrip) / 4;
	const state = withLateness({ ...present, clock, roundTrip }, flight, late, now);
	const lateBy = (time: number | undefined) => (state.lateWindows !== undefined && isWhole(time) ? SECOND : 0);
	const news = {
		resetAt: reset === undefined ? undefined : toLocalTime(clock, reset + lateBy(reset)) + RESET_MARGIN,
		reset,
		limit,
		remaining,
	};
	const kindKnown = withKind(state, news, now);
	const heard = {
		...news,
		isGranted: !answer.refused,
		limit: limit ?? state.window?.limit,
		inFlight: othersInFlight,
		roundTrip,
	};
	const known = { ...kindKnown, places: withAnswer(kindKnown.places, heard, now) };
	if (!answer.refused) return service(known, flight, news, othersInFlight, now, random);
	// Seconds that are counted down on a cut-down clock begin with the service's second.
	const retryAt =
		retryAfter === undefined
			? undefined
			: lateBy(retryAfter) > 0 && date !== undefined
				? toLocalTime(clock, date + retryAfter + SECOND)
				: now + retryAfter + lateBy(retryAfter);
	return refusal(known, flight, { ...news, retryAt }, now, random);
}

/** Learns from resets how long windows are, and whether they end all at once or slide: their places come free one by one. */
function withKind(state: RateLimitState, { reset, resetAt }: Partial<News>, now: number): RateLimitState {
	if (reset === undefined || resetAt === undefined) return state;
	const ahead = wholeWindow(resetAt - RESET_MARGIN - now - (isWhole(reset) ? SECOND : 0));
	const length = ahead > TRUSTED_WAIT ? state.places.length : Math.max(state.places.length, ahead);
	const learned = { ...state, places: { ...state.places, length } };
	const last = state.window?.reset;
	if (last === undefined || reset <= last || state.kind === 'sliding') return learned;
	return { ...learned, kind: reset - last < length / 2 ? 'sliding' : 'fixed' };
}

/** The length of the window of which so much was seen: who comes late to it sees a part, and windows are parts of a minute. */
function wholeWindow(seen: number): number {
	return seen < MINUTE ? MINUTE / Math.floor(MINUTE / seen) : seen;
}

function isWhole(time: number | undefined): boolean {
	return time !== undefined && time % SECOND === 0;
}

/**
 * Learns whether a reset means the end of the second that it names, as it does at services that cut it down to whole seconds
 * and refuse through that second: when a refusal says to come back after 0 seconds, or when the service names, in answer to
 * a request that left after its clock had passed the reset, that very reset. An answer alone proves little: it may have been
 * decided just before the reset and dated just after.
 *
 * It is unlearned when a new window begins within the second that the last reset names.
 *
 * @param said the reset and the time on the service's clock
 */
function withLateness(
	state: RateLimitState,
	flight: Flight,
	{ reset, serviceTime, isLastSecond }: { reset?: number; serviceTime?: number; isLastSecond: boolean },
	now: number,
): RateLimitState {
	const { overdue, window, lateWindows } = state;
	const learned = { ...state, lateWindows: 0, overdue: undefined };
	if (isLastSecond) return learned;
	if (reset === undefined || serviceTime === undefined || !isWhole(reset)) return state;
	if (lateWindows !== undefined) {
		const wasReset = window?.reset;
		const isDisproved = wasReset !== undefined && reset > wasReset && serviceTime <= wasReset;
		return isDisproved ? { ...state, lateWindows: undefined } : state;
	}
	if (serviceTime < reset) return state;
	if (overdue?.reset !== reset) return { ...state, overdue: { reset, heardAt: now } };
	return flight.sentAt >= overdue.heardAt ? learned : state;
}

/** The service refused a request. */
function refusal(
	before: RateLimitState,
	flight: Flight,
	said: Partial<News> & { retryAt?: number },
	now: number,
	random: () => number,
): RateLimitState {
	const { resetAt, reset, limit, retryAt } = said;
	// Somebody else took the place that was said to be left, unless the limit itself has changed.
	const isTaken = !countsPlaces(before) && flight.promised !== undefined && flight.promised.limit === limit;
	const state: RateLimitState = {
		...(isTaken ? othersSeen(before, 2) : before),
		// Requests that were on the way together are refused together: that is one refusal.
		refusals: before.refusals + (flight.sentAt >= before.refusedAt ? 1 : 0),
		refusedAt: now,
		refusedSince: before.refusedSince ?? now,
		mostConcurrency: said.remaining === undefined && !before.namesLimits ? CAREFUL_CONCURRENCY : before.mostConcurrency,
	};
	if (resetAt !== undefined && (resetAt > now || isAmongPlaces(state)))
		return withWindow(state, { remaining: 0, resetAt, reset, limit }, now, random);
	if (retryAt !== undefined) return blocked(state, retryAt + RESET_MARGIN, now);
	if (resetAt !== undefined && resetAt > now - OVERDUE_FOR)
		return blocked(state, now + FIRST_OVERDUE_PAUSE * 2 ** Math.min(Math.max(state.refusals - 1, 0), 6), now);
	return { ...blocked(state, now + backOff(state, random), now), concurrency: 1 };
}

/** The service took a request, whatever it made of it. */
function service(
	before: RateLimitState,
	flight: Flight,
	said: Partial<News>,
	othersInFlight: number,
	now: number,
	random: () => number,
): RateLimitState {
	const { window } = before;
	const { resetAt, reset, limit } = said;
	const state = {
		...before,
		refusals: 0,
		refusedSince: undefined,
		servedAt: now,
		settled: before.settled + 1,
	};
	const isNewWindow = window?.resetAt !== undefined && now >= window.resetAt && flight.sentAt >= window.resetAt;
	// Another limit (of another plan): what is left under it says nothing about others who use the key.
	const isNewLimit = limit !== undefined && window?.limit !== undefined && limit !== window.limit;
	const isOutdated = window === undefined || isNewWindow || isNewLimit;
	if (said.remaining === undefined && before.namesLimits) {
		// An answer without the headers (a proxy's error page, say) took a place and tells nothing.
		if (isOutdated) return state;
		const { remaining: left } = window;
		if (left <= 1 && window.resetAt === undefined) return withWindow(state, { ...window, remaining: 0 }, now, random);
		return { ...state, window: { ...window, remaining: left - 1 } };
	}
	const heard = { ...state, namesLimits: said.remaining !== undefined };
	const remaining = said.remaining ?? Infinity;
	const news = { remaining, resetAt, reset, limit };
	if (isOutdated) {
		// More than our own requests in a window that has just begun. One that slides has no beginning: its next reset is near.
		const used = (limit ?? 0) - remaining;
		const begins = isNewWindow && !isNewLimit && (resetAt ?? 0) - now > window.resetAt - window.heardAt;
		const isShared = begins && used > 1 + othersInFlight && used < remaining;
		const seen = isNewWindow && !isNewLimit ? withNextWindow(heard, window, said) : heard;
		return withWindow(isShared ? othersSeen(seen, 2) : grown(seen), news, now, random);
	}
	if (resetAt !== undefined && resetAt <= now) return heard; // The window it speaks of has ended.
	// What is still on the way may have been counted.
	const ours = Math.max(1, state.settled + othersInFlight - window.settled);
	const fall = countsPlaces(heard) ? 1 : Math.max(1, (window.remaining - remaining) / ours) || 1;
	const known = heard.fallPerRequest;
	const fallPerRequest = known + (fall - known) / (fall > known ? NOTICED_WITHIN : FORGOTTEN_WITHIN);
	const learned = { ...heard, fallPerRequest };
	const next = fall > 1 ? othersSeen(learned, 1) : grown(learned);
	const isNewer =
		flight.sentAt >= window.heardAt || (reset !== undefined && window.reset !== undefined && reset > window.reset);
	return isNewer || remaining <= window.remaining ? withWindow(next, news, now, random) : next;
}

/** Counts the windows since it was learned when they end. */
function withNextWindow(state: RateLimitState, last: Window, { reset }: Partial<News>): RateLimitState {
	// The old window goes on.
	if (state.lateWindows === undefined || reset === undefined || reset === last.reset) return state;
	return { ...state, lateWindows: state.lateWindows + 1 < LATE_WINDOWS ? state.lateWindows + 1 : undefined };
}
