import { asText } from './records';

/** One page of a list (spec, "Paged list envelope"). Figures that the service leaves out, or garbles, are missing. */
export interface PageOf<R> {
	records: R[];
	result?: number;
	nextpage?: number;
	maxpage?: number;
}

export interface PageRequest {
	page: number;
	limit: number;
}

/** A place in a list: all above this position was read, in pages of this size, when the list had so many records. */
export interface ListPlace {
	readonly position: number;
	readonly size?: number;
	readonly total?: number;
}

/** So often a list that becomes shorter is read again from further up: a total that goes up and down is not one to follow for ever. */
const MOST_RETURNS = 50;

/** What tells one record from another: its ID and, where items of several types share a list, its type; else all that it holds. */
function identity(record: { id?: unknown; type?: unknown }): string {
	const { id, type } = record;
	return id === undefined || id === null ? JSON.stringify(record) : `${asText(type ?? '')}/${asText(id)}`;
}

/** Records of a page, without those that have no ID: services add them to pages (shared domains), beyond their size. */
function countOf(records: ReadonlyArray<{ id?: unknown }>): number {
	return records.filter(({ id }) => id !== undefined && id !== null).length || records.length;
}

/**
 * Reads one list by its records: says which page to ask for next, and takes the answers. Plain data and arithmetic.
 *
 * Pages have one size: as many records as the first one brought. The end is a page that brings nothing new, or a page earlier where
 * `result`, `nextpage` and `maxpage` agree on it. When `result` falls, records have moved up, and reading goes back by as many
 * positions; when it rises, records may have been pushed down, and so many that are known already are no end.
 *
 * No record is skipped at a service whose pages hold what they must, whatever their figures say, unless
 * - `result` says less than there is, and neither `nextpage` nor `maxpage` speaks of more;
 * - a record is deleted, and `result` does not fall by it;
 * - more records are created between two pages than a page holds, and `result` does not rise by them.
 */
export class ListReading<R extends { id?: unknown; type?: unknown }> {
	/** How many records the list has, where the service tells. */
	total?: number;
	/** All above it was read. */
	protected position: number;
	protected size: number;
	private hasEnded = false;
	/** The records that were read → the last pass that met each. */
	private readonly seen = new Map<string, number>();
	/** How often reading has begun again at the top. */
	private pass = 0;
	/** The lowest position that this pass has read. */
	private furthest: number;
	/** So many records were created meanwhile, less those of pages that brought nothing new. */
	private pushed = 0;
	private returns = 0;

	/** @param size how many records to ask for at once; `most` of them in all */
	constructor(
		size: number,
		protected readonly most = Infinity,
		{ position, size: known, total }: ListPlace = { position: 0 },
	) {
		[this.position, this.furthest] = [position, position];
		this.size = known ?? size;
		this.total = total;
	}

	/** Where another reading can go on; undefined when there is nothing more. */
	get place(): ListPlace | undefined {
		const { hasEnded, position, size, total } = this;
		return hasEnded ? undefined : { position, size, total };
	}

	/** The next page to ask for; undefined when there are no more records, or enough. */
	ask(): PageRequest | undefined {
		const { hasEnded, seen, most, position, size } = this;
		return hasEnded || seen.size >= most ? undefined : { page: Math.floor(position / size) + 1, limit: size };
	}

	/** Begins again at the top, in pages of another size. What was read is known. */
	protected beginAgain(size: number): void {
		[this.size, this.position, this.furthest] = [size, 0, 0];
		this.pass++;
	}

	/** Takes an answer; one that the service refuses behind the first is an empty page. @returns the records that are new */
	take({ page: number }: PageRequest, { records, result, nextpage = 0, maxpage = 0 }: PageOf<R>): R[] {
		const count = countOf(records);
		if (count > this.size || (count > 0 && number === 1)) this.size = count;
		const begin = (number - 1) * this.size;
		const end = begin + count;
		const fresh = records.filter((record) => !this.seen.has(identity(record)));
		const hasNews = records.some((record) => this.seen.get(identity(record)) !== this.pass);
		for (const record of records) this.seen.set(identity(record), this.pass);

		const fallen = this.follow(result, end, count);
		// Pages may be larger than those that the number counted.
		if (begin <= this.position) this.position = Math.max(this.position, begin + this.size);
		if (fallen > 0) this.position = Math.max(0, Math.min(this.position, begin) - fallen);
		const isOnward = begin >= this.furthest;
		this.furthest = Math.max(this.furthest, end);
		const isLast = count > 0 && result === end && Math.max(nextpage, maxpage) <= number;
		const hasNothing = !hasNews && (count === 0 || (isOnward && this.pushed <= 0));
		if (isOnward && !hasNews) this.pushed -= count;
		this.hasEnded = fallen === 0 && begin <= this.position && (isLast || hasNothing);
		return fresh;
	}

	/** Takes what a page says of the list's length. @returns by how much it has fallen */
	private follow(result: number | undefined, end: number, count: number): number {
		// Less than what was just read is the count of something else.
		if (result === undefined || result === 0 || (count > 0 && result < end)) return 0;
		const grown = result - (this.total ?? result);
		this.total = result;
		this.pushed += Math.max(0, grown);
		return grown < 0 && this.returns++ < MOST_RETURNS ? -grown : 0;
	}
}
