/**
 * What a page says of its list (spec, "Paged list envelope"): where the list ends, how large its pages are, and what it means when
 * the list changes meanwhile. Plain data and arithmetic.
 *
 * Positions count records from the top of the list, from 0. Page numbers only mean something together with a page size:
 * page n of size s holds the positions (n − 1)·s to n·s − 1.
 */
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
export const DEFAULT_SIZE = 15;

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
 * The page size that an answer was made with.
 *
 * `perpage`, where the page holds just what it must by that; or the size that was asked for, or granted before, where it does by
 * that one. Services state a size that they do not grant, and grant one that they do not state: a page that others follow is full,
 * so its records are counted.
 *
 * @param asked size that was asked for
 * @param known largest size that the service has granted, 0 if it is not known: what is no less is a full page, although the
 * service says that its list ends there
 */
export function grantedSize(
	page: PageOf<{ id?: unknown }>,
	{ page: number, limit: asked = DEFAULT_SIZE }: PageRequest,
	known: number,
): number {
	const { perpage: told = asked, result, maxpage = 0 } = page;
	const count = countOf(page);
	const fitting = [told, asked, known || told].find((size) => fits(page, count, number, size));
	// More pages than records are none; and three that agree (records, result, a size as ever) outvote another last page.
	const isOutvoted = maxpage > Math.max(1, result ?? maxpage) || page.perpage === known;
	if (fitting === undefined && isOutvoted && fits({ result }, count, number, told)) return told;
	if (fitting !== undefined) return fitting;
	if (count === 0) return Math.max(told, asked);
	const last = lastPage(page, told);
	const isFull = last === undefined ? page.perpage === undefined : last > number;
	const isCutShort = known > 0 && asked > known && count >= known && !fits({ result }, count, number, told);
	return isFull || (isCutShort && maxpage <= lastPage({ result }, told)!) ? count : told;
}

/**
 * The size that a page shows the service to grant: the last page of a list may be short, and shows no less than was asked for.
 *
 * @param size that the page was made with
 */
export function shownSize(
	page: PageOf<unknown>,
	{ page: number, limit = DEFAULT_SIZE }: PageRequest,
	size: number,
): number {
	return (lastPage(page, size) ?? number) > number ? size : Math.max(size, limit);
}

/** Whether a page of so many records holds what it must, by all that it says, if its list has pages of this size. */
function fits(
	{ result, maxpage }: Omit<PageOf<unknown>, 'records'>,
	count: number,
	number: number,
	size: number,
): boolean {
	if (result === undefined) return false;
	if (maxpage !== undefined && Math.max(1, maxpage) !== lastPage({ result }, size)) return false;
	return count === Math.max(0, Math.min(size, result - (number - 1) * size));
}

/** Records of a page, but for those without an ID: services add them to pages (shared domains), beyond their size. */
function countOf({ records }: PageOf<{ id?: unknown }>): number {
	return records.filter(({ id }) => id !== undefined && id !== null).length || records.length;
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
