/** Watches counts: of all records, or of selected ones. */
import { idOf } from '../service/records';
import type { ServiceRecord } from './changes';
import { Ledger } from './ledger';
import { Marks } from './marks';
import type { Found, Reading, RecordSource, WatchSettings } from './recordSource';
import { WatchedRecords } from './watchedRecords';
import type { CountState } from './watchState';

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

	constructor(settings: WatchSettings, fields?: CountState) {
		const { selected } = settings;
		this.unfinished = stateOfSelection(selected, fields);
		this.ledger = new Ledger(settings, this.unfinished);
		this.marks = new Marks(this.unfinished.newest);
		this.records = new WatchedRecords(settings, this.unfinished.way);
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
		const fields = { ...unfinished, ...ledger.write(), ...whole, newest: marks.newest, way: records.way };
		return { changes: ledger.changes, fields };
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
	selected: WatchSettings['selected'],
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
