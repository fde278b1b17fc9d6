import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { setting, switchField, textField } from '../../fields/inputs';
import { qrCodeId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { existingNames } from '../../fields/standardOperations';
import { isSameAddress } from '../../links/url';
import { keptFor } from '../../n8n/lifetimes';
import { noAnswer } from '../../n8n/requests';
import { StoppedError } from '../../n8n/stop';
import type { Field } from '../../run/request';
import type { ConnectedRow } from '../../run/row';
import { readAnswer } from '../../service/answer';
import { parseUrl } from '../../service/baseUrl';
import { adviceOf, ApiError, noSuchRecord } from '../../service/errors';
import { readFile, type FileAnswer } from '../../service/exchange';
import { asText, dateInItsPlace, isRecord, withNumbers } from '../../service/records';
import { inEditor } from '../../service/advice';

const binaryPropertyName = textField('Put Output File in Field', 'binaryPropertyName', {
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
});

/** Options of a creation for downloading the picture. */
export const pictureOptions: Field[] = [
	switchField('Download Picture', 'downloadPicture', {
		default: true,
		description: 'Whether to put the picture of the new QR code into a binary field',
	}),
	{ ...binaryPropertyName, required: false },
];

/** Largest picture (bytes): those of QR codes have some kilobytes. */
const LARGEST = 10 * 1024 * 1024;
/** Most characters of a file's name: with four bytes each, below the 255 bytes of file systems. */
const LONGEST_NAME = 60;

const NO_PICTURE =
	'Open the address ("link" of the QR code) in a browser. Some services give the address that the code leads to, not its picture.';
const NO_FILE = 'A tool gives no files: the picture is at the address in "link".';
const IN_FRONT = `The usual cause is bot protection. ${inEditor('Ask the owner of the service which header it needs, and enter that header in the Link Management API credential, with Add Custom Header.')}`;
const REFUSED =
	'Open the address ("link" of the QR code) in a browser. If it needs a login, the service has to open it.';

/** MIME type → how its files begin. SVG is text. */
const BEGINNINGS: Array<[type: string, beginning: RegExp]> = [
	['image/png', /^\x89PNG/],
	['image/jpeg', /^\xff\xd8\xff/],
	['image/gif', /^GIF8/],
	['image/webp', /^RIFF.{4}WEBP/s],
];

/** What may come before the root of an SVG, with how it ends. */
const BEFORE_SVG = [
	['<?xml', '?>'],
	['<!--', '-->'],
	['<!doctype svg', '>'],
] as const;

function isSvg(text: string): boolean {
	const start = text.replace(/^\ufeff/, '').toLowerCase();
	for (let at = 0; ;) {
		at += start.slice(at).search(/\S|$/);
		if (/^<svg[\s>]/.test(start.slice(at, at + 5))) return true;
		const part = BEFORE_SVG.find(([begins]) => start.startsWith(begins, at));
		const end = part === undefined ? -1 : start.indexOf(part[1], at + part[0].length);
		if (part === undefined || end === -1) return false;
		at = end + part[1].length;
	}
}

/** How much of a file is looked at (bytes). */
const BEGINNING = 10_000;

/** The MIME type of a picture, by its content: servers give wrong ones, or none. */
function typeOf(bytes: Buffer): string | undefined {
	const start = bytes.subarray(0, BEGINNING);
	const [type] = BEGINNINGS.find(([, beginning]) => beginning.test(start.toString('latin1'))) ?? [];
	return type ?? (isSvg(start.toString()) ? 'image/svg+xml' : undefined);
}

const isSuccess = ({ statusCode }: FileAnswer) => statusCode >= 200 && statusCode < 300;

/** Whether something in front of the server has answered. */
function isBotProtection({ statusCode, headers, bytes }: FileAnswer): boolean {
	const body = bytes?.subarray(0, BEGINNING).toString();
	return readAnswer({ statusCode, headers, body }, { method: 'GET', path: '' }).kind === 'intercepted';
}

/** What an answer is if it is not a picture, and what to do. */
function problemOf(file: FileAnswer): [what: string, advice: string] | undefined {
	const { statusCode, headers, bytes, isOwn } = file;
	if (bytes === undefined) return [`a file of more than ${LARGEST / 1024 / 1024} MB`, NO_PICTURE];
	const body = bytes.subarray(0, BEGINNING).toString();
	const type = String(headers['content-type']);
	const isRefused = !isSuccess(file);
	const isPage = /html/i.test(type) || /^\s*<(?:!doctype html|html|head|body|script)/i.test(body);
	if (isOwn && (isBotProtection(file) || statusCode === 403) && (isRefused || isPage))
		return [`an answer of bot protection (HTTP ${statusCode})`, IN_FRONT];
	if (isRefused) return [`a refusal (HTTP ${statusCode})`, REFUSED];
	if (bytes.length === 0) return ['an empty answer', NO_PICTURE];
	if (typeOf(bytes) !== undefined) return undefined;
	if (isPage) return ['a web page', NO_PICTURE];
	return [/json/i.test(type) || /^\s*[[{]/.test(body) ? 'JSON' : 'another file', NO_PICTURE];
}

/** Whether this run has seen that QR links lead to the content of the codes. Then opening one counts as a scan. */
const seenOfLinks = ({ run, connection }: ConnectedRow) =>
	keptFor(run.tries, `QR links of ${connection.address}`, (): { leadToContent: boolean; first?: Promise<Picture> } => ({
		leadToContent: false,
	}));

function leadsToContent(to?: string): ApiError {
	return new ApiError(
		'unreadable',
		`This service's QR links lead to the content of the code${to === undefined ? '' : ` (${to})`}, not to its picture`,
		'Download the picture at the service. This run opens no further QR link, because each time counts as a scan.',
	);
}

interface Picture {
	bytes: Buffer;
	mimeType: string;
}

async function readPicture(row: ConnectedRow, address: string): Promise<Picture> {
	const { context, connection, request, requestOptions } = row;
	const seen = seenOfLinks(row);
	if (seen.leadToContent) throw leadsToContent();
	let to: string | undefined;
	const contentReached = () => {
		seen.leadToContent = true;
		return leadsToContent(to);
	};
	const check = (next: string) => {
		if (!isSameAddress(next, request.body.data)) return;
		to = next;
		throw contentReached();
	};
	const follow = (next: string) => {
		check(next);
		to = next;
	};
	check(address);
	const reading = readFile(context, connection, address, requestOptions.settings, 'image/*', LARGEST, follow);
	const file = await reading.catch((error: unknown) => {
		const failure = error instanceof ApiError ? undefined : noAnswer(error);
		if (failure === undefined) throw error;
		const where = to === undefined ? '' : `, which is at ${to},`;
		const what = `The QR code's picture${where} can't be reached (${failure.code})`;
		throw new ApiError('unreachable', what, REFUSED);
	});
	const { bytes = Buffer.alloc(0), statusCode } = file;
	const problem = problemOf(file);
	if (problem === undefined) return { bytes, mimeType: typeOf(bytes)! };
	// A successful answer of another host, after a redirect, is the content.
	const isElsewhere = to !== undefined && parseUrl(to)?.host !== parseUrl(address)?.host;
	if (isElsewhere && isSuccess(file) && !isBotProtection(file)) throw contentReached();
	const [what, advice] = problem;
	throw new ApiError('unreadable', `The address of the QR code returned no picture, but ${what}`, advice, statusCode);
}

/** Reads a picture, after the first one of the run: at some services, no further one may be opened. */
async function readInTurn(row: ConnectedRow, address: string): Promise<Picture> {
	let isFirst = false;
	const seen = seenOfLinks(row);
	seen.first ??= (async () => {
		isFirst = true;
		return await readPicture(row, address);
	})();
	if (isFirst) return await seen.first;
	await seen.first.catch(() => undefined);
	return await readPicture(row, address);
}

/** The name of a file: the code's own, without path separators and control characters, and its ID, for names may be equal then. */
function fileNameOf(name: unknown, id: unknown, mimeType: string): string {
	const words = (typeof name === 'string' ? name : '').replace(/[\p{Cc}\p{Cs}\\/]+/gu, ' ').replace(/\s+/g, ' ');
	const short = Array.from(words.trim()).slice(0, LONGEST_NAME).join('').trim();
	const [, extension] = /^image\/([a-z0-9]+)/i.exec(mimeType) ?? [];
	const ending = extension === undefined ? '' : `.${extension.toLowerCase()}`;
	return `${short === '' ? 'qr-code' : short}-${String(id)}${ending}`;
}

/**
 * Adds the picture of a QR code to its item.
 *
 * @param code record of the code; `link` is where its picture is
 * @throws ApiError if there is no picture
 */
async function withPicture(row: ConnectedRow, code: IDataObject): Promise<INodeExecutionData> {
	const { context, connection, request } = row;
	const address = typeof code.link === 'string' ? code.link : '';
	if (!/^https?:/i.test(address) || parseUrl(address) === undefined) {
		throw new ApiError(
			'unreadable',
			'The service gave no address for the picture of the QR code',
			'Look at the QR code at the service.',
		);
	}
	const { bytes, mimeType } = await readInTurn(row, address);
	const fileName = fileNameOf(connection.redact.data(request.body.name ?? code.name), code.id, mimeType);
	const binary = await context.helpers.prepareBinaryData(bytes, fileName, mimeType);
	return { json: code, binary: { [String(request.options.binaryPropertyName ?? '').trim() || 'data']: binary } };
}

/** The same for a code that was just created: an error goes into `pictureError`. */
export async function withPictureOrError(row: ConnectedRow, code: IDataObject): Promise<INodeExecutionData> {
	return await withPicture(row, code).catch((error: unknown) => {
		if (error instanceof StoppedError) throw error;
		const { message } = error as Error;
		const advice = adviceOf(error, row.redact, row.isTool ? 'model' : 'editor');
		return {
			json: { ...code, pictureError: row.redact.text(advice === undefined ? message : `${message}. ${advice}`) },
		};
	});
}

/** The QR code that a row chooses, as sent (spec, GET /api/qr/:id). @throws ApiError if there is none */
export async function readCode(row: ConnectedRow): Promise<IDataObject> {
	const { qrCodeId: id } = row.state.resolved(row.request.pathValues);
	return await row.send({ method: 'GET', path: `/api/qr/${asText(id)}` }).catch((error: unknown) => {
		throw noSuchRecord(error, 'QR code', id);
	});
}

export const download: OperationDefinition = {
	value: 'download',
	name: 'Download',
	action: 'Download the picture of a QR code',
	description: 'Download the picture of a QR code as a file',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	fields: [qrCodeId, setting(binaryPropertyName)],
	...existingNames,
	async perform(row) {
		const answer = await readCode(row);
		// Without statistics (spec, GET /api/qr/:id: `details`).
		const code = dateInItsPlace(withNumbers(isRecord(answer.details) ? answer.details : answer));
		if (row.isTool) return [{ json: { ...code, note: NO_FILE } }];
		return [await withPicture(row, code)];
	},
};
