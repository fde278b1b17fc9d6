/**
 * What a watch compares and what it reports. Plain data and plain arithmetic: no clock, no network, no n8n.
 */

/** A record as the service sends it. */
export type ServiceRecord = Record<string, unknown>;

/** One page of a listing. How long the listing is stands there only where the service told. */
export interface Listing {
	records: ServiceRecord[];
	/** It is the last page, as far as anyone can tell. */
	isLast: boolean;
	/** How many records a page holds, which may be fewer than were asked for: at least 1. */
	size: number;
	/** How many records the whole listing has. */
	total?: number;
	/** Number of the last page. */
	lastPage?: number;
}

/** What a watch looks for. `created`: records not seen before. `grown`: a count that rose. `reached`: a count that passed a threshold. */
export type Question =
	| { kind: 'created'; includeExisting: boolean }
	| { kind: 'grown'; minimumIncrease: number }
	| { kind: 'reached'; threshold: number; mode: 'once' | 'every' };

/** One thing to report about a record. `previous` and `count` stand where the question is about a count. */
export interface Change {
	record: ServiceRecord;
	previous?: number;
	count?: number;
	/** The threshold that was passed; the highest where many are told together. */
	threshold?: number;
	/** Where many thresholds are told together: how many, and the lowest of them. */
	together?: { passed: number; first: number };
}

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

/** Thresholds above one count and not above another: how many, and the first and the last of them. */
export interface PassedThresholds {
	passed: number;
	first: number;
	last: number;
}

/**
 * The thresholds that lie above `previous` and not above `count`: computed, for there can be thousands of millions.
 *
 * @param mode `once`: the threshold itself; `every`: each multiple of it
 * @returns undefined when there is none
 */
export function passedThresholds(
	previous: number,
	count: number,
	threshold: number,
	mode: 'once' | 'every',
): PassedThresholds | undefined {
	const most = mode === 'once' ? 1 : Infinity;
	const before = Math.min(most, multiplesUpTo(previous, threshold));
	const now = Math.min(most, multiplesUpTo(count, threshold));
	if (now <= before) return undefined;
	return { passed: now - before, first: multiple(threshold, before + 1), last: multiple(threshold, now) };
}

/** The n-th multiple of a threshold, as it is written: 3 × 1.1 is 3.3. */
export function multiple(threshold: number, n: number): number {
	return Number.isInteger(threshold) ? threshold * n : Number((threshold * n).toPrecision(15));
}

/** How many multiples of a threshold are not above a count. */
function multiplesUpTo(count: number, threshold: number): number {
	let n = Math.floor(count / threshold);
	// A quotient of fractions may lie just beside the whole number that it should be.
	while (n > 0 && multiple(threshold, n) > count) n--;
	while (multiple(threshold, n + 1) <= count) n++;
	return n;
}
