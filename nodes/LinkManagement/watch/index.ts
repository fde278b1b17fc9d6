import { countChanges } from './counts';
import { newRecords } from './newRecords';
import type { Found, StartingPoint, RecordSource, WatchSettings } from './recordSource';
import type { CountState, SeenState } from './watchState';

export * from './changes';
export * from './recordSource';
export * from './watchState';

/**
 * One poll: reads pages or records until it wants nothing more or time is up. To go on where it stopped, the next one needs nothing
 * but the state that it leaves.
 */
export async function findChanges(settings: WatchSettings, source: RecordSource, from: StartingPoint): Promise<Found> {
	return settings.question.kind === 'created'
		? await newRecords(settings, source, from as StartingPoint<SeenState>)
		: await countChanges(settings, source, from as StartingPoint<CountState>);
}
