import { CountReading } from './counts';
import { SeenReading } from './newRecords';
import type { CountState, Reading, SeenState, Watch, WatchState } from './watchState';

export * from './changes';
export { WatchedRecords } from './watchedRecords';
export * from './watchState';

/** Begins to look for changes. @param state the state that the last poll left; without it, what exists is the baseline */
export function beginReading(watch: Watch, state?: WatchState): Reading {
	return watch.question.kind === 'created'
		? new SeenReading(watch, state as SeenState | undefined)
		: new CountReading(watch, state as CountState | undefined);
}
