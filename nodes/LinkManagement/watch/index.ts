import { type Question } from './changes';
import { fullScan } from './fullScan';
import { newestFirst } from './newestFirst';
import type { Poll } from './poll';
import type { Sightings } from './sightings';
import { type StateFields } from './state';

export {
	dateOf,
	idOf,
	passedThresholds,
	wholeNumber,
	type Change,
	type Listing,
	type Question,
	type ServiceRecord,
} from './changes';
export { type Answer, type Outcome, type Poll, type Wanted } from './poll';
export { openState, sealState, type Owner, type StateFields, type StoredState, type Unusable } from './state';
export { type Sightings } from './sightings';

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

/**
 * Begins one poll.
 *
 * @param fields the state that the last poll left; undefined starts a baseline
 * @param seen what the poll that left this state had met, where it is known; it is used up
 */
export function startPoll(settings: WatchSettings, fields?: StateFields, seen?: Sightings): Poll {
	const { question, reading, countField, selected } = settings;
	if (reading === 'newest') return newestFirst(question.kind === 'created' && question.includeExisting, fields);
	return fullScan({ question, countField, selected, highestFirst: reading === 'highest' }, fields, seen);
}
