import type { Change, Question, ServiceRecord } from './changes';
import type { PageCursor } from '../service/pagination';
import type { StateFields } from './watchState';

export interface WatchSettings {
	question: Question;
	/** The listing is requested with its newest records first. */
	isNewestFirst?: boolean;
	countField: string;
	/** The selected records; undefined: all. Not for new records. */
	selected?: readonly number[];
}

/** One page of the listing. */
export interface Listing {
	/** Records that this poll had not seen before. */
	records: ServiceRecord[];
	/** Where reading goes on; undefined at the end. */
	cursor?: PageCursor;
	/** The number of records in the listing, if the service gives it. */
	total?: number;
}

/** A record by its ID. `unknown`: the service neither shows it nor says that it is gone. */
export type SingleRecord = ServiceRecord | 'gone' | 'unknown';

/** Where a poll reads from. Each answer is undefined when time is up. */
export interface RecordSource {
	/** Reads the listing, from a cursor or its top. @returns a function that gives the next page each time */
	list(cursor?: PageCursor): () => Promise<Listing | undefined>;
	record(id: number): Promise<SingleRecord | undefined>;
}

/** From where a poll goes on. */
export interface StartingPoint<Fields = StateFields> {
	/** The state that the last poll left, if there was one. */
	fields?: Fields;
	/** Existing records are a new baseline. */
	isNewBaseline?: boolean;
}

/** The changes that a poll found, and the state that it leaves. */
export interface Found {
	changes: Change[];
	fields: StateFields;
}
