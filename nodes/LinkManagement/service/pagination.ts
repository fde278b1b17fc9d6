import { asText, idOf } from './records';

/** One page of a list (spec, "Paged list envelope"). A figure that the service leaves out or garbles is undefined. */
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

/** Where reading a list goes on: all above `position` was read, in pages of `size`, when the list had `total` records. */
export interface PageCursor {
	readonly position: number;
	readonly size?: number;
	readonly total?: number;
	/** The first record of the last page: a service that shows it on the next page too repeats pages. */
	readonly head?: string;
	/** The first record of the list: a later page that shows it is the first page again. */
	readonly top?: string;
	/** The page that brought nothing new, and is asked for once more. */
	readonly doubted?: number;
}

/** How often reading goes back after the list became shorter: a total that goes up and down must not be followed for ever. */
const MOST_RETURNS = 50;

/** A key of a record: its ID, with its type where items of several types share a list; without an ID, all that it holds. */
function identity(record: { id?: unknown; type?: unknown }): string {
	const { id, type } = record;
	return id === undefined || id === null ? JSON.stringify(record) : `${asText(type ?? '')}/${asText(id)}`;
}

/** The number of records on a page, without those that have no ID: services add them (shared domains) beyond the page size. */
function countOf(records: ReadonlyArray<{ id?: unknown }>): number {
	return records.filter(({ id }) => id !== undefined && id !== null).length || records.length;
}

/**
 * Pages through one list: says which page to ask for next, and takes the answers. It sends nothing.
 *
 * The page size is the number of records on the first page. The end is a page that brings nothing new, or the page before it if
 * `result`, `nextpage` and `maxpage` agree. A page that brings nothing although there should be more is asked for once more: services
 * give odd answers. When `result` falls, records have moved up, and reading goes back by as many positions. When it rises, records may
 * have moved down, and as many known ones are not the end.
 *
 * If the pages hold the right records, none is skipped, whatever the figures say, unless
 * - `result` is too small, and neither `nextpage` nor `maxpage` announces more;
 * - a record is deleted, and `result` does not fall;
 * - more records are created between two pages than a page holds, and `result` does not rise.
 */
export class Pagination<R extends { id?: unknown; type?: unknown }> {
	/** The number of records in the list, if the service gives it. */
	total?: number;
	/** All above it was read. */
	protected position: number;
	protected size: number;
	private hasEnded = false;
	/** Key of a record → the last pass that saw it. */
	private readonly seen = new Map<string, number>();
	/** How often reading has started again at the top. */
	private pass = 0;
	/** The position to which this pass has read. */
	private furthest: number;
	/** How many records were created meanwhile, less those of pages that brought nothing new. */
	private pushed = 0;
	private returns = 0;
	/** The number of the last page by the service; 0 if it gives none. */
	private announcedPages = 0;
	/** The previous page was full. Assumed when reading goes on from a cursor. */
	private wasFull = true;
	private doubted?: number;
	/** The first record of the last page, of this reading or an earlier one. */
	private head?: string;
	/** The first record of the list. */
	private top?: string;

	/**
	 * @param size records to ask for at once
	 * @param most records wanted in total
	 * @param mayBeEmpty an empty list is believed at once
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

	/** Where another reading can go on; undefined when nothing is left. */
	get cursor(): PageCursor | undefined {
		const { hasEnded, position, size, total, head, top, doubted } = this;
		return hasEnded ? undefined : { position, size, total, head, top, doubted };
	}

	/** Most pages that are left; undefined if the service gives no total. */
	get pagesLeft(): number | undefined {
		const { total, position, size } = this;
		return total === undefined ? undefined : Math.ceil(Math.max(0, total - position) / size);
	}

	/** The next page to ask for; undefined when there are no more records, or enough. */
	nextRequest(): PageRequest | undefined {
		const { hasEnded, seen, most, position, size } = this;
		return hasEnded || seen.size >= most ? undefined : { page: Math.floor(position / size) + 1, limit: size };
	}

	/** Starts again at the top with another page size. Records that were read stay known. */
	protected restart(size: number): void {
		[this.size, this.position, this.furthest] = [size, 0, 0];
		[this.announcedPages, this.wasFull, this.doubted, this.head] = [0, true, undefined, undefined];
		this.pass++;
	}

	/** Takes a page. @returns its new records */
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
		// The page may be larger than the size by which it was numbered.
		if (begin <= this.position) this.position = Math.max(this.position, begin + this.size);
		if (fallen > 0) this.position = Math.max(0, Math.min(this.position, begin) - fallen);
		this.furthest = Math.max(this.furthest, end);
		const isLast = count > 0 && result === end && Math.max(nextpage, maxpage) <= number;
		if (isOnward && !hasNews) this.pushed -= count;
		this.hasEnded = fallen === 0 && begin <= this.position && (isLast || hasNothing);
		this.rememberPage(number, page, count);
		return fresh;
	}

	/** Ends the list: it has no page of this number. */
	end(): void {
		this.hasEnded = true;
	}

	/** Whether the figures announce records on this page or after it. @param page the empty page, if there was an answer */
	announcesMore(number: number, { result = 0, nextpage = 0, maxpage = 0 }: Partial<Page<R>> = {}): boolean {
		const above = (number - 1) * this.size;
		const told = Math.max(maxpage, this.announcedPages);
		return Math.max(result, this.total ?? 0) > above || nextpage > number || (number > 1 ? told >= number : told > 1);
	}

	/** Whether a page that brings nothing is worth asking for again. */
	private isDoubtful(number: number, page: Page<R>): boolean {
		if (number > 1) return this.wasFull || this.announcesMore(number, page);
		return (page.records.length === 0 && !this.mayBeEmpty) || this.announcesMore(number, page);
	}

	/** Whether the service gave the first page instead of a later one, to a reading that goes on and no longer knows its records. */
	private isFirstAgain(number: number, records: R[]): boolean {
		if (number === 1 || this.top === undefined || this.seen.has(this.top) || this.doubted === number) return false;
		return records.some((record) => identity(record) === this.top);
	}

	/** Whether the service gave the last page of an earlier reading again. */
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

	/** Takes the total of a page. @returns by how much it has fallen */
	private updateTotal(result: number | undefined, end: number, count: number): number {
		// A smaller number than what was just read counts something else.
		if (result === undefined || result === 0 || (count > 0 && result < end)) return 0;
		const grown = result - (this.total ?? result);
		this.total = result;
		this.pushed += Math.max(0, grown);
		return grown < 0 && this.returns++ < MOST_RETURNS ? -grown : 0;
	}
}
