import type { IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { HttpAnswer } from './answer';
import { isAtService, parseUrl } from './baseUrl';
import {
	certificateSettings,
	CREDENTIAL,
	customHeader,
	REQUEST_DEFAULTS,
	type Connection,
	type RequestContext,
} from './connection';
import { LARGEST_ANSWER } from './errors';
import { answerIn } from './json';
import { withAbort } from './withAbort';

/** What came, whatever its status; without the bytes where there were more than it may have. */
type RawAnswer = Omit<HttpAnswer, 'body'> & { bytes?: Buffer };

/** A request, with the time (ms) that its answer may take in total. */
type TimedRequest = IHttpRequestOptions & { timeout: number };

/** Reads an answer as it comes. @returns undefined when it has more bytes, decoded, than it may have */
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

async function exchange(
	context: RequestContext,
	request: TimedRequest,
	mostBytes: number,
	credential?: Connection['credential'],
): Promise<RawAnswer> {
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
	// In total, however it comes in: n8n's own time-out begins anew with each drop of an answer.
	return await withAbort(receive, context.getExecutionCancelSignal?.(), AbortSignal.timeout(request.timeout));
}

/** Sends a request once, and reads the answer, JSON or not. Without a credential, no key goes along. */
export async function sendOnce(
	context: RequestContext,
	request: TimedRequest,
	credential?: Connection['credential'],
): Promise<HttpAnswer> {
	const { bytes, ...answer } = await exchange(context, request, LARGEST_ANSWER, credential);
	if (bytes === undefined) return { ...answer, body: undefined, tooMuch: 'tooLarge' };
	return { ...answer, body: undefined, ...answerIn(bytes.toString('utf8').replace(/^\uFEFF/, '')) };
}

/** How long (ms) a file may take in total where the user says nothing else. */
const LONGEST_FILE = 60_000;
const MOST_REDIRECTS = 5;

/** What came from the address of a file, redirects followed; its own is an answer from the service's origin. */
export type FileAnswer = RawAnswer & { isOwn: boolean };

/**
 * Reads the file at an address that the service gave, which may lead anywhere: the API key goes along to no address, the custom
 * header of the credential to the service's own origin alone.
 *
 * @param settings n8n's own (time-out, proxy, certificates) of the node
 * @param kind of file that is wanted, as the Accept header has it
 * @param follow called before each redirect is followed; what it throws ends the reading
 */
export async function readFile(
	context: RequestContext,
	{ address: service, credential }: Connection,
	address: string,
	settings: Partial<IHttpRequestOptions>,
	kind: string,
	mostBytes: number,
	follow: (to: string) => void,
): Promise<FileAnswer> {
	const end = Date.now() + (settings.timeout ?? LONGEST_FILE);
	let url = address;
	for (let redirects = 0; ; redirects++) {
		const isOwn = isAtService(service, url);
		const headers = { Accept: kind, ...(isOwn ? customHeader(credential) : {}) };
		const timeout = Math.max(1, end - Date.now());
		const request = { ...settings, ...certificateSettings(credential), method: 'GET' as const, url, headers, timeout };
		const answer = await exchange(context, request, mostBytes);
		const { location } = answer.headers;
		const isRedirect = answer.statusCode >= 300 && answer.statusCode < 400 && redirects < MOST_REDIRECTS;
		const to = isRedirect && typeof location === 'string' ? parseUrl(location, url) : undefined;
		if (to === undefined || !/^https?:$/.test(to.protocol)) return { ...answer, isOwn };
		follow(to.href);
		url = to.href;
	}
}
