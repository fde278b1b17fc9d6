import type { IDataObject } from 'n8n-workflow';

import { ApiError } from './errors';
import { ListReading, type ListPlace, type PageRequest } from './listReading';
import { figuresIn, recordsIn } from './records';
import type { Connection } from './connection';
import type { Speaker } from './sendRequest';

/** A list endpoint. */
export interface ListSource {
	/** Below the base URL (spec, "Endpoints"). */
	path: string;
	/** The name under which the records stand; several where services differ. */
	collection: string | readonly string[];
	query?: IDataObject;
}

/** Who asks for a list. */
export interface ListSpeaker extends Pick<Speaker, 'send'> {
	readonly connection: Pick<Connection, 'learned'>;
}

/** What an unknown service is asked for at once. */
const FIRST_SIZE = 100;
/** What a quick one is asked for, if it has more than that: more gains little, and the whole page is lost when the line breaks. */
const LARGEST_SIZE = 1000;
/** How long (ms) the first page of a quick service takes at most. */
const QUICK = 1000;
/** Pages of the services' common default are refused for another reason than their size. */
const DEFAULT_SIZE = 15;
/** Statuses with which services refuse the size of a page, instead of granting less. */
const SIZE_REFUSALS = [400, 413, 422];
/** How often a list begins again in smaller pages. */
const MOST_RESTARTS = 2;
/** How long (ms) it is remembered which size a list's pages may have. */
const SIZE_HOLDS = 60 * 60_000;

const sizeOf = ({ path }: ListSource) => `page size of ${path}`;

/** A reading of a list at a service, page by page. */
export class ListReader extends ListReading<IDataObject> {
	/** The page with which the list begins again in large pages. */
	private trial?: PageRequest;
	/** It is not known how large the list's pages may be. */
	private mayGrow: boolean;
	private restarts = 0;
	/** Larger pages took too long, or were refused. */
	private isShrunk = false;
	/** When the last request was sent. */
	private sent = 0;

	/** @param options `place`: where another reading stopped; `largest`: no page is to be larger, whatever the service can do */
	constructor(
		private readonly speaker: ListSpeaker,
		private readonly source: ListSource,
		options: { wanted?: number; place?: ListPlace; largest?: number } = {},
	) {
		const { wanted = Infinity, place, largest = Infinity } = options;
		const known = speaker.connection.learned.recall<number>(sizeOf(source));
		super(Math.min(known ?? FIRST_SIZE, largest, wanted), wanted, place);
		this.mayGrow = known === undefined && !place?.position && largest >= LARGEST_SIZE;
	}

	/**
	 * Reads the next page.
	 *
	 * @returns the records that are new, perhaps none; undefined when all that is wanted is there
	 * @throws ApiError when the service fails, or does not answer with such a list
	 */
	async next(): Promise<IDataObject[] | undefined> {
		const { path, collection } = this.source;
		let asked = this.trial ?? this.ask();
		if (asked === undefined) return undefined;
		let failures = 0;
		const query = (isAfterFailure: boolean) => {
			// The same once more, then the list from its top in smaller pages.
			if (isAfterFailure && (++failures > 1 || this.trial)) {
				this.giveUp(asked!, Date.now() - this.sent > QUICK);
				asked = this.ask()!;
			}
			this.sent = Date.now();
			return { ...this.source.query, ...asked };
		};
		const body = await this.speaker.send({ method: 'GET', path, query }).catch((error: unknown) => {
			this.refuse(asked!, error);
		});
		if (body === undefined) return [];
		const records = recordsIn(body, collection);
		if (records === undefined) {
			const message = `The service answered without the list "${[collection].flat()[0]}"`;
			throw new ApiError('unreadable', message, 'Check the Base URL in the Link Management API credential.');
		}
		const fresh = this.take(asked, { records, ...figuresIn(body) });
		if (this.isShrunk || this.trial) this.remember(asked.limit);
		// A long list at a quick service begins again in large pages: that takes a tenth of the requests.
		const isWorth = Math.min(this.total ?? 0, this.wanted) > LARGEST_SIZE && Date.now() - this.sent <= QUICK;
		this.trial = this.mayGrow && isWorth ? { page: 1, limit: LARGEST_SIZE } : undefined;
		this.mayGrow = false;
		return fresh;
	}

	/**
	 * Takes a refusal: of a page that is too large, or of one beyond the last. A web page says nothing of either.
	 *
	 * @throws what the service said, where it means something else
	 */
	private refuse(asked: PageRequest, error: unknown): void {
		if (!(error instanceof ApiError) || error.kind === 'limited') throw error;
		const { kind, statusCode = 200, why } = error;
		const isOfSize = asked.page === 1 && asked.limit > DEFAULT_SIZE && SIZE_REFUSALS.includes(statusCode);
		if ((this.trial || isOfSize) && this.giveUp(asked, true)) return;
		const isEnd = asked.page > 1 && why === undefined && ['refused', 'noEndpoint'].includes(kind);
		if (!isEnd) throw error;
		this.take(asked, { records: [] });
	}

	/** Gives up pages of this size. @returns whether there is another one to try */
	private giveUp({ limit }: PageRequest, isTooLarge: boolean): boolean {
		if (this.trial) {
			this.trial = undefined;
			this.remember(FIRST_SIZE);
			return true;
		}
		if (this.restarts === MOST_RESTARTS) return false;
		this.isShrunk ||= isTooLarge;
		// The second time at no more than every service can do.
		this.restart(Math.min(Math.ceil(limit / 2), this.restarts++ === 0 ? Infinity : FIRST_SIZE));
		return true;
	}

	private remember(size: number): void {
		this.speaker.connection.learned.remember(sizeOf(this.source), size, SIZE_HOLDS);
	}
}

/**
 * Reads a list.
 *
 * @param wanted how many records, Infinity for all
 * @returns the records in the list's order, each once
 */
export async function readList(speaker: ListSpeaker, source: ListSource, wanted: number): Promise<IDataObject[]> {
	const list = new ListReader(speaker, source, { wanted });
	const all: IDataObject[] = [];
	for (let records = await list.next(); records !== undefined; records = await list.next()) {
		for (const record of records) all.push(record);
	}
	return all.slice(0, wanted);
}
