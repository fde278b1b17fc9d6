import type { Change, Listing, ServiceRecord } from './changes';
import type { StateFields } from './state';
import type { Sightings } from './sightings';

/**
 * What a poll wants to see next: a page of the listing (from 1), or one record by its ID. `size` is the page size that the
 * pages before were granted: with another one, the page would show other records.
 */
export type Wanted = { page: number; size?: number } | { id: number };

/** A record as it was asked for by its ID; `unknown`: the service neither gives it nor says that it is gone. */
export type Sought = ServiceRecord | 'gone' | 'unknown';

/** What a poll is told: what it asked for, or that time is up. */
export type Answer = { listing: Listing } | { record: Sought } | 'stop';

/**
 * What a poll found, and what it leaves: `fields` for the stored state, `seen` for the next poll in this process, which may go
 * on with it where it goes on from this very state. Costs nothing to lose.
 */
export interface Outcome {
	changes: Change[];
	fields: StateFields;
	seen?: Sightings;
}

/**
 * One poll: asks for pages and records one after another until it wants nothing more or is told to stop, and ends with what
 * it found. To go on where it stopped, the next poll needs nothing but the state.
 */
export type Poll = Generator<Wanted, Outcome, Answer>;

/** A part of a poll, which ends with a result of its own. */
export type Part<Result> = Generator<Wanted, Result, Answer>;

/** Asks for a page. @returns undefined when told to stop */
export function* askPage(wanted: { page: number; size?: number }): Part<Listing | undefined> {
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
