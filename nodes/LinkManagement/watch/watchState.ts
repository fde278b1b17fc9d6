/** The state that a watch leaves for the next poll: plain JSON. */

import type { PageCursor } from '../service/pagination';

/** IDs above the first and up to the second. */
export type IdRange = readonly [above: number, upTo: number];

/** The state of a watch for new records. */
export interface SeenState {
	/** A baseline is being read. */
	readonly isBaseline: boolean;
	/** The records of this baseline are never reported: existing records were wanted, but of another account. */
	readonly isSilent?: boolean;
	/** The highest IDs ever seen; while a baseline is read, the highest of it. */
	readonly ids: readonly number[];
	/** IDs up to this one are not new. */
	readonly knownUpTo: number;
	/** Records that existed at a baseline, and were not reported. */
	readonly unreported: readonly IdRange[];
	/** The total of the listing. */
	readonly total?: number;
	/** Of an unfinished reading: where and how it goes on; see `newRecords`. Stored, so its form belongs to the state's version. */
	readonly cursor?: PageCursor;
	readonly isFalling?: boolean;
	readonly isOfExisting?: boolean;
	/** The new IDs that it has found, and how many more the total announces. */
	readonly seenThisReading?: readonly number[];
	readonly missing?: number;
}

/** A count below the last one: the lowest since, and the number of polls in a row. */
export type Fall = readonly [lowest: number, polls: number];

/** The state of a watch of counts. */
export interface CountState {
	/** The first count of a record is its baseline: until the listing was read once, and always for selected records. */
	readonly isBaseline: boolean;
	/** The selected records; undefined: all. */
	readonly selected?: readonly number[];
	/** The last reported count or baseline of each record. */
	readonly counts: Readonly<Record<string, number>>;
	readonly falls: Readonly<Record<string, Fall>>;
	/** Unknown records with IDs up to this one existed before: their first count is their baseline. */
	readonly knownUpTo: number;
	readonly cursor?: PageCursor;
	/** The service does not show all selected records one by one. */
	readonly isByList?: boolean;
	/** Of a few selected records: the index of the one that is read first. */
	readonly nextOfFew?: number;
}

export type StateFields = SeenState | CountState;

/** Whether a baseline is not read to its end: changes of records that it has not reached go unseen. */
export function isUnfinished({ isBaseline, cursor }: StateFields): boolean {
	return isBaseline && cursor !== undefined;
}
