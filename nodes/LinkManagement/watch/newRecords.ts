import { idOf } from '../service/records';
import type { Change, ServiceRecord } from './changes';
import {
	type Found,
	type Listing,
	Marks,
	type Reading,
	type RecordSource,
	type SeenState,
	type Watch,
} from './watchState';

/** How many of the highest IDs are stored: a record with a lower one existed before. */
const MOST_KNOWN = 200;
/** How many IDs in falling order are no coincidence. */
const ENOUGH = 10;

/** The state before the first reading. */
const NOTHING: SeenState = { isBaseline: true, newest: [], ids: [], knownUpTo: 0 };

/**
 * Watches for new records: a record is new if its ID was not seen, and is above the lowest of the stored highest IDs. So a record that
 * vanishes and returns is not new.
 *
 * A listing with its newest records first is read down to a page with nothing new, and on while its total has grown by more than was
 * found. Any other is read to its end.
 */
export class SeenReading implements Reading {
	private readonly changes: Change[] = [];
	private readonly known: ReadonlySet<number>;
	private readonly marks: Marks;
	private readonly seen = new Set<number>();
	private listing?: Listing;
	private hasBegun = false;
	private isFalling = false;
	/** The total at the beginning, and how many more new records it announces than were found. */
	private total?: number;
	private missing = 0;

	constructor(
		private readonly watch: Watch,
		readonly unfinished: SeenState = NOTHING,
	) {
		this.known = new Set(this.unfinished.ids);
		this.marks = new Marks(this.unfinished.newest);
	}

	get isOfAccount(): boolean {
		return this.marks.hasMet;
	}

	async read(source: RecordSource): Promise<Found | undefined> {
		const listing = (this.listing ??= source.list());
		for (let isOver = false; !isOver;) {
			const records = await source.page(listing);
			if (records === undefined) return undefined;
			isOver = this.take(records, listing) || listing.isOver;
		}
		const changes = this.changes.sort((a, b) => (idOf(a.record) ?? 0) - (idOf(b.record) ?? 0));
		return { changes, state: this.end(listing) };
	}

	/** The first page with a record decides how the listing is read. */
	private begin(records: ServiceRecord[], { total }: Listing): void {
		const { watch, unfinished: last } = this;
		this.hasBegun = true;
		this.isFalling = watch.isNewestFirst === true && hasNewestFirst(records, total, last);
		this.total = total;
		this.missing = (total ?? 0) - (last.total ?? total ?? 0);
	}

	/** @returns whether it has reached known records, below which all are known */
	private take(records: ServiceRecord[], listing: Listing): boolean {
		if (!this.hasBegun && records.length > 0) this.begin(records, listing);
		const { isBaseline } = this.unfinished;
		let [old, fresh] = [0, 0];
		for (const record of records) {
			const id = idOf(record);
			if (id === undefined) continue;
			this.marks.note(record);
			if (id <= this.unfinished.knownUpTo || this.known.has(id)) old++;
			else {
				fresh++;
				this.seen.add(id);
				if (!isBaseline) this.changes.push({ record });
			}
		}
		const isDown = isBaseline || (old > 0 && fresh === 0 && this.missing <= 0);
		this.missing -= fresh;
		return this.isFalling && isDown;
	}

	/** The state of a finished reading. At a baseline, all records with lower IDs than the highest existed, read or not. */
	private end({ isShort, missing }: Listing): SeenState {
		const { unfinished: last } = this;
		// The next reading looks for those that were left out.
		const total = this.total !== undefined && isShort ? this.total - missing : this.total;
		const ids = [...new Set([...this.known, ...this.seen])].sort((a, b) => b - a).slice(0, MOST_KNOWN);
		const least = ids[last.isBaseline ? 0 : MOST_KNOWN - 1] ?? 0;
		const knownUpTo = Math.max(last.knownUpTo, least);
		return { isBaseline: false, newest: this.marks.newest, ids, knownUpTo, total };
	}
}

/**
 * Whether the first page shows that the listing has its newest records first: its IDs fall; or, since records of one second come in any
 * order, it has the highest ID and only IDs that are among the highest, in a much longer list.
 */
function hasNewestFirst(records: ServiceRecord[], total = 0, { ids: known }: SeenState): boolean {
	const ids = records.flatMap((record) => idOf(record) ?? []);
	if (ids.length < ENOUGH) return false;
	if (ids.every((id, at) => at === 0 || id < ids[at - 1])) return true;
	const isLong = known.length === MOST_KNOWN && total >= 2 * MOST_KNOWN;
	return isLong && ids.some((id) => id >= known[0]) && ids.every((id) => id >= known[MOST_KNOWN - 1]);
}
