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
/** A number above this is in milliseconds: 1e11 s is the year 5138, 1e11 ms the year 1973. */
const SMALLEST_TIMESTAMP_MILLISECONDS = 1e11;

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

function resetTime(value: unknown, now: number): number | undefined {
	const text = single(value);
	if (text === undefined) return undefined;
	if (!/^-?\d{1,16}(\.\d+)?$/.test(text)) return moment(text);
	const figure = Number(text);
	if (figure >= SMALLEST_TIMESTAMP_MILLISECONDS) return figure;
	if (figure >= SMALLEST_TIMESTAMP_SECONDS) return figure * 1000;
	return now + figure * 1000;
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
				? Math.max(0, retryDate - now)
				: retry !== undefined && /^\d+(\.\d+)?$/.test(retry)
					? Number(retry) * 1000
					: undefined,
		date,
	};
}

/**
 * The difference between the service's clock and ours, narrowed with every response: the Date header is cut to whole
 * seconds, so one response leaves a second of doubt, and many responses leave almost none.
 */
export class ClockDifference {
	private least = -Infinity;
	private most = Infinity;

	/** Takes in a Date header (ms) of a request sent and answered at these local times (ms). */
	observe(date: number, sentAt: number, receivedAt: number): void {
		const least = date - receivedAt;
		const most = date + 1000 - sentAt;
		if (least > this.most || most < this.least) {
			// One of the two clocks was set anew: what was learned before is void.
			this.least = least;
			this.most = most;
			return;
		}
		this.least = Math.max(this.least, least);
		this.most = Math.min(this.most, most);
	}

	/**
	 * Turns a time on the service's clock into local time. While no difference is proven, the clocks count as equal; then the
	 * middle of what is possible is taken, which the next responses narrow by half, whichever way it was wrong.
	 */
	toLocal(serviceTime: number): number {
		const mayBeEqual = this.least <= 0 && this.most >= 0;
		return serviceTime - (mayBeEqual ? 0 : (this.least + this.most) / 2);
	}
}
