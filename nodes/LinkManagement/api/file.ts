import type { IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { bytesOf, withEnd, type Stream } from './withEnd';

/** How long (ms) a file may take in total where the user says nothing else. */
const LONGEST = 60_000;

/** A file, or in words what came in place of it. */
type FileAnswer = { statusCode: number } & ({ bytes: Buffer } | { instead: string });

/**
 * Reads the file at an address that the service gave, which may lead anywhere: the API key stays at home.
 *
 * @param address http or https; redirects are followed
 * @param settings n8n's own settings (time-out, proxy, certificates) of the node
 * @param kind of file that is wanted, as the Accept header has it
 * @param most bytes that it may have
 * @throws what n8n throws when no answer came; StoppedError when the user stops the run
 */
export async function readFile(
	context: IExecuteSingleFunctions,
	address: string,
	settings: Partial<IHttpRequestOptions>,
	kind: string,
	most: number,
): Promise<FileAnswer> {
	const timeout = settings.timeout ?? LONGEST;
	const once = async (signal: AbortSignal) => {
		const { statusCode, body } = (await context.helpers.httpRequest({
			...settings,
			timeout,
			abortSignal: signal,
			method: 'GET',
			url: address,
			headers: { Accept: kind },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})) as { statusCode: number; body: Stream };
		return { statusCode, bytes: await bytesOf(body, most, signal) };
	};
	const { statusCode, bytes } = await withEnd(once, timeout, context.getExecutionCancelSignal());
	if (bytes === undefined) return { statusCode, instead: `a file of more than ${most / 1024 / 1024} MB` };
	if (statusCode < 200 || statusCode > 299) return { statusCode, instead: `an answer with HTTP ${statusCode}` };
	return { statusCode, bytes };
}
