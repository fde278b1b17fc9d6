import { dateInItsPlace, flatRecord } from '../../api/flatRecord';
import { qrCodeId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { simplified, simplify } from '../../fields/simplify';

export const get: OperationDefinition = {
	value: 'get',
	name: 'Get',
	action: 'Get a QR code',
	description: 'Get a QR code with its statistics',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	fields: [qrCodeId, simplify],
	output: [(records, row) => records.map((sent) => simplified(row, sent, (code) => dateInItsPlace(flatRecord(code))))],
};
