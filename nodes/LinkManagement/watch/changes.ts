/** What a watch compares and reports. Pure: no clock, no network, no n8n. */

import { wholeNumber } from '../service/records';

export type ServiceRecord = Record<string, unknown>;

/** What a watch looks for. `created`: records not seen before. `grown`: a count that rose. `reached`: a count that reached a threshold. */
export type Question =
	| { kind: 'created' }
	| { kind: 'grown'; minimumIncrease: number }
	| { kind: 'reached'; threshold: number; mode: 'once' | 'every' };

/** A change of a record. `previous` and `count` are set if the question is about a count. */
export interface Change {
	record: ServiceRecord;
	previous?: number;
	count?: number;
	threshold?: number;
}

/**
 * The baseline after a count has fallen. Below half of the previous count, the statistics were reset: all that they show is new. A
 * smaller fall is a correction, such as removed visits of robots: what is left was reported before.
 *
 * @param lowest count since the fall
 */
export function baselineAfterFall(previous: number, lowest: number): number {
	return lowest * 2 < previous ? 0 : lowest;
}

/** A count that jumps over more thresholds is one event: a jump may pass millions of them. */
const MOST_THRESHOLDS = 100;

/**
 * The thresholds above `previous` and up to `count`, in rising order; if there are more than a hundred, only the highest.
 *
 * @param mode `once`: the threshold itself; `every`: each multiple of it
 */
export function reachedThresholds(
	previous: number,
	count: number,
	threshold: number,
	mode: 'once' | 'every',
): number[] {
	const most = mode === 'once' ? 1 : Infinity;
	const before = Math.min(most, Math.floor(previous / threshold));
	const last = Math.min(most, Math.floor(count / threshold));
	const first = last - before > MOST_THRESHOLDS ? last : before + 1;
	return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => (first + n) * threshold);
}

/** A sample change of a record: the last that could have happened, and whether it would be reported. */
export function sampleOf(
	record: ServiceRecord,
	question: Question,
	countField: string,
): { change: Change; fits: boolean } {
	if (question.kind === 'created') return { change: { record }, fits: true };
	const count = wholeNumber(record[countField], 0) ?? 0;
	if (question.kind === 'grown') {
		const fits = count >= question.minimumIncrease;
		return { change: { record, previous: fits ? count - question.minimumIncrease : 0, count }, fits };
	}
	const reached = reachedThresholds(0, count, question.threshold, question.mode).pop();
	const previous = reached === undefined ? 0 : reached - 1;
	return {
		change: { record, previous, count, threshold: reached ?? question.threshold },
		fits: reached !== undefined,
	};
}
