/** Watches counts: of all records, or of selected ones. */
import { idOf, wholeNumber } from '../service/records';
import { baselineAfterFall, type Change, reachedThresholds, type ServiceRecord } from './changes';
import { WatchedRecords } from './watchedRecords';
import {
	type CountState,
	type Fall,
	type Found,
	Marks,
	type Reading,
	type RecordSource,
	type Watch,
} from './watchState';

/** How many polls in a row must show a lower count before it is believed: services give odd answers. */
const POLLS_TO_BELIEVE = 3;

/** The last reported count or baseline of each record, and the changes to report. */
export class Ledger {
	readonly changes: Change[] = [];
	readonly counts: Map<number, number>;
	private readonly falls: Map<number, Fall>;

	constructor(
		private readonly watch: Watch,
		{ counts, falls }: Pick<CountState, 'counts' | 'falls'>,
	) {
		this.counts = new Map(numbered(counts));
		this.falls = new Map(numbered(falls));
	}

	/** The count of a record. Null is 0 for a record that has never shown a number, and no answer for any other. */
	private countOf(id: number, record: ServiceRecord): number | undefined {
		const count = record[this.watch.countField];
		return count === null && !this.counts.get(id) ? 0 : wholeNumber(count, 0);
	}

	/**
	 * Compares the count of a record with the last one.
	 *
	 * @param wasThere whether an unknown record existed before: then this count is its baseline; otherwise it began at zero
	 */
	compare(id: number, record: ServiceRecord, wasThere: boolean): void {
		const count = this.countOf(id, record);
		if (count === undefined) return;
		const previous = this.counts.get(id) ?? (wasThere ? count : 0);
		const from = this.baselineOf(id, previous, count);
		if (from === undefined) return;
		const isPending = !this.report(record, from, count);
		this.counts.set(id, isPending ? from : count);
	}

	forget(id: number): void {
		this.counts.delete(id);
		this.falls.delete(id);
	}

	/** The state for the next poll. */
	write(): Pick<CountState, 'counts' | 'falls'> {
		return { counts: Object.fromEntries(this.counts), falls: Object.fromEntries(this.falls) };
	}

	/** Reports a count. @returns whether it was reported, and is the next baseline */
	private report(record: ServiceRecord, previous: number, count: number): boolean {
		const { question } = this.watch;
		if (question.kind === 'grown') {
			if (count - previous < question.minimumIncrease) return false;
			this.changes.push({ record, previous, count });
		}
		if (question.kind === 'reached') {
			for (const threshold of reachedThresholds(previous, count, question.threshold, question.mode)) {
				this.changes.push({ record, previous, count, threshold });
			}
		}
		return true;
	}

	/** The baseline of a count; undefined while a fall is not believed yet. */
	private baselineOf(id: number, previous: number, count: number): number | undefined {
		const [lowest, polls] = this.falls.get(id) ?? [count, 0];
		this.falls.delete(id);
		if (count >= previous) return previous;
		const fall: Fall = [Math.min(lowest, count), polls + 1];
		if (fall[1] >= POLLS_TO_BELIEVE) return baselineAfterFall(previous, fall[0]);
		this.falls.set(id, fall);
		return undefined;
	}
}

function numbered<Value>(entries: Readonly<Record<string, Value>>): Array<[number, Value]> {
	return Object.entries(entries).map(([id, value]) => [Number(id), value]);
}

/** Most vanished records that stay known, besides as many as exist. */
const MOST_VANISHED = 1000;
/**
 * Watches the counts of all records by reading the whole listing, or of selected ones.
 *
 * If all are watched, a record that appears later began at zero, and one that vanishes stays known, since it may return. Selected
 * records existed when they were selected: their first count is their baseline.
 */
export class CountReading implements Reading {
	readonly unfinished: CountState;
	private readonly ledger: Ledger;
	private readonly marks: Marks;
	private readonly seen = new Set<number>();
	private readonly records: WatchedRecords;
	private readonly isOfAll: boolean;

	constructor(watch: Watch, state?: CountState) {
		const { selected } = watch;
		this.unfinished = stateOfSelection(selected, state);
		this.ledger = new Ledger(watch, this.unfinished);
		this.marks = new Marks(this.unfinished.newest);
		this.records = new WatchedRecords(watch, this.unfinished.way);
		this.isOfAll = selected === undefined;
	}

	get isOfAccount(): boolean {
		return this.marks.hasMet;
	}

	async read(source: RecordSource): Promise<Found | undefined> {
		const { records, ledger, marks, unfinished } = this;
		while (!records.isOver) {
			const watched = await records.next(source);
			if (watched === undefined) return undefined;
			for (const record of watched) this.compare(record);
		}
		const whole = this.isOfAll ? this.wholeState() : {};
		const state = { ...unfinished, ...ledger.write(), ...whole, newest: marks.newest, way: records.way };
		return { changes: ledger.changes, state };
	}

	private compare(record: ServiceRecord): void {
		const { ledger, seen, unfinished: last } = this;
		const id = idOf(record);
		if (id === undefined || seen.has(id)) return;
		seen.add(id);
		this.marks.note(record);
		ledger.compare(id, record, last.isBaseline || id <= last.knownUpTo);
	}

	/** The state after the whole listing was read. */
	private wholeState(): Partial<CountState> {
		const { ledger, seen, unfinished: last } = this;
		const vanished = seen.size > 0 ? [...ledger.counts.keys()].filter((id) => !seen.has(id)) : [];
		const forgotten = vanished.length > seen.size + MOST_VANISHED ? vanished : [];
		for (const id of forgotten) ledger.forget(id);
		// Pages shift while they are read, so a baseline may have missed records; and forgotten ones may return.
		const wereThere = last.isBaseline ? ledger.counts.keys() : forgotten;
		let { knownUpTo } = last;
		for (const id of wereThere) knownUpTo = Math.max(knownUpTo, id);
		return { isBaseline: false, knownUpTo };
	}
}

/** The state for the records that are watched now. Those that were watched before keep theirs. */
function stateOfSelection(
	selected: Watch['selected'],
	last: CountState = { isBaseline: true, newest: [], counts: {}, falls: {}, knownUpTo: 0, selected },
): CountState {
	if (String(selected) === String(last.selected)) return last;
	const { isBaseline, newest, counts, falls } = last;
	const watched = selected && new Set(selected.map(String));
	// Where all were watched, an unknown record began at zero.
	const later = isBaseline ? [] : (selected?.filter((id) => id > last.knownUpTo && !(id in counts)) ?? []);
	const begun = later.map((id) => [String(id), 0] as const);
	const known = Object.entries(counts).filter(([id]) => watched?.has(id) !== false);
	// A record that is no longer watched must not seem new when it is again.
	const knownUpTo = Object.keys(counts).reduce((most, id) => Math.max(most, Number(id)), last.knownUpTo);
	return { isBaseline: true, newest, counts: Object.fromEntries([...known, ...begun]), falls, knownUpTo, selected };
}
