import type { IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { ApiError } from './apiError';
import { connectionFailure } from './connectionFailure';

/** A picture, and what its bytes say that it is. */
export interface Picture {
	bytes: Buffer;
	mimeType: string;
	extension: string;
}

/** Pictures of QR codes have some kilobytes; what is larger than this (bytes) is something else. */
const LARGEST = 10 * 1024 * 1024;

/** How the bytes of each kind of picture begin, as Latin-1 text. What a server says of its files is often wrong. */
const KINDS: Array<[beginning: RegExp, mimeType: string, extension: string]> = [
	[/^\x89PNG\r\n/, 'image/png', 'png'],
	[/^\xff\xd8\xff/, 'image/jpeg', 'jpg'],
	[/^GIF8/, 'image/gif', 'gif'],
	[/^RIFF[^]{4}WEBP/, 'image/webp', 'webp'],
	[/^(?:\xef\xbb\xbf)?(?:<\?xml[^>]*>|<!doctype svg[^>]*>|\s)*<svg[\s>]/i, 'image/svg+xml', 'svg'],
];

const LOOK =
	'Open the address ("link" of the QR code) in a browser. Some services give the address that the code leads to, and no picture of it.';

function noPicture(what: string, statusCode?: number): ApiError {
	return new ApiError('unreadable', `The address of the QR code gives no picture, but ${what}`, LOOK, statusCode);
}

/** What bytes that are no picture are, in the words of whoever looks at them. */
function nameOf(bytes: Buffer): string {
	if (bytes.length === 0) return 'nothing';
	const start = bytes.subarray(0, 1000).toString('latin1').trimStart().toLowerCase();
	if (/^<(?:!doctype html|html|head|body)/.test(start)) return 'a web page';
	if (/^[[{]/.test(start)) return 'JSON';
	if (start.startsWith('%pdf')) return 'a PDF file';
	return /^[\x20-\x7e\s]*$/.test(start) ? 'text' : 'a file of another kind';
}

/**
 * Reads the picture at an address. The API key stays at home: the address is the service's, but may lead anywhere.
 *
 * @param address http or https; redirects are followed
 * @param settings n8n's own settings (time-out, proxy, certificates) of the node
 * @throws ApiError for what is no picture, or larger than 10 MB
 */
export async function readPicture(
	context: IExecuteSingleFunctions,
	address: string,
	settings: Partial<IHttpRequestOptions>,
): Promise<Picture> {
	const chunks: Buffer[] = [];
	let size = 0;
	let statusCode: number;
	try {
		const response = (await context.helpers.httpRequest({
			...settings,
			method: 'GET',
			url: address,
			headers: { Accept: 'image/*' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})) as { statusCode: number; body: AsyncIterable<Buffer> };
		({ statusCode } = response);
		for await (const chunk of response.body) {
			size += chunk.length;
			// Leaving the loop ends the connection.
			if (size > LARGEST) break;
			chunks.push(chunk);
		}
	} catch (error) {
		const failure = connectionFailure(error);
		throw failure === undefined
			? error
			: new ApiError('unreachable', `The picture of the QR code can't be fetched (${failure.code})`, LOOK);
	}
	if (size > LARGEST) throw noPicture('a file of more than 10 MB', statusCode);
	const bytes = Buffer.concat(chunks);
	if (statusCode < 200 || statusCode > 299) throw noPicture(`an answer with HTTP ${statusCode}`, statusCode);
	const beginning = bytes
		.subarray(0, 1000)
		.toString('latin1')
		.replace(/<!--[^]*?-->/g, '');
	const kind = KINDS.find(([pattern]) => pattern.test(beginning));
	if (kind === undefined) throw noPicture(nameOf(bytes), statusCode);
	const [, mimeType, extension] = kind;
	return { bytes, mimeType, extension };
}
