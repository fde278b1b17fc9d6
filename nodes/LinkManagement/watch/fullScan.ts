import { vanished } from '../api/paging';
import {
	baseline,
	dateOf,
	idOf,
	multiple,
	passedThresholds,
	wholeNumber,
	type Change,
	type Question,
	type ServiceRecord,
} from './changes';
import { FIRST_PAGE, MOST_STEPS_BACK, nextPage, stepBack, wantedAt, withFigures, type Cursor } from './cursor';
import { askPage, askRecord, type Part, type Poll } from './poll';
import { Sightings } from './sightings';
import { decodeCounts, encodeCounts, type StateFields } from './state';

export interface FullScanSettings {
	question: Question;
	/** The field that holds the count. */
	countField: string;
	/** Only these records are watched; undefined: all of them. */
	selected?: readonly number[];
	/** The listing has the highest counts first, so reading ends below the threshold. Only for the question `reached`. */
	highestFirst?: boolean;
}

/** Records that a pass did not meet and that are asked for singly, at most, in one poll. */
const MOST_CHECKS = 10;

/**
 * Thresholds that a record passed since the last poll are told one by one up to this number, and together beyond it; together
 * also once a poll has so many events.
 */
const MOST_EVENTS_OF_A_RECORD = 100;
const MOST_EVENTS_OF_A_POLL = 10_000;

type ThresholdQuestion = Extract<Question, { kind: 'reached' }>;

/** Passes that a baseline over a listing in order of counts may take, at most. */
const MOST_BASELINE_PASSES = 3;

/** What lasts from poll to poll. */
interface FullScanState {
	/** The IDs seen, each with the count reported last (or set as baseline): see `encodeCounts`. */
	readonly known: string;
	/** The first pass is not through yet: what it meets was there before. */
	readonly baseline?: {
		/** What was there before is reported all the same. */
		readonly isReported: boolean;
		/** The newest date that it met so far. */
		readonly newestDate: string;
		/** Passes that it took already (listings in order of counts). */
		readonly passes: number;
	};
	/**
	 * Records with IDs up to this, dated up to `missedDate`, may have been there before the baseline and escaped it while
	 * pages shifted: their first sight is their baseline. 0 where none can have escaped.
	 */
	readonly missedId: number;
	readonly missedDate: string;
	/** Pages that the listing had last, to decide which way to selected records takes fewer requests. */
	readonly pages?: number;
	/** Where the next poll goes on: at a page, or after the selected record that was asked for last. */
	readonly place: Place;
}

interface Place {
	readonly cursor?: Cursor;
	readonly asked?: number;
}

function parseState(fields: StateFields | undefined, question: Question): FullScanState {
	const number = (name: string) => (fields?.[name] === undefined ? undefined : Number(fields[name]));
	const reportsExisting = question.kind === 'created' && question.includeExisting;
	return {
		known: String(fields?.known ?? ''),
		...((fields === undefined || fields.baseline === true) && {
			baseline: {
				isReported: fields === undefined ? reportsExisting : fields.isReported === true,
				newestDate: String(fields?.newestDate ?? ''),
				passes: number('passes') ?? 0,
			},
		}),
		missedId: number('missedId') ?? 0,
		missedDate: String(fields?.missedDate ?? ''),
		pages: number('pages'),
		place: {
			cursor: { page: number('page') ?? 1, size: number('size'), total: number('total') },
			asked: number('asked'),
		},
	};
}

function writeState({ known, baseline: first, missedId, missedDate, pages, place }: FullScanState): StateFields {
	const { cursor = FIRST_PAGE, asked } = place;
	return {
		known,
		...(first && { baseline: true }),
		...(first?.isReported && { isReported: true }),
		...(first && first.newestDate !== '' && { newestDate: first.newestDate }),
		...(first && first.passes > 0 && { passes: first.passes }),
		...(missedId > 0 && { missedId }),
		...(missedDate !== '' && { missedDate }),
		...(pages !== undefined && { pages }),
		...(cursor.page > 1 && { page: cursor.page }),
		...(cursor.page > 1 && cursor.size !== undefined && { size: cursor.size }),
		...(cursor.page > 1 && cursor.total !== undefined && { total: cursor.total }),
		...(asked !== undefined && { asked }),
	};
}

/** The records known, each with the count reported last; and what there is to report. */
class Ledger {
	readonly changes: Change[] = [];
	private isChanged = false;

	constructor(
		private readonly settings: FullScanSettings,
		private readonly text: string,
		readonly known: Map<number, number>,
	) {}

	/**
	 * Compares a record with what is known of it.
	 *
	 * @param wasThere whether one that is not known was there before, so that its first sight is its baseline; otherwise its
	 * count began at zero
	 */
	compare(id: number, record: ServiceRecord, wasThere: boolean): void {
		const { question, countField } = this.settings;
		if (question.kind === 'created') {
			if (this.known.has(id)) return;
			if (!wasThere) this.changes.push({ record });
			this.keep(id, 0);
			return;
		}
		const count = wholeNumber(record[countField]);
		if (count === undefined) return;
		const previous = this.known.get(id);
		if (previous === undefined && wasThere) {
			this.keep(id, count);
			return;
		}
		const from = baseline(previous ?? 0, count);
		if (question.kind === 'grown') {
			if (count - from < question.minimumIncrease || count === from) {
				this.keep(id, from);
				return;
			}
			this.changes.push({ record, previous: from, count });
		} else {
			this.reportThresholds({ record, previous: from, count }, question);
		}
		this.keep(id, count);
	}

	private reportThresholds(
		change: Required<Pick<Change, 'record' | 'previous' | 'count'>>,
		of: ThresholdQuestion,
	): void {
		const reached = passedThresholds(change.previous, change.count, of.threshold, of.mode);
		if (reached === undefined) return;
		const { passed, first, last } = reached;
		const most = this.changes.length < MOST_EVENTS_OF_A_POLL ? MOST_EVENTS_OF_A_RECORD : 1;
		if (passed > most) {
			this.changes.push({ ...change, threshold: last, together: { passed, first } });
			return;
		}
		const before = Math.round(first / of.threshold);
		for (let n = 0; n < passed; n++) this.changes.push({ ...change, threshold: multiple(of.threshold, before + n) });
	}

	forget(id: number): void {
		if (this.known.delete(id)) this.isChanged = true;
	}

	/** The IDs and counts as they are stored. */
	encoded(): string {
		return this.isChanged ? encodeCounts(this.known) : this.text;
	}

	private keep(id: number, count: number): void {
		if (this.known.get(id) === count) return;
		this.known.set(id, count);
		this.isChanged = true;
	}
}

/**
 * Watches a listing by reading it from its first page to its end, over as many polls as that takes.
 *
 * Known are the IDs seen, each with the count reported last (or set as baseline). A record that turns up
 * later began at zero. That makes a lost state harmless as long as it is lost whole: a record that is
 * unknown and one known with zero are the same. It also forbids to forget a record that still exists: pages
 * shift while they are read, so one that a pass did not meet is asked for singly before it is forgotten.
 *
 * @param fields the state that the last poll left; undefined starts a baseline
 * @param seenBefore what the poll that left this state had met; without it, a pass over several polls forgets nothing. It is
 * used up.
 */
export function* fullScan(settings: FullScanSettings, fields?: StateFields, seenBefore?: Sightings): Poll {
	const { question, countField, highestFirst } = settings;
	const selected = settings.selected && new Set(settings.selected);
	const last = parseState(fields, question);
	const start = last.place.cursor ?? FIRST_PAGE;
	const isResumed = start.page > 1;
	const ledger = new Ledger(settings, last.known, decodeCounts(last.known));
	/** `seen` holds everything that the pass met, also in earlier polls. */
	const hasSeenAll = !isResumed || seenBefore !== undefined;
	let seen = (isResumed ? seenBefore : undefined) ?? new Sightings();
	let { baseline: first, missedId, missedDate, pages } = last;
	/** Watched records that this poll met. */
	const found = new Set<number>();
	let stepsBack = 0;
	/** A listing in order of counts showed a record at the threshold that was not known. */
	let metUnknown = isResumed;

	/** Whether a record that is not known was there before. */
	function wasThere(id: number, record: ServiceRecord): boolean {
		if (question.kind === 'created' && first) return !first.isReported;
		if (first || (id <= missedId && dateOf(record) <= missedDate)) return true;
		// Someone picked it, so it was there. In order of counts, though, it may have stood below the threshold, unread.
		return question.kind !== 'created' && selected !== undefined && !highestFirst;
	}

	function meet(id: number, record: ServiceRecord): void {
		if (selected && !selected.has(id)) return;
		found.add(id);
		const isOld = wasThere(id, record);
		if (question.kind === 'reached' && isOld && !ledger.known.has(id)) {
			metUnknown ||= (wholeNumber(record[countField]) ?? 0) >= question.threshold;
		}
		ledger.compare(id, record, isOld);
	}

	/** Takes a page. @returns the counts of its records */
	function meetPage(records: ServiceRecord[]): number[] {
		seen.add(records);
		const counts: number[] = [];
		for (const record of records) {
			const id = idOf(record);
			if (id === undefined) continue;
			meet(id, record);
			if (first && dateOf(record) > first.newestDate) first = { ...first, newestDate: dateOf(record) };
			counts.push(wholeNumber(record[countField]) ?? 0);
		}
		return counts;
	}

	/** Whether a page in order of counts goes below the threshold. A page that is not in that order can't tell. */
	function isBelowThreshold(counts: number[]): boolean {
		if (!highestFirst || question.kind !== 'reached') return false;
		const isInOrder = counts.every((count, i) => i === 0 || count <= counts[i - 1]);
		return isInOrder && (counts.at(-1) ?? 0) < question.threshold;
	}

	/** Reads pages to the end. @param isProof one page is enough: it proves that the service answers at all */
	function* readPages(from: Cursor, isProof = false): Part<Place> {
		for (let cursor = from; ;) {
			const listing = yield* askPage(wantedAt(cursor));
			if (listing === undefined) return { cursor };
			const counts = meetPage(listing.records);
			const gone = vanished(cursor.total, listing.total);
			cursor = withFigures(cursor, listing);
			if (gone > 0 && cursor.page > 1 && stepsBack < MOST_STEPS_BACK && !highestFirst) {
				stepsBack++;
				cursor = stepBack(cursor, gone);
				continue;
			}
			if (isProof) return {};
			const { lastPage } = listing;
			const isEnd =
				listing.isLast ||
				seen.repeat ||
				(lastPage === undefined && seen.stale) ||
				isBelowThreshold(counts) ||
				found.size === selected?.size;
			if (isEnd) {
				if (selected) pages = highestFirst ? cursor.page : lastPage;
				if (first && highestFirst && goesOnceMore(cursor.page)) {
					cursor = { ...cursor, page: 1, total: undefined };
					seen = new Sightings();
					metUnknown = false;
					continue;
				}
				endPass(cursor.page);
				return selected === undefined && hasSeenAll ? yield* askUnseen() : {};
			}
			if (selected && !highestFirst && lastPage !== undefined) {
				const missing = [...selected].filter((id) => !found.has(id));
				if (missing.length < lastPage - cursor.page) {
					pages = lastPage;
					first = undefined;
					return yield* askSelected(missing, cursor);
				}
			}
			cursor = nextPage(cursor);
		}
	}

	/**
	 * Whether a baseline in order of counts takes another pass: counts that change while pages are read move records past the
	 * reader, so it does until nothing is new.
	 */
	function goesOnceMore(pagesRead: number): boolean {
		const passes = (first?.passes ?? 0) + 1;
		if (first) first = { ...first, passes };
		return pagesRead > 1 && metUnknown && passes < MOST_BASELINE_PASSES;
	}

	function endPass(pagesRead: number): void {
		if (first && !highestFirst && pagesRead > 1 && !first.isReported) {
			missedId = highest(ledger.known.keys());
			missedDate = first.newestDate;
		}
		first = undefined;
	}

	/** Asks for known records that the pass did not meet, and forgets those that are gone. */
	function* askUnseen(): Part<Place> {
		const unseen: number[] = [];
		for (const [id, count] of ledger.known) {
			if (seen.has(id)) continue;
			if (question.kind === 'reached' && highestFirst && count < question.threshold) ledger.forget(id);
			else if (unseen.length < MOST_CHECKS) unseen.push(id);
		}
		for (const id of unseen) {
			const record = yield* askRecord(id);
			if (record === undefined) return {};
			if (record === 'gone') ledger.forget(id);
			else if (record !== 'unknown') meet(id, record);
		}
		return {};
	}

	/** Asks for selected records one by one. @param cursor a page, should it be needed */
	function* askSelected(ids: number[], cursor: Cursor): Part<Place> {
		let asked = 0;
		for (const id of ids.sort(ascending)) {
			const record = yield* askRecord(id);
			if (record === undefined) return { asked };
			asked = id;
			if (record !== 'gone' && record !== 'unknown') meet(id, record);
		}
		// All of them are missing: does the service answer at all?
		return ids.length > 0 && found.size === 0 ? yield* readPages(cursor, true) : {};
	}

	const { asked = 0 } = last.place;
	const isSingly = selected !== undefined && pages !== undefined && selected.size < pages;
	const place = yield* isSingly
		? askSelected(
				[...selected].filter((id) => id > asked),
				start,
			)
		: readPages(start);

	const known = ledger.encoded();
	return {
		changes: ledger.changes,
		fields: writeState({ known, baseline: first, missedId, missedDate, pages, place }),
		...((place.cursor ?? FIRST_PAGE).page > 1 && hasSeenAll && { seen }),
	};
}

function ascending(a: number, b: number): number {
	return a - b;
}

function highest(numbers: Iterable<number>): number {
	let top = 0;
	for (const number of numbers) if (number > top) top = number;
	return top;
}
