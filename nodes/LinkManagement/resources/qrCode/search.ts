import { asText, idOf } from '../../api/records';
import { listSearch } from '../../execution/listSearch';

/** QR codes for a dropdown. */
export const searchQrCodes = listSearch({
	path: '/api/qr',
	collection: 'qrs',
	entry(qrCode) {
		const value = idOf(qrCode);
		return value === undefined
			? undefined
			: { name: asText(qrCode.name || qrCode.link || value), value, url: qrCode.link };
	},
});
