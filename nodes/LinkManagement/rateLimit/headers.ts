/**
 * What a response says about the rate limit (spec, "Limits": X-RateLimit-Limit, -Remaining, -Reset; the reset is
 * "a timestamp", its form not shown), read tolerantly, and set against the local clock.
 */

/** A number of seconds below this is a span, not a timestamp: 1e8 s is the year 1973. */
const SMALLEST_TIMESTAMP = 1e8;
/** What is larger is in milliseconds, or finer: 1e11 s is the year 5138, 1e11 ms the year 1973. */
const LARGEST_IN_SECONDS = 1e11;
const HOUR = 60 * 60_000;

function headerText(value: unknown): string | undefined {
	const first: unknown = Array.isArray(value) ? value[0] : value;
	if (typeof first === 'number') return String(first);
	return typeof first === 'string' && first.trim() !== '' ? first.trim() : undefined;
}

function count(value: unknown): number | undefined {
	const text = headerText(value);
	if (text === undefined || !/^-?\d{1,15}(\.\d+)?$/.test(text)) return undefined;
	return Math.max(0, Math.floor(Number(text)));
}

function moment(value: unknown): number | undefined {
	const text = headerText(value);
	if (text === undefined) return undefined;
	const time = Date.parse(text);
	return Number.isNaN(time) ? undefined : time;
}

function timestamp(figure: number, now: number): number {
	if (figure < SMALLEST_TIMESTAMP) return now + figure * 1000;
	let seconds = figure;
	while (seconds >= LARGEST_IN_SECONDS) seconds /= 1000;
	return seconds * 1000;
}

/** A time long past is as good as none. */
function resetTime(value: unknown, now: number): number | undefined {
	const text = headerText(value);
	if (text === undefined) return undefined;
	const time = /^-?\d{1,20}(\.\d+)?$/.test(text) ? timestamp(Number(text), now) : moment(text);
	return time === undefined || time < now - HOUR ? undefined : time;
}

/**
 * Reads the rate-limit headers of a response: `limit` and `remaining` in requests, `reset` and `date` (cut to whole seconds) in ms
 * on the service's clock, `retryAfter` in ms from now. What is missing or garbled is undefined.
 *
 * @param headers the response's headers, names in lower case as Node gives them
 * @param receivedAt local time of receipt in milliseconds, used where there is no Date header
 */
export function readRateHeaders(headers: Record<string, unknown>, receivedAt: number) {
	const date = moment(headers.date);
	const now = date ?? receivedAt;
	const retry = headerText(headers['retry-after']);
	const isCount = retry !== undefined && /^\d+(\.\d+)?$/.test(retry);
	const wait = isCount ? Number(retry) * 1000 : (moment(retry) ?? NaN) - now;
	return {
		limit: count(headers['x-ratelimit-limit']),
		remaining: count(headers['x-ratelimit-remaining']),
		reset: resetTime(headers['x-ratelimit-reset'], now),
		retryAfter: Number.isNaN(wait) ? undefined : wait,
		date,
	};
}

/**
 * How far the service's clock is ahead of ours (ms). What was known stays as long as the Date of an answer, cut to whole seconds,
 * allows it; else the middle of what it allows is taken.
 *
 * @param sentAt local time (ms) at which the request was sent
 * @param receivedAt local time (ms) at which its answer came
 */
export function updatedClockOffset(known: number, date: number, sentAt: number, receivedAt: number): number {
	const [least, most] = [date - receivedAt, date + 1000 - sentAt];
	return known >= least && known <= most ? known : (least + most) / 2;
}
