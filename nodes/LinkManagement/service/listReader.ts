import type { IDataObject } from 'n8n-workflow';

import { StoppedError } from '../n8n/stop';
import type { Connection } from './connection';
import { ApiError, endlessList, shortList } from './errors';
import { type ListEndpoint, NoListError, readPage } from './listEndpoint';
import { ListPages, type Page, type PageRequest } from './listPages';
import type { ServiceClient } from './serviceClient';

export type ListClient = Pick<ServiceClient, 'send'> & { readonly connection: Pick<Connection, 'learned'> };

export interface ReadOptions {
	/** Most records wanted. */
	most?: number;
	/** Largest page to ask for. */
	largest?: number;
	/** The first page; by default, the list's first. */
	from?: PageRequest;
	/**
	 * If `result` says that there are more records than any reading shows: fail; end, and tell by `isShort`; or read the list once,
	 * since nothing is decided on it.
	 */
	ifShort?: 'fail' | 'tell' | 'readOnce';
}

/** The page size at a service that is not known yet. */
const FIRST_SIZE = 100;
/** The page size at a quick service with more records: a larger page gains little, and a broken connection loses all of it. */
const LARGEST_SIZE = 1000;
/** The services' usual page size: every service can do it. */
const SMALLEST_SIZE = 15;
/** Longest time (ms) of the first page of a quick service. */
const QUICK = 1000;
/** A page that has no answer after this time (ms) may be too large. */
const SLOW = 10_000;
/** For this time (ms), pages are smaller although nobody knows whether one was too large. */
const SUSPICION_HOLDS = 10 * 60_000;
/** Tries of a page before smaller pages. */
const TRIES_AT_SIZE = 2;
/** Statuses with which services refuse the size of a page. */
const SIZE_REFUSALS = [400, 413, 422];
/** How often a list is read whose pages hold fewer records than `result` says. */
const ENOUGH_READINGS = 3;
/** How often one whose pages show some records twice: each reading may find more. */
const MOST_READINGS = 6;
/** Most records of a list: services have accounts with a hundred thousand, and what promises more and more has no end. */
export const MOST_RECORDS = 250_000;

/**
 * Reads a list from the service, page by page. A failure is no data: a page that fails is neither empty nor the last one.
 *
 * Records of equal date or clicks may stand in another order on each page (field notes, "Envelope and types"): some are shown twice, and
 * others never. A list that is short at its end is therefore read again, in the largest pages, then in pages of other sizes. If the
 * pages hold fewer records than `result` says, and the very same ones each time, `result` counts something else: the list is believed.
 *
 * No record that stays is left out without a word, unless the service gives no `result`, or one that is too small; or unless as many
 * records are created as deleted between two pages.
 */
export class ListReader extends ListPages {
	/** There are no more records, or enough were read. */
	isOver = false;
	/** Its pages leave records out: `missing` says how many. */
	isShort = false;
	private readonly most: number;
	private readonly ifShort: ReadOptions['ifShort'];
	/** The size that was asked for at the top; the service may grant another one. */
	private asked: number;
	/** It is not known yet whether the service gives large pages. */
	private mayGrow: boolean;
	/** The next request tries a large page, with which the list starts again. */
	private isTrial = false;
	/** A page has failed: the next request tells whether it was too large. */
	private suspected?: ApiError;
	/** It was not: the page is asked for again, as long as the caller waits for a service that is down. */
	private isPatient = false;
	private sentAt = 0;
	private reading = 1;
	private missingAtFirst?: number;

	constructor(
		private client: ListClient,
		private readonly list: ListEndpoint,
		{ most = Infinity, largest = Infinity, from, ifShort = 'fail' }: ReadOptions = {},
	) {
		const known = sizesOf(client, list).recall();
		super(from?.limit ?? Math.min(known ?? FIRST_SIZE, largest, most), from && (from.page - 1) * from.limit);
		this.most = most;
		this.ifShort = ifShort;
		this.asked = this.size;
		this.mayGrow = known === undefined && from === undefined && largest >= LARGEST_SIZE;
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
			const request = this.nextRequest();
			const page = await this.fetchPage(request).catch((error: unknown) => this.recoverFrom(request, error));
			if (page === undefined) continue;
			if (this.suspected === undefined) return this.accept(request, page);
			this.shrink();
		}
		return undefined;
	}

	private nextRequest(): PageRequest {
		if (this.suspected !== undefined) return { page: 1, limit: SMALLEST_SIZE };
		return this.isTrial ? { page: 1, limit: this.sizes.recall() ?? LARGEST_SIZE } : this.nextPage;
	}

	/** @throws ApiError if the answer is not a page of the list */
	private async fetchPage(request: PageRequest): Promise<Page> {
		const isProbe = this.isTrial || this.suspected !== undefined;
		const tries = isProbe ? 1 : this.asked > SMALLEST_SIZE && !this.isPatient ? TRIES_AT_SIZE : undefined;
		const onSend = () => void (this.sentAt = Date.now());
		return await readPage(this.client, this.list, request, { tries, onSend });
	}

	private accept(request: PageRequest, page: Page): IDataObject[] {
		this.isPatient = false;
		if (this.isTrial) {
			if (this.reading === 1) this.sizes.remember(request.limit);
			this.restart(request.limit);
		}
		const { fresh, end } = this.take(request, page, this.isEndAt);
		// In large pages, a long list at a quick service takes a tenth of the requests.
		const isLong = Math.min(this.total ?? 0, this.most) > LARGEST_SIZE;
		this.isTrial = this.mayGrow && isLong && Date.now() - this.sentAt <= QUICK;
		this.mayGrow = false;
		if (this.seen.size > MOST_RECORDS) throw endlessList(this.list.collection, MOST_RECORDS);
		if (this.seen.size >= this.most || (this.reading > 1 && this.total !== undefined && this.missing === 0))
			this.isOver = true;
		else if (end === 'stale') this.giveUp();
		else if (end !== undefined) this.endReading(end === 'short');
		return fresh;
	}

	/** Whether a page that brings nothing new is the end, or asked for once more: services give odd answers. */
	private readonly isEndAt = (begin: number, announcesMore: boolean): boolean => {
		if (this.missing > 0 && this.missing === this.excess.recall()) return true;
		if (announcesMore || begin < (this.total ?? 0)) return false;
		const mayBeEmpty = this.list.mayBeEmpty === true || this.ifShort === 'readOnce';
		return begin === 0 ? mayBeEmpty : !this.last.isFull;
	};

	/**
	 * Ends a reading, and begins another one if records are missing.
	 *
	 * @param isShort the pages hold fewer records than `result` says; otherwise they hold some of them twice
	 * @param error of the page that should have been the next one
	 */
	private endReading(isShort: boolean, error?: ApiError): void {
		const { missing, ifShort } = this;
		const isReadOnce = ifShort === 'readOnce';
		const isKnown = isShort && missing === this.excess.recall();
		this.isOver = missing === 0 || isKnown || (isReadOnce && error === undefined);
		if (this.isOver) return;
		// Of what is created meanwhile, some is read and some is not.
		const excess = this.total! - this.counted;
		this.missingAtFirst ??= missing;
		if (!isReadOnce && this.reading < (isShort ? ENOUGH_READINGS : MOST_READINGS)) return this.readAgain();
		if (error !== undefined) throw error;
		this.isOver = true;
		if (isShort && excess >= this.missingAtFirst) this.excess.remember(excess);
		else this.giveUp();
	}

	/** Ends a list that is not whole. */
	private giveUp(): void {
		const { ifShort, list, counted, total = counted } = this;
		this.isOver = true;
		if (ifShort === 'fail') throw shortList(list.collection, counted, total);
		this.isShort = ifShort === 'tell';
	}

	/** Each reading has pages of another size: the same pages might leave out the same records. */
	private readAgain(mayGrow = this.reading === 1): void {
		const isLarger = mayGrow && (this.sizes.recall() ?? LARGEST_SIZE) > this.size;
		this.restart(isLarger ? this.size : Math.max(1, Math.floor(this.size * 0.9)));
		this.isTrial = isLarger;
		this.reading++;
	}

	protected override restart(size: number): void {
		super.restart(size);
		this.asked = size;
		this.isTrial = false;
	}

	/** Goes on after a failure: in smaller pages, with the same page once more, or at the list's end. @throws any other failure */
	private recoverFrom({ page }: PageRequest, error: unknown): void {
		if (this.suspected !== undefined) {
			// The caller's time is over before anybody knows.
			if (error instanceof StoppedError) this.sizes.remember(this.smallerSize, SUSPICION_HOLDS);
			const isDown = this.suspected.affects === 'service' && error instanceof ApiError && error.affects === 'service';
			if (!isDown) throw this.suspected;
			[this.suspected, this.isPatient] = [undefined, true];
			return;
		}
		if (!(error instanceof ApiError) || error.kind === 'rateLimited') throw error;
		if (this.isTrial) {
			if (this.reading === 1) this.sizes.remember(FIRST_SIZE);
			else this.readAgain(false);
			this.isTrial = false;
			return;
		}
		const { affects, failure, statusCode = 200 } = error;
		const why = failure !== undefined && 'why' in failure ? failure.why : undefined;
		const isNoList = error instanceof NoListError;
		const isSmallest = this.asked <= SMALLEST_SIZE;
		const isTooLarge = why === 'tooLarge' || (page === 1 && SIZE_REFUSALS.includes(statusCode));
		if (isTooLarge && !isSmallest) return this.shrink();
		// The connection or the service failed, at every try.
		if (error.isTransient && !isNoList) {
			const isOther = failure?.kind === 'unreachable' && (failure.neverSent || this.isCutShort(failure.code));
			if (isSmallest || isOther || this.isPatient) throw error;
			this.suspected = error;
			return;
		}
		if (!(affects === 'row' || (affects === 'endpoint' && page > 1))) throw error;
		const isRead = this.total !== undefined && this.missing === 0 && this.position >= this.total;
		if (!isRead && this.doubted !== page) {
			this.doubted = page;
			return;
		}
		// Some services refuse a page beyond the last one, in JSON: a web page does not mean that.
		const mayBeEnd = page > 1 && why === undefined && !isNoList;
		const isUnclear = this.total === undefined && this.last.isAsAsked && this.last.announcesMore;
		if (!mayBeEnd || (isUnclear && this.reading === ENOUGH_READINGS)) throw error;
		// In pages of another size, the last one is not full.
		if (isUnclear) this.readAgain(false);
		else this.endReading(true, error);
	}

	/** Whether the caller's time was over before a slow service could answer. */
	private isCutShort(code: string): boolean {
		return code === 'ETIMEDOUT' && Date.now() - this.sentAt < SLOW;
	}

	/** Goes on in smaller pages. */
	private shrink(): void {
		this.suspected = undefined;
		this.restart(this.smallerSize);
		this.sizes.remember(this.size);
	}

	private get smallerSize(): number {
		return Math.max(SMALLEST_SIZE, Math.min(Math.ceil(this.size / 2), FIRST_SIZE));
	}

	private get sizes() {
		return sizesOf(this.client, this.list);
	}

	/** A learned fact: by how many records `result` is too large. Then the list is not read again for them. */
	private get excess() {
		const { path, query } = this.list;
		return this.client.connection.learned.fact<number>(`excess of ${path} ${JSON.stringify(query)}`);
	}
}

/** A learned fact: the size of a list's pages. */
function sizesOf({ connection: { learned } }: ListClient, { path }: ListEndpoint) {
	return learned.fact<number>(`page size of ${path}`);
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
