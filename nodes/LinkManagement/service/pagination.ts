import { asText, idOf } from './records';

/** One page of a list (spec, "Paged list envelope"). Figures that the service leaves out, or garbles, are missing. */
export interface Page<R> {
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
export interface PageCursor {
	readonly position: number;
	readonly size?: number;
	readonly total?: number;
	/** The first record of the last page: a service that shows it on the next one too does not turn pages. */
	readonly head?: string;
	/** The first record of the list: a page that shows it further down is the first page once more. */
	readonly top?: string;
	/** The page that brought nothing, and is asked for once more. */
	readonly doubted?: number;
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
 * `result`, `nextpage` and `maxpage` agree on it. A page that brings nothing, although there should be more, is asked for once more
 * before it is believed: services give odd answers. When `result` falls, records have moved up, and reading goes back by as many
 * positions; when it rises, records may have been pushed down, and so many that are known already are no end.
 *
 * No record is skipped at a service whose pages hold what they must, whatever their figures say, unless
 * - `result` says less than there is, and neither `nextpage` nor `maxpage` speaks of more;
 * - a record is deleted, and `result` does not fall by it;
 * - more records are created between two pages than a page holds, and `result` does not rise by them.
 */
export class Pagination<R extends { id?: unknown; type?: unknown }> {
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
	/** The last page that the service has spoken of, as far as it has. */
	private announcedPages = 0;
	/** The page before had as many records as a page has. A reading that goes on does not know. */
	private wasFull = true;
	private doubted?: number;
	/** The first record of the last page, of this reading or of the one before it. */
	private head?: string;
	/** The first record of the list. */
	private top?: string;

	/**
	 * @param size how many records to ask for at once; `most` of them in all
	 * @param mayBeEmpty a list without any records is believed at once
	 */
	constructor(
		size: number,
		protected readonly most = Infinity,
		{ position, size: known, total, head, top, doubted }: PageCursor = { position: 0 },
		private readonly mayBeEmpty = false,
	) {
		[this.position, this.furthest] = [position, position];
		this.size = known ?? size;
		this.total = total;
		[this.head, this.top, this.doubted] = [head, top, doubted];
	}

	/** Where another reading can go on; undefined when there is nothing more. */
	get cursor(): PageCursor | undefined {
		const { hasEnded, position, size, total, head, top, doubted } = this;
		return hasEnded ? undefined : { position, size, total, head, top, doubted };
	}

	/** So many pages are left at most; undefined where the service does not tell. */
	get pagesLeft(): number | undefined {
		const { total, position, size } = this;
		return total === undefined ? undefined : Math.ceil(Math.max(0, total - position) / size);
	}

	/** The next page to ask for; undefined when there are no more records, or enough. */
	nextRequest(): PageRequest | undefined {
		const { hasEnded, seen, most, position, size } = this;
		return hasEnded || seen.size >= most ? undefined : { page: Math.floor(position / size) + 1, limit: size };
	}

	/** Begins again at the top, in pages of another size. What was read is known. */
	protected restart(size: number): void {
		[this.size, this.position, this.furthest] = [size, 0, 0];
		[this.announcedPages, this.wasFull, this.doubted, this.head] = [0, true, undefined, undefined];
		this.pass++;
	}

	/** Takes the answer to a page. @returns the records that are new */
	take({ page: number }: PageRequest, page: Page<R>): R[] {
		const { records, result, nextpage = 0, maxpage = 0 } = page;
		if (this.isFirstAgain(number, records)) {
			this.doubted = number;
			return [];
		}
		const count = countOf(records);
		if (count > this.size || (count > 0 && number === 1)) this.size = count;
		const begin = (number - 1) * this.size;
		const end = begin + count;
		const isRepeated = this.isRepeated(records);
		const fresh = isRepeated ? [] : records.filter((record) => !this.seen.has(identity(record)));
		const hasNews = !isRepeated && records.some((record) => this.seen.get(identity(record)) !== this.pass);
		for (const record of records) this.seen.set(identity(record), this.pass);

		const fallen = this.updateTotal(result, end, count);
		const isOnward = begin >= this.furthest;
		const hasNothing = !hasNews && (count === 0 || (isOnward && this.pushed <= 0));
		if (hasNothing && fallen === 0 && this.doubted !== number && this.isDoubtful(number, page)) {
			this.doubted = number;
			return fresh;
		}
		// Pages may be larger than those that the number counted.
		if (begin <= this.position) this.position = Math.max(this.position, begin + this.size);
		if (fallen > 0) this.position = Math.max(0, Math.min(this.position, begin) - fallen);
		this.furthest = Math.max(this.furthest, end);
		const isLast = count > 0 && result === end && Math.max(nextpage, maxpage) <= number;
		if (isOnward && !hasNews) this.pushed -= count;
		this.hasEnded = fallen === 0 && begin <= this.position && (isLast || hasNothing);
		this.rememberPage(number, page, count);
		return fresh;
	}

	/** Takes it that the list has no page of this number. */
	end(): void {
		this.hasEnded = true;
	}

	/** Whether figures speak of records on this page or behind it. @param page the one that has none, where there was an answer */
	announcesMore(number: number, { result = 0, nextpage = 0, maxpage = 0 }: Partial<Page<R>> = {}): boolean {
		const above = (number - 1) * this.size;
		const told = Math.max(maxpage, this.announcedPages);
		return Math.max(result, this.total ?? 0) > above || nextpage > number || (number > 1 ? told >= number : told > 1);
	}

	/** Whether a page that brings nothing may be an odd answer. */
	private isDoubtful(number: number, page: Page<R>): boolean {
		if (number > 1) return this.wasFull || this.announcesMore(number, page);
		return (page.records.length === 0 && !this.mayBeEmpty) || this.announcesMore(number, page);
	}

	/** Whether a reading that goes on is shown the first page in place of a later one, whose records it does not know any more. */
	private isFirstAgain(number: number, records: R[]): boolean {
		if (number === 1 || this.top === undefined || this.seen.has(this.top) || this.doubted === number) return false;
		return records.some((record) => identity(record) === this.top);
	}

	/** Whether a reading that goes on is shown the page that the one before it saw last. */
	private isRepeated([first]: R[]): boolean {
		return this.seen.size === 0 && this.head !== undefined && first !== undefined && identity(first) === this.head;
	}

	private rememberPage(number: number, { records, nextpage = 0, maxpage = 0 }: Page<R>, count: number): void {
		const [first] = records;
		if (first === undefined) return;
		this.head = idOf(first) === undefined ? undefined : identity(first);
		if (number === 1) this.top = this.head;
		this.wasFull = count >= this.size;
		this.doubted = undefined;
		this.announcedPages = Math.max(nextpage, maxpage);
	}

	/** Takes what a page says of the list's length. @returns by how much it has fallen */
	private updateTotal(result: number | undefined, end: number, count: number): number {
		// Less than what was just read is the count of something else.
		if (result === undefined || result === 0 || (count > 0 && result < end)) return 0;
		const grown = result - (this.total ?? result);
		this.total = result;
		this.pushed += Math.max(0, grown);
		return grown < 0 && this.returns++ < MOST_RETURNS ? -grown : 0;
	}
}
