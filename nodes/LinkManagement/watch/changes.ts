/**
 * What a watch compares and what it reports. Plain data and plain arithmetic: no clock, no network, no n8n.
 */

/** A record as the service sends it. */
export type ServiceRecord = Record<string, unknown>;

/** One page of a listing, as the service sent it; paging fields only where the service gave usable ones. */
export interface Listing {
	records: ServiceRecord[];
	/** How many records the whole listing has. */
	result?: number;
	/** How many records a page holds, which may be fewer than were asked for. */
	perpage?: number;
	/** Number of the last page. */
	maxpage?: number;
}

/** What a watch looks for. `created`: records not seen before. `grown`: a count that rose. `reached`: a count that passed a threshold. */
export type Question =
	| { kind: 'created'; includeExisting: boolean }
	| { kind: 'grown'; minimumIncrease: number }
	| { kind: 'reached'; threshold: number; mode: 'once' | 'every' };

/** One thing to report about a record. `previous` and `count` stand where the question is about a count, `threshold` where it is about thresholds. */
export interface Change {
	record: ServiceRecord;
	previous?: number;
	count?: number;
	threshold?: number;
}

/**
 * What a watch wants to see next: a page of the listing (from 1), or one record by its ID. `size` is the page size
 * that the pages before were granted: with another one, the page would show other records.
 */
export type Wanted = { page: number; size?: number } | { id: number };

/**
 * Reads a field that holds a whole number; the service also sends counts as text.
 *
 * @returns the number, or undefined where the field holds anything else, negative numbers included
 */
export function wholeNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** The ID of a record: a positive integer. Undefined where there is none; such a record can't be watched. */
export function idOf(record: ServiceRecord): number | undefined {
	const id = wholeNumber(record.id);
	return id === 0 ? undefined : id;
}

/** The date of a record as the service writes it (YYYY-MM-DD HH:MM:SS, so that text order is time order), '' where there is none. */
export function dateOf(record: ServiceRecord): string {
	return typeof record.date === 'string' ? record.date : '';
}

/**
 * The count from which a growth to `count` is reckoned, when `previous` was seen last.
 *
 * A count only falls when the statistics were reset or corrected. Below half of what it was it began again
 * at zero, and what it shows now is new. A smaller fall is a correction (say, visits of robots taken out):
 * what is left has been reported before, so it is the new baseline.
 */
export function baseline(previous: number, count: number): number {
	if (count >= previous) return previous;
	return count * 2 < previous ? 0 : count;
}

/**
 * The thresholds that lie above `previous` and not above `count`, in rising order.
 *
 * @param mode `once`: the threshold itself; `every`: each multiple of it
 */
export function passedThresholds(
	previous: number,
	count: number,
	threshold: number,
	mode: 'once' | 'every',
): number[] {
	if (mode === 'once') return previous < threshold && threshold <= count ? [threshold] : [];
	const passed: number[] = [];
	for (let n = Math.floor(previous / threshold) + 1; n * threshold <= count; n++) passed.push(n * threshold);
	return passed;
}
