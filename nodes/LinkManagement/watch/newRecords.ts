import { idOf } from '../service/records';
import { reportsExisting, type Change, type ServiceRecord } from './changes';
import type { Found, Listing, Reading, RecordSource, StartingPoint, WatchSettings } from './recordSource';
import type { IdRange, SeenState } from './watchState';

/** How many of the highest IDs are stored: a record with a lower one existed before. */
const MOST_KNOWN = 200;
/** How many IDs in falling order are no coincidence. */
const ENOUGH = 10;

/** The state before a reading: what the last one left, or a new one. A new baseline starts without what was known before. */
function stateOfNew({ fields, isNewBaseline = false }: StartingPoint<SeenState>, includesExisting: boolean): SeenState {
	if (fields !== undefined && !isNewBaseline) return fields;
	const isBaseline = isNewBaseline || !includesExisting;
	const isSilent = isNewBaseline && includesExisting;
	if (fields === undefined) return { isBaseline, isSilent, ids: [], knownUpTo: 0, unreported: [] };
	const { ids, unreported } = fields;
	const knownUpTo = Math.max(ids[0] ?? 0, fields.knownUpTo);
	return { isBaseline, isSilent, ids, knownUpTo, unreported };
}

/**
 * Watches for new records: a record is new if its ID was not seen, and is above the lowest of the stored highest IDs. So a record that
 * vanishes and returns is not new. If existing records are wanted, those of baselines are reported as well.
 *
 * A listing with its newest records first is read down to a page with nothing new, and on while its total has grown by more than was
 * found. Any other is read to its end.
 */
export class SeenReading implements Reading {
	readonly unfinished: SeenState;
	private readonly changes: Change[] = [];
	private readonly known: ReadonlySet<number>;
	private readonly seen = new Set<number>();
	private listing?: Listing;
	private hasBegun = false;
	private isFalling = false;
	private isOfExisting = false;
	/** The total at the beginning, and how many more new records it announces than were found. */
	private total?: number;
	private missing = 0;

	constructor(
		private readonly settings: WatchSettings,
		from: StartingPoint<SeenState>,
	) {
		this.unfinished = stateOfNew(from, reportsExisting(settings.question));
		this.known = new Set(this.unfinished.ids);
	}

	async read(source: RecordSource): Promise<Found | undefined> {
		const listing = (this.listing ??= source.list());
		for (let isOver = false; !isOver;) {
			const records = await source.page(listing);
			if (records === undefined) return undefined;
			isOver = this.take(records, listing) || listing.isOver;
		}
		const changes = this.changes.sort((a, b) => (idOf(a.record) ?? 0) - (idOf(b.record) ?? 0));
		return { changes, fields: this.end(listing) };
	}

	/** The first page with a record decides how the listing is read. */
	private begin(records: ServiceRecord[], { total }: Listing): void {
		const { settings, unfinished: last } = this;
		this.hasBegun = true;
		this.isOfExisting = reportsExisting(settings.question) && !last.isBaseline && last.unreported.length > 0;
		this.isFalling = settings.isNewestFirst === true && !this.isOfExisting && hasNewestFirst(records, total, last);
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
			if (this.isKnown(id)) old++;
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

	private isKnown(id: number): boolean {
		const { knownUpTo, unreported } = this.unfinished;
		if (this.isOfExisting && unreported.some(([above, upTo]) => id > above && id <= upTo)) return false;
		return id <= knownUpTo || this.known.has(id);
	}

	/** The state of a finished reading. At a baseline, all records with lower IDs than the highest existed, read or not. */
	private end({ isShort, missing }: Listing): SeenState {
		const { unfinished: last } = this;
		// The next reading looks for those that were left out.
		const total = this.total !== undefined && isShort ? this.total - missing : this.total;
		const ids = [...new Set([...this.known, ...this.seen])].sort((a, b) => b - a).slice(0, MOST_KNOWN);
		const least = ids[last.isBaseline ? 0 : MOST_KNOWN - 1] ?? 0;
		const knownUpTo = Math.max(last.knownUpTo, least);
		return { isBaseline: false, ids, knownUpTo, unreported: this.unreported(knownUpTo), total };
	}

	private unreported(knownUpTo: number): readonly IdRange[] {
		const { isBaseline, isSilent, unreported, ...last } = this.unfinished;
		if (this.isOfExisting) return [];
		const isNone = !isBaseline || isSilent === true || knownUpTo === last.knownUpTo;
		return isNone ? unreported : [...unreported, [last.knownUpTo, knownUpTo]];
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
