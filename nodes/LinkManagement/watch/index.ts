import { countChanges } from './counts';
import { newRecords } from './newRecords';
import type { Found, StartingPoint, RecordSource, WatchSettings } from './recordSource';
import type { CountState, SeenState } from './watchState';

export * from './changes';
export * from './recordSource';
export * from './watchState';

/**
 * One poll: reads pages or records until it has enough or time is up. The next poll goes on from the state that it leaves.
 */
export async function findChanges(settings: WatchSettings, source: RecordSource, from: StartingPoint): Promise<Found> {
	return settings.question.kind === 'created'
		? await newRecords(settings, source, from as StartingPoint<SeenState>)
		: await countChanges(settings, source, from as StartingPoint<CountState>);
}
