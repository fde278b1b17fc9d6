/** Pictures of QR codes, as binary data: where they come from, what they are called, and what is no picture. */
import type { RequestListener } from 'http';

import type { IDataObject } from 'n8n-workflow';

import { TRIES } from './account';
import { by } from './host';
import { serve } from './serve';
import { openService, run, sandbox } from './service';

openService({ records: { qrs: 0 }, deviations: { qrLink: 'picture' } });

/** Makes a QR code of this name. */
const make = async (id: number, name: string, data = 'https://example.com/spring') =>
	await sandbox.createRecords({ qrs: [{ id, code: `code-${id}`, name, type: 'link', data }] });

beforeEach(async () => await make(21, 'Poster: hall / 2'));

const byId = (id: number | string) => ({ resource: 'qrCode', operation: 'download', qrCodeId: by('id', id) });
const download = async (id: number, more: IDataObject = {}) => await run({ ...byId(id), ...more });

test('the picture comes as binary data, with its type and the name of the code', async () => {
	const { items, error } = await download(21);
	expect(error).toBeUndefined();
	const [{ json, binary, pairedItem }] = items;
	expect(json).toMatchObject({ id: 21, name: 'Poster: hall / 2' });
	const svg = { mimeType: 'image/svg+xml', fileName: 'Poster hall 2.svg', fileExtension: 'svg' };
	expect(binary?.data).toMatchObject(svg);
	expect(Buffer.from(binary!.data.data, 'base64').toString()).toMatch(/^<svg .*<\/svg>$/);
	expect(pairedItem).toEqual({ item: 0 });
});

test('a redirect to where pictures are stored is followed, and the key goes to none of them', async () => {
	await sandbox.configure({ deviations: { qrLink: 'storedPicture' } });
	await download(21);
	const { items } = await download(21, { binaryPropertyName: 'code' });
	expect(items[0].binary?.code).toMatchObject({ mimeType: 'image/png', fileName: 'Poster hall 2.png' });
	const requests = await sandbox.pictureRequests();
	expect(requests.map(({ host }) => host)).toEqual(['service', 'service', 'store']);
	expect(requests.some(({ authorized }) => authorized)).toBe(false);
});

test('each row gets its own', async () => {
	await make(22, '');
	const { items } = await run(byId('={{ $json.id }}'), { rows: [{ id: 22 }, { id: 21 }] });
	expect(items.map(({ binary }) => binary?.data.fileName)).toEqual(['qr-code-22.svg', 'Poster hall 2.svg']);
});

test.each([
	['wide characters', '漫'.repeat(120)],
	['an emoji where the name is cut', `${'a'.repeat(99)}😀${'b'.repeat(9)}`],
	['emojis alone', '😀'.repeat(200)],
	['an emoji of several', '👩‍👩‍👧‍👦'.repeat(40)],
	['half an emoji', 'Poster \ud83d'],
	['a name of Windows', 'CON'],
	['a name of Windows, and more', 'nul.jpg'],
	['a device', 'com1'],
	['dots', '...'],
	['a dot at the end', 'Poster. '],
])('the name of the file is one that every file system takes: %s', async (_what, name) => {
	await make(24, name);
	const { items } = await download(24);
	const fileName = String(items[0].binary?.data.fileName);
	expect(Buffer.byteLength(fileName)).toBeLessThanOrEqual(255);
	expect(Buffer.from(fileName).toString()).toBe(fileName);
	expect(fileName).toMatch(/^[^.\s].*[^.\s]\.svg$/u);
	expect(fileName).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\s*(\.|$)/i);
});

describe('what is no picture', () => {
	// The link leads to the code's content.
	beforeEach(async () => await sandbox.configure({ deviations: { qrLink: 'content' } }));

	const ended =
		(type: string, body: string | Buffer, status = 200): RequestListener =>
		(_request, response) =>
			void response.writeHead(status, { 'content-type': type }).end(body);

	test.each([
		['a web page', ended('image/png', '<!DOCTYPE html><title>Spring</title>'), 'a web page'],
		['JSON', ended('application/json', '{"error":1}'), 'JSON'],
		['nothing', ended('image/png', ''), 'nothing'],
		['text', ended('text/plain', 'Table 12'), 'text'],
		['an answer without success', ended('image/png', 'no', 404), 'an answer with HTTP 404'],
		['more than 10 MB', ended('image/png', Buffer.alloc(11 * 1024 * 1024)), 'a file of more than 10 MB'],
	])('is an error that says what it is: %s', async (_what, answer, name) => {
		await make(23, 'X', `${await serve(answer)}/picture`);
		const { items, error } = await download(23);
		expect(items).toEqual([]);
		expect(error?.message).toBe(`The address of the QR code gives no picture, but ${name}`);
		expect(error?.description).toContain('Open the address');
	});

	test('an address that nobody answers at is named as such', async () => {
		await make(23, 'X', 'http://127.0.0.1:9/picture');
		const { error } = await download(23);
		expect(error?.message).toMatch(/^The picture of the QR code can't be fetched \([A-Z_]+\)$/);
	});

	test('a type that the server gets wrong does not matter', async () => {
		const png = Buffer.from('89504e470d0a1a0a', 'hex');
		await make(23, 'X', `${await serve(ended('text/html', png))}/picture`);
		const { items } = await download(23);
		expect(items[0].binary?.data).toMatchObject({ mimeType: 'image/png', fileName: 'X.png' });
	});
});

describe('a new QR code', () => {
	const create = {
		resource: 'qrCode',
		operation: 'create',
		type: 'link',
		data: 'https://example.com/flyer',
		qrCodeFields: { name: 'Flyer' },
	};

	test('brings its picture at once where that is asked for', async () => {
		const options = { downloadPicture: true, binaryPropertyName: 'code' };
		const { items, error } = await run({ ...create, options });
		expect(error).toBeUndefined();
		expect(items[0].json).toEqual({ id: expect.any(Number) as number, link: expect.any(String) as string });
		expect(items[0].binary?.code).toMatchObject({ mimeType: 'image/svg+xml', fileName: 'Flyer.svg' });
		expect((await sandbox.requests()).map(({ path }) => path)).toEqual(['/api/qr/add']);
	});

	test('brings none unless that is asked for', async () => {
		const { items } = await run(create);
		expect(items[0].binary).toBeUndefined();
		expect(await sandbox.pictureRequests()).toEqual([]);
	});

	test('whose picture can’t be read is not made again by Retry On Fail, and the error says that it is there', async () => {
		const page = await serve((_request, response) => response.writeHead(200).end('<html></html>'));
		await sandbox.configure({ deviations: { qrLink: 'content' } });
		const parameters = { ...create, data: `${page}/picture`, options: { downloadPicture: true } };
		const { error } = await run(parameters, { node: TRIES });
		expect(error?.message).toContain('was created with the ID');
		expect(error?.message).toContain('no picture, but a web page');
		expect((await sandbox.stats()).created.qrs).toBe(1);
	});
});
