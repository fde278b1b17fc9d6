import { countChanges } from './counts';
import { newRecords } from './newRecords';
import type { Found, From, Source, WatchSettings } from './source';
import type { CountState, SeenState } from './state';

export * from './changes';
export * from './source';
export * from './state';

/**
 * One poll: reads pages or records until it wants nothing more or time is up. To go on where it stopped, the next one needs nothing
 * but the state that it leaves.
 */
export async function findChanges(settings: WatchSettings, source: Source, from: From): Promise<Found> {
	return settings.question.kind === 'created'
		? await newRecords(settings, source, from as From<SeenState>)
		: await countChanges(settings, source, from as From<CountState>);
}
