import type { Change, Question, ServiceRecord } from './changes';
import type { StateFields } from './state';

/** How a listing is read: `all` pages, from the `newest` record, or from the `highest` count. */
export type Reading = 'all' | 'newest' | 'highest';

export interface WatchSettings {
	question: Question;
	reading: Reading;
	/** The field that holds the count. */
	countField: string;
	/** Only these records are watched; undefined: all of them. Not for new records. */
	selected?: readonly number[];
}

/** A place in a listing: all above this position was read, when the listing had so many records, in pages of this size. */
export interface Place {
	readonly position: number;
	readonly total?: number;
	readonly size?: number;
}

export const TOP: Place = { position: 0 };

/** What a page of a listing gave. */
export interface Listing {
	/** The records that this reading had not given before. */
	records: ServiceRecord[];
	/** Where reading goes on; undefined when the listing has ended, as far as anyone can tell. */
	place?: Place;
	/** How many records the listing has, where the service tells. */
	total?: number;
	/** Requests that the rest of the listing takes; Infinity where nobody knows. */
	pagesLeft: number;
	/** It was left because it repeats itself. */
	isEndless?: boolean;
}

/**
 * What a poll wants to see next: the listing from a place on, more of it from where the last page ended, the first page of the
 * listing in another order, or one record by its ID.
 */
export type Wanted = WantedPage | { id: number };
export type WantedPage = { from: Place } | { more: true } | { otherOrder: true };

export const MORE: WantedPage = { more: true };

/** A record as it was asked for by its ID; `unknown`: the service neither gives it nor says that it is gone. */
export type Sought = ServiceRecord | 'gone' | 'unknown';

/** What a poll is told: what it asked for, or that time is up. */
export type Answer = { listing: Listing } | { record: Sought } | 'stop';

/** What a poll found, and the state that it leaves for the next one. */
export interface Outcome {
	changes: Change[];
	fields: StateFields;
	/** What the user should know of this service, told once. */
	notice?: string;
}

/**
 * One poll: asks for pages and records one after another until it wants nothing more or is told to stop, and ends with what
 * it found. To go on where it stopped, the next poll needs nothing but the state.
 */
export type Poll = Generator<Wanted, Outcome, Answer>;

/** A part of a poll, which ends with a result of its own. */
export type Part<Result> = Generator<Wanted, Result, Answer>;

/** Asks for a page. @returns undefined when told to stop */
export function* askPage(wanted: WantedPage): Part<Listing | undefined> {
	const answer = yield wanted;
	if (answer === 'stop') return undefined;
	if (!('listing' in answer)) throw new TypeError('A page was asked for');
	return answer.listing;
}

/** Asks for a record. @returns undefined when told to stop */
export function* askRecord(id: number): Part<Sought | undefined> {
	const answer = yield { id };
	if (answer === 'stop') return undefined;
	if (!('record' in answer)) throw new TypeError('A record was asked for');
	return answer.record;
}

/** The place that a state holds. */
export function placeIn({ position, totalThen, size }: StateFields = {}): Place {
	const numberOf = (value: unknown) => (value === undefined ? undefined : Number(value));
	return { position: Number(position ?? 0), total: numberOf(totalThen), size: numberOf(size) };
}

export function writePlace(place: Place): StateFields {
	const { position, total, size } = place.position === 0 ? TOP : place;
	return { position, totalThen: total, size };
}
