import { idOf } from '../api/records';
import type { ServiceRecord } from './changes';
import { Ledger } from './ledger';
import { askPage, askRecord, MORE, placeIn, TOP, writePlace } from './poll';
import type { Listing, Part, Place, WatchSettings } from './poll';
import type { StateFields } from './state';

/**
 * A listing that is read for its counts, as far as that has come, and what is known of its records.
 *
 * One that was asked for with the highest counts first need not be in that order, for services ignore it. It is believed when
 * the first page in another order shows others: then reading may end where the counts go below the threshold.
 */
export class CountedList {
	readonly ledger: Ledger;
	/** The threshold, where the listing was asked for with the highest counts first; otherwise 0. */
	readonly floor: number;
	/** Where the next poll goes on. */
	place: Place;
	/** The listing was shown to be in order of counts, and nothing has spoken against it. */
	isProven: boolean;
	private isUnderWay = false;
	/** The IDs of the listing's first page. */
	private top?: Array<number | undefined>;

	constructor(settings: WatchSettings, fields: StateFields = {}) {
		const { question, reading } = settings;
		this.ledger = new Ledger(settings, fields);
		this.floor = reading === 'highest' && question.kind === 'reached' ? question.threshold : 0;
		this.place = placeIn(fields);
		this.isProven = fields.isOrdered === true;
	}

	/** Begins again. */
	toTop(): void {
		this.place = TOP;
		this.isUnderWay = false;
	}

	/** Reads the next page. @returns undefined when told to stop */
	*read(): Part<Listing | undefined> {
		const listing = yield* askPage(this.isUnderWay ? MORE : { from: this.place });
		if (listing === undefined) return undefined;
		if (this.place.position === 0) this.top = listing.records.map(idOf);
		if (!this.isFalling(listing)) this.isProven = false;
		this.place = listing.place ?? TOP;
		this.isUnderWay = true;
		return listing;
	}

	/** Whether nothing follows a page that is not below the threshold. It may take two requests, once in a pass, to believe it. */
	*endsWith(listing: Listing): Part<boolean> {
		const { records, place } = listing;
		if (place === undefined) return true;
		const isBelow = records.length > 0 && this.countOf(records[records.length - 1]) < this.floor;
		if (!isBelow || !this.isFalling(listing)) return false;
		const { top } = this;
		if (this.isProven || top === undefined) return this.isProven;
		this.top = undefined;
		const other = yield* askPage({ otherOrder: true });
		const displaced = other && displacedIn(top, other.records.map(idOf));
		if (displaced === undefined) return false;
		// It may have been deleted just now.
		const record = yield* askRecord(displaced);
		this.isProven = typeof record === 'object';
		return this.isProven;
	}

	countOf(record: ServiceRecord): number {
		return this.ledger.countOf(record) ?? 0;
	}

	write(): StateFields {
		return { ...this.ledger.write(), ...writePlace(this.place), isOrdered: this.isProven };
	}

	private isFalling({ records }: Listing): boolean {
		const counts = records.map((record) => this.countOf(record));
		return counts.every((count, at) => at === 0 || count <= counts[at - 1]);
	}
}

/** So many records of a first page are not all pushed down by new ones between two requests. */
const MANY = 10;

/**
 * A record of a first page that can't stand where it does if the other first page has the same order, and records were created in
 * between: it is missing there although one below it is not, or comes after one that stood below it.
 */
function displacedIn(one: Array<number | undefined>, other: Array<number | undefined>): number | undefined {
	const places = new Map(other.map((id, place) => [id, place]));
	let missing: number | undefined;
	let latest: { id?: number; place: number } = { place: -1 };
	for (const id of one) {
		const place = places.get(id);
		if (place === undefined) missing ??= id;
		else if (missing !== undefined || place < latest.place) return missing ?? latest.id;
		else latest = { id, place };
	}
	return latest.place === -1 && one.length >= MANY ? missing : undefined;
}
