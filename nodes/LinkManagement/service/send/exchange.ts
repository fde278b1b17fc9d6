import type { IDataObject, IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { noAnswer, type NoAnswer } from '../../n8n/requests';
import type { HttpAnswer } from '../answer/answer';
import { isAtService, isPrivate, parseUrl } from '../baseUrl';
import {
	certificateSettings,
	type Connection,
	CREDENTIAL,
	customHeader,
	REQUEST_DEFAULTS,
	type RequestContext,
} from '../connection';
import { LARGEST_ANSWER } from '../answer/failures';
import { withAbort } from './withAbort';

/** An answer of any status; without its bytes if there were too many. */
type RawAnswer = Omit<HttpAnswer, 'body'> & { bytes?: Buffer };

/** A request, with a time-out (ms) for its whole answer. */
type TimedRequest = IHttpRequestOptions & { timeout: number };

/** Reads the body of an answer. @returns undefined when it has more than `most` bytes, decoded */
async function bytesOf(body: unknown, most: number, signal: AbortSignal): Promise<Buffer | undefined> {
	const stream = body as AsyncIterable<Buffer> & { destroy?(): void };
	const chunks: Buffer[] = [];
	let size = 0;
	signal.addEventListener('abort', () => stream.destroy?.(), { once: true });
	for await (const chunk of stream) {
		size += chunk.length;
		// Leaving the loop ends the connection.
		if (size > most) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

/** Sends a request, and reads its answer. @throws StoppedError when the execution is stopped */
async function exchange(
	context: RequestContext,
	request: TimedRequest,
	mostBytes: number,
	credential?: Connection['credential'],
): Promise<RawAnswer | NoAnswer> {
	const { helpers } = context;
	const headers = { ...REQUEST_DEFAULTS.headers, ...request.headers };
	const whole = { ...REQUEST_DEFAULTS, ...request, headers, encoding: 'stream' as const, returnFullResponse: true };
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data: credential };
	const receive = async (abortSignal: AbortSignal): Promise<RawAnswer> => {
		const n8n = context as IExecuteSingleFunctions;
		const options = { ...whole, abortSignal };
		const { statusCode, headers, body } = (
			credential === undefined
				? await helpers.httpRequest(options)
				: await helpers.httpRequestWithAuthentication.call(n8n, CREDENTIAL, options, { credentialsDecrypted })
		) as HttpAnswer;
		return { statusCode, headers, bytes: await bytesOf(body, mostBytes, abortSignal) };
	};
	// In total: n8n's own time-out starts again with each part of an answer.
	const late = AbortSignal.timeout(request.timeout);
	return await withAbort(receive, context.getExecutionCancelSignal?.(), late).catch(noAnswer);
}

function isDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

/** The value in a JSON text; undefined if it is none, or nested so deep that reading it further could fail. */
function parsed(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return isDeeper(value, LARGEST_ANSWER.levels) ? undefined : value;
	} catch {
		return undefined;
	}
}

/** Whether a JSON text may hold more values than are read: each begins with one of these signs, as far as it counts here. */
function isOverfull(text: string): boolean {
	let left = LARGEST_ANSWER.values;
	for (let at = 0; at < text.length && left >= 0; at++) if ('{[,'.includes(text[at])) left--;
	return left < 0;
}

/** A body with a longer list is large: many targets take the service a long time (field notes, "Rate limit"). */
const MANY = 10;

/** The usual time-out (ms) of a whole answer. */
export function usualTimeout(body: IDataObject = {}): number {
	const isLarge = Object.values(body).some((value) => Array.isArray(value) && value.length > MANY);
	return isLarge ? 120_000 : 60_000;
}

/** Sends a request once, and reads the answer, JSON or not. Without a credential, it sends no key. */
export async function sendOnce(
	context: RequestContext,
	request: TimedRequest,
	credential?: Connection['credential'],
): Promise<HttpAnswer | NoAnswer> {
	const received = await exchange(context, request, LARGEST_ANSWER.bytes, credential);
	if ('kind' in received) return received;
	const { bytes, ...answer } = received;
	const text = bytes?.toString('utf8').replace(/^\uFEFF/, '');
	if (text === undefined || isOverfull(text)) return { ...answer, body: undefined, isTooLarge: true };
	return { ...answer, body: parsed(text) ?? text };
}

/** Default time-out (ms) of a file. */
const LONGEST_FILE = 60_000;
const MOST_REDIRECTS = 5;

/** What came from the address of a file, redirects followed: an answer, or the code of the reason why there is none. `isRefused`: it was not asked. */
type FileAnswer = Partial<RawAnswer> & { code?: string; url: string; isRefused?: true };

/**
 * Reads the file at an address that the service gave, which may lead anywhere. It never sends the API key, and sends the custom
 * header of the credential only to the service's own origin. Addresses with a user, and private ones of a service that is not private
 * itself, are not asked.
 *
 * @param settings n8n's own (time-out, proxy, certificates) of the node
 */
export async function readFile(
	context: RequestContext,
	{ address: service, credential }: Connection,
	address: string,
	settings: Partial<IHttpRequestOptions>,
	mostBytes: number,
): Promise<FileAnswer> {
	const end = Date.now() + (settings.timeout ?? LONGEST_FILE);
	const usual = { ...settings, ...certificateSettings(credential), method: 'GET' as const };
	const isWithin = isPrivate(parseUrl(service)?.hostname ?? '');
	let url = address;
	for (let redirects = 0; ; redirects++) {
		const target = parseUrl(url);
		if (target === undefined || target.username !== '' || (isPrivate(target.hostname) && !isWithin))
			return { url, isRefused: true };
		const headers = { Accept: 'image/*', ...(isAtService(service, url) ? customHeader(credential) : {}) };
		const request = { ...usual, url, headers, timeout: Math.max(1, end - Date.now()) };
		const answer = await exchange(context, request, mostBytes);
		if ('kind' in answer) return { url, code: answer.code };
		const { location } = answer.headers;
		const isRedirect = answer.statusCode >= 300 && answer.statusCode < 400 && redirects < MOST_REDIRECTS;
		const to = isRedirect && typeof location === 'string' ? parseUrl(location, url) : undefined;
		if (to === undefined || !/^https?:$/.test(to.protocol)) return { ...answer, url };
		url = to.href;
	}
}
