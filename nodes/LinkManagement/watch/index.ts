import { CountReading } from './counts';
import { SeenReading } from './newRecords';
import type { Reading, WatchSettings } from './recordSource';
import type { CountState, SeenState, StateFields } from './watchState';

export * from './changes';
export * from './recordSource';
export { WatchedRecords } from './watchedRecords';
export * from './watchState';

/** Begins to look for changes. @param fields the state that the last poll left; without it, what exists is the baseline */
export function beginReading(settings: WatchSettings, fields?: StateFields): Reading {
	return settings.question.kind === 'created'
		? new SeenReading(settings, fields as SeenState | undefined)
		: new CountReading(settings, fields as CountState | undefined);
}
