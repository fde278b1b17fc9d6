import type { ListReader } from '../service/listReader';
import type { Change, Question, ServiceRecord } from './changes';
import type { StateFields } from './watchState';

export interface WatchSettings {
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
	fields: StateFields;
}

/** A reading of the account, in one poll or several. */
export interface Reading {
	/** The state while it is not finished: without changes, and so that another reading can begin in its place. */
	readonly unfinished: StateFields;
	/** It has seen a record that the state knows. */
	readonly isOfAccount: boolean;
	/** Reads on. @returns undefined when the poll's time is up */
	read(source: RecordSource): Promise<Found | undefined>;
}
