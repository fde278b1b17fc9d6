import type { IDataObject } from 'n8n-workflow';

import { ApiError } from './apiError';
import { ListReading, type ReadingOptions } from './listReading';
import { isSizeRefusal, pageSizing, rememberPageSizing, type PageSizing } from './pageSizing';
import type { PageRequest } from './paging';
import { figuresIn, recordsIn } from './records';
import type { ServiceRequest } from './sendRequest';
import type { Learned } from './learned';

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
	/** Page sizes are remembered there. */
	learned: Learned;
	/** Sends a request, paced and retried, and gives the body of the answer; a failure is an ApiError. */
	send(request: ServiceRequest): Promise<IDataObject>;
}

/** A reading of a list, page by page. Its page sizes come from what earlier readings of that list have taught. */
export class ListReader extends ListReading<IDataObject> {
	/** @param wanted how many records, Infinity for all */
	constructor(
		private readonly access: ListAccess,
		wanted = Infinity,
		options: ReadingOptions = {},
	) {
		super(wanted, pageSizing(access.learned, access.path), options);
	}

	/** Lets go of what has come, for who keeps it elsewhere and reads to the end. */
	release(): void {
		this.records.length = 0;
	}

	/**
	 * Reads the next page.
	 *
	 * @returns the records that are new, perhaps none; undefined when all that is wanted is there
	 * @throws ApiError when the service fails, does not answer with such a list, or the list has no end
	 */
	async next(): Promise<IDataObject[] | undefined> {
		const { learned, path, collection, query, send } = this.access;
		let asked = this.ask();
		if (asked === undefined) return undefined;
		let sent = 0;
		const body = await send({
			method: 'GET',
			path,
			query: (isAfterFailure) => {
				// The failure may lie in the page's size.
				if (isAfterFailure) asked = this.smaller(asked!);
				sent = Date.now();
				const { page, limit } = asked!;
				return { ...query, page, ...(limit === undefined ? {} : { limit }) };
			},
		}).catch((error: unknown) => {
			if (!isRefusedSize(error, asked!, this.sizing)) throw error;
			return undefined;
		});
		if (body === undefined) {
			this.refused(asked);
			return [];
		}
		const records = recordsIn(body, collection);
		if (records === undefined) throw withoutList([collection].flat()[0]);
		const fresh = this.take(asked, { records, ...figuresIn(body) }, Date.now() - sent);
		rememberPageSizing(learned, path, this.sizing);
		return fresh;
	}
}

function withoutList(name: string): ApiError {
	return new ApiError(
		'unreadable',
		`The service answered without the list "${name}"`,
		'Check the Base URL in the Link Management API credential.',
	);
}

function isRefusedSize(error: unknown, { limit = 0 }: PageRequest, { worked }: PageSizing): boolean {
	return error instanceof ApiError && limit > worked && isSizeRefusal(error.statusCode, limit);
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
