import type { IDataObject } from 'n8n-workflow';

import { together } from '../answer/advice';
import { ApiError, listName } from '../answer/errors';
import { ADDRESS } from '../answer/failures';
import { figuresIn, recordsIn } from '../records';
import type { ServiceClient, ServiceRequest } from '../send/serviceClient';

/** A page, by its number and the number of its records. */
export interface PageRequest {
	page: number;
	limit: number;
}

/** One page of a list (spec, "Paged list envelope"). A figure that the service leaves out or garbles is undefined. */
export interface Page extends ReturnType<typeof figuresIn> {
	records: IDataObject[];
}

/** A list of the service. */
export interface ListEndpoint {
	/** Below the base URL (spec, "Endpoints"). */
	path: string;
	/** The field that holds the records; several names where services differ. */
	collection: string | readonly string[];
	query?: IDataObject;
	/** An empty list is common here and does no harm: it is not asked for again. */
	mayBeEmpty?: boolean;
}

/** A page may have ten times as many records as were asked for, and always so many: services have page sizes of their own. */
const ALWAYS_ENOUGH = 1000;

/** Reads one page of a list. @throws ApiError if the answer is not a page of the list */
export async function readPage(
	client: Pick<ServiceClient, 'send'>,
	{ path, collection, query }: ListEndpoint,
	request: PageRequest,
	how: Pick<ServiceRequest, 'tries' | 'onSend'> = {},
): Promise<Page> {
	const body = await client.send({ method: 'GET', path, query: { ...query, ...request }, ...how });
	const records = recordsIn(body, collection);
	if (records === undefined)
		throw new ApiError('unreadable', `The service answered without ${listName(collection)}`, ADDRESS);
	const most = Math.max(ALWAYS_ENOUGH, 10 * request.limit);
	if (records.length > most) {
		const what = `The service gave ${records.length} records of ${listName(collection)} in one page, and was asked for ${request.limit}`;
		throw new ApiError('unreadable', what, together(`At most ${most} are read.`, ADDRESS), 200, {
			kind: 'unreadable',
			why: 'tooLarge',
		});
	}
	return { records, ...figuresIn(body) };
}
