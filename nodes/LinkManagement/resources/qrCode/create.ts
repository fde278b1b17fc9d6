import { isBlankRowOf } from '../../fields/blankRows';
import { creation } from '../../fields/standardOperations';
import { additionalFields } from '../../fields/collections';
import { colorField, textField } from '../../fields/inputs';
import { rgbColor } from '../../fields/parsers';
import { required, type Field } from '../../run/request';
import { codeOf, findCodes, ifNameExists } from './byName';
import { contentOfType, putContent, type } from './content';
import { pictureOptions, withPictureOrError } from './picture';

export const appearance: Field[] = [
	colorField('Background', 'background', {
		default: '#FFFFFF',
		description: 'Color behind the code, as #RRGGBB',
		parser: rgbColor,
	}),
	colorField('Foreground', 'foreground', { description: 'Color of the code itself, as #RRGGBB', parser: rgbColor }),
	textField('Logo', 'logo', {
		placeholder: 'e.g. https://example.com/logo.png',
		description: 'PNG or JPG logo for the middle: path or address',
	}),
];

const name = textField('Name', 'name', { placeholder: 'e.g. Flyer' });
const newType = { ...type, parser: required(type.parser) };
const fields = [newType, ...contentOfType, additionalFields('qrCode', [...appearance, name])];

export const create = creation('a QR code', '/api/qr/add', fields, {
	isBlank: isBlankRowOf(contentOfType.map(({ name: content }) => content)),
	complete: putContent,
	prepare: [findCodes],
	extraOptions: [ifNameExists, ...pictureOptions],
	async perform(row) {
		const code = await codeOf(row);
		return [row.request.options.downloadPicture === true ? await withPictureOrError(row, code) : { json: code }];
	},
});
