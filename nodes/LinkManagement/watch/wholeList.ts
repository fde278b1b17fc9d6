import type { Listing, Poll, WatchSettings } from './conversation';
import { Counting } from './counting';
import type { CountState } from './state';

/** Records that have vanished and are still known, at most, besides as many as there are. */
const MOST_VANISHED = 1000;

/**
 * Watches the counts of all records: reads the listing to its end, over as many polls as that takes.
 *
 * A record that turns up later began at zero. One that vanishes may return, and stays known.
 */
export function* wholeList(settings: WatchSettings, last: CountState): Poll {
	const poll = new Counting(settings, last);
	const { ledger, met } = poll;
	let listing: Listing | undefined;
	do {
		listing = yield* poll.readPage();
		if (listing === undefined) return poll.found();
	} while (listing.place !== undefined);
	// Once, an empty answer is taken for an odd one.
	if (last.isBaseline && met.size === 0 && !last.isEmpty) return poll.found({ isEmpty: true, place: last.place });

	const isWhole = last.place === undefined && met.size >= Math.max(1, listing.total ?? 0);
	const vanished = isWhole ? [...ledger.counts.keys()].filter((id) => !met.has(id)) : [];
	const forgotten = vanished.length > met.size + MOST_VANISHED ? vanished : [];
	for (const id of forgotten) ledger.forget(id);
	// Pages shift while they are read, so a baseline may not have met all that was there; and what is forgotten may return.
	const wereThere = last.isBaseline ? ledger.counts.keys() : forgotten;
	return poll.found({ isBaseline: false, tail: highest(last.tail, wereThere), place: undefined });
}

function highest(least: number, ids: Iterable<number>): number {
	let top = least;
	for (const id of ids) if (id > top) top = id;
	return top;
}
