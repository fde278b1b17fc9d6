import { Counting } from './counting';
import type { Poll, WatchSettings } from './conversation';
import type { CountState } from './state';

/** So few records are asked for one by one, without a look at the listing. */
const FEW = 3;

/**
 * Watches the counts of a few records: asks for them one by one, or looks for them in the listing, whichever promises to take
 * fewer requests. Somebody chose them, so they were there: their first sight is their baseline.
 */
export function* chosenRecords(settings: WatchSettings, last: CountState): Poll {
	const { selected = [] } = settings;
	const { asked = 0 } = last;
	const poll = new Counting(settings, { ...last, gone: undefined });
	/** Those that this poll has not found: first of all those that had no turn when time ran out the last time. */
	const left = () => {
		const ids = selected.filter((id) => !poll.met.has(id) && !poll.gone.has(id));
		return [...ids.filter((id) => id > asked), ...ids.filter((id) => id <= asked)];
	};
	if (selected.length <= FEW && !poll.isByList && !(yield* poll.ask(left()))) return poll.found();
	while (left().length > 0) {
		const listing = yield* poll.readPage();
		if (listing === undefined) return poll.found();
		const { pagesLeft, place } = listing;
		const { isBelow, isByList } = poll;
		const isQuicker = !isBelow && !isByList && pagesLeft < Infinity && left().length < pagesLeft;
		if (!isQuicker && !isBelow && place !== undefined) continue;
		yield* poll.ask(isQuicker ? left() : left().filter((id) => poll.isMissedAbove(id)));
		if (poll.isReadAbove) for (const id of left()) poll.ledger.begin(id);
		break;
	}
	return poll.found({ place: undefined });
}
