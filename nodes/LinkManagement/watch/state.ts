/** The state that a watch leaves for the next poll: plain JSON. */

import type { ListPlace as Place } from '../service/listReading';

export type { Place };

/** What a watch for new records knows. */
export interface SeenState {
	/** What is there is the baseline, as far as reading has come. */
	readonly isBaseline: boolean;
	/** The highest IDs that were ever seen. */
	readonly ids: readonly number[];
	/** An ID that is not above this is not new. */
	readonly tail: number;
	/** How many records the listing had. */
	readonly total?: number;
	/** Of a reading that has not come to its end: where it goes on, whether the newest come first, and the new IDs that it found. */
	readonly place?: Place;
	readonly isFalling?: boolean;
	readonly met?: readonly number[];
	/** How many new ones, besides these, the total speaks of. */
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
	/** The count of each record that was reported last, or set as its baseline; null: it was watched once, and is not now. */
	readonly counts: Readonly<Record<string, number | null>>;
	readonly falls: Readonly<Record<string, Fall>>;
	/** A record that is not known, and whose ID is not above this, was there before: its first sight is its baseline. */
	readonly tail: number;
	/** Where the reading of the listing goes on. */
	readonly place?: Place;
	/** The service does not show some of the chosen records one by one. */
	readonly isByList?: boolean;
}

export type StateFields = SeenState | CountState;
