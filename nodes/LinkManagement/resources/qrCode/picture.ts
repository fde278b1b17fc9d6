import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { ApiError } from '../../api/apiError';
import { parseUrl } from '../../api/baseUrl';
import { readFile } from '../../api/file';
import { asText } from '../../api/records';
import { noAnswer } from '../../engine/noAnswer';
import { text } from '../../fields/rules';
import type { Row } from '../../run/row';
import { switchField } from '../../fields/inputs';

export const binaryPropertyName: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
};

/** Entries of the Options of a creation that brings the picture along. */
export const pictureOptions: INodeProperties[] = [
	switchField('Download Picture', 'downloadPicture', {
		default: true,
		description: 'Whether to put the picture of the new QR code into a binary field',
	}),
	{ ...binaryPropertyName, required: false },
];

/** The name of the binary field. */
export function fieldName(value: unknown): string {
	return String(text(value, { label: binaryPropertyName.displayName, timezone: 'utc' }) ?? '').trim() || 'data';
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

/** What bytes that are no picture are, in the words of whoever looks at them. */
function nameOf(bytes: Buffer): string {
	if (bytes.length === 0) return 'nothing';
	const start = bytes.subarray(0, 1000).toString('latin1').trimStart().toLowerCase();
	if (/^<(?:!doctype html|html|head|body)/.test(start)) return 'a web page';
	if (/^[[{]/.test(start)) return 'JSON';
	if (start.startsWith('%pdf')) return 'a PDF file';
	return /^[\x20-\x7e\s]*$/.test(start) ? 'text' : 'a file of another kind';
}

/** Reads the picture at an address. */
async function readPicture(
	{ context, settings }: Row,
	address: string,
): Promise<{ bytes: Buffer; mimeType: string; extension: string }> {
	const file = await readFile(context, address, settings, 'image/*', LARGEST).catch((error: unknown) => {
		const failure = noAnswer(error);
		throw failure === undefined
			? error
			: new ApiError('unreachable', `The picture of the QR code can't be fetched (${failure.code})`, LOOK);
	});
	const bytes = 'bytes' in file ? file.bytes : Buffer.alloc(0);
	const beginning = bytes
		.subarray(0, 1000)
		.toString('latin1')
		.replace(/<!--[^]*?-->/g, '');
	const kind = KINDS.find(([pattern]) => pattern.test(beginning));
	if (kind === undefined) {
		const what = 'instead' in file ? file.instead : nameOf(bytes);
		throw new ApiError('unreadable', `The address of the QR code gives no picture, but ${what}`, LOOK, file.statusCode);
	}
	const [, mimeType, extension] = kind;
	return { bytes, mimeType, extension };
}

/** Characters of a file's name at most, and bytes, so that the name is below 255 of them with what others put behind it. */
const MOST_CHARACTERS = 100;
const MOST_BYTES = 200;

/** Names that Windows keeps for devices, whatever stands behind their first dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)\s*(?:\.|$)/i;

/** A name that every file system takes. */
function fileNameOf(name: unknown, id: unknown, extension: string): string {
	const words = (typeof name === 'string' ? name : '')
		// Half of a character, as is left where a name was cut, is none either.
		.replace(/[\p{Cc}\p{Cs}\\/:*?"<>|]+/gu, ' ')
		.replace(/\s+/g, ' ')
		.replace(/^[\s.]+/, '');
	const characters = Array.from(words).slice(0, MOST_CHARACTERS);
	while (Buffer.byteLength(characters.join('')) > MOST_BYTES) characters.pop();
	while (/[\s.]/.test(characters.at(-1) ?? '')) characters.pop();
	const short = characters.join('');
	const safe = DEVICE.test(short) ? `_${short}` : short;
	return `${safe === '' ? `qr-code-${String(id)}` : safe}.${extension}`;
}

/**
 * Adds the picture of a QR code to its item, without the API key in the request.
 *
 * @param code record of the code; `link` is where its picture is, `name` gives the file its name
 * @param field name of the binary field
 * @throws ApiError for what is no picture
 */
export async function withPicture(row: Row, code: IDataObject, field: string): Promise<INodeExecutionData> {
	const address = typeof code.link === 'string' ? code.link : '';
	if (!/^https?:/i.test(address) || parseUrl(address) === undefined) {
		throw new ApiError(
			'unreadable',
			'The service gave no address for the picture of the QR code',
			'Look at the QR code at the service.',
		);
	}
	const { bytes, mimeType, extension } = await readPicture(row, address);
	const { helpers } = row.context;
	const binary = await helpers.prepareBinaryData(
		bytes,
		fileNameOf(row.connection.redact.data(code.name), code.id, extension),
		mimeType,
	);
	return { json: code, binary: { [field]: binary } };
}

/**
 * Adds the picture to a QR code that was just made.
 *
 * @param code the answer to the creation
 * @param name the name that the code was given, if any
 * @throws ApiError that says that the code is there: it must not be made again for the sake of its picture
 */
export async function withNewPicture(
	row: Row,
	code: IDataObject,
	name: unknown,
	field: string,
): Promise<INodeExecutionData> {
	const named = { ...code, ...(typeof name === 'string' ? { name } : {}) };
	const { binary } = await withPicture(row, named, field).catch((error: unknown) => {
		if (!(error instanceof ApiError)) throw error;
		throw new ApiError(
			'uncertain',
			`The QR code was created with the ID ${asText(code.id)}, but its picture could not be read. ${error.message}`,
			`Use QR Code: Download for the picture, so that the code is not made twice. ${error.advice}`,
			error.statusCode,
		);
	});
	return { json: code, binary };
}
