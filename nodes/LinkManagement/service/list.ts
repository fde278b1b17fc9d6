import type { IDataObject } from 'n8n-workflow';

import { ApiError } from './errors';
import { ListReading, type ListPlace, type PageRequest } from './listReading';
import { figuresIn, recordsIn } from './records';
import type { Connection } from './connection';
import type { Speaker } from './sendRequest';

export interface ListSource {
	/** Below the base URL (spec, "Endpoints"). */
	path: string;
	/** The name under which the records stand; several where services differ. */
	collection: string | readonly string[];
	query?: IDataObject;
}

export type ListSpeaker = Pick<Speaker, 'send'> & { readonly connection: Pick<Connection, 'learned'> };

/** The page size for a service that is not known yet. */
const FIRST_SIZE = 100;
/** The page size for a quick service with more records: a larger one gains little, and a broken line loses the whole page. */
const LARGEST_SIZE = 1000;
/** How long (ms) the first page of a quick service takes at most. */
const QUICK = 1000;
/** Pages of the services' common default are refused for another reason than their size. */
const DEFAULT_SIZE = 15;
/** Statuses with which services refuse the size of a page, instead of granting less. */
const SIZE_REFUSALS = [400, 413, 422];

const sizeOf = ({ path }: ListSource) => `page size of ${path}`;

/** A reading of a list at a service, page by page. */
export class ListReader extends ListReading<IDataObject> {
	/** It is not known how large the list's pages may be. */
	private mayGrow: boolean;
	/** The next request finds out whether the service does large pages, for the list begins again in them then. */
	private isTrial = false;
	/** It has begun again in smaller pages. */
	private hasRestarted = false;
	private requestAt = 0;

	/** @param options `most`: records, at most; `place`: where another reading stopped; `largest`: no page is to be larger */
	constructor(
		private readonly speaker: ListSpeaker,
		private readonly source: ListSource,
		{ most = Infinity, place, largest = Infinity }: { most?: number; place?: ListPlace; largest?: number } = {},
	) {
		const known = speaker.connection.learned.recall<number>(sizeOf(source));
		super(Math.min(known ?? FIRST_SIZE, largest, most), most, place);
		this.mayGrow = known === undefined && !place?.position && largest >= LARGEST_SIZE;
	}

	/** Reads the next page. @returns the records that are new, perhaps none; undefined when there are no more, or enough */
	async next(): Promise<IDataObject[] | undefined> {
		const { path, collection } = this.source;
		let page = this.ask();
		if (page === undefined) return undefined;
		let failures = 0;
		const query = (isAfterFailure: boolean) => {
			// The same once more, then the list from its top in smaller pages.
			if (isAfterFailure && (++failures > 1 || this.isTrial)) {
				this.giveUp(Date.now() - this.requestAt > QUICK);
				page = this.ask()!;
			}
			this.requestAt = Date.now();
			return { ...this.source.query, ...page };
		};
		const body = await this.speaker.send({ method: 'GET', path, query }).catch((error: unknown) => {
			this.takeRefusal(page!, error);
		});
		if (body === undefined) return [];
		const records = recordsIn(body, collection);
		if (records === undefined) {
			const message = `The service answered without the list "${[collection].flat()[0]}"`;
			throw new ApiError('unreadable', message, 'Check the Base URL in the Link Management API credential.');
		}
		if (this.isTrial) {
			this.remember(page.limit);
			this.beginAgain(page.limit);
		}
		const fresh = this.take(page, { records, ...figuresIn(body) });
		// In large pages, a long list at a quick service takes a tenth of the requests.
		const isLong = this.place !== undefined && Math.min(this.total ?? 0, this.most) > LARGEST_SIZE;
		this.isTrial = this.mayGrow && isLong && Date.now() - this.requestAt <= QUICK;
		this.mayGrow = false;
		return fresh;
	}

	override ask(): PageRequest | undefined {
		return this.isTrial ? { page: 1, limit: LARGEST_SIZE } : super.ask();
	}

	/** Takes a refusal: of a large page, or of one beyond the last. A web page says nothing of either. */
	private takeRefusal(page: PageRequest, error: unknown): void {
		if (!(error instanceof ApiError) || error.kind === 'limited') throw error;
		const { kind, failure, statusCode = 200 } = error;
		const isOfSize = page.page === 1 && page.limit > DEFAULT_SIZE && SIZE_REFUSALS.includes(statusCode);
		if (this.isTrial || (isOfSize && !this.hasRestarted)) return this.giveUp(true);
		const isPage = failure !== undefined && 'why' in failure;
		if (page.page === 1 || isPage || !['refused', 'noEndpoint'].includes(kind)) throw error;
		this.take(page, { records: [] });
	}

	/** Gives up pages of this size, where there is another one to try. */
	private giveUp(isTooLarge: boolean): void {
		if (this.isTrial) {
			this.isTrial = false;
			this.remember(FIRST_SIZE);
		} else if (!this.hasRestarted) {
			this.hasRestarted = true;
			// No more than every service can do. A service need not grant it.
			this.beginAgain(Math.min(Math.ceil(this.size / 2), FIRST_SIZE));
			if (isTooLarge) this.remember(this.size);
		}
	}

	private remember(size: number): void {
		this.speaker.connection.learned.remember(sizeOf(this.source), size);
	}
}

/** Reads a list, in its order, each record once: at most so many, Infinity for all. */
export async function readList(speaker: ListSpeaker, source: ListSource, most: number): Promise<IDataObject[]> {
	const list = new ListReader(speaker, source, { most });
	const all: IDataObject[] = [];
	for (let records = await list.next(); records !== undefined; records = await list.next()) {
		for (const record of records) all.push(record);
	}
	return all.slice(0, most);
}
