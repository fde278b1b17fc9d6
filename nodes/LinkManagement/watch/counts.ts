/** Watches counts: of all records, or of selected ones. */
import { idOf } from '../service/records';
import type { ServiceRecord } from './changes';
import { Ledger } from './ledger';
import type { Found, Listing, Reading, RecordSource, StartingPoint, WatchSettings } from './recordSource';
import type { CountState } from './watchState';

/** Most vanished records that stay known, besides as many as exist. */
const MOST_VANISHED = 1000;
/** Most selected records that are read one by one; more are read from the listing. */
const FEW = 3;

/**
 * Watches the counts of all records by reading the whole listing, or of selected ones.
 *
 * If all are watched, a record that appears later began at zero, and one that vanishes stays known, since it may return. Selected
 * records existed when they were selected: their first count is their baseline. If the service does not show them one by one with their
 * counts, they are read from the listing from then on.
 */
export class CountReading implements Reading {
	readonly unfinished: CountState;
	private readonly ledger: Ledger;
	private readonly seen = new Set<number>();
	private readonly selected?: ReadonlySet<number>;
	private listing?: Listing;
	private isByList: boolean;
	/** Of a few selected records, those that are still to be read. */
	private readonly left: number[];

	constructor(settings: WatchSettings, { fields, isNewBaseline }: StartingPoint<CountState>) {
		const { selected } = settings;
		this.unfinished = stateOfSelection(selected, isNewBaseline ? undefined : fields);
		this.ledger = new Ledger(settings, this.unfinished);
		this.selected = selected && new Set(selected);
		this.isByList = this.unfinished.isByList === true || selected === undefined || selected.length > FEW;
		this.left = [...(selected ?? [])];
	}

	async read(source: RecordSource): Promise<Found | undefined> {
		while (!this.isByList) {
			const [next] = this.left;
			if (next === undefined) return this.found({});
			const record = await source.record(next);
			if (record === undefined) return undefined;
			if (record === 'unknown') this.isByList = true;
			else if (record !== 'gone') this.compare(record);
			this.left.shift();
		}
		const listing = (this.listing ??= source.list());
		const { selected, seen } = this;
		for (let isOver = false; !isOver;) {
			const records = await source.page(listing);
			if (records === undefined) return undefined;
			for (const record of records) this.compare(record);
			isOver = listing.isOver || seen.size === selected?.size;
		}
		return this.found(selected === undefined ? this.wholeState() : { isByList: selected.size <= FEW });
	}

	private compare(record: ServiceRecord): void {
		const { ledger, selected, seen, unfinished: last } = this;
		const id = idOf(record);
		if (id === undefined || selected?.has(id) === false || seen.has(id)) return;
		seen.add(id);
		ledger.compare(id, record, last.isBaseline || id <= last.knownUpTo);
	}

	private found(more: Partial<CountState>): Found {
		const { ledger, unfinished } = this;
		return { changes: ledger.changes, fields: { ...unfinished, ...ledger.write(), ...more } };
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
	last: CountState = { isBaseline: true, counts: {}, falls: {}, knownUpTo: 0, selected },
): CountState {
	if (String(selected) === String(last.selected)) return last;
	const { isBaseline, counts, falls } = last;
	const watched = selected && new Set(selected.map(String));
	// Where all were watched, an unknown record began at zero.
	const later = isBaseline ? [] : (selected?.filter((id) => id > last.knownUpTo && !(id in counts)) ?? []);
	const begun = later.map((id) => [String(id), 0] as const);
	const known = Object.entries(counts).filter(([id]) => watched?.has(id) !== false);
	// A record that is no longer watched must not seem new when it is again.
	const knownUpTo = Object.keys(counts).reduce((most, id) => Math.max(most, Number(id)), last.knownUpTo);
	return { isBaseline: true, counts: Object.fromEntries([...known, ...begun]), falls, knownUpTo, selected };
}
