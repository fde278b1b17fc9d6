/** The state that a watch leaves for the next poll: plain JSON. */

import type { PageCursor } from '../service/pagination';

/** IDs above the first and up to the second. */
export type IdRange = readonly [above: number, upTo: number];

/** What a watch for new records knows. */
export interface SeenState {
	/** What is there is the baseline, as far as reading has come. */
	readonly isBaseline: boolean;
	/** What this baseline finds is never to be reported: existing records were wanted, but of another account. */
	readonly isSilent?: boolean;
	/** The highest IDs that were ever seen; while a baseline is read, the highest of it. */
	readonly ids: readonly number[];
	/** An ID that is not above this is not new. */
	readonly knownUpTo: number;
	/** What was there at a baseline, and was not reported. */
	readonly unreported: readonly IdRange[];
	/** How many records the listing had. */
	readonly total?: number;
	/** Of a reading that has not come to its end: where it goes on, and how; see `newRecords`. It is stored under the state's version. */
	readonly cursor?: PageCursor;
	readonly isFalling?: boolean;
	readonly isOfExisting?: boolean;
	/** The new IDs that it has found, and how many more the total speaks of. */
	readonly seenThisReading?: readonly number[];
	readonly missing?: number;
}

/** A count below what was reported: the lowest since, and in how many polls in a row. */
export type Fall = readonly [lowest: number, polls: number];

/** What a watch of counts knows. */
export interface CountState {
	/** The first sight of a record is its baseline: until the list was read once, and always where records were chosen. */
	readonly isBaseline: boolean;
	/** The records that were chosen; undefined: all. */
	readonly selected?: readonly number[];
	/** The count of each record that was reported last, or set as its baseline. */
	readonly counts: Readonly<Record<string, number>>;
	readonly falls: Readonly<Record<string, Fall>>;
	/** A record that is not known, and whose ID is not above this, was there before: its first sight is its baseline. */
	readonly knownUpTo: number;
	readonly cursor?: PageCursor;
	/** The service does not show some of the chosen records one by one. */
	readonly isByList?: boolean;
	/** Of a few chosen ones: which of them is asked for first. */
	readonly nextOfFew?: number;
}

export type StateFields = SeenState | CountState;

/** Whether the first reading of the listing is not over: what happens to records that it has not reached goes unseen. */
export function isUnfinished({ isBaseline, cursor }: StateFields): boolean {
	return isBaseline && cursor !== undefined;
}
