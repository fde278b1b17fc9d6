/** Pictures of QR codes, as binary data: where they come from, and what is no picture. */
import type { RequestListener } from 'http';

import type { IDataObject } from 'n8n-workflow';

import { by } from './host';
import { serve } from './serve';
import { credential, openService, run, sandbox } from './service';

openService({ records: { qrs: 0 }, deviations: { qrLink: 'picture' } });

/** Makes a QR code of this name. */
const make = async (id: number, name: string, data = 'https://example.com/spring') =>
	await sandbox.createRecords({ qrs: [{ id, code: `code-${id}`, name, type: 'link', data }] });

beforeEach(async () => await make(21, 'Poster: hall / 2'));

const byId = (id: number | string) => ({ resource: 'qrCode', operation: 'download', qrCodeId: by('id', id) });
const download = async (id: number, more: IDataObject = {}) => await run({ ...byId(id), ...more });

test('the picture comes as binary data, with its type and the ID of the code', async () => {
	const { items, error } = await download(21);
	expect(error).toBeUndefined();
	const [{ json, binary, pairedItem }] = items;
	expect(json).toMatchObject({ id: 21, name: 'Poster: hall / 2' });
	const svg = { mimeType: 'image/svg+xml', fileName: 'qr-code-21.svg', fileExtension: 'svg' };
	expect(binary?.data).toMatchObject(svg);
	expect(Buffer.from(binary!.data.data, 'base64').toString()).toMatch(/^<svg .*<\/svg>$/);
	expect(pairedItem).toEqual({ item: 0 });
});

test('a redirect to where pictures are stored is followed, and the key goes to none of them', async () => {
	await sandbox.configure({ deviations: { qrLink: 'storedPicture' } });
	await download(21);
	const { items } = await download(21, { binaryPropertyName: 'code' });
	expect(items[0].binary?.code).toMatchObject({ mimeType: 'image/png', fileName: 'qr-code-21.png' });
	const requests = await sandbox.pictureRequests();
	expect(requests.map(({ host }) => host)).toEqual(['service', 'service', 'store']);
	expect(requests.some(({ authorized }) => authorized)).toBe(false);
});

test('each row gets its own', async () => {
	await make(22, '');
	const { items } = await run(byId('={{ $json.id }}'), { rows: [{ id: 22 }, { id: 21 }] });
	expect(items.map(({ binary }) => binary?.data.fileName)).toEqual(['qr-code-22.svg', 'qr-code-21.svg']);
});

describe('bot protection in front of the service', () => {
	const withHeader = { header: true, headerName: 'Cookie', headerValue: 'passage=granted' };

	test('lets the picture pass with the custom header, which goes to no other host', async () => {
		await sandbox.configure({ deviations: { front: 'page403', qrLink: 'storedPicture' } });
		const setting = { credential: credential(withHeader) };
		for (const type of ['image/svg+xml', 'image/png']) {
			const { items, error } = await run(byId(21), setting);
			expect(error).toBeUndefined();
			expect(items[0].binary?.data.mimeType).toBe(type);
		}
		const requests = await sandbox.pictureRequests();
		expect(requests.map(({ host, cookie, authorized }) => [host, cookie, authorized])).toEqual([
			['service', 'passage=granted', false],
			['service', 'passage=granted', false],
			['store', undefined, false],
		]);
	});
});

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** A service whose QR code has its picture at an address of another host, where this is answered. */
async function serviceWith(answer: RequestListener): Promise<string> {
	const link = `${await serve(answer)}/picture`;
	const details = { id: 23, name: 'X', scans: 0, link };
	return await serve((_request, response) => void response.end(JSON.stringify({ error: 0, details })));
}

describe('what is no picture', () => {
	const ended =
		(type: string, body: string | Buffer, status = 200): RequestListener =>
		(_request, response) =>
			void response.writeHead(status, { 'content-type': type }).end(body);

	test.each([
		['a web page', ended('image/png', '<!DOCTYPE html><title>Spring</title>')],
		['a page that begins with a comment, and shows an SVG', ended('text/html', '<!-- a --><html><svg></svg>')],
		['JSON', ended('application/json', '{"error":1}')],
		['a text', ended('image/png', 'secret of an internal host')],
		['an SVG of another root', ended('image/svg+xml', '<?xml version="1.0"?><svgs/>')],
		['nothing', ended('image/png', '')],
		['more than 10 MB', ended('image/png', Buffer.alloc(11 * 1024 * 1024))],
		['a picture with a refusal', ended('image/png', PNG, 404), 404],
		['a page of bot protection', ended('text/html', '<html>Access denied</html>', 403), 403],
		['a redirect round in circles', (_request, response) => void response.writeHead(302, { location: '/' }).end(), 302],
	] as Array<[string, RequestListener, number?]>)('is an error: %s', async (_what, answer, status = 200) => {
		const baseUrl = await serviceWith(answer);
		const { items, error } = await run(byId(23), { credential: credential({ baseUrl }) });
		expect(items).toEqual([]);
		expect(error?.message).toBe(`The address of the QR code gave no picture (HTTP ${status})`);
		expect(error?.description).toMatch(/^Open the address .* Add Custom Header\./);
	});

	test.each([
		['http://127.0.0.1:9/x', 'The address of the QR code gave no picture (ECONNREFUSED)'],
		['http://me:pw@127.0.0.1:9/x', /^The address of the QR code leads into a private network: "http:\/\/me:pw/],
		['ftp://pictures.example/x', 'The service gave no address for the picture of the QR code'],
		['https://', 'The service gave no address for the picture of the QR code'],
		[null, 'The service gave no address for the picture of the QR code'],
	])('where the address is %j, the error says what is wrong', async (link, says) => {
		const details = { id: 23, name: 'X', scans: 0, link };
		const baseUrl = await serve((_request, response) => void response.end(JSON.stringify({ error: 0, details })));
		const { error } = await run(byId(23), { credential: credential({ baseUrl }) });
		expect(error?.message).toMatch(says);
	});
});

test('a new QR code brings no picture', async () => {
	const data = 'https://example.com/flyer';
	const { items } = await run({ resource: 'qrCode', operation: 'create', type: 'link', data });
	expect(items[0].binary).toBeUndefined();
	expect(await sandbox.pictureRequests()).toEqual([]);
});

test.each([
	['PNG', PNG, 'application/octet-stream', 'image/png', 'png'],
	['JPEG', Buffer.from('ffd8ffe000104a46', 'hex'), 'binary/octet-stream', 'image/jpeg', 'jpeg'],
	['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'), 'text/html', 'image/svg+xml', 'svg'],
	['SVG', Buffer.from('<?xml version="1.0"?>\n<!-- code -->\n<svg></svg>'), 'text/xml', 'image/svg+xml', 'svg'],
	[
		'SVG',
		Buffer.from('\ufeff <?XML?><!-- a --><!DOCTYPE svg PUBLIC "x"><!-- <svg --><svg></svg>'),
		'text/plain',
		'image/svg+xml',
		'svg',
	],
	['WEBP', Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'), undefined, 'image/webp', 'webp'],
])('a %s is known by how it begins: %j as %s', async (_what, bytes, type, mimeType, extension) => {
	const baseUrl: string = await serve((request, response) => {
		const isPicture = request.url === '/picture';
		if (isPicture && type !== undefined) response.setHeader('Content-Type', type);
		response.end(
			isPicture ? bytes : JSON.stringify({ error: 0, details: { id: 7, name: 'Fair', link: `${baseUrl}/picture` } }),
		);
	});
	const { items, error } = await run(byId(7), { credential: credential({ baseUrl }) });
	expect(error).toBeUndefined();
	expect(items[0].binary?.data).toMatchObject({ mimeType, fileName: `qr-code-7.${extension}` });
});
