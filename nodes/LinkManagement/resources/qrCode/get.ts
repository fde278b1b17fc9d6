import { qrCodeId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { id } from '../../fields/rules';
import { simplified, simplify } from '../../fields/simplify';
import { readParameter } from '../../engine/parameter';
import { required } from '../../run/request';
import { dateInItsPlace } from './record';

export const get: OperationDefinition = {
	value: 'get',
	name: 'Get',
	action: 'Get a QR code',
	description: 'Get a QR code with its statistics',
	request: { method: 'GET', url: '/api/qr/:qrCodeId' },
	fields: [qrCodeId, simplify],
	sends: { path: { qrCodeId: required(id) } },
	output: [
		simplified,
		(records, { context }) => (readParameter(context, 'simplify') === false ? records : records.map(dateInItsPlace)),
	],
};
