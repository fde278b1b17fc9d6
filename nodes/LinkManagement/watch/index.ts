import { type Change, type Listing, type Question, type ServiceRecord, type Wanted } from './changes';
import { Census, type CensusMemory } from './census';
import { Newest } from './newest';
import { type StateFields } from './state';

export { dateOf, idOf, passedThresholds, wholeNumber, type Change, type Listing, type Question, type ServiceRecord, type Wanted } from './changes';
export { openState, sealState, type StateFields, type StoredState, type Unusable } from './state';
export { type CensusMemory as WatchMemory } from './census';

/** How a listing is read: `all` pages, from the `newest` record, or from the `highest` count. */
export type Reading = 'all' | 'newest' | 'highest';

export interface WatchSettings {
	question: Question;
	reading: Reading;
	/** The field that holds the count. */
	countField: string;
	/** Only these records are watched; undefined: all of them. Not for the reading `newest`. */
	selected?: readonly number[];
}

/** What a poll found, and what it leaves: `fields` for the stored state, `memory` for the next poll in this process. */
export interface Outcome {
	changes: Change[];
	fields: StateFields;
	memory?: CensusMemory;
}

/** One poll: it says what to read next and is told, until it wants nothing more or time is up; then it is finished. */
export interface Watch {
	next(): Wanted | undefined;
	readPage(listing: Listing): void;
	readRecord(id: number, record: ServiceRecord | undefined): void;
	finish(): Outcome;
}

/**
 * Begins one poll.
 *
 * @param fields the state that the last poll left; undefined starts a baseline
 * @param memory what the last poll in this process left beside it, if anything; it is used up
 */
export function startWatch(settings: WatchSettings, fields?: StateFields, memory?: CensusMemory): Watch {
	const { question, reading, countField, selected } = settings;
	if (reading === 'newest') return new Newest(question.kind === 'created' && question.includeExisting, fields);
	return new Census({ question, countField, selected, highestFirst: reading === 'highest' }, fields, memory);
}
