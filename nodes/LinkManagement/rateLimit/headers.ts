/** An answer, as far as it is about the rate limit. */
export interface RateLimitAnswer {
	/** The service did nothing, because the rate limit is reached. */
	readonly refused: boolean;
	/** Header names in lower case. */
	readonly headers: Record<string, unknown>;
	/** Time until the next try (ms) by the body, which takes precedence over the header. */
	readonly retryAfter?: number;
}

/** Seconds below this are a span, not a timestamp: 1e8 s is the year 1973. What is above the other is in milliseconds. */
const SMALLEST_TIMESTAMP = 1e8;
const LARGEST_IN_SECONDS = 1e11;
/** A window lasts so much longer (ms) than its reset says: services cut the reset down to seconds, and refuse through that second. */
export const MARGIN = 1_000;

function figure(value: unknown): number | undefined {
	return typeof value === 'string' && /^\d{1,15}(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/**
 * Reads what an answer says about the rate limit (spec, "Limits": the form of the reset is not shown; field notes, "Rate limit").
 *
 * A reset is set against the `Date` of the same answer: so no clock need be right.
 *
 * @param now local time of receipt (ms), used where there is no `Date`
 * @returns `limit` and `remaining` in requests; `reset` as the service gave it, which tells its windows apart; `endsAt` in ms: when the
 * window ends, or by which time a refused request may be sent again. What is missing or garbled is undefined
 */
export function readRateHeaders({ headers, retryAfter }: Omit<RateLimitAnswer, 'refused'>, now: number) {
	const date = Date.parse(String(headers.date));
	const clock = Number.isNaN(date) ? now : date;
	const reset = figure(headers['x-ratelimit-reset']);
	const pause = retryAfter ?? (figure(headers['retry-after']) ?? NaN) * 1000;
	let left = NaN;
	if (reset !== undefined && reset < SMALLEST_TIMESTAMP) left = reset * 1000;
	else if (reset !== undefined) left = reset * (reset < LARGEST_IN_SECONDS ? 1000 : 1) - clock;
	// A reset that is past says nothing.
	const ends = [left, pause].find((ms) => ms > -MARGIN);
	return {
		limit: figure(headers['x-ratelimit-limit']),
		remaining: figure(headers['x-ratelimit-remaining']),
		reset,
		endsAt: ends === undefined ? undefined : now + Math.max(0, ends) + MARGIN,
	};
}
