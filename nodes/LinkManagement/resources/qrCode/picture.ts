import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { asOption, textField } from '../../fields/inputs';
import { qrCodeId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { byNames } from '../../fields/standardOperations';
import type { Row } from '../../run/row';
import { inEditor, together } from '../../service/answer/advice';
import { parseUrl } from '../../service/baseUrl';
import { pathOf, QR_CODE } from '../../service/endpoints';
import { ApiError, noSuchRecord } from '../../service/answer/errors';
import { inQuotes } from '../../service/answer/failures';
import { readFile } from '../../service/send/exchange';
import { asText, dateInItsPlace, isRecord, trimmed, withNumbers } from '../../service/records';

const binaryPropertyName = textField('Put Output File in Field', 'binaryPropertyName', {
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
});

/** Largest picture (bytes): those of QR codes have some kilobytes. */
const LARGEST = 10 * 1024 * 1024;

const NO_FILE = 'A tool gives no files: the picture is at the address in "link".';
const NO_PICTURE = together(
	'Open the address ("link" of the QR code) in a browser.',
	inEditor(
		'If it shows the picture there, bot protection may keep programs out: ask the owner of the service which header it needs, and enter that header in the Link Management API credential, with Add Custom Header.',
	),
);

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

/**
 * Adds the picture of a QR code to its item.
 *
 * @param code record of the code; `link` is where its picture is
 * @throws ApiError if there is no picture
 */
async function withPicture(row: Row, code: IDataObject): Promise<INodeExecutionData> {
	const { context, account, request, run } = row;
	const address = typeof code.link === 'string' ? code.link : '';
	if (!/^https?:/i.test(address) || parseUrl(address) === undefined)
		throw new ApiError(
			'unreadable',
			'The service gave no address for the picture of the QR code',
			'Look at the QR code at the service.',
		);
	const file = await readFile(context, account.client.connection, address, run.settings, LARGEST);
	const { bytes = Buffer.alloc(0), url, statusCode, code: failure = `HTTP ${statusCode}` } = file;
	if (file.isRefused) throw notAsked(url);
	const mimeType = statusCode !== undefined && statusCode < 300 ? typeOf(bytes) : undefined;
	if (mimeType === undefined)
		throw new ApiError('unreadable', `The address of the QR code gave no picture (${failure})`, NO_PICTURE, statusCode);
	const [, extension] = /^image\/([a-z0-9]+)/.exec(mimeType)!;
	const binary = await context.helpers.prepareBinaryData(
		bytes,
		`qr-code-${asText(request.pathValues.qrCodeId)}.${extension}`,
		mimeType,
	);
	return { json: code, binary: { [String(request.options.binaryPropertyName ?? '').trim() || 'data']: binary } };
}

/** The QR code that a row chooses, as sent (spec, GET /api/qr/:id). @throws ApiError if there is none */
export async function readCode(row: Row): Promise<IDataObject> {
	const { qrCodeId: id } = row.request.pathValues;
	return await row.account.client.send({ method: 'GET', path: pathOf(QR_CODE, { id }) }).catch((error: unknown) => {
		throw noSuchRecord(error, 'QR code', id);
	});
}

/** The QR code without its statistics (spec, GET /api/qr/:id: `details`). */
async function readDetails(row: Row): Promise<IDataObject> {
	const answer = await readCode(row);
	return dateInItsPlace(withNumbers(isRecord(answer.details) ? answer.details : answer));
}

export const download: OperationDefinition = {
	value: 'download',
	name: 'Download',
	action: 'Download the picture of a QR code',
	description: 'Download the picture of a QR code as a file',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	fields: [qrCodeId, asOption(binaryPropertyName)],
	...byNames,
	performRow: async (row) => [await withPicture(row, await readDetails(row))],
	asTool: { performRow: async (row) => [{ json: { ...(await readDetails(row)), note: NO_FILE } }] },
};
