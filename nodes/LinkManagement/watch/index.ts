import { type Question } from './changes';
import { chosenRecords } from './chosenRecords';
import { newestFirst } from './newestFirst';
import type { Poll } from './poll';
import { type StateFields } from './state';
import { wholeList } from './wholeList';

export { dateOf, idOf, passedThresholds, wholeNumber, type Change, type Question, type ServiceRecord } from './changes';
export {
	MORE,
	TOP,
	type Answer,
	type Listing,
	type Outcome,
	type Place,
	type Poll,
	type Sought,
	type Wanted,
	type WantedPage,
} from './poll';
export {
	fingerprint,
	openState,
	sealState,
	type Owner,
	type StateFields,
	type StoredState,
	type Unusable,
} from './state';

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

/**
 * Begins one poll.
 *
 * @param fields the state that the last poll left; undefined starts a baseline
 */
export function startPoll(settings: WatchSettings, fields?: StateFields): Poll {
	const { question, reading, countField, selected } = settings;
	const highestFirst = reading === 'highest';
	if (selected) return chosenRecords({ question, countField, highestFirst, selected }, fields);
	if (reading === 'newest' && question.kind === 'created') return newestFirst(question, fields);
	return wholeList({ question, countField, highestFirst }, fields);
}
