import { deleting, done, found, optionalText, ServiceError, text, type Operating, type Operations } from '../operation';
import type { StoredQr } from '../records';
import { statistics } from '../statistics';

/** Types whose content is one text. */
const OF_TEXT = ['text', 'link', 'phone'];

/** Types that the document names. */
const OF_DOCUMENT = [...OF_TEXT, 'vcard', 'email', 'sms', 'wifi'];

export function qrCodeOperations({ store, base, behavior, pages }: Operating): Operations {
	const recordOf = ({ id, code, scans, name, date }: StoredQr): Record<string, unknown> => ({
		id,
		link: `${base}/qr/${code}`,
		scans,
		name,
		date,
	});

	const refuseWrongContent = (type: string, data: unknown): void => {
		if (behavior.qrTypes === 'document' && !OF_DOCUMENT.includes(type)) {
			throw new ServiceError('Invalid QR code type.', 'value');
		}
		if (OF_TEXT.includes(type) && typeof data !== 'string') {
			throw new ServiceError('The content of this QR code must be text.', 'qrData');
		}
		// Which content the other types take is not shown: anything will do.
		if (data === '') throw new ServiceError('Please enter the content of the QR code.', 'qrData');
	};

	return {
		qrCodeGetAll: (call) => pages.list('qrs', store.qrs, 'date', call, recordOf),
		qrCodeGet: ({ params }) => {
			const qr = found(store, 'qrs', params.id);
			const { date, ...record } = recordOf(qr);
			const details = { ...record, [behavior.qrDateInData ? 'data' : 'date']: date };
			if (behavior.qrStatistics === 'links' && qr.type !== 'link') return { error: 0, details };
			const data = { clicks: qr.scans, uniqueClicks: qr.uniqueScans, ...statistics(qr.scans, {}) };
			return { error: 0, details, data };
		},
		qrCodeCreate: ({ body }) => {
			const type = text(body.type);
			refuseWrongContent(type, body.data);
			const qr = store.create('qrs', { type, data: body.data, name: optionalText(body.name) ?? '' }, 'api');
			return { error: 0, id: qr.id, link: recordOf(qr).link };
		},
		qrCodeUpdate: ({ params, body }) => {
			const qr = found(store, 'qrs', params.id);
			const type = optionalText(body.type) ?? qr.type;
			refuseWrongContent(type, body.data);
			if (behavior.qrUpdateType === 'taken') qr.type = type;
			qr.data = body.data;
			return done('QR has been updated successfully.');
		},
		qrCodeDelete: deleting(store, 'qrs'),
	};
}
