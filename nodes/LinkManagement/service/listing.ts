import type { IDataObject } from 'n8n-workflow';

import { speak, type Connection, type Manner, type RequestContext } from './connection';
import { readPage, type Page } from './envelope';
import { Fault } from './fault';

export type { Page } from './envelope';

/** The largest page that is asked for when all records are wanted: the service's own maximum is unknown (spec, "Limits"). */
export const LARGEST_PAGE = 10_000;
/** A list may grow while it is read, but not beyond this many times the pages it had at first. */
const MOST_GROWTH = 2;
const SPARE_PAGES = 10;
/** How many times over a list is read at most, going back for what moved. */
const MOST_REREADING = 10;
/** A list that does not say how long it is ends here at the latest. */
const MOST_PAGES = 100_000;

/** One page of a list endpoint. */
export interface PageRequest {
	path: string;
	collection: string;
	page: number;
	limit?: number;
	query?: IDataObject;
}

/**
 * Reads one page of a list for a trigger or a dropdown.
 *
 * @throws Fault when the service does not answer with such a list
 */
export async function listPage(context: RequestContext, connection: Connection, request: PageRequest, manner: Manner): Promise<Page> {
	const { path, collection, page, limit, query } = request;
	const answer = await speak(
		context,
		connection,
		{ method: 'GET', path, query: { ...query, page, ...(limit === undefined ? {} : { limit }) } },
		manner,
	);
	return readPage(answer.body, collection);
}

/**
 * Reads one record (`GET /api/url/:id`, `GET /api/qr/:id`).
 *
 * @returns the answer's body as sent
 */
export async function getOne(context: RequestContext, connection: Connection, path: string, manner: Manner): Promise<IDataObject> {
	return (await speak(context, connection, { method: 'GET', path }, manner)).body as IDataObject;
}

/** What tells one record from another: its id, together with its type where items of several types share a list. */
function identity(record: IDataObject): string | undefined {
	const { id, type } = record;
	return id === undefined || id === null ? undefined : `${String(type ?? '')}/${String(id)}`;
}

/** Records in the order in which they were first seen, each once. */
class Collected {
	readonly records: IDataObject[] = [];
	private readonly seen = new Set<string>();

	/** @returns how many of the records were new */
	add(records: IDataObject[]): number {
		const before = this.records.length;
		for (const record of records) {
			const id = identity(record);
			if (id !== undefined && this.seen.has(id)) continue;
			if (id !== undefined) this.seen.add(id);
			this.records.push(record);
		}
		return this.records.length - before;
	}
}

/** Whether a page with records that can't be told apart is the page before over again. */
function isRepeated(before: Page, latest: Page): boolean {
	return latest.records.some((record) => identity(record) === undefined) && JSON.stringify(latest.records) === JSON.stringify(before.records);
}

/** The last page there is, as far as this page tells. */
function lastPage({ maxpage, result, perpage }: Page, size: number): number {
	if (maxpage === undefined && result === undefined) return MOST_PAGES;
	return Math.max(maxpage ?? 0, Math.ceil((result ?? 0) / Math.max(1, perpage ?? size)));
}

/**
 * Reads a list page by page, with as few requests as the service allows: asks for what is needed, and goes on with the page
 * size that was granted. Records come in the list's order, each once. When the count falls while reading (a record was
 * deleted, so the others moved up), reading goes back by as many pages, so that none is skipped.
 *
 * @param fetchPage sends one request; `limit` is undefined where the service's own page size is wanted
 * @param wanted how many records, Infinity for all
 * @throws Fault when the list goes on far beyond what it said it holds
 */
export async function collect(
	fetchPage: (page: number, limit: number | undefined) => Promise<Page>,
	wanted: number,
): Promise<IDataObject[]> {
	const collected = new Collected();
	const first = Math.min(wanted, LARGEST_PAGE);
	let limit: number | undefined = first;
	let latest = await fetchPage(1, limit).catch(async (error: unknown) => {
		// A service may refuse a page of this size instead of granting less.
		if (!(error instanceof Fault && (error.statusCode === 400 || error.statusCode === 422) && first > 100)) throw error;
		limit = undefined;
		return await fetchPage(1, limit);
	});
	collected.add(latest.records);
	const size = latest.perpage ?? latest.records.length;
	if (size > 0) limit = size;
	const most = Math.min(MOST_PAGES, MOST_GROWTH * lastPage(latest, size) + SPARE_PAGES);
	let furthest = 1;
	let withoutNews = 0;
	for (let page = 2, requests = 1; collected.records.length < wanted && page <= lastPage(latest, size); requests++) {
		if (page > most || requests > MOST_REREADING * most) {
			throw new Fault('unreadable', `The list goes on beyond the ${most - SPARE_PAGES} pages that it can have`, 'Set a limit instead of Return All.');
		}
		const before = latest;
		latest = await fetchPage(page, limit);
		// A count below what this page proves is the page's own, not the list's.
		const isTotal = latest.records.length === 0 || (latest.result ?? 0) >= (page - 1) * size + latest.records.length;
		const gone = isTotal ? (before.result ?? 0) - (latest.result ?? before.result ?? 0) : 0;
		if (gone > 0) {
			// The others moved up, perhaps over the border to a page that was read already.
			page = Math.max(1, page - Math.ceil(gone / Math.max(1, size)));
			continue;
		}
		if (latest.records.length === 0) break;
		const hasNews = collected.add(latest.records) > 0 && !isRepeated(before, latest);
		// A list without figures that repeats itself has no more to give.
		if (!hasNews && latest.maxpage === undefined && latest.result === undefined) break;
		if (page > furthest) {
			furthest = page;
			withoutNews = hasNews ? 0 : withoutNews + 1;
		}
		if (withoutNews > SPARE_PAGES) {
			throw new Fault('unreadable', `The list repeats itself: ${withoutNews} pages up to page ${page} hold nothing new`, 'Set a limit instead of Return All.');
		}
		page++;
	}
	return wanted === Infinity ? collected.records : collected.records.slice(0, wanted);
}
