import type { Reading, Watch } from './changes';
import { CountReading, type CountState } from './counts';
import { NewReading, type NewState } from './newRecords';

export * from './changes';

/** What a reading leaves for the next one: plain JSON. */
export type WatchState = NewState | CountState;

/** Begins to look for changes. @param since the state that the last reading left, if any */
export function beginReading(watch: Watch, since?: WatchState): Reading<WatchState> {
	return watch.kind === 'created'
		? new NewReading(watch, since as NewState | undefined)
		: new CountReading(watch, since as CountState | undefined);
}
