import type { IDataObject } from 'n8n-workflow';

import { StoppedError } from '../../n8n/stop';
import type { Connection } from '../connection';
import { ApiError, endlessList, shortList } from '../answer/errors';
import type { ServiceClient } from '../send/serviceClient';
import { behind, type Cursor, otherSize, pagesLeft, requestAt, SIZES } from './cursor';
import { type ListEndpoint, type Page, type PageRequest, readPage } from './page';
import { Tally } from './tally';
import { afterFailure, afterPage, afterReading, type Taken } from './verdict';

export type ListClient = Pick<ServiceClient, 'send'> & { readonly connection: Pick<Connection, 'learned'> };

interface ReadOptions {
	/** Most records wanted. */
	most?: number;
	/** Largest page to ask for. */
	largest?: number;
	/** The first page; by default, the list's first. */
	from?: PageRequest;
	/** If every reading shows fewer records than `result` says: fail; end, and tell by `isShort`; or read the list once. */
	ifShort?: 'fail' | 'tell' | 'readOnce';
}

/** Longest time (ms) of the first page of a quick service: in large pages, a long list takes a tenth of the requests. */
const QUICK = 1_000;
/** A page that has no answer after this time (ms) may be too large. */
const SLOW = 10_000;
/** A smaller size is used at once for this time (ms); the service may only have been down. */
const SMALLER_FOR = 10 * 60_000;
/** Tries of a page before smaller pages. */
const TRIES_AT_SIZE = 2;
/** Most records of a list: services have accounts with a hundred thousand, and what promises more and more has no end. */
const MOST_RECORDS = 250_000;
/** Stands for a page beyond the list's end. */
const EMPTY_PAGE: Page = { records: [], result: undefined, nextpage: undefined, maxpage: undefined };

function isTimeOver(error: unknown): boolean {
	return error instanceof StoppedError || (error instanceof ApiError && error.kind === 'rateLimited');
}

/**
 * Reads a list from the service, page by page: whole, or it fails. A failure is no data.
 *
 * Records of equal date or clicks may stand in another order on each page (field notes, "Envelope and types"): some are shown twice, and
 * others never. A list that is short of its `result` is therefore read again, in pages of other sizes, and what was seen is merged.
 *
 * No record that stays is left out without a word, unless the service gives no `result`, or one that is too small; or unless as many
 * records are created as deleted between two pages.
 */
export class ListReader {
	/** There are no more records, or enough were read. */
	isOver = false;
	/** No reading has shown it whole: its pages leave out as many as `missing` says, or `hasFallen`. */
	isShort = false;
	private readonly tally = new Tally();
	private cursor: Cursor;
	/** It is not known yet whether the service gives large pages. */
	private mayGrow: boolean;
	/** Why the last page of a larger size failed, as long as none of this size has come. */
	private failed?: ApiError;
	/** The page was asked for before. */
	private isSecond = false;
	private sentAt = 0;

	constructor(
		private client: ListClient,
		private readonly list: ListEndpoint,
		private readonly options: ReadOptions = {},
	) {
		const { most = Infinity, largest = Infinity, from } = options;
		const known = this.sizes.recall();
		const size = from?.limit ?? Math.min(known ?? SIZES.first, largest, most);
		this.cursor = { page: from?.page ?? 1, size, perPage: from?.limit };
		this.mayGrow = known === undefined && from === undefined && largest >= SIZES.largest;
	}

	/** The number of records in the list, if the service gives it. */
	get total(): number | undefined {
		return this.tally.total;
	}

	/** Records were deleted while the last reading went on: others may have moved up unseen. */
	get hasFallen(): boolean {
		return this.tally.hasFallen;
	}

	/** How many records the service says there are, beyond those that were read. */
	get missing(): number {
		return Math.max(0, this.tally.least - this.tally.counted);
	}

	/** The next page in the list's order. */
	get nextPage(): PageRequest {
		return requestAt(this.cursor);
	}

	/** Most pages that are left; undefined if no page has told. */
	get pagesLeft(): number | undefined {
		return pagesLeft(this.cursor, this.tally.total);
	}

	/**
	 * Reads the next page. Pages that are only read again may bring nothing.
	 *
	 * @param client sends this request and the following ones
	 * @returns its new records; undefined when there are no more, or enough
	 * @throws ApiError when the service fails, or leaves records out
	 */
	async next(client = this.client): Promise<IDataObject[] | undefined> {
		this.client = client;
		while (!this.isOver) {
			const page = await this.fetch().catch((error: unknown) => this.recover(error));
			if (page !== undefined) return this.accept(page);
		}
		return undefined;
	}

	private async fetch(): Promise<Page> {
		// The smallest page is waited for as long as the caller waits for a service that is down.
		const tries = this.cursor.size > SIZES.smallest ? TRIES_AT_SIZE : undefined;
		return await readPage(this.client, this.list, this.nextPage, { tries, onSend: () => (this.sentAt = Date.now()) });
	}

	/** @returns the page that a failure stands for; undefined if another one is next @throws the failure */
	private recover(error: unknown): Page | undefined {
		// Of a page that takes too long, the caller's time is over before anybody knows whether a smaller one does not.
		if (isTimeOver(error)) throw this.failed ?? error;
		if (!(error instanceof ApiError)) throw error;
		const next = afterFailure(error, this.cursor, Date.now() - this.sentAt >= SLOW);
		if (next === 'fail') throw error;
		if (next === 'end') return EMPTY_PAGE;
		this.restart(this.cursor.size > SIZES.first ? SIZES.first : SIZES.smallest, false);
		this.failed = error;
		return undefined;
	}

	private accept(page: Page): IDataObject[] {
		const { tally, cursor, sizes } = this;
		const { most = Infinity } = this.options;
		if (this.failed !== undefined) sizes.remember(cursor.size, SMALLER_FOR);
		const taken = tally.take(page, cursor.page, (cursor.page - 1) * (cursor.perPage ?? 0));
		const isLong = Math.min(tally.total ?? 0, most) > SIZES.largest;
		const grows = this.mayGrow && isLong && Date.now() - this.sentAt <= QUICK;
		[this.failed, this.mayGrow] = [undefined, false];
		if (Math.max(tally.size, taken.end) > MOST_RECORDS) throw endlessList(this.list.collection, MOST_RECORDS);
		if (tally.size >= most) this.isOver = true;
		else if (grows) {
			sizes.remember(SIZES.largest);
			this.restart(SIZES.largest, false);
		} else this.goOn(taken);
		return taken.fresh;
	}

	private goOn(taken: Taken): void {
		const isReadOnce = this.options.ifShort === 'readOnce';
		const mayAskAgain = !this.isSecond && !isReadOnce && !(taken.end === 0 && this.list.mayBeEmpty === true);
		const next = afterPage(taken, this.tally, mayAskAgain);
		this.isSecond = next === 'samePage';
		if (next === 'page') this.cursor = behind(this.cursor, taken.count);
		else if (next === 'end' && isReadOnce) this.isOver = true;
		else if (next === 'end') this.endReading();
	}

	private endReading(): void {
		const { tally, cursor, list, options } = this;
		tally.endReading();
		const is = afterReading(tally);
		if (is === 'again') {
			const largest = Math.min(this.sizes.recall() ?? Infinity, options.largest ?? Infinity);
			return this.restart(otherSize(cursor, tally.readings === 1 ? largest : 0), true);
		}
		[this.isOver, this.isShort] = [true, is === 'short'];
		if (is === 'short' && options.ifShort !== 'tell') throw shortList(list.collection, tally);
	}

	/** Begins at the top. @param isReading another reading, in which what was read stays known */
	private restart(size: number, isReading: boolean): void {
		this.tally.restart(isReading);
		this.cursor = { page: 1, size };
		[this.failed, this.mayGrow, this.isSecond] = [undefined, false, false];
	}

	private get sizes() {
		return this.client.connection.learned.pageSize(this.list.path);
	}
}

/** Reads a list, in its order, each record once: at most so many, Infinity for all. */
export async function readList(client: ListClient, list: ListEndpoint, most: number): Promise<IDataObject[]> {
	return (await readRecords(new ListReader(client, list, { most }))).slice(0, most);
}

/** All records that a reader has still to read. */
export async function readRecords(list: ListReader): Promise<IDataObject[]> {
	const all: IDataObject[] = [];
	for (let records = await list.next(); records !== undefined; records = await list.next()) {
		for (const record of records) all.push(record);
	}
	return all;
}
