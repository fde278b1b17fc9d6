import { idOf } from '../service/records';
import { reportsExisting, type Change } from './changes';
import type { Found, StartingPoint, Listing, RecordSource, WatchSettings } from './recordSource';
import type { IdRange, SeenState } from './watchState';

/** How many of the highest IDs are stored: a record with a lower one existed before. */
const MOST_KNOWN = 200;
/** How many IDs in falling order are no coincidence. */
const ENOUGH = 10;

/** The state for one poll: what the last one left, or a new one. A new baseline starts without what was known before. */
function stateOfNew({ fields, isNewBaseline = false }: StartingPoint<SeenState>, includesExisting: boolean): SeenState {
	if (fields !== undefined && !isNewBaseline) return fields;
	const isBaseline = isNewBaseline || !includesExisting;
	const isSilent = isNewBaseline && includesExisting;
	if (fields === undefined) return { isBaseline, isSilent, ids: [], knownUpTo: 0, unreported: [] };
	const { ids, unreported, seenThisReading } = fields;
	// What an unfinished baseline had read is not reported either; what an unfinished reading had found is.
	const knownUpTo = fields.isBaseline ? fields.knownUpTo : Math.max(ids[0] ?? 0, fields.knownUpTo);
	return { isBaseline, isSilent, ids, knownUpTo, unreported, seenThisReading };
}

/**
 * Watches for new records: a record is new if its ID was not seen, and is above the lowest of the stored highest IDs. So a record that
 * vanishes and returns is not new. If existing records are wanted, those of baselines are reported as well.
 *
 * A listing with its newest records first is read down to a page with nothing new, and on while its total has grown by more than was
 * found. Any other is read to its end. What doesn't fit in one poll goes on in the next.
 */
export async function newRecords(
	settings: WatchSettings,
	source: RecordSource,
	from: StartingPoint<SeenState>,
): Promise<Found> {
	const last = stateOfNew(from, reportsExisting(settings.question));
	const reading = new Reading(settings, last);
	const next = source.list(last.cursor);
	while (!reading.isOver) {
		const listing = await next();
		if (listing === undefined) return reading.found(reading.unfinishedState());
		reading.take(listing);
	}
	return reading.found(reading.end());
}

/** A reading of the listing, in one poll or several. */
class Reading {
	/** It has reached the end, or known records. */
	isOver = false;
	private readonly changes: Change[] = [];
	private readonly known: ReadonlySet<number>;
	private readonly seen: Set<number>;
	private now: SeenState;
	private hasBegun: boolean;

	constructor(
		private readonly settings: WatchSettings,
		private readonly last: SeenState,
	) {
		this.known = new Set(last.ids);
		this.seen = new Set(last.seenThisReading);
		this.now = last;
		this.hasBegun = last.cursor !== undefined;
	}

	/** The first page with a record decides how the listing is read. */
	private begin(listing: Listing): void {
		this.hasBegun = true;
		const { question, isNewestFirst } = this.settings;
		const { isBaseline, unreported, total: before = listing.total ?? 0 } = this.last;
		const isOfExisting = reportsExisting(question) && !isBaseline && unreported.length > 0;
		const isFalling = isNewestFirst === true && !isOfExisting && hasNewestFirst(listing, this.last);
		this.now = { ...this.now, isOfExisting, isFalling, total: listing.total, missing: (listing.total ?? 0) - before };
	}

	take(listing: Listing): void {
		if (!this.hasBegun && listing.records.length > 0) this.begin(listing);
		const { isBaseline, isFalling = false, missing = 0 } = this.now;
		let [old, fresh] = [0, 0];
		for (const record of listing.records) {
			const id = idOf(record);
			if (id === undefined || this.seen.has(id)) continue;
			if (this.isKnown(id)) old++;
			else {
				fresh++;
				this.seen.add(id);
				if (!isBaseline) this.changes.push({ record });
			}
		}
		const { cursor } = listing;
		this.now = { ...this.now, cursor, missing: missing - fresh };
		const isDown = isBaseline || (old > 0 && fresh === 0 && missing <= 0);
		this.isOver = cursor === undefined || (isFalling && isDown);
	}

	private isKnown(id: number): boolean {
		const { knownUpTo, unreported } = this.last;
		if (this.now.isOfExisting && unreported.some(([above, upTo]) => id > above && id <= upTo)) return false;
		return id <= knownUpTo || this.known.has(id);
	}

	found(fields: SeenState): Found {
		return { changes: this.changes.sort((a, b) => (idOf(a.record) ?? 0) - (idOf(b.record) ?? 0)), fields };
	}

	/** The state of an unfinished reading. Known IDs must stay as they were, or the rest of the new ones would seem known. */
	unfinishedState(): SeenState {
		return { ...this.now, ...(this.now.isBaseline ? { ids: this.highest() } : { seenThisReading: [...this.seen] }) };
	}

	/** The state of a finished reading. At a baseline, all records with lower IDs than the highest existed, read or not. */
	end(): SeenState {
		const { last, now } = this;
		const ids = this.highest();
		const least = ids[last.isBaseline ? 0 : MOST_KNOWN - 1] ?? 0;
		const knownUpTo = Math.max(last.knownUpTo, least);
		return { isBaseline: false, ids, knownUpTo, unreported: this.unreported(knownUpTo), total: now.total };
	}

	private unreported(knownUpTo: number): readonly IdRange[] {
		const { isBaseline, isSilent, unreported, seenThisReading = [], ...last } = this.last;
		if (this.now.isOfExisting) return [];
		const isNone = !isBaseline || isSilent === true || knownUpTo === last.knownUpTo;
		return isNone ? unreported : [...unreported, ...without([last.knownUpTo, knownUpTo], seenThisReading)];
	}

	private highest(): number[] {
		return [...new Set([...this.known, ...this.seen])].sort((a, b) => b - a).slice(0, MOST_KNOWN);
	}
}

/** A range without the reported IDs. */
function without([above, upTo]: IdRange, reported: readonly number[]): IdRange[] {
	const inside = reported.filter((id) => id > above && id <= upTo).sort((a, b) => a - b);
	const bounds = [above, ...inside, upTo + 1];
	return bounds.slice(1).flatMap((bound, at): IdRange[] => (bounds[at] < bound - 1 ? [[bounds[at], bound - 1]] : []));
}

/**
 * Whether the first page shows that the listing has its newest records first: its IDs fall; or, since records of one second come in any
 * order, it has the highest ID and only IDs that are among the highest, in a much longer list.
 */
function hasNewestFirst({ records, total = 0 }: Listing, { ids: known }: SeenState): boolean {
	const ids = records.flatMap((record) => idOf(record) ?? []);
	if (ids.length < ENOUGH) return false;
	if (ids.every((id, at) => at === 0 || id < ids[at - 1])) return true;
	const isLong = known.length === MOST_KNOWN && total >= 2 * MOST_KNOWN;
	return isLong && ids.some((id) => id >= known[0]) && ids.every((id) => id >= known[MOST_KNOWN - 1]);
}
