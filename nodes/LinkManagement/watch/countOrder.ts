import { idOf, type Question, type ServiceRecord } from './changes';
import type { Ledger } from './ledger';
import { askPage, askRecord, type Listing, type Part } from './poll';

/**
 * A listing that was asked for with the highest counts first. Services ignore that, so it is believed when the first page in
 * another order shows others: then reading may end where the counts go below the threshold.
 */
export class CountOrder {
	/** The IDs of the listing's first page. */
	private top?: Array<number | undefined>;

	/**
	 * @param isAsked the listing was asked for in this order
	 * @param isProven it was shown before, and nothing has spoken against it
	 */
	constructor(
		private readonly question: Question,
		readonly isAsked: boolean,
		public isProven: boolean,
	) {}

	/** Takes a page. @param isTop it is the first of the listing */
	meet({ records }: Listing, ledger: Ledger, isTop: boolean): void {
		if (isTop) this.top = records.map(idOf);
		if (!isFalling(records, ledger)) this.isProven = false;
	}

	/** Whether all that follows a page lies below the threshold. It may take two requests, once in a poll, to believe it. */
	*endsBelow({ records }: Listing, ledger: Ledger): Part<boolean> {
		const { question, top } = this;
		if (!this.isAsked || question.kind !== 'reached' || records.length === 0 || !isFalling(records, ledger))
			return false;
		if ((ledger.countOf(records[records.length - 1]) ?? 0) >= question.threshold) return false;
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
}

function isFalling(records: ServiceRecord[], ledger: Ledger): boolean {
	let last = Infinity;
	return records.every((record) => {
		const before = last;
		last = ledger.countOf(record) ?? 0;
		return last <= before;
	});
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
