import { idOf } from '../service/records';
import type { ServiceRecord } from './changes';
import { askPage, type Found, type Listing, type Part, type WatchSettings } from './conversation';
import { Ledger } from './ledger';
import type { CountState, Place } from './state';

/** One poll of a watch of counts: what it has read, and what it makes of it. */
export class Counting {
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
