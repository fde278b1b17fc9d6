import type { IDataObject, IExecuteSingleFunctions, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import { StoppedError } from '../n8n/stop';
import type { HttpAnswer } from './answer';
import { ApiError, LARGEST_ANSWER } from './errors';
import { recordIn } from './records';
import { CREDENTIAL, REQUEST_DEFAULTS, type Connection, type RequestContext } from './connection';
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
	/** Sends a request with the key, at the pace that the service allows. @returns the body of the answer, without the envelope */
	send(request: ServiceRequest): Promise<IDataObject>;
	/** Asks for a record. @returns undefined when the service has none: one that fails has not answered, and throws */
	lookUp(path: string, query?: IDataObject): Promise<IDataObject | undefined>;
}

/** How long (ms) an answer is waited for in total: clients of these services wait up to a minute (field notes, "Rate limit"). */
const LONGEST_ANSWER = 60_000;
/** The same for a request with many targets. */
const LONGEST_ANSWER_TO_MUCH = 120_000;
/** Entries of a list that make a request one of these. */
const MANY = 10;

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
	const zone = context.getTimezone?.();
	const send = async ({ method, path, query, body }: ServiceRequest, seeks: boolean) =>
		await requestWithRetry({
			...manner,
			...{ method, path, seeks, limiter, learned, redact, zone },
			send: async (isAfterFailure) => {
				const qs = typeof query === 'function' ? query(isAfterFailure) : (query ?? {});
				const options = { method, baseURL: address, url: path, qs, ...(body === undefined ? {} : { body }) };
				const longest = Math.min(settings.timeout ?? usualTimeout(body), (manner.deadline ?? Infinity) - Date.now());
				return await sendOnce(context, { ...settings, ...options, timeout: Math.max(1, longest) }, credential);
			},
		});
	return {
		connection,
		send: async (request) => (await send(request, false))!,
		lookUp: async (path, query) => await send({ method: 'GET', path, query }, true),
	};
}

/**
 * Sends a request once, and reads the answer.
 *
 * @param options with the time (ms) that the answer may take in total
 * @param credential adds its key; without it, no key goes along
 */
export async function sendOnce(
	context: RequestContext,
	options: IHttpRequestOptions & { timeout: number },
	credential?: Connection['credential'],
): Promise<HttpAnswer> {
	const { helpers } = context;
	const headers = { ...REQUEST_DEFAULTS.headers, ...options.headers };
	const whole: IHttpRequestOptions = {
		...REQUEST_DEFAULTS,
		...options,
		headers,
		encoding: 'stream',
		returnFullResponse: true,
	};
	const sent = async () => {
		if (credential === undefined) return (await helpers.httpRequest(whole)) as HttpAnswer;
		const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data: credential };
		return (await helpers.httpRequestWithAuthentication.call(context as IExecuteSingleFunctions, CREDENTIAL, whole, {
			credentialsDecrypted,
		})) as HttpAnswer;
	};
	const answer = async (signal: AbortSignal) => await readAnswer(await sent(), signal);
	return await withEnd(answer, options.timeout, context.getExecutionCancelSignal?.());
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

/**
 * Sends a change, and finds out what became of it when its answer was lost.
 *
 * @param find gives the record that the change would have made, or undefined when it is not there
 * @returns the record of the answer, or the one that was found
 */
export async function sendChange(
	speaker: Speaker,
	request: ServiceRequest,
	find: () => Promise<IDataObject | undefined> = async () => undefined,
): Promise<IDataObject> {
	const answer = await speaker.send(request).catch((error: unknown) => {
		if (!(error instanceof ApiError && error.kind === 'uncertain')) throw error;
		return error;
	});
	if (!(answer instanceof ApiError)) return recordIn(answer);
	const record = await find().catch((failure: unknown) => {
		throw failure instanceof StoppedError ? failure : answer;
	});
	if (record === undefined) throw answer;
	return record;
}
