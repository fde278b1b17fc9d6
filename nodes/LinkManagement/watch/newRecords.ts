/** Watches for new records. */
import { idOf } from '../service/records';
import type { Change, Reading, ServiceRecord, Watch } from './changes';

export interface NewState {
	/** The highest IDs ever seen. */
	readonly ids: readonly number[];
	/** IDs up to this one are not new. */
	readonly knownUpTo: number;
	/** The number of records in the list, if the service says it. */
	readonly total?: number;
}

/** How many of the highest IDs are stored: one watermark would lose what a page has missed once. */
const MOST_KNOWN = 200;
/** How many IDs in falling order are no coincidence. */
const ENOUGH = 10;

/**
 * A record is new if its ID was not seen, and is above the lowest of the stored highest IDs. So a record that vanishes and returns is not
 * new.
 *
 * A list with its newest records first is read down to a page with nothing new, and on while its total has grown by more than was
 * found. Any other is read to its end.
 */
export class NewReading implements Reading<NewState> {
	hasMet = false;
	private readonly changes: Change[] = [];
	private readonly known: ReadonlySet<number>;
	private readonly seen = new Set<number>();
	/** How many more new records the total announces than were found; undefined before the first record. */
	private missing?: number;
	private isNewestFirst = false;
	private total?: number;

	constructor(
		private readonly watch: Watch,
		private readonly since?: NewState,
	) {
		this.known = new Set(since?.ids);
	}

	take(records: readonly ServiceRecord[], total?: number): boolean {
		const { since, known, seen } = this;
		if (this.missing === undefined && records.length > 0) {
			this.missing = total === undefined ? 0 : total - (since?.total ?? total);
			this.isNewestFirst = this.watch.isNewestFirst && hasNewestFirst(records, total, since?.ids);
		}
		// What is made meanwhile is looked for by the next reading.
		if (total !== undefined) this.total = Math.min(total, this.total ?? total);
		const news: Change[] = [];
		let old = 0;
		for (const record of records) {
			const id = idOf(record);
			if (id === undefined) continue;
			this.hasMet ||= known.has(id);
			seen.add(id);
			if (since !== undefined && (known.has(id) || id <= since.knownUpTo)) old++;
			else news.push({ record });
		}
		this.changes.push(...news);
		const isDown = since === undefined || (old > 0 && news.length === 0 && (this.missing ?? 0) <= 0);
		if (this.missing !== undefined) this.missing -= news.length;
		return this.isNewestFirst && isDown;
	}

	end(isBaseline: boolean): { changes: Change[]; state: NewState } {
		const { seen, total } = this;
		const before = isBaseline ? undefined : this.since;
		const ids = [...new Set([...(before?.ids ?? []), ...seen])].sort((a, b) => b - a).slice(0, MOST_KNOWN);
		// At a baseline, all records with lower IDs than the highest existed, read or not.
		const knownUpTo = Math.max(before?.knownUpTo ?? 0, ids[isBaseline ? 0 : MOST_KNOWN - 1] ?? 0);
		const changes = isBaseline ? [] : this.changes.sort((a, b) => idOf(a.record)! - idOf(b.record)!);
		return { changes, state: { ids, knownUpTo, total } };
	}
}

/**
 * Whether the first page shows that the list has its newest records first: its IDs fall; or, since records of one second come in any
 * order, it has the highest ID and only IDs that are among the highest, in a much longer list.
 */
function hasNewestFirst(records: readonly ServiceRecord[], total = 0, known: readonly number[] = []): boolean {
	const ids = records.flatMap((record) => idOf(record) ?? []);
	if (ids.length < ENOUGH) return false;
	if (ids.every((id, at) => at === 0 || id < ids[at - 1])) return true;
	const isLong = known.length === MOST_KNOWN && total >= 2 * MOST_KNOWN;
	return isLong && ids.some((id) => id >= known[0]) && ids.every((id) => id >= known[MOST_KNOWN - 1]);
}
