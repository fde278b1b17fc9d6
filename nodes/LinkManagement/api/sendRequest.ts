import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import { CREDENTIAL, REQUEST_DEFAULTS, type Connection, type RequestContext } from './connection';
import type { Answer } from './envelope';
import { requestWithRetry } from './retry';
import { whenStopped } from '../rateLimit/cancellation';

/** A request as the package describes it: path below the base URL, query, body. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** The query to send instead of the one that failed in a way that may lie in it; the same one again where left out. */
	queryAfterFailure?(): IDataObject;
	/** n8n's own settings (time-out, proxy, certificates) of the node that the request belongs to. */
	settings?: Partial<IHttpRequestOptions>;
}

/** How long (ms) an answer is waited for where there is a deadline: clients of these services wait up to a minute. */
const LONGEST_ANSWER = 60_000;

/** Who sends a request, and how long it may wait. */
export interface Manner {
	/** When the caller's time is over (ms since 1970). `signal` fires then, and no answer is waited for any longer. */
	deadline?: number;
	/** Permits go round between callers. */
	caller: object;
	signal?: AbortSignal;
	failFast?: boolean;
	/** Somebody waits for it in front of a screen. */
	interactive?: boolean;
}

/**
 * Sends a request to the service, with the key of the connection, at the pace that the service allows.
 *
 * @returns a successful answer
 * @throws ApiError, StoppedError: see `requestWithRetry`
 */
export async function sendRequest(
	context: RequestContext,
	connection: Connection,
	request: ServiceRequest,
	manner: Manner,
): Promise<Answer> {
	const { method, path, body, settings } = request;
	let { query } = request;
	const { deadline } = manner;
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data: connection.credential };
	return await requestWithRetry({
		...manner,
		method,
		path,
		limiter: connection.limiter,
		key: connection.apiKey,
		beforeRepeat: () => {
			query = request.queryAfterFailure?.() ?? query;
		},
		send: async () => {
			const sent = context.helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL,
				{
					...REQUEST_DEFAULTS,
					...settings,
					...(deadline === undefined ? {} : { timeout: Math.max(1, Math.min(LONGEST_ANSWER, deadline - Date.now())) }),
					headers: { ...REQUEST_DEFAULTS.headers },
					method,
					baseURL: connection.address,
					url: path,
					qs: query ?? {},
					...(body === undefined ? {} : { body }),
					returnFullResponse: true,
				},
				{ credentialsDecrypted },
			) as Promise<Answer>;
			return deadline === undefined ? await sent : await inTime(sent, manner.signal);
		},
	});
}

/** An answer, unless the signal fires first: n8n's own time-out never ends an answer that comes drop by drop. */
async function inTime(sent: Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
	return await new Promise<Answer>((resolve, reject) => {
		const late = () => reject(Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' }));
		if (signal?.aborted) late();
		const unwatch = whenStopped(signal, late);
		sent.then(resolve, reject).finally(unwatch);
	});
}
