import type { IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { StoppedError } from '../n8n/stop';
import { isAtService } from './baseUrl';
import { customHeader, type Connection } from './connection';
import { bytesOf, withEnd, type Stream } from './withEnd';

/** How long (ms) a file may take in total where the user says nothing else. */
const LONGEST = 60_000;
/** A file is somewhere within so many redirects, or nowhere. */
const MOST_REDIRECTS = 5;

/** What came from the address of a file, redirects followed. */
export interface FileAnswer {
	statusCode: number;
	/** Names in lower case. */
	headers: Record<string, unknown>;
	/** Undefined where there were more than the file may have. */
	bytes?: Buffer;
	/** The answer came from the service's own origin. */
	isOwn: boolean;
}

/** Where an answer redirects to; undefined where it does not, or to what is no web address. */
function redirectOf({ statusCode, headers }: FileAnswer, from: string): string | undefined {
	if (statusCode < 300 || statusCode > 399 || typeof headers.location !== 'string') return undefined;
	try {
		const { protocol, href } = new URL(headers.location, from);
		return /^https?:$/.test(protocol) ? href : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Reads the file at an address that the service gave, which may lead anywhere: the API key goes along to no address, the custom
 * header of the credential to the service's own origin alone.
 *
 * @param address http or https
 * @param settings n8n's own settings (time-out, proxy, certificates) of the node
 * @param kind of file that is wanted, as the Accept header has it
 * @param most bytes that it may have
 * @throws what n8n throws when no answer came; StoppedError when the user stops the run
 */
export async function readFile(
	context: IExecuteSingleFunctions,
	{ address: service, credential }: Connection,
	address: string,
	settings: Partial<IHttpRequestOptions>,
	kind: string,
	most: number,
): Promise<FileAnswer> {
	const timeout = settings.timeout ?? LONGEST;
	const once = async (url: string, signal: AbortSignal): Promise<FileAnswer> => {
		const isOwn = isAtService(service, url);
		const answer = (await context.helpers.httpRequest({
			...{ ...settings, timeout, abortSignal: signal, method: 'GET', url },
			headers: { Accept: kind, ...(isOwn ? customHeader(credential) : {}) },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as { statusCode: number; headers: Record<string, unknown>; body: Stream };
		const { statusCode, headers, body } = answer;
		return { statusCode, headers, bytes: await bytesOf(body, most, signal), isOwn };
	};
	const follow = async (signal: AbortSignal): Promise<FileAnswer> => {
		let url = address;
		for (let redirects = 0; ; redirects++) {
			const answer = await once(url, signal);
			const next = redirectOf(answer, url);
			if (next === undefined || redirects === MOST_REDIRECTS) return answer;
			if (signal.aborted) throw new StoppedError();
			url = next;
		}
	};
	return await withEnd(follow, timeout, context.getExecutionCancelSignal());
}
