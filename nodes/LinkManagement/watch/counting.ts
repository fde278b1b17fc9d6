import { idOf } from '../service/records';
import type { ServiceRecord } from './changes';
import { askPage, askRecord, type Found, type Listing, type Part, type WatchSettings } from './conversation';
import { Ledger } from './ledger';
import type { CountState, Place } from './state';

/** One poll of a watch of counts: what it has read, and what it makes of it. */
export class Counting {
	readonly ledger: Ledger;
	/** The records that this poll has met. */
	readonly met = new Set<number>();
	/** Known records that the service says are gone. */
	readonly gone: Set<number>;
	/** The service does not show some records one by one. */
	isByList: boolean;
	/** The threshold, where the listing was asked for with the highest counts first; otherwise 0. */
	readonly floor: number;
	private place?: Place;
	/** What the listing has shown, where its order matters. */
	private readonly shown: Shown[] = [];
	/** The record that was asked for last, where time ran out. */
	private asked?: number;
	private readonly selected?: ReadonlySet<number>;

	constructor(
		settings: WatchSettings,
		private readonly last: CountState,
	) {
		const { question, order, selected } = settings;
		this.floor = order === 'highest' && question.kind === 'reached' ? question.threshold : 0;
		this.ledger = new Ledger(settings, last);
		this.selected = selected && new Set(selected);
		this.gone = new Set(last.gone);
		this.isByList = last.isByList ?? false;
		this.place = last.place;
	}

	/** Reads the next page. @returns undefined when time is up */
	*readPage(): Part<Listing | undefined> {
		const listing = yield* askPage(this.place);
		if (listing === undefined) return undefined;
		this.place = listing.place;
		for (const record of listing.records) {
			const id = idOf(record) ?? 0;
			if (this.floor > 0) this.shown.push([id, this.ledger.countOf(id, record) ?? 0]);
			this.meet(record);
		}
		return listing;
	}

	/** All that follows in the listing stands below the threshold. */
	get isBelow(): boolean {
		return (this.shown.at(-1)?.[1] ?? Infinity) < this.floor && isByCount(this.shown);
	}

	/** The listing was read from its top down to the threshold: what it has not shown stands below, or is gone. */
	get isReadAbove(): boolean {
		return this.last.place === undefined && this.isBelow;
	}

	/** Whether a known record should have been shown at or above the threshold: its count has fallen, or it is gone. */
	isMissedAbove(id: number): boolean {
		const { ledger, floor, met, gone, isByList } = this;
		const isMissed = (ledger.counts.get(id) ?? 0) >= floor && !met.has(id) && !gone.has(id);
		return isMissed && this.isReadAbove && !isByList;
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

	/** Forgets a record that has vanished, or that stands below the threshold. */
	forget(id: number): void {
		this.ledger.forget(id);
		this.gone.delete(id);
	}

	found(more: Partial<CountState> = {}): Found {
		const { ledger, last, gone, isByList, asked, place } = this;
		const { isBaseline, tail, selected } = last;
		const own = { isBaseline, tail, selected, gone: [...gone], isByList, asked, place };
		return { changes: ledger.changes, fields: { ...own, ...ledger.write(), ...more } };
	}

	private meet(record: ServiceRecord): void {
		const id = idOf(record);
		if (id === undefined || this.selected?.has(id) === false) return;
		this.met.add(id);
		this.gone.delete(id);
		this.ledger.compare(id, record, this.last.isBaseline || id <= this.last.tail);
	}
}

/** A record in a listing that is read for its counts. */
type Shown = readonly [id: number, count: number];

/**
 * Whether a listing is in order of counts, as far as it was read. Services ignore the order that they are asked for: so the counts
 * must fall as they would in one order out of a million, and the IDs must neither fall nor rise all along, as in the order of age.
 */
function isByCount(shown: readonly Shown[]): boolean {
	let [orders, alike, rises, falls] = [1, 1, false, false];
	for (let at = 1; at < shown.length; at++) {
		const [[idBefore, countBefore], [id, count]] = [shown[at - 1], shown[at]];
		if (count > countBefore) return false;
		alike = count === countBefore ? alike + 1 : 1;
		// Each of those so far might stand in its place, but for those that count as much.
		orders *= (at + 1) / alike;
		rises ||= id > idBefore;
		falls ||= id < idBefore;
	}
	return orders >= 1_000_000 && rises && falls;
}
