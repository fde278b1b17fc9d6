/**
 * What a watch compares and what it reports. Plain data and plain arithmetic: no clock, no network, no n8n.
 */

import { idOf } from '../api/records';

/** A record as the service sends it. */
export type ServiceRecord = Record<string, unknown>;

/** What a watch looks for. `created`: records not seen before. `grown`: a count that rose. `reached`: a count that passed a threshold. */
export type Question =
	| { kind: 'created'; includeExisting: boolean }
	| { kind: 'grown'; minimumIncrease: number }
	| { kind: 'reached'; threshold: number; mode: 'once' | 'every' };

/** Whether what is there at the first poll is reported, too. */
export function reportsExisting(question: Question): boolean {
	return question.kind === 'created' && question.includeExisting;
}

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

/** The form of dates in which text order is time order (spec: YYYY-MM-DD HH:MM:SS). */
const SORTABLE = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d|$)/;

/** The date of a record as the service writes it, '' where there is none by which records could be put in order. */
export function dateOf({ date }: ServiceRecord): string {
	return typeof date === 'string' && SORTABLE.test(date) ? date : '';
}

/** Puts records in the order in which they were created, as far as their dates and IDs tell. */
export function byAge(a: ServiceRecord, b: ServiceRecord): number {
	if (dateOf(a) !== dateOf(b)) return dateOf(a) < dateOf(b) ? -1 : 1;
	return (idOf(a) ?? 0) - (idOf(b) ?? 0);
}

/** The highest of many IDs, and of `least`. */
export function highest(ids: Iterable<number>, least = 0): number {
	let top = least;
	for (const id of ids) if (id > top) top = id;
	return top;
}

/**
 * The count from which growth is reckoned once a fall is believed: the statistics were reset or corrected. Below half of what it
 * was it began again at zero, and all that it shows is new. A smaller fall is a correction (say, visits of robots taken out):
 * what is left has been reported before.
 *
 * @param lowest count since the fall
 */
export function baselineAfterFall(previous: number, lowest: number): number {
	return lowest * 2 < previous ? 0 : lowest;
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
