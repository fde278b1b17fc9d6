import type { IDataObject, IExecuteSingleFunctions, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import type { HttpAnswer } from './answer';
import { LARGEST_ANSWER } from './answerError';
import { isAtService } from './baseUrl';
import { CREDENTIAL, customHeader, REQUEST_DEFAULTS, type Connection, type RequestContext } from './connection';
import { explained } from './findApi';
import { requestWithRetry, type Manner } from './retry';
import { bytesOf, withEnd, type Stream } from './withEnd';

/** A request as the package describes it: path below the base URL, query, body. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string;
	/** Or what makes it each time that the request is sent, after a failure that may lie in it perhaps another one. */
	query?: IDataObject | ((isAfterFailure: boolean) => IDataObject);
	body?: IDataObject;
}

/** Who speaks to the service: a row, a dropdown, a poll or a credential's test. */
export interface Speaker {
	readonly connection: Connection;
	/**
	 * Sends a request, with the key of the connection, at the pace that the service allows.
	 *
	 * @returns the body of a successful answer, without the envelope
	 * @throws ApiError, StoppedError: see `requestWithRetry`
	 */
	send(request: ServiceRequest): Promise<IDataObject>;
	/**
	 * Asks whether the service has a record, and what it says of it.
	 *
	 * @returns undefined when it has none, however it says so: a service that fails has not answered, and throws
	 * @throws ApiError, StoppedError: see `requestWithRetry`
	 */
	lookUp(path: string, query?: IDataObject): Promise<IDataObject | undefined>;
}

/** How long (ms) an answer is waited for in total: clients of these services wait up to a minute (field notes, "Rate limit"). */
const LONGEST_ANSWER = 60_000;
/** The same for a request with many targets. */
const LONGEST_ANSWER_TO_MUCH = 120_000;
/** Entries of a list that make a request one of these. */
const MANY = 10;
/** How long (ms) the answer of each address is waited for that is tried in place of the Base URL. */
const LONGEST_TRY = 10_000;

/**
 * Sends requests from a context of n8n, all in one manner.
 *
 * @param settings n8n's own (time-out, proxy, certificates) of the node that the requests belong to
 */
export function speakerOf(
	context: RequestContext,
	connection: Connection,
	manner: Manner,
	settings: Partial<IHttpRequestOptions> = {},
): Speaker {
	const { address, credential, limiter, learned, redact } = connection;
	/** Sends something once: with the key, or without any. */
	const once = async (options: IHttpRequestOptions, longest: number, withKey: boolean): Promise<HttpAnswer> => {
		const timeout = Math.max(1, Math.min(longest, (manner.deadline ?? Infinity) - Date.now()));
		const whole: IHttpRequestOptions = {
			...REQUEST_DEFAULTS,
			...settings,
			...options,
			timeout,
			headers: { ...REQUEST_DEFAULTS.headers, ...options.headers },
			encoding: 'stream',
			returnFullResponse: true,
		};
		const answer = async (signal: AbortSignal) =>
			await readAnswer((await sent(context, whole, withKey ? credential : undefined)) as HttpAnswer, signal);
		return await withEnd(answer, timeout, context.getExecutionCancelSignal?.());
	};
	const send = async ({ method, path, query, body }: ServiceRequest, seeks: boolean) =>
		await requestWithRetry({
			...manner,
			...{ method, path, seeks, limiter, learned, redact },
			send: async (isAfterFailure) => {
				const qs = typeof query === 'function' ? query(isAfterFailure) : (query ?? {});
				const options = { method, baseURL: address, url: path, qs, ...(body === undefined ? {} : { body }) };
				return await once(options, settings.timeout ?? usualTimeout(body), true);
			},
		}).catch(async (error: unknown) => {
			throw await explained(error, connection, async (url) => {
				const headers = isAtService(address, url) ? customHeader(credential) : {};
				return await once({ method: 'GET', url, headers }, LONGEST_TRY, false);
			});
		});
	return {
		connection,
		send: async (request) => (await send(request, false))!,
		lookUp: async (path, query) => await send({ method: 'GET', path, query }, true),
	};
}

/** @param credential adds its key; without it, no key goes along */
async function sent(context: RequestContext, options: IHttpRequestOptions, credential?: Connection['credential']) {
	const { helpers } = context;
	if (credential === undefined) return (await helpers.httpRequest(options)) as unknown;
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data: credential };
	return (await helpers.httpRequestWithAuthentication.call(context as IExecuteSingleFunctions, CREDENTIAL, options, {
		credentialsDecrypted,
	})) as unknown;
}

function usualTimeout(body: IDataObject = {}): number {
	const isMuch = Object.values(body).some((value) => Array.isArray(value) && value.length > MANY);
	return isMuch ? LONGEST_ANSWER_TO_MUCH : LONGEST_ANSWER;
}

/** Reads what an answer holds, JSON or not, up to the largest that is taken in. */
async function readAnswer({ statusCode, headers, body }: HttpAnswer, signal: AbortSignal): Promise<HttpAnswer> {
	const bytes = await bytesOf(body as Stream, LARGEST_ANSWER, signal);
	if (bytes === undefined) return { statusCode, headers, body: undefined, isTooLarge: true };
	const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
	try {
		return { statusCode, headers, body: JSON.parse(text) as unknown };
	} catch {
		return { statusCode, headers, body: text };
	}
}
