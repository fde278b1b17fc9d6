import { listSearch } from '../../service/listSearch';

/** QR codes for a dropdown. */
export const searchQrCodes = listSearch({
	path: '/api/qr',
	collection: 'qrs',
	entry: ({ id, name, link }) => ({ name: String(name || link || id), value: Number(id), url: link }),
});
