import { askRecord, type Poll, type WatchSettings } from './conversation';
import { Counting } from './counting';
import type { CountState } from './state';

/** So few records are asked for one by one; more are looked for in the listing. */
const FEW = 3;

/**
 * Watches the counts of a few records. Somebody chose them, so they were there: their first sight is their baseline.
 *
 * A service that does not show them one by one, or without their count, is asked for the listing from then on.
 */
export function* chosenRecords(settings: WatchSettings, last: CountState): Poll {
	const { selected = [] } = settings;
	const poll = new Counting(settings, last);
	let { isByList = false } = last;
	if (selected.length <= FEW && !isByList) {
		for (const id of selected) {
			const record = yield* askRecord(id);
			if (record === undefined) return poll.found();
			if (record === 'unknown') isByList = true;
			else if (record !== 'gone') poll.meet(record);
		}
		if (!isByList) return poll.found();
	}
	while (poll.met.size < selected.length) {
		const listing = yield* poll.readPage();
		if (listing === undefined) return poll.found({ isByList });
		if (listing.place === undefined) break;
	}
	return poll.found({ isByList, place: undefined });
}
