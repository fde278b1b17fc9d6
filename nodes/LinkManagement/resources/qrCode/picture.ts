import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { asOption, switchField, textField } from '../../fields/inputs';
import { qrCodeId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { byNames } from '../../fields/standardOperations';
import { hostOf, isSameAddress } from '../../links/url';
import { keptFor } from '../../n8n/lifetimes';
import { StoppedError } from '../../n8n/stop';
import type { Field } from '../../run/request';
import type { Row } from '../../run/row';
import { inEditor, together } from '../../service/answer/advice';
import { parseUrl } from '../../service/baseUrl';
import { pathOf, QR_CODE } from '../../service/endpoints';
import { adviceOf, ApiError, noSuchRecord } from '../../service/answer/errors';
import { inQuotes } from '../../service/answer/failures';
import { readFile } from '../../service/send/exchange';
import { dateInItsPlace, idOf, isRecord, trimmed, withNumbers } from '../../service/records';

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

const NO_FILE = 'A tool gives no files: the picture is at the address in "link".';
const NO_PICTURE = together(
	'Open the address ("link" of the QR code) in a browser.',
	inEditor(
		'If it shows the picture there, bot protection may keep programs out: ask the owner of the service which header it needs, and enter that header in the Link Management API credential, with Add Custom Header.',
	),
);
const OPENED_ONCE = together(NO_PICTURE, 'This run opens no further QR link, because each time may count as a scan.');

/** MIME type → how its files begin. SVG is text. */
const BEGINNINGS: Array<[type: string, beginning: RegExp]> = [
	['image/png', /^\x89PNG/],
	['image/jpeg', /^\xff\xd8\xff/],
	['image/gif', /^GIF8/],
	['image/webp', /^RIFF.{4}WEBP/s],
];
/** How much of a file is looked at (bytes). */
const BEGINNING = 10_000;

/** The MIME type of a picture, by its content: servers give wrong ones, or none. */
function typeOf(bytes: Buffer): string | undefined {
	const start = bytes.subarray(0, BEGINNING);
	const [type] = BEGINNINGS.find(([, beginning]) => beginning.test(start.toString('latin1'))) ?? [];
	const text = trimmed(start.toString());
	const isSvg = /^<(?:svg|\?xml|!--|!doctype svg)/i.test(text) && /<svg[\s>]/i.test(text) && !/<html/i.test(text);
	return type ?? (isSvg ? 'image/svg+xml' : undefined);
}

const notAsked = (address: string) =>
	new ApiError(
		'refused',
		`The address of the QR code leads into a private network: ${inQuotes(address)}`,
		'It was not opened. Ask the owner of the service for an address that others can open.',
	);

interface Picture {
	bytes: Buffer;
	mimeType: string;
}

/** What a run has seen of the QR links of a service. */
interface Seen {
	/** The one that is being opened. It never rejects. */
	open?: Promise<void>;
	arePictures?: boolean;
	/** Nobody answers at them. */
	isSilent?: boolean;
	/** They lead somewhere else. */
	elsewhere?: ApiError;
}

async function readPicture(row: Row, address: string, seen: Seen): Promise<Picture> {
	if (seen.elsewhere !== undefined) throw seen.elsewhere;
	const { context, account, run } = row;
	const file = await readFile(context, account.client.connection, address, run.settings, LARGEST);
	const { bytes = Buffer.alloc(0), url, statusCode, code = `HTTP ${statusCode}` } = file;
	if (file.isRefused) throw notAsked(url);
	const isAnswered = statusCode !== undefined && statusCode < 300;
	const mimeType = isAnswered ? typeOf(bytes) : undefined;
	// The content may be a picture, too.
	const isContent = isSameAddress(url, row.request.body.data);
	if (mimeType !== undefined && !isContent) {
		seen.arePictures = true;
		return { bytes, mimeType };
	}
	const isOwn = hostOf(url) === hostOf(address);
	// A link that nobody answers at counts no scan.
	seen.isSilent ||= isOwn && statusCode === undefined;
	// Where pictures are stored, one may be missing.
	const isOfRow = !isContent && !isAnswered && (isOwn || statusCode !== undefined);
	if (isOfRow || seen.arePictures)
		throw new ApiError('unreadable', `The address of the QR code gave no picture (${code})`, NO_PICTURE, statusCode);
	const what = "This service's QR links lead to the content of the codes, not to their pictures";
	seen.elsewhere = new ApiError('unreadable', what, OPENED_ONCE);
	throw seen.elsewhere.with({ message: `${what}: ${url} (${code})` });
}

/** Reads a picture: one after the other until the first one has come, for where links lead to the content, no further one may be opened. */
async function readInTurn(row: Row, address: string): Promise<Picture> {
	const seen = keptFor(row.run, 'QR links', (): Seen => ({}));
	while (seen.open !== undefined && !(seen.arePictures || seen.isSilent)) await seen.open;
	const reading = readPicture(row, address, seen);
	const end = () => void (seen.open = undefined);
	seen.open = reading.then(end, end);
	return await reading;
}

/** The name of a file: the code's own, without path separators and control characters, and its ID, for names may be equal then. */
function fileNameOf(name: unknown, id: number | undefined, mimeType: string): string {
	const words = (typeof name === 'string' ? name : '').replace(/[\p{Cc}\p{Cs}\\/]+/gu, ' ').replace(/\s+/g, ' ');
	const short = Array.from(words.trim()).slice(0, LONGEST_NAME).join('').trim();
	const [, extension] = /^image\/([a-z0-9]+)/i.exec(mimeType) ?? [];
	const ending = extension === undefined ? '' : `.${extension.toLowerCase()}`;
	return `${[short === '' ? 'qr-code' : short, id ?? []].flat().join('-')}${ending}`;
}

/**
 * Adds the picture of a QR code to its item.
 *
 * @param code record of the code; `link` is where its picture is
 * @throws ApiError if there is no picture
 */
async function withPicture(row: Row, code: IDataObject): Promise<INodeExecutionData> {
	const { context, account, request } = row;
	const address = typeof code.link === 'string' ? code.link : '';
	if (!/^https?:/i.test(address) || parseUrl(address) === undefined) {
		throw new ApiError(
			'unreadable',
			'The service gave no address for the picture of the QR code',
			'Look at the QR code at the service.',
		);
	}
	const { bytes, mimeType } = await readInTurn(row, address);
	const fileName = fileNameOf(
		account.client.connection.redact.data(request.body.name ?? code.name),
		idOf(code),
		mimeType,
	);
	const binary = await context.helpers.prepareBinaryData(bytes, fileName, mimeType);
	return { json: code, binary: { [String(request.options.binaryPropertyName ?? '').trim() || 'data']: binary } };
}

/** The same for a code that was just created: an error goes into `pictureError`. */
export async function withPictureOrError(row: Row, code: IDataObject): Promise<INodeExecutionData> {
	return await withPicture(row, code).catch((error: unknown) => {
		if (error instanceof StoppedError) throw error;
		const { message } = error as Error;
		const { redact } = row.account.client.connection;
		const advice = adviceOf(error, redact, row.isTool ? 'model' : 'editor');
		return {
			json: { ...code, pictureError: redact.text(advice === undefined ? message : `${message}. ${advice}`) },
		};
	});
}

/** The QR code that a row chooses, as sent (spec, GET /api/qr/:id). @throws ApiError if there is none */
export async function readCode(row: Row): Promise<IDataObject> {
	const { qrCodeId: id } = row.request.pathValues;
	return await row.account.client.send({ method: 'GET', path: pathOf(QR_CODE, { id }) }).catch((error: unknown) => {
		throw noSuchRecord(error, 'QR code', id);
	});
}

export const download: OperationDefinition = {
	value: 'download',
	name: 'Download',
	action: 'Download the picture of a QR code',
	description: 'Download the picture of a QR code as a file',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	fields: [qrCodeId, asOption(binaryPropertyName)],
	...byNames,
	async perform(row) {
		const answer = await readCode(row);
		// Without statistics (spec, GET /api/qr/:id: `details`).
		const code = dateInItsPlace(withNumbers(isRecord(answer.details) ? answer.details : answer));
		if (row.isTool) return [{ json: { ...code, note: NO_FILE } }];
		return [await withPicture(row, code)];
	},
};
