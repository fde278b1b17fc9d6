/** What a watch looks at, where it reads from, and the state that it leaves for the next poll: plain JSON. */
import type { ListReader } from '../service/lists/listReader';
import { idOf } from '../service/records';
import type { Change, Question, ServiceRecord } from './changes';

export interface Watch {
	question: Question;
	/** The listing is requested with its newest records first. */
	isNewestFirst?: boolean;
	countField: string;
	/** The selected records; undefined: all. Not for new records. */
	selected?: readonly number[];
	/** Single records show their counts. */
	hasSingles?: boolean;
}

/** The listing of the records, as it is read. */
export type Listing = Pick<ListReader, 'isOver' | 'total' | 'pagesLeft' | 'isShort' | 'missing'>;

/** A record by its ID. `unknown`: the service neither shows it nor says that it is gone. */
export type SingleRecord = ServiceRecord | 'gone' | 'unknown';

/** Where a poll reads from. Each answer is undefined when its time is up. */
export interface RecordSource {
	/** Begins to read the listing. */
	list(): Listing;
	/** Reads the next page of a listing, perhaps one that an earlier poll has begun. @returns the records that no page has shown */
	page(listing: Listing): Promise<ServiceRecord[] | undefined>;
	record(id: number): Promise<SingleRecord | undefined>;
}

/** The changes that a reading found, and the state that it leaves. */
export interface Found {
	changes: Change[];
	state: WatchState;
}

/** A reading of the account, in one poll or several. */
export interface Reading {
	/** The state while it is not finished: without changes, and so that another reading can begin in its place. */
	readonly unfinished: WatchState;
	/** It has seen a record that the state knows. */
	readonly isOfAccount: boolean;
	/** Reads on. @returns undefined when the poll's time is up */
	read(source: RecordSource): Promise<Found | undefined>;
}

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

export type WatchState = SeenState | CountState;

/** Whether a baseline is still to be read: changes until then go unseen. The first count of selected records is always one. */
export function isPending(state?: WatchState): boolean {
	return state?.isBaseline === true && !('selected' in state && state.selected !== undefined);
}

/** Whether something that is watched has no baseline yet: what happens to it until then goes unseen. */
export function isIncomplete(state: WatchState): boolean {
	if (!('selected' in state) || state.selected === undefined) return state.isBaseline;
	return state.selected.some((id) => state.counts[id] === undefined);
}

/** The date of a record, in the service's form (spec: YYYY-MM-DD HH:MM:SS): nothing else of what it sends is stored. */
function dateIn({ date }: ServiceRecord): string | null {
	return typeof date === 'string' && /^\d{4}-\d\d-\d\d[ T][\d:]{8}$/.test(date) ? date : null;
}

/** How many of the newest records are stored. */
const MOST_MARKS = 10;

/** The records that tell which account this is: whatever the key, it is the one that shows a record which the state knows. */
export class Marks {
	hasMet = false;
	private readonly seen = new Map<number, unknown>();

	constructor(private readonly known: readonly Mark[]) {}

	note(record: ServiceRecord): void {
		const id = idOf(record);
		if (id === undefined) return;
		const date = dateIn(record);
		this.hasMet ||= this.known.some((mark) => mark[0] === id && mark[1] === date);
		this.seen.set(id, date);
	}

	/** The newest of the records that were seen; if there are none, those that were known. */
	get newest(): readonly Mark[] {
		if (this.seen.size === 0) return this.known;
		return [...this.seen].sort(([one], [other]) => other - one).slice(0, MOST_MARKS);
	}
}
