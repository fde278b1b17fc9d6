import type { IDataObject } from 'n8n-workflow';

import { ApiError } from './apiError';
import { readPage, type Answer, type Page } from './envelope';
import { EndlessListError, ListReading } from './listReading';
import { pageSizing, rememberPageSizing } from './pageSizes';
import { afterFailure, afterPage, afterRefusal, isSizeRefusal, LARGEST_SIZE, type PageSizing } from './pageSizing';
import { grantedMidList, grantedSize, isLastPage, lastPage, pageAt, shownSize, type PageRequest } from './paging';
import type { ServiceRequest } from './sendRequest';

/** A list endpoint. */
export interface ListSource {
	/** Below the base URL (spec, "Endpoints"). */
	path: string;
	/** The name under which the records stand; several where services differ. */
	collection: string | readonly string[];
	query?: IDataObject;
}

/** Where a list is read from, and how a request gets there. */
export interface ListAccess extends ListSource {
	/** What `serviceAddress` returned: page sizes are remembered for it. */
	address: string;
	/** Sends a request, paced and retried; a failure is an ApiError. */
	send(request: ServiceRequest): Promise<Answer>;
}

/** A page that came, with what was asked for in the end. */
interface Fetched {
	asked: PageRequest;
	page: Page;
	/** From sending the request to the answer. */
	milliseconds: number;
}

/** A reading of a list, page by page. Its page sizes come from what earlier readings of that list have taught. */
export class ListReader {
	private readonly reading: ListReading<IDataObject>;

	/**
	 * @param wanted how many records, Infinity for all
	 * @param begin position to begin at, from 0
	 * @param largest no page is to be larger, whatever the service can do
	 */
	constructor(
		private readonly access: ListAccess,
		wanted = Infinity,
		{ begin = 0, largest = LARGEST_SIZE }: { begin?: number; largest?: number } = {},
	) {
		this.reading = new ListReading(wanted, pageSizing(access.address, access.path), begin, largest);
	}

	/** All that has come, in the list's order, each record once. */
	get records(): IDataObject[] {
		return this.reading.records;
	}

	/** How many records the list has, as far as the service says. */
	get total(): number | undefined {
		return this.reading.told;
	}

	/** Requests that the rest of the list takes: Infinity where nobody knows. */
	get pagesLeft(): number {
		return this.reading.pagesLeft;
	}

	/** Lets go of what has come, for who keeps it elsewhere and reads to the end. */
	release(): void {
		this.reading.records.length = 0;
	}

	/** The position at which reading goes on; undefined when the list has ended. */
	get place(): number | undefined {
		return this.reading.place;
	}

	/** Records on a page, as granted last; undefined before the first page. */
	get size(): number | undefined {
		return this.reading.size;
	}

	/**
	 * Reads the next page.
	 *
	 * @returns the records that are new, perhaps none; undefined when all that is wanted is there
	 * @throws ApiError when the service fails, does not answer with such a list, or the list has no end
	 */
	async next(): Promise<IDataObject[] | undefined> {
		const { access, reading } = this;
		const first = nextOf(reading);
		if (first === undefined) return undefined;
		let asked = first;
		const fetched = await fetchPage(access, first, (failed) => (asked = reading.smaller(failed))).catch(
			(error: unknown) => {
				if (!isRefusedSize(error, asked, reading.sizing)) throw error;
				return undefined;
			},
		);
		if (fetched === undefined) {
			reading.refused(asked);
			return [];
		}
		const fresh = reading.take(fetched.asked, fetched.page, fetched.milliseconds);
		rememberPageSizing(access.address, access.path, reading.sizing);
		return fresh;
	}
}

function nextOf(reading: ListReading<IDataObject>): PageRequest | undefined {
	try {
		return reading.next();
	} catch (error) {
		throw error instanceof EndlessListError
			? new ApiError('unreadable', error.message, 'Set a limit instead of Return All.')
			: error;
	}
}

function isRefusedSize(error: unknown, { limit = 0 }: PageRequest, { worked }: PageSizing): boolean {
	return error instanceof ApiError && limit > worked && isSizeRefusal(error.statusCode, limit);
}

/**
 * Asks for one page.
 *
 * @param smaller what to ask for instead, after a failure that may lie in the page's size
 */
async function fetchPage(
	{ path, collection, query, send }: ListAccess,
	first: PageRequest,
	smaller: (failed: PageRequest) => PageRequest,
): Promise<Fetched> {
	let asked = first;
	const queryOf = ({ page, limit }: PageRequest): IDataObject => ({
		...query,
		page,
		...(limit === undefined ? {} : { limit }),
	});
	const answer = await send({
		method: 'GET',
		path,
		query: queryOf(first),
		queryAfterFailure: () => queryOf((asked = smaller(asked))),
	});
	return { asked, page: readPage(answer.body, collection), milliseconds: answer.milliseconds ?? 0 };
}

/**
 * Reads a list page by page, with as few requests as the service allows (see `ListReading`).
 *
 * @param wanted how many records, Infinity for all
 * @returns the records in the list's order, each once
 * @throws ApiError when the service fails, does not answer with such a list, or the list has no end
 */
export async function readList(access: ListAccess, wanted: number): Promise<IDataObject[]> {
	const reader = new ListReader(access, wanted);
	while ((await reader.next()) !== undefined);
	return wanted === Infinity ? reader.records : reader.records.slice(0, wanted);
}

/** A page whose size is known. */
export interface SizedPage extends Page {
	/** Records on a page, as granted. */
	perpage: number;
}

/** A page that came, where it stands in the list, and whether that ends with it. */
interface PlacedPage {
	page: Page;
	begin: number;
	size: number;
	isLast: boolean;
}

/** Sizes that are tried for one page before a service is given up that makes none of those it is asked for. */
const MOST_SIZES = 4;

/**
 * Reads a list in passes whose pages all have the size of the first one, as a reader needs who keeps its place as a page number.
 * The first page of a pass decides about the size; where the service later fails at it, a page is put together from smaller ones.
 */
export class PassReader {
	/**
	 * @param readsAll passes go to the list's end, so that pages worth their requests are looked for
	 * @param largest no page is to be larger, whatever the service can do
	 */
	constructor(
		private readonly access: ListAccess,
		private readonly readsAll: boolean,
		private readonly largest = LARGEST_SIZE,
	) {}

	/**
	 * Reads one page.
	 *
	 * @param size of the pass; left out for its first page
	 * @throws ApiError when the service fails or does not answer with such a list
	 */
	async page(number: number, size?: number): Promise<SizedPage> {
		if (size !== undefined) return await this.pageOf(number, size);
		const first = await this.firstPage(Math.min(this.sizing.size, this.largest));
		const larger = this.readsAll ? this.largerSize(first) : undefined;
		if (larger === undefined) return first;
		// Refused, or more than the service can do: the pass goes on with what has come.
		return await this.firstPage(larger, first.perpage).catch((error: unknown) => {
			if (error instanceof ApiError) return first;
			throw error;
		});
	}

	private get sizing(): PageSizing {
		return pageSizing(this.access.address, this.access.path);
	}

	private learn(sizing: PageSizing): void {
		rememberPageSizing(this.access.address, this.access.path, sizing);
	}

	/** @param known smaller size that the service has granted */
	private async firstPage(limit: number, known = this.sizing.worked): Promise<SizedPage> {
		const granted = (page: Page, asked: PageRequest) => Math.max(1, grantedSize(page, asked, known));
		const { page, size } = await this.fetch(0, limit, granted).catch(async (error: unknown) => {
			if (!isRefusedSize(error, { page: 1, limit }, this.sizing)) throw error;
			const { asked, page: own } = await fetchPage(this.access, { page: 1 }, (failed) => failed);
			this.learn(afterRefusal(this.sizing, limit));
			return { page: own, size: granted(own, asked) };
		});
		return { ...page, perpage: size };
	}

	/** A larger size, where reading the list from its beginning with it takes fewer requests than going on. */
	private largerSize(first: SizedPage): number | undefined {
		const { perpage: size, result } = first;
		const last = lastPage(first, size);
		if (last === undefined) return undefined;
		const larger = Math.min(this.sizing.size, this.largest);
		return larger > size && Math.ceil((result ?? last * size) / larger) < last - 1 ? larger : undefined;
	}

	/** Puts a page together from as few as it takes: one, as a rule. */
	private async pageOf(number: number, size: number): Promise<SizedPage> {
		const begin = (number - 1) * size;
		const end = begin + size;
		const { sizing } = this;
		const records: IDataObject[] = [];
		let part = sizing.size < size && sizing.worked < size ? sizing.size : size;
		let position = begin;
		let latest: PlacedPage;
		do {
			latest = await this.placedPage(position, part, size);
			const skipped = position - latest.begin;
			for (const record of latest.page.records.slice(skipped, skipped + end - position)) records.push(record);
			part = latest.size;
			position = latest.begin + part;
		} while (position < end && !latest.isLast);
		const { result, maxpage } = latest.page;
		return {
			records,
			...(result === undefined ? {} : { result }),
			perpage: size,
			...(maxpage === undefined ? {} : { maxpage: Math.ceil((maxpage * part) / size) }),
		};
	}

	/**
	 * The page of this size that holds a position; one of another size where the service makes no other.
	 *
	 * @param known size that the service has granted
	 */
	private async placedPage(position: number, limit: number, known: number): Promise<PlacedPage> {
		for (let tries = 0; tries < MOST_SIZES; tries++) {
			const { asked, page, size } = await this.fetch(position, limit, (answer, { page: number, limit: part = limit }) =>
				grantedMidList(answer, { page: number, limit: part }, known),
			);
			const begin = (asked.page - 1) * size;
			if (begin <= position && position < begin + size) {
				return { page, begin, size, isLast: isLastPage(page, asked.page, size) };
			}
			limit = size;
		}
		throw new ApiError(
			'unreadable',
			'The service answers with pages of another size each time',
			'Try again later. If it goes on, tell the operator of the service.',
		);
	}

	/**
	 * Asks for the page of this size that holds a position; for a smaller one where the service fails at it.
	 *
	 * @param granted tells the size of the answer
	 */
	private async fetch(
		position: number,
		limit: number,
		granted: (page: Page, asked: PageRequest) => number,
	): Promise<{ asked: PageRequest; page: Page; size: number }> {
		let sizing = this.sizing;
		const ask = (size: number): PageRequest => ({ page: pageAt(position, size), limit: size });
		const { asked, page, milliseconds } = await fetchPage(this.access, ask(limit), ({ limit: failed = limit }) => {
			sizing = afterFailure(sizing, failed);
			return ask(Math.min(sizing.size, failed));
		});
		const size = granted(page, asked);
		const answer = { granted: shownSize(page, asked, size), records: page.records.length, milliseconds };
		this.learn(afterPage(sizing, { asked: asked.limit ?? limit, ...answer }));
		return { asked, page, size };
	}
}

/**
 * Reads one record (`GET /api/url/:id`, `GET /api/qr/:id`).
 *
 * @returns the answer's body as sent
 */
export async function readRecord({ send }: Pick<ListAccess, 'send'>, path: string): Promise<IDataObject> {
	return (await send({ method: 'GET', path })).body as IDataObject;
}
