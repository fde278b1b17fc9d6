import { CountReading } from './counts';
import { SeenReading } from './newRecords';
import type { Reading, StartingPoint, WatchSettings } from './recordSource';
import type { CountState, SeenState } from './watchState';

export * from './changes';
export * from './recordSource';
export * from './watchState';

/** Begins to look for changes. */
export function beginReading(settings: WatchSettings, from: StartingPoint): Reading {
	return settings.question.kind === 'created'
		? new SeenReading(settings, from as StartingPoint<SeenState>)
		: new CountReading(settings, from as StartingPoint<CountState>);
}
