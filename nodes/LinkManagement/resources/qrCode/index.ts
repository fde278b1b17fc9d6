import { change, creation, deletion, getMany } from '../../fields/standardOperations';
import { additionalFields, updateFields } from '../../fields/collections';
import { isBlankRowOf } from '../../fields/blankRows';
import { colorField, textField } from '../../fields/inputs';
import { qrCodeId } from '../../fields/locators';
import { rgbColor } from '../../fields/parsers';
import { required, type Field } from '../../run/request';
import { ifNameExists, planCodes } from './byName';
import type { OperationDefinition, ResourceDefinition } from '../../fields/operation';
import { simplified, simplify } from '../../fields/results';
import { dateInItsPlace, flatRecord } from '../../service/records';
import { contentOfAnyType, contentOfType, dataFormat, putContent, putNewContent, type } from './content';
import { download, pictureOptions, readCode } from './picture';
import { LISTS } from '../../service/endpoints';

/** How a code looks. */
const appearance: Field[] = [
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
const newFields = [newType, ...contentOfType, additionalFields('qrCode', [...appearance, name])];

const create = creation('a QR code', '/api/qr/add', newFields, {
	isBlank: isBlankRowOf(contentOfType.map(({ name: content }) => content)),
	complete: putContent,
	plan: planCodes,
	extraOptions: [ifNameExists, ...pictureOptions],
});

const get: OperationDefinition = {
	value: 'get',
	name: 'Get',
	action: 'Get a QR code',
	description: 'Get a QR code with its statistics',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	fields: [qrCodeId, simplify],
	async perform(row) {
		const sent = await readCode(row);
		return [{ json: simplified(row, sent, (code) => dateInItsPlace(flatRecord(code))) }];
	},
};
const getAll = getMany('QR codes', LISTS.qrCodes);
const remove = deletion('a QR code', '/api/qr/:qrCodeId/delete', qrCodeId);
const changed = [qrCodeId, dataFormat, ...contentOfAnyType, updateFields('qrCode', [...appearance, type])];
const update = change('a QR code', '/api/qr/:qrCodeId/update', changed, {
	description: 'Change the content, type or look of a QR code. The content is always required.',
	complete: putNewContent,
});

export const qrCode: ResourceDefinition = {
	value: 'qrCode',
	name: 'QR Code',
	description: 'QR codes',
	operations: [create, remove, download, get, getAll, update],
};
