import { Counting } from './counting';
import type { Listing, Poll, WatchSettings } from './conversation';
import type { CountState } from './state';

/** Records that a reading did not meet and that are asked for one by one, at most, in one poll. */
const MOST_ASKED = 10;
/** Records that have vanished and are still known, at most, besides as many as there are. */
const MOST_VANISHED = 1000;

/**
 * Watches the counts of all records: reads the listing to its end, over as many polls as that takes, or, where it has the highest
 * counts first, down to the threshold.
 *
 * A record that turns up later began at zero. One that vanishes may return, and stays known.
 */
export function* wholeList(settings: WatchSettings, last: CountState): Poll {
	const poll = new Counting(settings, last);
	const { ledger, met, floor } = poll;
	let listing: Listing | undefined;
	do {
		listing = yield* poll.readPage();
		if (listing === undefined) return poll.found();
	} while (listing.place !== undefined && !poll.isBelow);
	// Once, an empty answer is taken for an odd one.
	if (last.isBaseline && met.size === 0 && !last.isEmpty) return poll.found({ isEmpty: true, place: last.place });

	const isShort = listing.place === undefined && met.size < Math.max(1, listing.total ?? 0);
	const isWhole = last.place === undefined && !isShort;
	const missed = isWhole ? [...ledger.counts.keys()].filter((id) => !met.has(id)) : [];
	for (const id of missed) if ((ledger.counts.get(id) ?? 0) < floor) poll.forget(id);
	const vanished = missed.filter((id) => ledger.counts.has(id));
	const forgotten = vanished.length > met.size + MOST_VANISHED ? vanished : [];
	for (const id of forgotten) poll.forget(id);
	yield* poll.ask(vanished.filter((id) => poll.isMissedAbove(id)).slice(0, MOST_ASKED));
	// Pages shift while they are read, so a baseline may not have met all that was there; and what is forgotten may return.
	const wereThere = last.isBaseline ? ledger.counts.keys() : forgotten;
	const tail = floor > 0 ? 0 : highest(last.tail, wereThere);
	return poll.found({ isBaseline: false, tail, place: undefined, asked: undefined });
}

function highest(least: number, ids: Iterable<number>): number {
	let top = least;
	for (const id of ids) if (id > top) top = id;
	return top;
}
