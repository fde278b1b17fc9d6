import { qrCodeId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { id } from '../../fields/rules';
import { dateInItsPlace } from '../../api/flatRecord';
import { readParameter } from '../../engine/parameter';
import { required } from '../../run/request';
import { binaryPropertyName, fieldName, readCode, withPicture } from './picture';

export const download: OperationDefinition = {
	value: 'download',
	name: 'Download',
	action: 'Download the picture of a QR code',
	description: 'Put the picture of a QR code into a binary field',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	fields: [qrCodeId, binaryPropertyName],
	sends: { path: { qrCodeId: required(id) } },
	async perform(item) {
		const code = dateInItsPlace(await readCode(item, item.request.path));
		return [await withPicture(item, code, fieldName(readParameter(item.context, binaryPropertyName.name)))];
	},
};
