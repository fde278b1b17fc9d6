/** What is known of the rate limit of one service and key. All times are local and in milliseconds, unless a line says otherwise. */

/** A request on its way. */
export interface Flight {
	readonly sentAt: number;
}

export interface RateLimitAnswer {
	/** The service did nothing, because the rate limit is reached. */
	readonly refused: boolean;
	/** Header names in lower case. */
	readonly headers: Record<string, unknown>;
	/** What the body says about the time until a next try (ms); goes before the header. */
	readonly retryAfter?: number;
}

/** What the service said last of its present window. After a refusal it has no places, until another request may be sent. */
export interface Window {
	/** Requests that are left; Infinity where the service does not say. */
	readonly remaining: number;
	/** When it resets, margin included. */
	readonly resetAt?: number;
	/** The service's reset, as it named it: tells one window from another. */
	readonly reset?: number;
	readonly limit?: number;
	readonly heardAt: number;
}

/** Everything that is known. What stops being true is disproved by the next answers, or has an end of its own. */
export interface RateLimitState {
	/** How far the service's clock is ahead of ours. */
	readonly clock: number;
	readonly window?: Window;
	/** When the service last took a request, and since when it has refused without taking one. */
	readonly servedAt?: number;
	readonly refusedSince?: number;
	/** Refusals in a row, and when the latest was heard. */
	readonly refusals: number;
	readonly refusedAt: number;
	/** A reset means the end of the second that it names: the service was seen to refuse through that second. */
	readonly isLate: boolean;
	/** How many requests may be on the way together. */
	readonly concurrency: number;
	/** When less was left than what our own requests explain: others use the key, or no header says how much is left. */
	readonly surprisedAt: number;
}

export const NOTHING_KNOWN: RateLimitState = {
	clock: 0,
	refusals: 0,
	refusedAt: -Infinity,
	isLate: false,
	concurrency: 1,
	surprisedAt: -Infinity,
};

/** A request that has waited this long, or would have to, while the service took none, fails instead. */
export const LONGEST_WAIT = 10 * 60_000;
/**
 * After this long, one request feels the way, whatever the service says. A window of a minute lasts up to two seconds
 * longer where its reset is cut down to whole seconds and refuses through that second: such a wait is trusted to its end.
 */
export const FEELS_AFTER = 60_000;
const TRUSTED_WAIT = 65_000;

/** Whether a time on the service's clock is named in seconds. */
export function isWhole(time: number | undefined): boolean {
	return time !== undefined && time % 1000 === 0;
}

/** Until when a window is trusted; then one request feels the way. */
export function endOf({ resetAt = Infinity, heardAt }: Window): number {
	return resetAt - heardAt > TRUSTED_WAIT ? heardAt + FEELS_AFTER : resetAt;
}
