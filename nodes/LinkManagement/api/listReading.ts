import { ApiError } from './apiError';
import {
	afterFailure,
	afterPage,
	afterRefusal,
	LARGEST_SIZE,
	sizeAtTop,
	UNKNOWN_SIZING,
	type PageSizing,
} from './pageSizing';
import {
	DEFAULT_SIZE,
	grantedSize,
	lastPage,
	pageAt,
	shownSize,
	totalOf,
	vanished,
	type PageOf,
	type PageRequest,
} from './paging';
import { asText } from './records';

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

/** So many pages in a row, with so many records that are all known, are enough to see that a list repeats itself. */
const REPEATED_PAGES = 3;
const REPEATED_RECORDS = 100;

/** A list that has no end. */
export class EndlessListError extends ApiError {
	constructor(message: string) {
		super('unreadable', message, 'Set a limit instead of Return All.');
	}
}

/** Where a reading begins, and what it is to keep to. */
export interface ReadingOptions {
	/** Position to begin at, from 0. */
	begin?: number;
	/** How many records the list had when another reading stopped there. */
	total?: number;
	/** Page size that the service granted to that reading. */
	granted?: number;
	/** No page is to be larger, whatever the service can do. */
	largest?: number;
}

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
	/** Page size that the service grants at present; undefined before the first page. */
	granted: number | undefined;
	/** The size was told by the service, so another one may be asked for without losing the place. */
	private isSizeTold = false;
	/** The service refused to be told a size. */
	private usesOwnSize = false;
	/** How many records the list has, as far as the last page told. */
	total: number | undefined;
	/** The position at which the list ends, as far as the last page told. */
	private end: number | undefined;
	private hasEnded = false;
	private lastRecords = '';
	private requests = 0;
	private most: { position: number; requests: number } | undefined;
	private furthest = 0;
	/** Pages without news in a row, and their records. */
	private withoutNews = 0;
	private knownInARow = 0;
	/** What stands above is not wanted. */
	private begin: number;
	private readonly largest: number;

	/**
	 * @param wanted how many records, Infinity for all
	 * @param sizing what is known about the service's pages
	 */
	constructor(
		private readonly wanted: number,
		public sizing: PageSizing = UNKNOWN_SIZING,
		{ begin = 0, total, granted, largest = LARGEST_SIZE }: ReadingOptions = {},
	) {
		this.begin = begin;
		this.position = begin;
		this.total = total;
		this.granted = granted;
		this.largest = largest;
	}

	/** Requests that the rest of the list takes: Infinity where nobody knows. */
	get pagesLeft(): number {
		if (this.hasEnded) return 0;
		const end = this.total ?? this.end;
		if (end === undefined) return Infinity;
		const size = Math.max(1, this.granted ?? 1, Math.min(this.sizing.size, this.sizing.most ?? Infinity, this.largest));
		return Math.max(0, Math.ceil((end - this.position) / size));
	}

	/** Where reading goes on; undefined when there is nothing more. */
	get place(): number | undefined {
		return this.hasEnded ? undefined : this.position;
	}

	/**
	 * The next page to ask for; undefined when all that is wanted is there.
	 *
	 * @throws EndlessListError when the list goes on far beyond what it said it holds, or repeats itself
	 */
	ask(): PageRequest | undefined {
		if (this.hasEnded || this.records.length >= this.wanted) return undefined;
		this.refuseEndless();
		const size = Math.min(this.sizing.size, this.largest);
		if (this.granted === undefined) {
			if (this.usesOwnSize) return { page: 1 };
			const atTop = Math.min(sizeAtTop(this.sizing), this.largest, this.wanted);
			const limit = this.position === 0 ? atTop : size;
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
		const size = this.sizeOf(page, asked);
		const last = lastPage(page, size);
		const begin = (asked.page - 1) * size;
		if (page.perpage !== undefined) this.isSizeTold = true;
		if (asked.limit !== undefined) {
			const granted = shownSize(page, asked, size);
			this.sizing = afterPage(this.sizing, { asked: asked.limit, granted, records: records.length, milliseconds });
		}
		const total = totalOf(page, begin);
		const gone = vanished(this.total, total);
		this.position = Math.max(0, this.position - gone);
		this.begin = Math.min(this.begin, this.position);
		// Records moved up past the reader, or the service's pages are larger than those that the number counted: the place is asked
		// for again, in pages of that size.
		const isBeyond = begin > this.position;
		const isNews = this.requests === 1 && records.length > 0;
		if (!isBeyond || isNews) this.granted = Math.max(1, size);
		this.end = last === undefined ? undefined : last * size;
		this.most ??= this.boundsOf(last ?? MOST_PAGES, Math.max(1, size));
		this.total = total;
		if (isBeyond) {
			if (gone === 0) this.withoutNews++;
			return [];
		}
		return this.add(records, begin, last);
	}

	private sizeOf(page: PageOf<R>, asked: PageRequest): number {
		const { granted, sizing } = this;
		if (granted !== undefined && asked.limit === granted) {
			// What another reading was granted need not hold any more: the first page of this one may say so.
			const isSilent = page.perpage === undefined && page.result === undefined && page.records.length <= granted;
			if (this.requests > 1 || isSilent) return granted;
		}
		return grantedSize(page, asked, granted ?? sizing.worked);
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
			(last === undefined
				? isShort || (!hasNews && begin + size > this.position)
				: begin + size >= last * size && reached >= this.position);
		const isOnward = reached > this.furthest;
		if (isOnward && hasNews) [this.withoutNews, this.knownInARow] = [0, 0];
		else if (!hasNews && (isOnward || reached <= this.position)) {
			this.withoutNews++;
			this.knownInARow += records.length;
		}
		this.furthest = Math.max(this.furthest, reached);
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
		const isRepeated = this.withoutNews >= REPEATED_PAGES && this.knownInARow >= REPEATED_RECORDS;
		if (this.withoutNews > SPARE_PAGES || isRepeated) {
			throw new EndlessListError(`The list repeats itself: ${this.withoutNews} pages hold nothing new`);
		}
	}
}
