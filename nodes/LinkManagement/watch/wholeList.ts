import { Counting } from './counting';
import type { Poll, WatchSettings } from './poll';
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
	do {
		if ((yield* poll.readPage()) === undefined) return poll.found();
	} while (!poll.isThrough);
	const { counts } = poll.ledger;
	const isBaseline = last.begun !== 'all';
	// Once, that is taken for an odd answer.
	if (isBaseline && poll.isShort && !last.isShort) return poll.found({ isShort: true, place: last.place });
	const forgotten = poll.isWhole ? forgetVanished(poll) : 0;
	// Pages shift while they are read, so a baseline may not have met all that was there.
	const tail = Math.max(last.tail, isBaseline ? highest(counts.keys()) : forgotten);
	const missed = [...counts.keys()].filter((id) => poll.isMissedAbove(id));
	yield* poll.ask(missed.slice(0, MOST_ASKED));
	return poll.found({ begun: 'all', tail, place: undefined, asked: undefined });
}

/** Forgets what need not, or can't, be known any longer. @returns the highest ID of what could still return */
function forgetVanished({ ledger, met, gone, floor }: Counting): number {
	for (const [id, count] of ledger.counts) if (count < floor && !met.has(id)) ledger.forget(id);
	if (ledger.counts.size <= 2 * met.size + MOST_VANISHED) return 0;
	const vanished = [...ledger.counts.keys()].filter((id) => !met.has(id));
	for (const id of vanished) {
		ledger.forget(id);
		gone.delete(id);
	}
	return highest(vanished);
}

function highest(ids: Iterable<number>): number {
	let top = 0;
	for (const id of ids) if (id > top) top = id;
	return top;
}
