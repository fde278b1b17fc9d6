import { asText } from './records';

/** One page of a list (spec, "Paged list envelope"). Figures that the service leaves out, or garbles, are missing. */
export interface PageOf<R> {
	records: R[];
	result?: number;
	nextpage?: number;
	maxpage?: number;
}

/** The page to ask for, and its size. */
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

/** So many requests without a new record are too many, besides one for each page that was read already. */
const MOST_IDLE = 20;

/** What tells one record from another: its ID and, where items of several types share a list, its type; else all that it holds. */
function identity(record: { id?: unknown; type?: unknown }): string {
	const { id, type } = record;
	return id === undefined || id === null ? JSON.stringify(record) : `${asText(type ?? '')}/${asText(id)}`;
}

/** Records of a page, but for those without an ID: services add them to pages (shared domains), beyond their size. */
function countOf(records: ReadonlyArray<{ id?: unknown }>): number {
	return records.filter(({ id }) => id !== undefined && id !== null).length || records.length;
}

/**
 * Reads one list by its records: says which page to ask for next, and takes the answers. Plain data and arithmetic.
 *
 * Pages have one size: as many records as the first one brought. The end is where reading on brings nothing new, or where `result`
 * says so and neither `nextpage` nor `maxpage` speaks of more; these two alone may be reckoned by the size that was asked for. When
 * `result` falls, records have moved up, and reading goes back by as many positions.
 *
 * So none is skipped at a service whose pages hold what they must, whatever their figures say, but where
 * - `result` says less than there is, and neither `nextpage` nor `maxpage` speaks of more;
 * - a record is deleted, and `result` does not fall by it;
 * - more records are created between two pages than a page holds, and `result` does not rise by them.
 */
export class ListReading<R extends { id?: unknown; type?: unknown }> {
	/** How many records the list has, where the service tells. */
	total?: number;
	/** All above it was read. */
	protected position: number;
	/** Records of a page. */
	protected size: number;
	private hasEnded = false;
	private readonly seen = new Set<string>();
	/** How many records are left below the last page, where `result` tells. */
	private left?: number;
	/** `result` was less than what had been read: it counts something else. */
	private isDoubted = false;
	/** The lowest position that was read. */
	private furthest: number;
	/** How many records were created meanwhile, less those of pages that brought nothing new. */
	private grown = 0;
	/** The last place brought nothing new, although there should be more. */
	private isSecondLook = false;
	/** Requests since the last new record. */
	private idle = 0;

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

	/** Requests that the rest of the list takes: Infinity where nobody knows. */
	get pagesLeft(): number {
		return this.hasEnded ? 0 : Math.ceil((this.left ?? Infinity) / this.size);
	}

	/** The next page to ask for; undefined when there are no more records, or enough. */
	ask(): PageRequest | undefined {
		const { hasEnded, seen, most, position, size } = this;
		return hasEnded || seen.size >= most ? undefined : { page: Math.floor(position / size) + 1, limit: size };
	}

	/** Takes an answer; one that the service refuses behind the first is an empty page. @returns the records that are new */
	take({ page: number }: PageRequest, { records, result, nextpage = 0, maxpage = 0 }: PageOf<R>): R[] {
		const count = countOf(records);
		if (count > this.size || (count > 0 && number === 1)) this.size = count;
		const begin = (number - 1) * this.size;
		this.idle++;
		this.follow(result, begin, count);
		// Records moved up past the reader, or pages are larger than those that the number counted: the place is asked for again.
		if (begin > this.position) return [];
		const fresh = records.filter((record) => !this.seen.has(identity(record)));
		for (const record of fresh) this.seen.add(identity(record));
		const isOnward = begin >= this.furthest || this.isSecondLook;
		// What is new above that was created meanwhile.
		this.grown += Math.max(0, fresh.length - Math.max(0, begin + count - this.furthest));
		this.furthest = Math.max(this.furthest, begin + count);
		this.position = Math.max(this.position, count === 0 ? begin : begin + this.size);
		this.hasEnded = count > 0 && this.left === 0 && Math.max(nextpage, maxpage) <= number;
		if (fresh.length > 0) [this.idle, this.isSecondLook] = [0, false];
		else if (isOnward || count === 0) this.endWithoutNews(count);
		return fresh;
	}

	/** Takes what a page says of the list's length. */
	private follow(result: number | undefined, begin: number, count: number): void {
		if (result === undefined || this.isDoubted) return;
		const { total = result } = this;
		this.isDoubted = count > 0 && result < begin + count;
		this.total = this.isDoubted ? undefined : result;
		this.left = this.isDoubted ? undefined : Math.max(0, result - Math.min(begin + count, this.furthest + count));
		if (this.isDoubted || this.isTired || result === 0) return;
		this.grown += Math.max(0, result - total);
		this.position = Math.max(0, this.position - Math.max(0, total - result));
	}

	/** Nothing new is the end. Where there should be more, the place is asked for once more, an empty one in half the size. */
	private endWithoutNews(count: number): void {
		// Records that were created have pushed down what was read, perhaps by more than a page.
		const isPushed = count > 0 && this.grown > 0;
		this.hasEnded ||= this.isTired || (!isPushed && (this.isSecondLook || !this.left));
		this.isSecondLook = !isPushed;
		this.grown -= count;
		if (count === 0) this.size = Math.ceil(this.size / 2);
	}

	/** Nothing new has come for so long that the service is not believed any more. */
	private get isTired(): boolean {
		return this.idle > MOST_IDLE + this.seen.size / this.size;
	}
}
