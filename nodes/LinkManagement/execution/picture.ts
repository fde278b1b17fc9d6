import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { ApiError } from '../api/apiError';
import { isRecord, withoutError } from '../api/envelope';
import { asText, withNumbers } from '../api/records';
import { readPicture } from '../api/picture';
import { parseUrl } from '../api/baseUrl';
import type { Item } from './item';

/** A name that every file system takes. */
function fileNameOf(name: unknown, id: unknown, extension: string): string {
	const words = (typeof name === 'string' ? name : '')
		.replace(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
		.replace(/\s+/g, ' ')
		.replace(/^[\s.]+/, '')
		.slice(0, 100);
	return `${words === '' ? `qr-code-${String(id)}` : words}.${extension}`;
}

/**
 * Adds the picture of a QR code to its item, without the API key in the request.
 *
 * @param code record of the code; `link` is where its picture is, `name` gives the file its name
 * @param field name of the binary field
 * @throws ApiError for what is no picture
 */
export async function withPicture(item: Item, code: IDataObject, field: string): Promise<INodeExecutionData> {
	const address = typeof code.link === 'string' ? code.link : '';
	if (!/^https?:/i.test(address) || parseUrl(address) === undefined) {
		throw new ApiError(
			'unreadable',
			'The service gave no address for the picture of the QR code',
			'Look at the QR code at the service.',
		);
	}
	const { bytes, mimeType, extension } = await readPicture(item.context, address, item.settings);
	const { helpers } = item.context;
	const binary = await helpers.prepareBinaryData(bytes, fileNameOf(code.name, code.id, extension), mimeType);
	return { json: code, binary: { [field]: binary } };
}

/**
 * The record of a QR code, without statistics (spec, GET /api/qr/:id: `details`).
 *
 * @param path of the request, with the ID in it
 */
export async function readCode(item: Item, path: string): Promise<IDataObject> {
	const answer = withoutError((await item.send({ method: 'GET', path })).body as IDataObject);
	return withNumbers(isRecord(answer.details) ? answer.details : answer);
}

/**
 * Adds the picture to a QR code that was just made.
 *
 * @param code the answer to the creation
 * @param name the name that the code was given, if any
 * @throws ApiError that says that the code is there: it must not be made again for the sake of its picture
 */
export async function withNewPicture(
	item: Item,
	code: IDataObject,
	name: unknown,
	field: string,
): Promise<INodeExecutionData> {
	const named = { ...code, ...(typeof name === 'string' ? { name } : {}) };
	const { binary } = await withPicture(item, named, field).catch((error: unknown) => {
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
