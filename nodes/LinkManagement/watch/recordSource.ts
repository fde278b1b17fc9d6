import type { Change, Question, ServiceRecord } from './changes';
import type { PageCursor } from '../service/pagination';
import type { StateFields } from './watchState';

export interface WatchSettings {
	question: Question;
	/** The listing is asked for with its newest records first. */
	isNewestFirst?: boolean;
	countField: string;
	/** Only these records are watched; undefined: all of them. Not for new records. */
	selected?: readonly number[];
}

/** What a page of a listing gave. */
export interface Listing {
	/** The records that this poll had not been given before, perhaps none. */
	records: ServiceRecord[];
	/** Where reading goes on; undefined when the listing has ended. */
	cursor?: PageCursor;
	/** How many records the listing has, where the service tells. */
	total?: number;
}

/** A record that was asked for by its ID. `unknown`: the service neither shows it nor says that it is gone. */
export type SingleRecord = ServiceRecord | 'gone' | 'unknown';

/** What a poll reads from, one thing after another. Each answer is undefined when time is up. */
export interface RecordSource {
	/** Begins to read the listing, at a cursor or at its top. @returns what gives the next page, each time that it is called */
	list(cursor?: PageCursor): () => Promise<Listing | undefined>;
	record(id: number): Promise<SingleRecord | undefined>;
}

/** From where a poll goes on. */
export interface StartingPoint<Fields = StateFields> {
	/** What the last poll left, if there was one. */
	fields?: Fields;
	/** What exists is a new baseline. */
	isAfresh?: boolean;
}

/** What a poll found, and the state that it leaves for the next one. */
export interface Found {
	changes: Change[];
	fields: StateFields;
}
