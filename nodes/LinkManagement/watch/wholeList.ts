import { dateOf, highest, idOf, type Question, type ServiceRecord } from './changes';
import { CountOrder } from './countOrder';
import { Ledger } from './ledger';
import { askPage, askRecord, MORE, parsePlace, TOP, writePlace } from './poll';
import type { Listing, Outcome, Part, Place, Poll, WantedPage } from './poll';
import { decodeIds, encodeIds, type StateFields } from './state';

export interface WholeListSettings {
	question: Question;
	/** The field that holds the count. */
	countField: string;
	/** The listing was asked for with the highest counts first, so reading ends below the threshold. For `reached` alone. */
	highestFirst?: boolean;
}

/** Records that a pass did not meet and that are asked for singly, at most, in one poll. */
const MOST_CHECKS = 10;
/** Passes that a baseline over a listing in order of counts may take, at most. */
const MOST_BASELINE_PASSES = 3;

/** What lasts from poll to poll, besides the ledger. */
interface WholeListState {
	/** The first pass is not through yet: what it meets was there before. */
	readonly isBaseline: boolean;
	/** What was there before is reported all the same. */
	readonly isReported: boolean;
	/** The newest date that the first pass met so far. */
	readonly newestDate: string;
	/** Passes that the baseline took already (listings in order of counts). */
	readonly passes: number;
	/**
	 * Records with IDs up to this, dated up to `missedDate`, may have been there before the baseline and escaped it while
	 * pages shifted: their first sight is their baseline. 0 where none can have escaped.
	 */
	readonly missedId: number;
	readonly missedDate: string;
	/** The listing was shown to be in order of counts. */
	readonly isOrdered: boolean;
	/** Where the next poll goes on, and what the pass has met until there. */
	readonly place: Place;
	readonly seen: ReadonlySet<number>;
}

function parseState(fields: StateFields | undefined, question: Question): WholeListState {
	const reportsExisting = question.kind === 'created' && question.includeExisting;
	const first: StateFields = { baseline: true, isReported: reportsExisting };
	const { baseline, isReported, newestDate, passes, missedId, missedDate, isOrdered, seen } = fields ?? first;
	return {
		isBaseline: baseline === true,
		isReported: isReported === true,
		newestDate: String(newestDate ?? ''),
		passes: Number(passes ?? 0),
		missedId: Number(missedId ?? 0),
		missedDate: String(missedDate ?? ''),
		isOrdered: isOrdered === true,
		place: parsePlace(fields),
		seen: decodeIds(seen),
	};
}

function writeState({ isBaseline, isReported, newestDate, passes, place, seen, ...rest }: WholeListState): StateFields {
	return {
		...rest,
		...(isBaseline && { baseline: true, isReported, newestDate, passes }),
		...writePlace(place),
		...(place.position > 0 && { seen: encodeIds(seen) }),
	};
}

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
export function* wholeList(settings: WholeListSettings, fields?: StateFields): Poll {
	const pass = new Pass(settings, fields);
	for (let wanted: WantedPage = { from: pass.place }; ;) {
		const listing: Listing | undefined = yield* askPage(wanted);
		if (listing === undefined) return pass.outcome();
		pass.meetPage(listing);
		const isThrough: boolean = listing.place === undefined || (yield* pass.order.endsBelow(listing, pass.ledger));
		wanted = isThrough ? { from: TOP } : MORE;
		if (isThrough && !pass.goesOnceMore()) break;
	}
	pass.end();
	yield* pass.askUnseen();
	return pass.outcome();
}

/** A pass over the listing, as far as it has come. */
class Pass {
	readonly ledger: Ledger;
	readonly order: CountOrder;
	private state: WholeListState;
	private readonly seen: Set<number>;
	/** Pages that the pass has taken, those of earlier polls counted as one. */
	private pages: number;
	/** A listing in order of counts showed a record at the threshold that was not known. */
	private metUnknown: boolean;

	constructor(
		private readonly settings: WholeListSettings,
		fields: StateFields | undefined,
	) {
		const { question, countField, highestFirst = false } = settings;
		this.state = parseState(fields, question);
		this.ledger = new Ledger(question, countField, fields);
		this.order = new CountOrder(question, highestFirst, this.state.isOrdered);
		this.seen = new Set(this.state.seen);
		this.pages = this.place.position > 0 ? 1 : 0;
		this.metUnknown = this.place.position > 0;
	}

	get place(): Place {
		return this.state.place;
	}

	meetPage(listing: Listing): void {
		this.order.meet(listing, this.ledger, this.place.position === 0);
		this.pages++;
		let { newestDate } = this.state;
		for (const record of listing.records) {
			const id = idOf(record);
			if (id === undefined) continue;
			this.seen.add(id);
			this.meet(id, record);
			const date = dateOf(record);
			if (date > newestDate) newestDate = date;
		}
		this.state = { ...this.state, place: listing.place ?? TOP, newestDate };
	}

	/**
	 * Whether a baseline in order of counts takes another pass: counts that change while pages are read move records past the
	 * reader, so it does until nothing is new.
	 */
	goesOnceMore(): boolean {
		const { isBaseline, passes } = this.state;
		if (!isBaseline || !this.order.isAsked) return false;
		if (this.pages === 1 || !this.metUnknown || passes + 1 === MOST_BASELINE_PASSES) return false;
		this.state = { ...this.state, passes: passes + 1, place: TOP };
		this.seen.clear();
		this.metUnknown = false;
		return true;
	}

	/** The pass has come to its end. */
	end(): void {
		const { isBaseline, isReported, newestDate } = this.state;
		const mayHaveMissed = isBaseline && !isReported && !this.order.isAsked && this.pages > 1;
		const missed = mayHaveMissed && { missedId: highest(this.ledger.known.keys()), missedDate: newestDate };
		this.state = { ...this.state, ...missed, isBaseline: false, place: TOP };
	}

	/** Asks for known records that the pass did not meet, and forgets those that are gone. */
	*askUnseen(): Part<void> {
		const { ledger, seen, order } = this;
		const { question } = this.settings;
		const threshold = question.kind === 'reached' && order.isAsked ? question.threshold : 0;
		const unseen: number[] = [];
		for (const [id, count] of ledger.known) {
			if (seen.has(id)) continue;
			if (count < threshold) ledger.forget(id);
			else if (unseen.length < MOST_CHECKS) unseen.push(id);
		}
		for (const id of unseen) {
			const record = yield* askRecord(id);
			if (record === undefined) return;
			if (record === 'gone') ledger.forget(id);
			else if (record !== 'unknown') {
				// It should have been met above the threshold.
				if (order.isAsked && (ledger.countOf(record) ?? 0) >= threshold) order.isProven = false;
				this.meet(id, record);
			}
		}
	}

	outcome(): Outcome {
		const { ledger, seen, order } = this;
		const state = { ...this.state, seen, isOrdered: order.isProven };
		return { changes: ledger.changes, fields: { ...ledger.write(), ...writeState(state) } };
	}

	private meet(id: number, record: ServiceRecord): void {
		const { ledger } = this;
		const { question } = this.settings;
		const wasThere = this.wasThere(id, record);
		if (question.kind === 'reached' && wasThere && !ledger.known.has(id)) {
			this.metUnknown ||= (ledger.countOf(record) ?? 0) >= question.threshold;
		}
		ledger.compare(id, record, wasThere);
	}

	/** Whether a record that is not known was there before. */
	private wasThere(id: number, record: ServiceRecord): boolean {
		const { isBaseline, isReported, missedId, missedDate } = this.state;
		return isBaseline ? !isReported : id <= missedId && dateOf(record) <= missedDate;
	}
}
