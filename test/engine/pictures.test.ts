/** Pictures of QR codes, as binary data: where they come from, what they are called, and what is no picture. */
import type { IncomingMessage, ServerResponse } from 'http';

import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../sandbox';
import { by, run } from './host';
import { serve } from './serve';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ limit: { requests: null } });
});

beforeEach(async () => {
	await sandbox.reset({ limit: { requests: null }, records: { qrs: 0 } });
	await sandbox.createRecords({
		qrs: [{ id: 21, code: 'poster', name: 'Poster: hall / 2', type: 'link', data: 'https://example.com/spring' }],
	});
});

afterAll(async () => {
	await sandbox.stop();
});

function credential() {
	return { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
}

async function download(parameters: IDataObject = {}) {
	return await run(
		{ resource: 'qrCode', operation: 'download', qrCodeId: by('id', 21), ...parameters },
		{ credential: credential() },
	);
}

test('the picture comes as binary data, with its type and the name of the code', async () => {
	await sandbox.configure({ deviations: { qrLink: 'picture' } });
	const { items, error } = await download();
	expect(error).toBeUndefined();
	const [{ json, binary, pairedItem }] = items;
	expect(json).toMatchObject({ id: 21, name: 'Poster: hall / 2' });
	expect(binary?.data).toMatchObject({
		mimeType: 'image/svg+xml',
		fileName: 'Poster hall 2.svg',
		fileExtension: 'svg',
	});
	expect(Buffer.from(binary!.data.data, 'base64').toString()).toMatch(/^<svg .*<\/svg>$/);
	expect(pairedItem).toEqual({ item: 0 });
});

test('a redirect to where pictures are stored is followed, and the key goes to none of them', async () => {
	await sandbox.configure({ deviations: { qrLink: 'storedPicture' } });
	await download();
	const { items } = await download({ binaryPropertyName: 'code' });
	expect(items[0].binary?.code).toMatchObject({ mimeType: 'image/png', fileName: 'Poster hall 2.png' });
	const requests = await sandbox.pictureRequests();
	expect(requests.map(({ host }) => host)).toEqual(['service', 'service', 'store']);
	expect(requests.some(({ authorized }) => authorized)).toBe(false);
});

test('each row gets its own', async () => {
	await sandbox.configure({ deviations: { qrLink: 'picture' } });
	await sandbox.createRecords({ qrs: [{ id: 22, code: 'flyer', name: '', type: 'text', data: 'a' }] });
	const { items } = await run(
		{ resource: 'qrCode', operation: 'download', qrCodeId: by('id', '={{ $json.id }}') },
		{ credential: credential(), rows: [{ id: 22 }, { id: 21 }] },
	);
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
	await sandbox.configure({ deviations: { qrLink: 'picture' } });
	await sandbox.createRecords({ qrs: [{ id: 24, code: 'named', name, type: 'link', data: 'https://example.com/' }] });
	const { items } = await download({ qrCodeId: by('id', 24) });
	const fileName = String(items[0].binary?.data.fileName);
	expect(Buffer.byteLength(fileName)).toBeLessThanOrEqual(255);
	expect(Buffer.from(fileName).toString()).toBe(fileName);
	expect(fileName).toMatch(/^[^.\s].*[^.\s]\.svg$/u);
	expect(fileName).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\s*(\.|$)/i);
});

describe('what is no picture', () => {
	const ended =
		(type: string, body: string | Buffer, status = 200) =>
		(_request: IncomingMessage, response: ServerResponse) => {
			response.writeHead(status, { 'content-type': type }).end(body);
		};

	test.each([
		['a web page', ended('image/png', '<!DOCTYPE html><title>Spring</title>'), 'a web page'],
		['JSON', ended('application/json', '{"error":1}'), 'JSON'],
		['nothing', ended('image/png', ''), 'nothing'],
		['text', ended('text/plain', 'Table 12'), 'text'],
		['an answer without success', ended('image/png', 'no', 404), 'an answer with HTTP 404'],
		['more than 10 MB', ended('image/png', Buffer.alloc(11 * 1024 * 1024)), 'a file of more than 10 MB'],
	])('is an error that says what it is: %s', async (_what, answer, name) => {
		const address = `${await serve(answer)}/picture`;
		await sandbox.createRecords({ qrs: [{ id: 23, code: 'x', name: 'X', type: 'link', data: address }] });
		// The link of this dialect leads to the code's content.
		await sandbox.configure({ deviations: { qrLink: 'content' } });
		const { items, error } = await download({ qrCodeId: by('id', 23) });
		expect(items).toEqual([]);
		expect(error?.message).toBe(`The address of the QR code gives no picture, but ${name}`);
		expect(error?.description).toContain('Open the address');
	});

	test('an address that nobody answers at is named as such', async () => {
		await sandbox.createRecords({
			qrs: [{ id: 23, code: 'x', name: 'X', type: 'link', data: 'http://127.0.0.1:9/picture' }],
		});
		await sandbox.configure({ deviations: { qrLink: 'content' } });
		const { error } = await download({ qrCodeId: by('id', 23) });
		expect(error?.message).toMatch(/^The picture of the QR code can't be fetched \([A-Z_]+\)$/);
	});

	test('a type that the server gets wrong does not matter', async () => {
		const png = Buffer.from('89504e470d0a1a0a', 'hex');
		const address = `${await serve(ended('text/html', png))}/picture`;
		await sandbox.createRecords({ qrs: [{ id: 23, code: 'x', name: 'X', type: 'link', data: address }] });
		await sandbox.configure({ deviations: { qrLink: 'content' } });
		const { items } = await download({ qrCodeId: by('id', 23) });
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
		await sandbox.configure({ deviations: { qrLink: 'picture' } });
		const { items, error } = await run(
			{ ...create, options: { downloadPicture: true, binaryPropertyName: 'code' } },
			{ credential: credential() },
		);
		expect(error).toBeUndefined();
		expect(items[0].json).toEqual({ id: expect.any(Number) as number, link: expect.any(String) as string });
		expect(items[0].binary?.code).toMatchObject({ mimeType: 'image/svg+xml', fileName: 'Flyer.svg' });
		expect((await sandbox.requests()).map(({ path }) => path)).toEqual(['/api/qr/add']);
	});

	test('brings none unless that is asked for', async () => {
		await sandbox.configure({ deviations: { qrLink: 'picture' } });
		const { items } = await run(create, { credential: credential() });
		expect(items[0].binary).toBeUndefined();
		expect(await sandbox.pictureRequests()).toEqual([]);
	});

	test('whose picture can’t be read is not made again by Retry On Fail, and the error says that it is there', async () => {
		const page = await serve((_request, response) => response.writeHead(200).end('<html></html>'));
		await sandbox.configure({ deviations: { qrLink: 'content' } });
		const { error } = await run(
			{ ...create, data: `${page}/picture`, options: { downloadPicture: true } },
			{ credential: credential(), node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 } },
		);
		const [code] = await sandbox.records('qrs');
		expect(error?.message).toContain('was created with the ID');
		expect(error?.message).toContain('no picture, but a web page');
		expect((await sandbox.stats()).created.qrs).toBe(1);
		expect(code).toBeDefined();
	});
});
