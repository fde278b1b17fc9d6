/** The state that a watch leaves for the next poll: plain JSON. */

/** What tells a record from one of another account: its ID and its date. */
export type Mark = readonly [id: number, date: unknown];

interface MarkedState {
	/** The baseline is not read yet. For counts: the first one of a record is its baseline, so of selected records always. */
	readonly isBaseline: boolean;
	/** The newest records. */
	readonly newest: readonly Mark[];
}

/** The state of a watch for new records. */
export interface SeenState extends MarkedState {
	/** The highest IDs ever seen. */
	readonly ids: readonly number[];
	/** IDs up to this one are not new. */
	readonly knownUpTo: number;
	/** The total of the listing. */
	readonly total?: number;
}

/** A count below the last one: the lowest since, and the number of polls in a row. */
export type Fall = readonly [lowest: number, polls: number];

/** The state of a watch of counts. */
export interface CountState extends MarkedState {
	/** The selected records; undefined: all. */
	readonly selected?: readonly number[];
	/** The last reported count or baseline of each record. */
	readonly counts: Readonly<Record<string, number>>;
	readonly falls: Readonly<Record<string, Fall>>;
	/** Unknown records with IDs up to this one existed before: their first count is their baseline. */
	readonly knownUpTo: number;
	/** See `WatchedRecords`. */
	readonly way?: 'single' | 'list';
}

export type StateFields = SeenState | CountState;

/** Whether a baseline is still to be read: changes until then go unseen. The first count of selected records is always one. */
export function isPending(fields?: StateFields): boolean {
	return fields?.isBaseline === true && !('selected' in fields && fields.selected !== undefined);
}
