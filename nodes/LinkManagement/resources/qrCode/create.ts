import type { IDataObject } from 'n8n-workflow';

import { skipEmptyItem } from '../../fields/columns';
import { creation } from '../../fields/alike';
import { additionalFields } from '../../fields/collections';
import { rgbColor } from '../../fields/colors';
import { colorField, needed, textField } from '../../fields/inputs';
import type { Field } from '../../run/request';
import { withNumbers } from '../../service/records';
import { sendChange } from '../../service/sendRequest';
import { codeOfName, findCodes, ifNameExists, keepCode, newCodeOfName } from './byName';
import { contentOfType, putContent, type } from './content';
import { pictureOptions, withPictureOrError } from './picture';

/** How a QR code looks. */
export const appearance: Field[] = [
	colorField('Background', 'background', '#FFFFFF', {
		description: 'Color behind the code, as #RRGGBB',
		rule: rgbColor,
	}),
	colorField('Foreground', 'foreground', '#000000', {
		description: 'Color of the code itself, as #RRGGBB',
		rule: rgbColor,
	}),
	textField('Logo', 'logo', {
		placeholder: 'e.g. https://example.com/logo.png',
		description: 'PNG or JPG logo for the middle: path or address',
	}),
];

const name = textField('Name', 'name', { placeholder: 'e.g. Flyer', description: 'Name of the QR code' });
const fields = [needed(type), ...contentOfType, additionalFields('qrCode', [...appearance, name])];

export const create = creation('a QR code', '/api/qr/add', fields, {
	begin: skipEmptyItem,
	complete: putContent,
	prepare: [findCodes],
	extraOptions: [ifNameExists, ...pictureOptions],
	async perform(row) {
		const { body, options } = row.request;
		const there = codeOfName(row);
		const made = async () =>
			keepCode(row, withNumbers(await sendChange(row, row.request, async () => await newCodeOfName(row))));
		const code: IDataObject = there === undefined ? await made() : { ...there, existing: true };
		if (options.downloadPicture !== true) return [{ json: code }];
		return [await withPictureOrError(row, code, options.binaryPropertyName, body.name)];
	},
});
