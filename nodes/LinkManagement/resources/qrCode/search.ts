import { asText } from '../../api/records';
import { byId, listSearch, type Choices } from '../../account/dropdown';

/** QR codes for a dropdown. */
export const qrCodes: Choices = {
	path: '/api/qr',
	collection: 'qrs',
	entry: byId(({ name, link }, id) => ({ name: asText(name || link || id), url: link })),
};

export const searchQrCodes = listSearch(qrCodes);
