import type { Change, Question, ServiceRecord } from './changes';
import type { Place, StateFields } from './state';

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
	place?: Place;
	/** How many records the listing has, where the service tells. */
	total?: number;
}

/**
 * What a poll wants to see next: the next page of the listing, whose reading begins at a place (undefined: at the top), or one
 * record by its ID.
 */
export type Wanted = { page: 'next'; begin?: Place } | { id: number };

/** A record that was asked for by its ID. `unknown`: the service neither shows it nor says that it is gone. */
export type Single = ServiceRecord | 'gone' | 'unknown';

/** What a poll gets: what it wanted, or the word that time is up. */
export type Reply = { listing: Listing } | { record: Single } | { isOver: true };

/** What a poll found, and the state that it leaves for the next one. */
export interface Found {
	changes: Change[];
	fields: StateFields;
}

/**
 * One poll: asks for pages and records one after another until it wants nothing more or has to stop, and ends with what
 * it found. To go on where it stopped, the next poll needs nothing but the state.
 */
export type Poll = Generator<Wanted, Found, Reply>;

/** A part of a poll, which ends with a result of its own. */
export type Part<Result> = Generator<Wanted, Result, Reply>;

/** Asks for the next page. @param begin where the reading begins, if this is its first page @returns undefined when time is up */
export function* askPage(begin?: Place): Part<Listing | undefined> {
	const answer = yield { page: 'next', begin };
	return 'listing' in answer ? answer.listing : undefined;
}

/** Asks for a record. @returns undefined when time is up */
export function* askRecord(id: number): Part<Single | undefined> {
	const answer = yield { id };
	return 'record' in answer ? answer.record : undefined;
}
