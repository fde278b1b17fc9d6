import { idOf } from '../service/records';
import type { ServiceRecord } from './changes';
import { Ledger } from './ledger';
import { askPage, askRecord, type Found, type Listing, type Part, type WatchSettings } from './poll';
import type { CountState, Place } from './state';

/** One poll of a watch of counts: what it has read, and what it makes of it. */
export class Counting {
	readonly ledger: Ledger;
	/** The records that this poll has met. */
	readonly met = new Set<number>();
	/** Known records that the service says are gone. */
	readonly gone: Set<number>;
	/** The threshold, where the listing was asked for with the highest counts first; otherwise 0. */
	readonly floor: number;
	/** The service does not show some records one by one. */
	isByList: boolean;
	/** The record that was asked for last, where time ran out. */
	private asked?: number;
	private place?: Place;
	private total = 0;
	/** What the listing has shown, where its order matters. */
	private readonly shown: Shown[] = [];
	private readonly selected?: ReadonlySet<number>;
	private readonly begun: ReadonlySet<number> | 'all';

	constructor(
		readonly settings: WatchSettings,
		readonly last: CountState,
	) {
		const { question, order, selected } = settings;
		this.floor = order === 'highest' && question.kind === 'reached' ? question.threshold : 0;
		this.ledger = new Ledger(settings, last);
		this.selected = selected && new Set(selected);
		this.begun = last.begun === 'all' ? 'all' : new Set(last.begun);
		this.gone = new Set(last.gone);
		this.isByList = last.isByList ?? false;
		this.place = last.place;
	}

	/** Reads the next page. @returns undefined when time is up */
	*readPage(): Part<Listing | undefined> {
		const listing = yield* askPage(this.place);
		if (listing === undefined) return undefined;
		this.place = listing.place;
		this.total = listing.total ?? 0;
		for (const record of listing.records) {
			const id = idOf(record) ?? 0;
			if (this.floor > 0) this.shown.push({ id, count: this.ledger.countOf(id, record) ?? 0 });
			this.meet(record);
		}
		return listing;
	}

	/** Nothing more follows, or nothing that is not below the threshold. */
	get isThrough(): boolean {
		const last = this.shown[this.shown.length - 1];
		return this.place === undefined || (last?.count < this.floor && isByCount(this.shown));
	}

	/** The list ends before all is there that its total speaks of, or is empty. */
	get isShort(): boolean {
		const least = this.last.place === undefined ? Math.max(1, this.total) : 1;
		return this.place === undefined && this.met.size < least;
	}

	/** All of the listing that matters was read in this poll. */
	get isWhole(): boolean {
		return this.last.place === undefined && this.isThrough && !this.isShort;
	}

	/** The listing was read down to the threshold: what was not met stands below it. */
	get isThroughAbove(): boolean {
		return this.isWhole && this.place !== undefined;
	}

	/** Whether a known record should have been met at or above the threshold: its count has fallen, or it is gone. */
	isMissedAbove(id: number): boolean {
		const { floor, isByList, met, gone, ledger } = this;
		const isAbove = floor > 0 && (ledger.counts.get(id) ?? 0) >= floor;
		return isAbove && this.isWhole && !isByList && !met.has(id) && !gone.has(id);
	}

	/**
	 * Asks for records one by one.
	 *
	 * @returns whether there was time for all of them
	 */
	*ask(ids: readonly number[]): Part<boolean> {
		for (const id of ids) {
			const record = yield* askRecord(id);
			if (record === undefined) return false;
			this.asked = id;
			if (record === 'gone') this.gone.add(id);
			else if (record === 'unknown') this.isByList = true;
			else this.meet(record);
		}
		this.asked = undefined;
		return true;
	}

	found(more: Partial<CountState> = {}): Found {
		const { ledger, last, gone, isByList, asked, place } = this;
		const { selected } = this.settings;
		const { begun, tail } = last;
		const own = { begun, tail, selected, gone: [...gone], isByList, asked, place };
		return { changes: ledger.changes, fields: { ...own, ...ledger.write(), ...more } };
	}

	private meet(record: ServiceRecord): void {
		const id = idOf(record);
		if (id === undefined || this.selected?.has(id) === false) return;
		this.met.add(id);
		this.gone.delete(id);
		this.ledger.compare(id, record, this.wasThere(id));
	}

	/**
	 * Whether a record that is not known was there before. In order of counts it was not read while it stood below the threshold:
	 * so once the baseline is complete, it was below.
	 */
	private wasThere(id: number): boolean {
		if (this.begun === 'all') return this.floor === 0 && id <= this.last.tail;
		return this.floor === 0 || !this.begun.has(id);
	}
}

/** A record's place in a listing that is read for its counts. */
interface Shown {
	id: number;
	count: number;
}

/**
 * Whether a listing is in order of counts, as far as it was read. Services ignore the order that they are asked for: so the counts
 * must fall, and the IDs must neither fall nor rise all along, for then the order may be that of the records' age.
 */
function isByCount(shown: readonly Shown[]): boolean {
	const some = (test: (one: Shown, next: Shown) => boolean) => shown.slice(1).some((next, at) => test(shown[at], next));
	const isFalling = some((one, next) => next.count < one.count) && !some((one, next) => next.count > one.count);
	return isFalling && some((one, next) => next.id > one.id) && some((one, next) => next.id < one.id);
}
