/** The state that a watch leaves for the next poll: plain JSON. */

/** IDs above the first and up to the second. */
export type IdRange = readonly [above: number, upTo: number];

/** The state of a watch for new records. */
export interface SeenState {
	/** The baseline is not read yet. */
	readonly isBaseline: boolean;
	/** The records of this baseline are never reported: existing records were wanted, but of another account. */
	readonly isSilent?: boolean;
	/** The highest IDs ever seen. */
	readonly ids: readonly number[];
	/** IDs up to this one are not new. */
	readonly knownUpTo: number;
	/** Records that existed at a baseline, and were not reported. */
	readonly unreported: readonly IdRange[];
	/** The total of the listing. */
	readonly total?: number;
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
	/** The service does not show all selected records one by one. */
	readonly isByList?: boolean;
}

export type StateFields = SeenState | CountState;

/** Whether a baseline is still to be read: changes until then go unseen. The first count of selected records is always one. */
export function isPending(fields?: StateFields): boolean {
	return fields?.isBaseline === true && !('selected' in fields && fields.selected !== undefined);
}
