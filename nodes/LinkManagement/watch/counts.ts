/** Watches counts: of all records, or of selected ones. */
import { idOf } from '../service/records';
import type { PageCursor } from '../service/pagination';
import type { ServiceRecord } from './changes';
import { Ledger } from './ledger';
import type { Found, StartingPoint, RecordSource, WatchSettings } from './recordSource';
import type { CountState } from './watchState';

/** Most vanished records that stay known, besides as many as exist. */
const MOST_VANISHED = 1000;
/** Most selected records that are read one by one; more are read from the listing. */
const FEW = 3;

export async function countChanges(
	settings: WatchSettings,
	source: RecordSource,
	{ fields, isNewBaseline }: StartingPoint<CountState>,
): Promise<Found> {
	const last = stateOfSelection(settings.selected, isNewBaseline ? undefined : fields);
	return await (settings.selected ? chosenRecords : wholeList)(settings, source, last);
}

/** What one poll has read, and what follows from it. */
class Counting {
	readonly ledger: Ledger;
	readonly seenThisPoll = new Set<number>();
	private cursor?: PageCursor;
	private readonly selected?: ReadonlySet<number>;
	private readonly next: ReturnType<RecordSource['list']>;

	constructor(
		settings: WatchSettings,
		source: RecordSource,
		private readonly last: CountState,
	) {
		this.ledger = new Ledger(settings, last);
		this.selected = settings.selected && new Set(settings.selected);
		this.cursor = last.cursor;
		this.next = source.list(last.cursor);
	}

	/** Reads the next page. @returns whether time is up, or there are more pages */
	async readPage(): Promise<'cut' | 'more' | 'end'> {
		const listing = await this.next();
		if (listing === undefined) return 'cut';
		this.cursor = listing.cursor;
		for (const record of listing.records) this.compare(record);
		return listing.cursor === undefined ? 'end' : 'more';
	}

	compare(record: ServiceRecord): void {
		const id = idOf(record);
		if (id === undefined || this.selected?.has(id) === false) return;
		this.seenThisPoll.add(id);
		this.ledger.compare(id, record, this.last.isBaseline || id <= this.last.knownUpTo);
	}

	found(more: Partial<CountState> = {}): Found {
		const { ledger, last, cursor } = this;
		const fields = { ...last, cursor, nextOfFew: undefined, ...ledger.write(), ...more };
		return { changes: ledger.changes, fields };
	}
}

/**
 * Watches the counts of all records: reads the whole listing, in as many polls as that takes.
 *
 * A record that appears later began at zero. One that vanishes stays known, since it may return.
 */
async function wholeList(settings: WatchSettings, source: RecordSource, last: CountState): Promise<Found> {
	const poll = new Counting(settings, source, last);
	const { ledger, seenThisPoll } = poll;
	for (let page = 'more'; page !== 'end';) {
		page = await poll.readPage();
		if (page === 'cut') return poll.found();
	}

	const isWhole = last.cursor === undefined && seenThisPoll.size > 0;
	const vanished = isWhole ? [...ledger.counts.keys()].filter((id) => !seenThisPoll.has(id)) : [];
	const forgotten = vanished.length > seenThisPoll.size + MOST_VANISHED ? vanished : [];
	for (const id of forgotten) ledger.forget(id);
	// Pages shift while they are read, so a baseline may have missed records; and forgotten ones may return.
	const wereThere = last.isBaseline ? ledger.counts.keys() : forgotten;
	let { knownUpTo } = last;
	for (const id of wereThere) knownUpTo = Math.max(knownUpTo, id);
	return poll.found({ isBaseline: false, knownUpTo, cursor: undefined });
}

/**
 * Watches the counts of selected records. They existed when they were selected: their first count is their baseline.
 *
 * If the service does not show them one by one with their counts, they are read from the listing from then on.
 */
async function chosenRecords(settings: WatchSettings, source: RecordSource, last: CountState): Promise<Found> {
	const { selected = [] } = settings;
	const poll = new Counting(settings, source, last);
	let { isByList = false } = last;
	if (selected.length <= FEW && !isByList) {
		// Those that the last poll did not reach come first.
		const { nextOfFew: first = 0 } = last;
		for (let n = 0; n < selected.length; n++) {
			const nextOfFew = (first + n) % selected.length;
			const record = await source.record(selected[nextOfFew]);
			if (record === undefined) return poll.found({ nextOfFew });
			if (record === 'unknown') isByList = true;
			else if (record !== 'gone') poll.compare(record);
		}
		if (!isByList) return poll.found();
	}
	while (poll.seenThisPoll.size < selected.length) {
		const page = await poll.readPage();
		if (page === 'cut') return poll.found({ isByList });
		if (page === 'end') break;
	}
	return poll.found({ isByList, cursor: undefined });
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
