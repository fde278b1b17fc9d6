import { additionalFields, updateFields } from '../../fields/collections';
import { rgbColor } from '../../fields/colors';
import { colorField, textField } from '../../fields/inputs';
import { qrCodeId } from '../../fields/locators';
import type { OperationDefinition, ResourceDefinition } from '../../fields/operation';
import { simplified, simplify } from '../../fields/results';
import { change, creation, deletion, byNames, getMany } from '../../fields/standardOperations';
import type { Field } from '../../run/request';
import { sendRequest } from '../../run/sendRequest';
import { LISTS } from '../../service/endpoints';
import { dateInItsPlace, flatRecord } from '../../service/records';
import { ifNameExists, planCodes } from './byName';
import { content, putContent } from './content';
import { download, readCode } from './picture';

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
const newFields = [...content, additionalFields('qrCode', [...appearance, name])];

const create = creation('a QR code', '/api/qr/add', newFields, {
	complete: putContent,
	plan: planCodes,
	extraOptions: [ifNameExists],
});

const get: OperationDefinition = {
	value: 'get',
	name: 'Get',
	action: 'Get a QR code',
	description: 'Get a QR code with its statistics',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	fields: [qrCodeId, simplify],
	...byNames,
	async performRow(row) {
		const sent = await readCode(row);
		return [{ json: simplified(row, sent, (code) => dateInItsPlace(flatRecord(code))) }];
	},
};
const getAll = getMany('QR codes', LISTS.qrCodes);
const remove = deletion('a QR code', '/api/qr/:qrCodeId/delete', qrCodeId, {
	asTool: {
		async performRow(row) {
			// A model has seen nothing of the code but its ID.
			const { name: shown } = flatRecord(await readCode(row));
			const items = await sendRequest(row);
			return items.map(({ json }) => ({ json: shown === undefined ? json : { ...json, name: shown } }));
		},
	},
});
const changed = [qrCodeId, ...content, updateFields('qrCode', appearance)];
const update = change('a QR code', '/api/qr/:qrCodeId/update', changed, {
	description: 'Change the content or look of a QR code. The content is always required.',
	complete: putContent,
});

export const qrCode: ResourceDefinition = {
	value: 'qrCode',
	name: 'QR Code',
	description: 'QR codes',
	operations: [create, remove, download, get, getAll, update],
};
