import { chosenRecords } from './chosenRecords';
import { newestFirst } from './newestFirst';
import type { Poll, WatchSettings } from './poll';
import type { StateFields } from './state';
import { wholeList } from './wholeList';

export * from './changes';
export * from './poll';
export * from './state';

/**
 * Begins one poll.
 *
 * @param fields the state that the last poll left; undefined starts a baseline
 */
export function startPoll(settings: WatchSettings, fields?: StateFields): Poll {
	if (settings.selected) return chosenRecords(settings, fields);
	if (settings.reading === 'newest') return newestFirst(settings, fields);
	return wholeList(settings, fields);
}
