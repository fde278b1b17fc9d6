/** Watches counts: of all records, or of a few that somebody chose. */
import { idOf } from '../service/records';
import type { ServiceRecord } from './changes';
import { askPage, askRecord, type Found, type Listing, type Part, type Poll, type WatchSettings } from './conversation';
import { Ledger } from './ledger';
import type { CountState, Place } from './state';

/** Records that have vanished and are still known, at most, besides as many as there are. */
const MOST_VANISHED = 1000;
/** So few records are asked for one by one; more are looked for in the listing. */
const FEW = 3;

/** What one poll has read, and what it makes of it. */
class Counting {
	readonly ledger: Ledger;
	/** The records that this poll has met. */
	readonly met = new Set<number>();
	private place?: Place;
	private readonly selected?: ReadonlySet<number>;

	constructor(
		settings: WatchSettings,
		private readonly last: CountState,
	) {
		this.ledger = new Ledger(settings, last);
		this.selected = settings.selected && new Set(settings.selected);
		this.place = last.place;
	}

	/** Reads the next page. @returns undefined when time is up */
	*readPage(): Part<Listing | undefined> {
		const listing = yield* askPage(this.place);
		if (listing === undefined) return undefined;
		this.place = listing.place;
		for (const record of listing.records) this.meet(record);
		return listing;
	}

	meet(record: ServiceRecord): void {
		const id = idOf(record);
		if (id === undefined || this.selected?.has(id) === false) return;
		this.met.add(id);
		this.ledger.compare(id, record, this.last.isBaseline || id <= this.last.tail);
	}

	found(more: Partial<CountState> = {}): Found {
		const { ledger, last, place } = this;
		const { isBaseline, tail, selected, isByList } = last;
		const fields = { isBaseline, tail, selected, isByList, place, ...ledger.write(), ...more };
		return { changes: ledger.changes, fields };
	}
}

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

	const isWhole = last.place === undefined && met.size >= Math.max(1, listing.total ?? 0);
	const vanished = isWhole ? [...ledger.counts.keys()].filter((id) => !met.has(id)) : [];
	const forgotten = vanished.length > met.size + MOST_VANISHED ? vanished : [];
	for (const id of forgotten) ledger.forget(id);
	// Pages shift while they are read, so a baseline may not have met all that was there; and what is forgotten may return.
	const wereThere = last.isBaseline ? ledger.counts.keys() : forgotten;
	let { tail } = last;
	for (const id of wereThere) tail = Math.max(tail, id);
	return poll.found({ isBaseline: false, tail, place: undefined });
}

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
