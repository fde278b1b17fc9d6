import type { IDataObject } from 'n8n-workflow';

import { MEANING } from './answer';
import { ApiError } from './errors';
import { Pagination, type PageCursor, type Page, type PageRequest } from './pagination';
import { figuresIn, recordsIn } from './records';
import type { Connection } from './connection';
import type { ServiceClient } from './serviceClient';

export interface ListSource {
	/** Below the base URL (spec, "Endpoints"). */
	path: string;
	/** The field that holds the records; several names where services differ. */
	collection: string | readonly string[];
	query?: IDataObject;
	/** An empty list is common here and does no harm: it is not asked for again. */
	mayBeEmpty?: boolean;
}

export type ListClient = Pick<ServiceClient, 'send'> & { readonly connection: Pick<Connection, 'learned'> };

/** The page size at a service that is not known yet. */
const FIRST_SIZE = 100;
/** The page size at a quick service with more records: a larger page gains little, and a broken connection loses all of it. */
const LARGEST_SIZE = 1000;
/** Longest time (ms) of the first page of a quick service. */
const QUICK = 1000;
/** Tries of a page before smaller pages; and their longest time (ms) if they do not fail for its size. */
const TRIES_AT_SIZE = 2;
const QUICK_TRIES = 2.5 * QUICK;
/** The services' usual page size: a page of it is not refused for its size. */
const DEFAULT_SIZE = 15;
/** Statuses with which services refuse the size of a page. */
const SIZE_REFUSALS = [400, 413, 422];

const sizeOf = ({ path }: ListSource) => `page size of ${path}`;

/** A success without a page of the list. */
class NoListError extends ApiError {
	constructor({ collection }: ListSource) {
		const message = `The service answered without the list "${[collection].flat()[0]}"`;
		super('unreadable', message, 'Check the Base URL in the Link Management API credential.');
	}
}

/** Reads a list from the service, page by page. A failure is no data: a page that fails is neither empty nor the last one. */
export class ListReader extends Pagination<IDataObject> {
	/** It is not known yet whether the service gives large pages. */
	private mayGrow: boolean;
	/** The next request tries a large page, with which the list starts again. */
	private isTrial = false;
	/** The list has started again in smaller pages. */
	private hasRestarted = false;
	private requestAt = 0;
	/** The page that failed last. */
	private failed?: number;

	/** @param options `most`: most records wanted; `cursor`: where another reading stopped; `largest`: largest page to ask for */
	constructor(
		private readonly client: ListClient,
		private readonly source: ListSource,
		{ most = Infinity, cursor, largest = Infinity }: { most?: number; cursor?: PageCursor; largest?: number } = {},
	) {
		const known = client.connection.learned.recall<number>(sizeOf(source));
		super(Math.min(known ?? FIRST_SIZE, largest, most), most, cursor, source.mayBeEmpty);
		this.mayGrow = known === undefined && !cursor?.position && largest >= LARGEST_SIZE;
	}

	/** Reads the next page. @returns its new records, perhaps none; undefined when there are no more, or enough */
	async next(): Promise<IDataObject[] | undefined> {
		let first: unknown;
		for (let request = this.nextRequest(); request !== undefined; request = this.nextRequest()) {
			const { isTrial } = this;
			this.requestAt = Date.now();
			try {
				return this.acceptPage(request, await this.fetchPage(request));
			} catch (error) {
				// The first failure tells more than one that a deadline cut short.
				if (!this.recoverFrom(request, error)) throw first ?? error;
				if (!isTrial) first ??= error;
			}
		}
		return undefined;
	}

	private acceptPage(request: PageRequest, page: Page<IDataObject>): IDataObject[] {
		if (this.isTrial) {
			this.remember(request.limit);
			this.restart(request.limit);
		}
		const fresh = this.take(request, page);
		// In large pages, a long list at a quick service takes a tenth of the requests.
		const isLong = this.cursor !== undefined && Math.min(this.total ?? 0, this.most) > LARGEST_SIZE;
		this.isTrial = this.mayGrow && isLong && Date.now() - this.requestAt <= QUICK;
		this.mayGrow = false;
		return fresh;
	}

	override nextRequest(): PageRequest | undefined {
		return this.isTrial ? { page: 1, limit: LARGEST_SIZE } : super.nextRequest();
	}

	/** @throws ApiError if the answer is not a page of the list */
	private async fetchPage(request: PageRequest): Promise<Page<IDataObject>> {
		const { path, collection, query } = this.source;
		const tries = this.isTrial ? 1 : this.hasRestarted ? undefined : TRIES_AT_SIZE;
		const body = await this.client.send({ method: 'GET', path, query: { ...query, ...request }, tries });
		const records = recordsIn(body, collection);
		if (records === undefined) throw new NoListError(this.source);
		return { records, ...figuresIn(body) };
	}

	/** @returns whether reading goes on after a failure: in smaller pages, with the same page once more, or at the list's end */
	private recoverFrom(request: PageRequest, error: unknown): boolean {
		if (!(error instanceof ApiError) || error.kind === 'rateLimited') return false;
		const { kind, affects, failure, statusCode = 200 } = error;
		const isFirst = request.page === 1;
		const isOfSize = isFirst && request.limit > DEFAULT_SIZE && SIZE_REFUSALS.includes(statusCode);
		const isOther = error instanceof NoListError;
		// The connection or the service failed, at every try.
		const hasFailed = MEANING[kind].isTransient === true && !isOther;
		if (this.isTrial || ((isOfSize || hasFailed) && !this.hasRestarted)) {
			this.giveUpSize(isOfSize || Date.now() - this.requestAt > QUICK_TRIES);
			return true;
		}
		if (hasFailed || !(affects === 'row' || (affects === 'endpoint' && !isFirst))) return false;
		const isAgain = this.failed === request.page;
		this.failed = request.page;
		if (!isAgain) return true;
		// Some services refuse a page beyond the last one, in JSON: a web page does not mean that.
		const isPage = failure !== undefined && 'why' in failure;
		if (isFirst || isPage || isOther || this.announcesMore(request.page)) return false;
		this.end();
		return true;
	}

	private giveUpSize(isTooLarge: boolean): void {
		if (this.isTrial) {
			this.isTrial = false;
			this.remember(FIRST_SIZE);
			return;
		}
		this.hasRestarted = true;
		// No more than the first size, which every service can do.
		this.restart(Math.min(Math.ceil(this.size / 2), FIRST_SIZE));
		if (isTooLarge) this.remember(this.size);
	}

	private remember(size: number): void {
		this.client.connection.learned.remember(sizeOf(this.source), size);
	}
}

/** Reads a list, in its order, each record once: at most so many, Infinity for all. */
export async function readList(client: ListClient, source: ListSource, most: number): Promise<IDataObject[]> {
	const list = new ListReader(client, source, { most });
	const all: IDataObject[] = [];
	for (let records = await list.next(); records !== undefined; records = await list.next()) {
		for (const record of records) all.push(record);
	}
	return all.slice(0, most);
}
