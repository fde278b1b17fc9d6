import { idOf } from '../api/records';
import { dateOf, highest, reportsExisting, type ServiceRecord } from './changes';
import { CountedList } from './countedList';
import { askRecord, type Listing, type Outcome, type Part, type Poll, type WatchSettings } from './poll';
import { decodeIds, encodeIds, type StateFields } from './state';

/** Records that a pass did not meet and that are asked for singly, at most, in one poll. */
const MOST_CHECKS = 10;
/** Passes that a baseline over a listing in order of counts may take, at most. */
const MOST_BASELINE_PASSES = 3;

/** What lasts from poll to poll, besides the list. */
interface WholeListState {
	/** The first pass is not through yet: what it meets was there before. */
	readonly baseline: boolean;
	/** What was there before is reported all the same. */
	readonly isReported: boolean;
	/** Passes that the baseline took already (listings in order of counts). */
	readonly passes: number;
	/**
	 * Records with IDs up to this, dated up to `missedDate` (the newest that the baseline met), may have been there before the
	 * baseline and escaped it while pages shifted: their first sight is their baseline. 0 where none can have escaped.
	 */
	readonly missedId: number;
	readonly missedDate: string;
	/** The IDs that a pass has met which has not come to its end. */
	readonly seen: string;
}

const FIRST: WholeListState = { baseline: false, isReported: false, passes: 0, missedId: 0, missedDate: '', seen: '' };

/**
 * Watches a listing by reading it from its top to its end, over as many polls as that takes.
 *
 * Known are the IDs seen, each with the count reported last (or set as baseline). A record that turns up
 * later began at zero. That makes a lost state harmless as long as it is lost whole: a record that is
 * unknown and one known with zero are the same. It also forbids to forget a record that still exists: pages
 * shift while they are read, so one that a pass did not meet is asked for singly before it is forgotten.
 *
 * @param fields the state that the last poll left; undefined starts a baseline
 */
export function* wholeList(settings: WatchSettings, fields?: StateFields): Poll {
	const first = { ...FIRST, baseline: true, isReported: reportsExisting(settings.question) };
	const list = new CountedList(settings, fields);
	const pass = new Pass(list, fields === undefined ? first : { ...FIRST, ...fields });
	for (;;) {
		const listing = yield* list.read();
		if (listing === undefined) return pass.outcome();
		pass.meetPage(listing);
		if ((yield* list.endsWith(listing)) && !pass.goesOnceMore()) break;
	}
	pass.end();
	yield* pass.askUnseen();
	return pass.outcome();
}

/** A pass over the listing, as far as it has come. */
class Pass {
	private readonly seen: Set<number>;
	/** Pages that the pass has taken, those of earlier polls counted as one. */
	private pages: number;
	/** A record at the threshold was not known. */
	private metUnknown: boolean;

	constructor(
		private readonly list: CountedList,
		private state: WholeListState,
	) {
		this.seen = decodeIds(state.seen);
		this.pages = list.place.position > 0 ? 1 : 0;
		this.metUnknown = list.place.position > 0;
	}

	meetPage({ records }: Listing): void {
		this.pages++;
		for (const record of records) this.meet(record);
	}

	/**
	 * Whether a baseline in order of counts takes another pass: counts that change while pages are read move records past the
	 * reader, so it does until nothing is new.
	 */
	goesOnceMore(): boolean {
		const { baseline, passes } = this.state;
		if (!baseline || this.list.floor === 0) return false;
		if (this.pages === 1 || !this.metUnknown || passes + 1 === MOST_BASELINE_PASSES) return false;
		this.state = { ...this.state, passes: passes + 1 };
		this.list.toTop();
		this.seen.clear();
		this.metUnknown = false;
		return true;
	}

	/** The pass has come to its end. */
	end(): void {
		const { baseline, isReported, missedId } = this.state;
		const { floor, ledger } = this.list;
		const mayHaveMissed = baseline && !isReported && floor === 0 && this.pages > 1;
		const next = { baseline: false, missedId: mayHaveMissed ? highest(ledger.known.keys()) : missedId };
		this.state = { ...this.state, ...next };
		this.list.toTop();
	}

	/** Asks for known records that the pass did not meet, and forgets those that are gone. */
	*askUnseen(): Part<void> {
		const { list, seen } = this;
		const { ledger, floor } = list;
		const unseen: number[] = [];
		for (const [id, count] of ledger.known) {
			if (seen.has(id)) continue;
			if (count < floor) ledger.forget(id);
			else if (unseen.length < MOST_CHECKS) unseen.push(id);
		}
		for (const id of unseen) {
			const record = yield* askRecord(id);
			if (record === undefined) return;
			if (record === 'gone') ledger.forget(id);
			else if (record !== 'unknown') {
				// It should have been met above the threshold.
				if (list.countOf(record) >= floor) list.isProven = false;
				this.meet(record);
			}
		}
	}

	outcome(): Outcome {
		const { list, state } = this;
		const seen = list.place.position > 0 ? encodeIds(this.seen) : '';
		return { changes: list.ledger.changes, fields: { ...state, ...list.write(), seen } };
	}

	private meet(record: ServiceRecord): void {
		const id = idOf(record);
		if (id === undefined) return;
		this.seen.add(id);
		const { baseline, isReported, missedId, missedDate } = this.state;
		const { ledger, floor } = this.list;
		const date = dateOf(record);
		const wasThere = baseline ? !isReported : id <= missedId && date <= missedDate;
		if (baseline && date > missedDate) this.state = { ...this.state, missedDate: date };
		if (wasThere && !ledger.known.has(id) && this.list.countOf(record) >= floor) this.metUnknown = true;
		ledger.compare(id, record, wasThere);
	}
}
