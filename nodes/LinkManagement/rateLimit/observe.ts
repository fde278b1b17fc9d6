/** What an answer says about the rate limit: the limit, what remains, and when the window ends. */
import { MOST_IN_FLIGHT } from './admit';
import { readRateHeaders, updatedClockOffset } from './headers';
import {
	type InFlightRequest,
	isWhole,
	LONGEST_WAIT,
	PROBE_AFTER,
	type RateLimitAnswer,
	type RateLimitState,
	trustedUntil,
	type Window,
} from './rateLimitState';

/** Added to a reset (ms): timers and clocks are not exact. */
const RESET_MARGIN = 10;
/** Pause (ms) after a refusal: doubles with each further one, up to the longest. Shorter where the service gives a time; the later one counts. */
const BACK_OFF = { first: 1_000, longest: PROBE_AFTER };
const BACK_OFF_BEYOND_RESET = { first: 500, longest: 8_000 };
/** How much later (ms) a window ends whose reset is rounded down. */
const ROUNDED_BY = 1_000;

/** What an answer says of its window. */
type WindowUpdate = Partial<Omit<Window, 'heardAt' | 'first'>>;

/** Blocks all requests until `until`, and for the pause after so many refusals. */
function blocked(state: RateLimitState, until: number | undefined, now: number, random: () => number): RateLimitState {
	const { first, longest } = until === undefined ? BACK_OFF : BACK_OFF_BEYOND_RESET;
	const pause = Math.min(longest, first * 2 ** Math.max(state.refusals - 1, 0)) * (1 + random() / 4);
	return { ...state, window: { remaining: 0, resetAt: Math.max(until ?? 0, now + pause), heardAt: now } };
}

/**
 * The window after a request was accepted: as the answer shows it, unless it is late and shows an older state. An answer without the
 * headers, such as a proxy's error page, uses one request of the window.
 */
function nextWindow(window: Window | undefined, update: WindowUpdate, sentAt: number, now: number): Window {
	const { remaining = Infinity, resetAt, reset = 0, limit } = update;
	if (window === undefined) return { ...update, remaining, heardAt: now };
	if (update.remaining === undefined) return { ...window, remaining: window.remaining - 1 };
	if (resetAt !== undefined && resetAt <= now) return window;
	const isOtherLimit = limit !== undefined && limit !== (window.limit ?? limit);
	const isNewer = sentAt >= window.heardAt || reset > (window.reset ?? Infinity) || isOtherLimit;
	return isNewer || remaining <= window.remaining ? { ...update, remaining, heardAt: now } : window;
}

/** Whether less remains of a window than our own requests explain, since its first answer. @param sent how many of ours were ever sent */
function showsOtherClients(
	window: Window | undefined,
	{ remaining, limit, reset }: WindowUpdate,
	isRefused: boolean,
	sent: number,
): boolean {
	if (window === undefined || window.limit !== limit) return false;
	if (isRefused) return window.remaining > 0;
	const { first } = window;
	const isSame = first !== undefined && window.reset === reset && remaining !== undefined;
	return isSame && remaining < first.remaining - (sent - first.sent);
}

/**
 * The state after a request has ended.
 *
 * Some services round a reset down to whole seconds and refuse throughout that second. A refusal shows it that says to retry
 * after 0 seconds, or gives a reset that the service's own clock has passed; it is assumed from then on.
 *
 * @param sent how many requests were ever sent, and how many of the others are in flight
 * @param answer undefined when none came
 * @param random returns numbers from 0 (included) to 1 (excluded)
 */
export function observe(
	known: RateLimitState,
	{ sentAt }: InFlightRequest,
	sent: { ever: number; inFlight: number },
	answer: RateLimitAnswer | undefined,
	now: number,
	random: () => number,
): RateLimitState {
	if (answer === undefined) return known;
	const { date, reset, limit, remaining, retryAfter: inHeader } = readRateHeaders(answer.headers, now);
	const clockOffset = date === undefined ? known.clockOffset : updatedClockOffset(known.clockOffset, date, sentAt, now);
	const retryAfter = answer.retryAfter ?? inHeader;
	const isPast = isWhole(reset) && (date ?? -Infinity) >= (reset ?? Infinity);
	const resetRoundsDown = known.resetRoundsDown || (answer.refused && (retryAfter === 0 || isPast));
	const roundedBy = resetRoundsDown && isWhole(reset) ? ROUNDED_BY : 0;
	const resetAt = reset === undefined ? undefined : reset + roundedBy - clockOffset + RESET_MARGIN;
	// The window in which the request went.
	const window = known.window !== undefined && sentAt < trustedUntil(known.window) ? known.window : undefined;
	const update: WindowUpdate = { remaining, resetAt, reset, limit };
	const hasOtherClients = showsOtherClients(window, update, answer.refused, sent.ever);
	const state: RateLimitState = {
		...known,
		clockOffset,
		resetRoundsDown,
		...(hasOtherClients && { otherClientsSeenAt: now, concurrency: 1 }),
	};
	if (answer.refused) {
		// A service that rounds down counts its Retry-After from the start of its second.
		const countsFrom = resetRoundsDown && date !== undefined ? date + ROUNDED_BY - clockOffset : now;
		const retryAt = retryAfter === undefined ? undefined : countsFrom + retryAfter + RESET_MARGIN;
		const until = (resetAt ?? 0) > now ? resetAt : (retryAt ?? resetAt);
		// Requests that were in flight together are refused together: that is one refusal.
		const refusals = state.refusals + (sentAt >= state.refusedAt ? 1 : 0);
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
	const first = window !== undefined && window.reset === reset ? window.first : undefined;
	const begun = remaining === undefined ? undefined : { remaining, sent: sent.ever - sent.inFlight };
	const next = { ...nextWindow(window, update, sentAt, now), first: first ?? begun };
	if (next.remaining > 0) return { ...served, window: next };
	if (next.resetAt === undefined) return blocked(served, undefined, now, random);
	// A header alone makes nobody wait for so long: the next request probes.
	const isBelieved = next.resetAt - now <= LONGEST_WAIT;
	return { ...served, window: isBelieved ? next : { remaining: 1, heardAt: now } };
}
