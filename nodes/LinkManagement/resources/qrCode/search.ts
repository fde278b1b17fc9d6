import { asText, idOf } from '../../api/records';
import { listSearch, type Choices } from '../../account/dropdown';

/** QR codes for a dropdown. */
export const qrCodes: Choices = {
	path: '/api/qr',
	collection: 'qrs',
	entry(qrCode) {
		const value = idOf(qrCode);
		return value === undefined
			? undefined
			: { name: asText(qrCode.name || qrCode.link || value), value, url: qrCode.link };
	},
};

export const searchQrCodes = listSearch(qrCodes);
