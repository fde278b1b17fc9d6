import { dateInItsPlace, flatRecord } from '../../api/flatRecord';
import { qrCodeId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { id } from '../../fields/rules';
import { simplified, simplify } from '../../fields/simplify';
import { required } from '../../run/request';

export const get: OperationDefinition = {
	value: 'get',
	name: 'Get',
	action: 'Get a QR code',
	description: 'Get a QR code with its statistics',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	fields: [qrCodeId, simplify],
	sends: { path: { qrCodeId: required(id) } },
	output: [(records, row) => records.map((sent) => simplified(row, sent, (code) => dateInItsPlace(flatRecord(code))))],
};
