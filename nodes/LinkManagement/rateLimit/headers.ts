/**
 * What a response says about the rate limit (spec, "Limits": X-RateLimit-Limit, -Remaining, -Reset; the reset is
 * "a timestamp", its form not shown), read tolerantly, and set against the local clock.
 */

/** The rate-limit state that one response reports. Times are milliseconds since the epoch, on the service's clock. */
export interface RateHeaders {
	limit?: number;
	remaining?: number;
	/** When the window resets, on the service's clock. */
	reset?: number;
	/** Milliseconds to wait before the next request (Retry-After). */
	retryAfter?: number;
	/** The response's Date header: the service's clock, cut to whole seconds. */
	date?: number;
}

/** A number below this is a span of seconds, not a timestamp: 1e8 s is the year 1973. */
const SMALLEST_TIMESTAMP_SECONDS = 1e8;
/** A number above this is in milliseconds: 1e11 s is the year 5138, 1e11 ms the year 1973; likewise the finer units. */
const SMALLEST_TIMESTAMP_MILLISECONDS = 1e11;
const SMALLEST_TIMESTAMP_MICROSECONDS = 1e14;
const SMALLEST_TIMESTAMP_NANOSECONDS = 1e17;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** What a header says of a time further away than this (ms) is cut to it, so that it stays a time that can be shown. */
const FURTHEST = 366 * 24 * HOUR;
/** Time zones differ by multiples of this (ms). */
const ZONE_STEP = 15 * MINUTE;
/** A date and time that names no zone. */
const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)$/;

function single(value: unknown): string | undefined {
	const first: unknown = Array.isArray(value) ? value[0] : value;
	if (typeof first === 'number') return String(first);
	return typeof first === 'string' && first.trim() !== '' ? first.trim() : undefined;
}

function count(value: unknown): number | undefined {
	const text = single(value);
	if (text === undefined || !/^-?\d{1,15}(\.\d+)?$/.test(text)) return undefined;
	return Math.max(0, Math.floor(Number(text)));
}

function moment(value: unknown): number | undefined {
	const text = single(value);
	if (text === undefined) return undefined;
	const time = Date.parse(text);
	return Number.isNaN(time) ? undefined : time;
}

/** A date and time of the service's own zone: taken as UTC, and where that can't be, as in the zone where it comes next. */
function timeWithoutZone(day: string, time: string, now: number): number {
	const asUtc = Date.parse(`${day}T${time}Z`);
	const ahead = asUtc - now;
	return ahead >= -MINUTE && ahead <= HOUR ? asUtc : asUtc - Math.floor(ahead / ZONE_STEP) * ZONE_STEP;
}

function timestamp(figure: number, now: number): number {
	if (figure >= SMALLEST_TIMESTAMP_NANOSECONDS) return figure / 1e6;
	if (figure >= SMALLEST_TIMESTAMP_MICROSECONDS) return figure / 1e3;
	if (figure >= SMALLEST_TIMESTAMP_MILLISECONDS) return figure;
	if (figure >= SMALLEST_TIMESTAMP_SECONDS) return figure * 1e3;
	return now + figure * 1e3;
}

/** A time long past is as good as none. */
function resetTime(value: unknown, now: number): number | undefined {
	const text = single(value);
	if (text === undefined) return undefined;
	const [, day, hours] = WITHOUT_ZONE.exec(text) ?? [];
	const time = /^-?\d{1,20}(\.\d+)?$/.test(text)
		? timestamp(Number(text), now)
		: day !== undefined
			? timeWithoutZone(day, hours, now)
			: moment(text);
	return time === undefined || Number.isNaN(time) || time < now - HOUR ? undefined : Math.min(time, now + FURTHEST);
}

/** A time to wait (ms), within what can be shown. */
export function span(milliseconds: number): number {
	return Math.min(Math.max(0, milliseconds), FURTHEST);
}

/**
 * Reads the rate-limit headers of a response.
 *
 * @param headers the response's headers, names in lower case as Node gives them
 * @param receivedAt local time of receipt in milliseconds, used where there is no Date header
 */
export function readRateHeaders(headers: Record<string, unknown>, receivedAt: number): RateHeaders {
	const date = moment(headers.date);
	const now = date ?? receivedAt;
	const retry = single(headers['retry-after']);
	const retryDate = retry === undefined || /^\d+(\.\d+)?$/.test(retry) ? undefined : moment(retry);
	return {
		limit: count(headers['x-ratelimit-limit']),
		remaining: count(headers['x-ratelimit-remaining']),
		reset: resetTime(headers['x-ratelimit-reset'], now),
		retryAfter:
			retryDate !== undefined
				? span(retryDate - now)
				: retry !== undefined && /^\d+(\.\d+)?$/.test(retry)
					? span(Number(retry) * 1000)
					: undefined,
		date,
	};
}
