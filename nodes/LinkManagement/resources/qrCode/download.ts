import { qrCodeId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { dateInItsPlace } from '../../api/flatRecord';
import { isRecord, withNumbers } from '../../api/records';
import { readParameter } from '../../engine/parameter';
import { binaryPropertyName, fieldName, withPicture } from './picture';

export const download: OperationDefinition = {
	value: 'download',
	name: 'Download',
	action: 'Download the picture of a QR code',
	description: 'Put the picture of a QR code into a binary field',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	fields: [qrCodeId, binaryPropertyName],
	async perform(item) {
		const answer = await item.send({ method: 'GET', path: item.request.path });
		// Without statistics (spec, GET /api/qr/:id: `details`).
		const code = dateInItsPlace(withNumbers(isRecord(answer.details) ? answer.details : answer));
		return [await withPicture(item, code, fieldName(readParameter(item.context, binaryPropertyName.name)))];
	},
};
