import { withNumbers } from '../../api/records';
import { creation } from '../../fields/alike';
import { additionalFields } from '../../fields/collections';
import { needed, textField } from '../../fields/inputs';
import { sendChange } from '../../run/change';
import { appearance } from './appearance';
import { contentOfType, putContentOfType, type } from './content';
import { fieldName, pictureOptions, withNewPicture } from './picture';

const name = textField('Name', 'name', { placeholder: 'e.g. Flyer', description: 'Name of the QR code' });
const fields = [needed(type), ...contentOfType, additionalFields('qrCode', [...appearance, name])];

export const create = creation('a QR code', '/api/qr/add', fields, {
	complete: putContentOfType,
	extraOptions: pictureOptions,
	async perform(item) {
		const { body, options } = item.request;
		const code = withNumbers(await sendChange(item));
		if (options.downloadPicture !== true) return [{ json: code }];
		return [await withNewPicture(item, code, body.name, fieldName(options.binaryPropertyName))];
	},
});
