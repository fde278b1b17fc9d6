/**
 * How a list is read page by page (spec, "Paged list envelope"), without the network: which page to ask for next, how large,
 * what an answer says about the list's end, and what it means when the list changes meanwhile. Plain data and arithmetic.
 *
 * Positions count records from the top of the list, from 0. Page numbers only mean something together with a page size:
 * page n of size s holds the positions (n − 1)·s to n·s − 1.
 */
import { asText } from './records';

/** One page of a list. Figures that the service leaves out, or garbles, are missing. */
export interface PageOf<R> {
	records: R[];
	/** Number of results in all. */
	result?: number;
	/** Page size that the service granted. */
	perpage?: number;
	/** Last page number. */
	maxpage?: number;
}

/** The page to ask for. `limit` is the page size; the service's own where it is left out. */
export interface PageRequest {
	page: number;
	limit?: number;
}

/** Records of pages whose size nobody has asked for: the services' common default. */
const DEFAULT_SIZE = 15;

/**
 * The number of a list's last page, as far as a page of it tells.
 *
 * The larger of what `maxpage` and `result` say: services get one of them wrong, and a page too many costs one request while a
 * page too few loses records. `nextpage` is not asked: at the last page it is null, that page's own number or one beyond.
 *
 * @param size records on a page
 * @returns undefined when the page says nothing about it
 */
export function lastPage({ maxpage, result }: Omit<PageOf<unknown>, 'records'>, size: number): number | undefined {
	if (maxpage === undefined && result === undefined) return undefined;
	return Math.max(1, maxpage ?? 1, Math.ceil((result ?? 0) / Math.max(1, size)));
}

/**
 * Whether a list ends with this page.
 *
 * A list that says nothing about its length ends with a page that is empty or shorter than the pages before it.
 *
 * @param number of the page
 * @param size records on a page, as granted
 */
export function isLastPage(page: PageOf<unknown>, number: number, size: number): boolean {
	if (page.records.length === 0) return true;
	const last = lastPage(page, size);
	return last === undefined ? page.records.length < size : number >= last;
}

/**
 * The page size that an answer was made with.
 *
 * `perpage`, as a rule. Some services repeat the size that was asked for there and grant less: then a page is far from full,
 * although more pages follow.
 *
 * @param asked size that was asked for
 */
export function grantedSize(page: PageOf<unknown>, { page: number, limit: asked = DEFAULT_SIZE }: PageRequest): number {
	const { perpage, records } = page;
	if (perpage === undefined) return records.length > 0 ? records.length : asked;
	const follows = (lastPage(page, perpage) ?? number) > number;
	return follows && records.length > 0 && records.length * 2 <= perpage ? records.length : perpage;
}

/**
 * How many records the list has: `result`, unless the page itself proves that there are more. Then the count is the page's own.
 *
 * @param begin position of the page's first record
 */
export function totalOf({ result, records }: PageOf<unknown>, begin: number): number | undefined {
	const isTotal = result !== undefined && (records.length === 0 || result >= begin + records.length);
	return isTotal ? result : undefined;
}

/**
 * How many records have vanished from the list between two pages. Those after them moved up, perhaps over the border to a page
 * that was read already: so that none is skipped, reading goes back by as many positions.
 *
 * @param before total at the page before, and at this one (see `totalOf`); undefined when it was not told
 */
export function vanished(before: number | undefined, total: number | undefined): number {
	return before === undefined || total === undefined ? 0 : Math.max(0, before - total);
}

/** The page of this size that holds a position. */
export function pageAt(position: number, size: number): number {
	return Math.floor(Math.max(0, position) / size) + 1;
}

/** Statuses with which services refuse the size of a page instead of granting less. */
const SIZE_REFUSALS = new Set([400, 413, 422]);

/**
 * Whether an answer may mean that the page was too large for the service's taste, so that it is worth asking for its own size.
 * Sizes below what everybody grants are not refused: there the request itself is wrong.
 */
export function isSizeRefusal(statusCode: number | undefined, limit: number | undefined): boolean {
	return statusCode !== undefined && SIZE_REFUSALS.has(statusCode) && (limit ?? 0) >= FIRST_SIZE;
}

/** What an unknown service is asked for at most. */
export const FIRST_SIZE = 100;
/** The largest page that is ever asked for: more gains little, and the whole page is lost when the line breaks. */
export const LARGEST_SIZE = 1000;
/** Below this, slowness is not the page's fault. Only failures make pages smaller. */
const SMALLEST_SLOW_SIZE = 50;
const SIZES = [10, 25, 50, 100, 200, 500, LARGEST_SIZE];
/** A page that takes longer (ms) is slow. */
const SLOW = 2000;
/** What a page should take at most (ms), a little less, for pages differ. */
const FITTING = 1800;
/** A failure of a larger page is forgiven once, when a smaller one is this many times quicker than it had to be. */
const FORGIVING = 4;
/** How many times larger a page may be than the one that its time was reckoned from. */
const MOST_GROWTH_AT_ONCE = 10;

/** What is known about the page sizes of a list at a service. */
export interface PageSizing {
	/** What to ask for next. */
	readonly size: number;
	/** The largest size that was asked for and granted. */
	readonly worked: number;
	/** The service grants no more than this. */
	readonly most?: number;
	/**
	 * The last size at which the service failed, although it never answered one as large, and how many times that happened (sizes
	 * that failed one after the other count as one time).
	 */
	readonly failed?: { readonly size: number; readonly times: number; readonly isForgiven?: boolean };
	/** The page before failed. */
	readonly isFailing?: boolean;
}

/** A service that nobody has asked yet. */
export const UNKNOWN_SIZING: PageSizing = { size: FIRST_SIZE, worked: 0 };

/** The largest of the sizes that is not above `most`. */
function sizeUpTo(most: number): number {
	return SIZES.filter((size) => size <= most).at(-1) ?? SIZES[0];
}

/** The next smaller size. */
function sizeBelow(size: number): number {
	return SIZES.filter((smaller) => smaller < size).at(-1) ?? SIZES[0];
}

/**
 * Learns from a page that was answered: pages grow as long as the service makes them quickly (field notes, "A page costs the
 * service time for each record"), and shrink when they take long.
 *
 * @param asked size that was asked for
 * @param granted size that was granted; the same as `asked` where the page can't tell
 * @param records how many came
 * @param milliseconds from sending the request to the answer
 */
export function afterPage(
	sizing: PageSizing,
	{ asked, granted, records, milliseconds }: { asked: number; granted: number; records: number; milliseconds: number },
): PageSizing {
	const most = granted < asked ? granted : sizing.most;
	const worked = Math.max(sizing.worked, Math.min(asked, granted));
	let { size, failed } = sizing;
	const fitting = (records * FITTING) / Math.max(1, milliseconds);
	if (milliseconds > SLOW && asked > SMALLEST_SLOW_SIZE) {
		size = Math.max(SMALLEST_SLOW_SIZE, Math.min(sizeUpTo(fitting), sizeBelow(asked)));
	} else if (records >= Math.min(asked, granted)) {
		if (failed?.times === 1 && fitting >= FORGIVING * failed.size) failed = { ...failed, isForgiven: true };
		const ceiling = failed === undefined || failed.isForgiven ? LARGEST_SIZE : sizeBelow(failed.size);
		size = Math.max(size, sizeUpTo(Math.min(fitting, ceiling, MOST_GROWTH_AT_ONCE * asked)));
	}
	return {
		size: Math.min(size, most ?? size),
		worked,
		...(most === undefined ? {} : { most }),
		...(failed === undefined ? {} : { failed }),
	};
}

/**
 * Learns from a page that did not come: a time-out, a 5xx, an answer that was cut off. A size that has worked before is tried
 * once more; then the pages become smaller.
 *
 * @param asked size that was asked for
 */
export function afterFailure(sizing: PageSizing, asked: number): PageSizing {
	const { worked, failed, isFailing } = sizing;
	if (asked <= worked && !isFailing) return { ...sizing, size: asked, isFailing: true };
	const size = Math.min(asked, sizeBelow(asked));
	// What once worked works no more; failures one after the other count once.
	const isOne = isFailing && failed !== undefined && asked <= failed.size;
	const times = (failed?.times ?? 0) + (isOne ? 0 : 1);
	return { ...sizing, size, worked: Math.min(worked, size), failed: { size: asked, times }, isFailing: true };
}

/** Learns from a page whose size was refused: never again more than what has worked. */
export function afterRefusal(sizing: PageSizing, asked: number): PageSizing {
	const most = sizing.worked > 0 && sizing.worked < asked ? sizing.worked : Math.min(DEFAULT_SIZE, asked);
	return { size: most, worked: Math.min(sizing.worked, most), most };
}

/** What tells one record from another: its id, together with its type where items of several types share a list. */
function identity(record: { id?: unknown; type?: unknown }): string | undefined {
	const { id, type } = record;
	return id === undefined || id === null ? undefined : `${asText(type ?? '')}/${asText(id)}`;
}

/** A list may grow while it is read, but not beyond this many times what it had at first. */
const MOST_GROWTH = 2;
const SPARE_PAGES = 10;
/** How many times over a list is read at most, going back for what moved. */
const MOST_REREADING = 10;
/** A list that does not say how long it is ends here at the latest. */
const MOST_PAGES = 100_000;

/** A list that has no end. */
export class EndlessListError extends Error {}

/**
 * Reads one list: says which page to ask for next and takes the answers. Records come in the list's order, each once. Pages
 * may change their size on the way; what two of them have in common is taken once. When the count falls (a record was deleted,
 * so the others moved up), reading goes back by as many positions, so that none is skipped.
 */
export class ListReading<R extends { id?: unknown; type?: unknown }> {
	/** What came, in the list's order. */
	readonly records: R[] = [];
	private readonly seen = new Set<string>();
	/** Everything above this position was read. */
	private position: number;
	/** Page size that the service grants at present. */
	private granted: number | undefined;
	/** The size was told by the service, so another one may be asked for without losing the place. */
	private isSizeTold = false;
	/** The service refused to be told a size. */
	private usesOwnSize = false;
	private total: number | undefined;
	/** The position at which the list ends, as far as the last page told. */
	private end: number | undefined;
	private hasEnded = false;
	private lastRecords = '';
	private requests = 0;
	private most: { position: number; requests: number } | undefined;
	private furthest = 0;
	private withoutNews = 0;

	/**
	 * @param wanted how many records, Infinity for all
	 * @param sizing what is known about the service's pages
	 * @param begin position to begin at
	 * @param largest no page is to be larger, whatever the service can do
	 */
	constructor(
		private readonly wanted: number,
		public sizing: PageSizing = UNKNOWN_SIZING,
		private readonly begin = 0,
		private readonly largest = LARGEST_SIZE,
	) {
		this.position = begin;
	}

	/** How many records the list has, as far as the last page told. */
	get told(): number | undefined {
		return this.total;
	}

	/** Requests that the rest of the list takes: Infinity where nobody knows. */
	get pagesLeft(): number {
		if (this.hasEnded) return 0;
		if (this.total === undefined) return Infinity;
		const size = Math.max(1, this.granted ?? 1, Math.min(this.sizing.size, this.sizing.most ?? Infinity, this.largest));
		return Math.max(0, Math.ceil((this.total - this.position) / size));
	}

	/** Where reading goes on; undefined when there is nothing more. */
	get place(): number | undefined {
		return this.hasEnded ? undefined : this.position;
	}

	/** Records on a page, as granted last; undefined before the first page. */
	get size(): number | undefined {
		return this.granted;
	}

	/**
	 * The next page to ask for; undefined when all that is wanted is there.
	 *
	 * @throws EndlessListError when the list goes on far beyond what it said it holds, or repeats itself
	 */
	next(): PageRequest | undefined {
		if (this.hasEnded || this.records.length >= this.wanted) return undefined;
		this.refuseEndless();
		const size = Math.min(this.sizing.size, this.largest);
		if (this.granted === undefined) {
			if (this.usesOwnSize) return { page: 1 };
			const limit = this.position === 0 ? Math.min(size, this.wanted) : size;
			return { page: pageAt(this.position, limit), limit };
		}
		if (size < this.granted) return { page: pageAt(this.position, size), limit: size };
		return this.larger(size, this.granted) ?? { page: pageAt(this.position, this.granted), limit: this.granted };
	}

	/**
	 * What to ask for in place of a page that failed in a way that may lie in its size.
	 */
	smaller({ limit = this.granted ?? DEFAULT_SIZE }: PageRequest): PageRequest {
		this.sizing = afterFailure(this.sizing, limit);
		const size = Math.min(this.sizing.size, limit);
		return { page: pageAt(this.position, size), limit: size };
	}

	/** The page's size was refused: the next one is asked for in a size that has worked, or in the service's own. */
	refused({ limit = LARGEST_SIZE }: PageRequest): void {
		this.sizing = afterRefusal(this.sizing, limit);
		if (this.granted === undefined && this.sizing.worked === 0) {
			this.usesOwnSize = true;
			this.position = 0;
		}
	}

	/**
	 * Takes an answer.
	 *
	 * @param asked what was asked for
	 * @param milliseconds from sending the request to the answer
	 * @returns the records that are new
	 */
	take(asked: PageRequest, page: PageOf<R>, milliseconds: number): R[] {
		this.requests++;
		const { records } = page;
		const size = this.granted !== undefined && asked.limit === this.granted ? this.granted : grantedSize(page, asked);
		const last = lastPage(page, size);
		const begin = (asked.page - 1) * size;
		if (page.perpage !== undefined) this.isSizeTold = true;
		if (asked.limit !== undefined) {
			const granted = last !== undefined && asked.page < last ? size : Math.max(size, asked.limit);
			const length = records.length;
			this.sizing = afterPage(this.sizing, { asked: asked.limit, granted, records: length, milliseconds });
		}
		this.granted = Math.max(1, size);
		this.end = last === undefined ? undefined : last * size;
		this.most ??= this.boundsOf(last ?? MOST_PAGES, this.granted);
		const gone = vanished(this.total, totalOf(page, begin));
		this.total = page.result;
		if (gone > 0) {
			this.position = Math.max(0, this.position - gone);
			return [];
		}
		// Beyond what was read: the larger page was granted, and is asked for again from the place.
		if (begin > this.position) return [];
		return this.add(records, begin, last);
	}

	/** A larger page, where that takes fewer requests than going on as it is. */
	private larger(size: number, granted: number): PageRequest | undefined {
		if (size <= granted || !this.isSizeTold || this.end === undefined) return undefined;
		const end = Math.min(this.total ?? this.end, this.wanted);
		const isProven = this.sizing.worked >= size;
		const page = pageAt(this.position, size);
		const requests = Math.ceil((end - (page - 1) * size) / size) + (isProven ? 0 : 1);
		if (requests >= Math.ceil((end - this.position) / granted)) return undefined;
		// A service that grants no more than before then answers with just the page that comes next.
		if (!isProven && this.position % granted === 0) return { page: this.position / granted + 1, limit: size };
		return { page, limit: size };
	}

	private add(records: R[], begin: number, last: number | undefined): R[] {
		const fresh: R[] = [];
		records.forEach((record, index) => {
			const id = identity(record);
			const position = begin + index;
			if (position < this.begin) return;
			if (id === undefined ? position < this.position : this.seen.has(id)) return;
			if (id !== undefined) this.seen.add(id);
			fresh.push(record);
		});
		for (const record of fresh) this.records.push(record);
		const text = fresh.some((record) => identity(record) === undefined) ? JSON.stringify(records) : '';
		const hasNews = fresh.length > 0 && (text === '' || text !== this.lastRecords);
		this.lastRecords = text;
		const size = this.granted ?? 1;
		const isShort = last === undefined && begin > 0 && records.length < size;
		const reached = begin + Math.max(records.length, last === undefined ? 0 : size);
		this.hasEnded =
			records.length === 0 ||
			(last === undefined ? isShort || !hasNews : begin + size >= last * size && reached >= this.position);
		if (reached > this.furthest) {
			this.furthest = reached;
			this.withoutNews = hasNews ? 0 : this.withoutNews + 1;
		}
		this.position = Math.max(this.position, reached);
		return fresh;
	}

	private boundsOf(pages: number, size: number): { position: number; requests: number } {
		const most = Math.min(MOST_PAGES, MOST_GROWTH * pages + SPARE_PAGES);
		return { position: most * size, requests: MOST_REREADING * most };
	}

	private refuseEndless(): void {
		if (this.most === undefined) return;
		if (this.position >= this.most.position || this.requests > this.most.requests) {
			throw new EndlessListError(`The list goes on beyond the ${this.most.position} records that it can have`);
		}
		if (this.withoutNews > SPARE_PAGES) {
			throw new EndlessListError(`The list repeats itself: ${this.withoutNews} pages hold nothing new`);
		}
	}
}
