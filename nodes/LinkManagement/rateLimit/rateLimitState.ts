/** What is known of the rate limit of one service and key. All times are local and in milliseconds, unless a line says otherwise. */

/** A request that was sent and has no answer yet. */
export interface InFlightRequest {
	readonly sentAt: number;
}

export interface RateLimitAnswer {
	/** The service did nothing, because the rate limit is reached. */
	readonly refused: boolean;
	/** Header names in lower case. */
	readonly headers: Record<string, unknown>;
	/** Time until the next try (ms) by the body, which takes precedence over the header. */
	readonly retryAfter?: number;
}

/** What the service last said of its current window. After a refusal nothing remains of it, until another request may be sent. */
export interface Window {
	/** Requests that are left; Infinity where the service does not say. */
	readonly remaining: number;
	/** When it resets, margin included. */
	readonly resetAt?: number;
	/** The reset as the service gave it: it tells one window from another. */
	readonly reset?: number;
	readonly limit?: number;
	readonly heardAt: number;
	/** Its first answer: how much remained, and how many of our requests were sent until then. */
	readonly first?: { readonly remaining: number; readonly sent: number };
}

/** Everything that is known. What is no longer true is corrected by the next answers, or ends by itself. */
export interface RateLimitState {
	/** How far (ms) the service's clock is ahead of ours. */
	readonly clockOffset: number;
	readonly window?: Window;
	/** When the service last accepted a request, and since when it has refused all. */
	readonly servedAt?: number;
	readonly refusedSince?: number;
	/** Refusals in a row, and the time of the latest. */
	readonly refusals: number;
	readonly refusedAt: number;
	/** The service rounds its reset down to whole seconds: it was seen to refuse throughout the second that it names. */
	readonly resetRoundsDown: boolean;
	/** How many requests may be in flight together. */
	readonly concurrency: number;
	/** When less remained than our own requests explain: other clients use the key, or no header says how much remains. */
	readonly otherClientsSeenAt: number;
}

export const INITIAL_STATE: RateLimitState = {
	clockOffset: 0,
	refusals: 0,
	refusedAt: -Infinity,
	resetRoundsDown: false,
	concurrency: 1,
	otherClientsSeenAt: -Infinity,
};

/** A request fails if it has waited, or would have to wait, this long while the service accepts none. */
export const LONGEST_WAIT = 10 * 60_000;
/**
 * After this time one request probes, whatever the service says. A window of a minute lasts up to two seconds longer where
 * its reset is rounded down: such a wait is trusted to its end.
 */
export const PROBE_AFTER = 60_000;
const TRUSTED_WAIT = 65_000;

/** Whether a time on the service's clock is given in whole seconds. */
export function isWhole(time: number | undefined): boolean {
	return time !== undefined && time % 1000 === 0;
}

/** For so long (ms) after other clients were seen to use the key, one request goes at a time. */
const SHARED_FOR = 2 * 60_000;

/** Whether other clients use the key. */
export function isShared({ otherClientsSeenAt }: RateLimitState, now: number): boolean {
	return now - otherClientsSeenAt < SHARED_FOR;
}

/** Until when a window is trusted; then one request probes. */
export function trustedUntil({ resetAt = Infinity, heardAt }: Window): number {
	return resetAt - heardAt > TRUSTED_WAIT ? heardAt + PROBE_AFTER : resetAt;
}
