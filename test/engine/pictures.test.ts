/** Pictures of QR codes, as binary data: where they come from, what they are called, and what is no picture. */
import type { RequestListener } from 'http';

import type { IDataObject } from 'n8n-workflow';

import { CONTINUE, TRIES } from './account';
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

test('the picture comes as binary data, with its type and the name of the code', async () => {
	const { items, error } = await download(21);
	expect(error).toBeUndefined();
	const [{ json, binary, pairedItem }] = items;
	expect(json).toMatchObject({ id: 21, name: 'Poster: hall / 2' });
	const svg = { mimeType: 'image/svg+xml', fileName: 'Poster: hall 2-21.svg', fileExtension: 'svg' };
	expect(binary?.data).toMatchObject(svg);
	expect(Buffer.from(binary!.data.data, 'base64').toString()).toMatch(/^<svg .*<\/svg>$/);
	expect(pairedItem).toEqual({ item: 0 });
});

test('a redirect to where pictures are stored is followed, and the key goes to none of them', async () => {
	await sandbox.configure({ deviations: { qrLink: 'storedPicture' } });
	await download(21);
	const { items } = await download(21, { binaryPropertyName: 'code' });
	expect(items[0].binary?.code).toMatchObject({ mimeType: 'image/png', fileName: 'Poster: hall 2-21.png' });
	const requests = await sandbox.pictureRequests();
	expect(requests.map(({ host }) => host)).toEqual(['service', 'service', 'store']);
	expect(requests.some(({ authorized }) => authorized)).toBe(false);
});

test('each row gets its own', async () => {
	await make(22, '');
	const { items } = await run(byId('={{ $json.id }}'), { rows: [{ id: 22 }, { id: 21 }] });
	expect(items.map(({ binary }) => binary?.data.fileName)).toEqual(['qr-code-22.svg', 'Poster: hall 2-21.svg']);
});

test('no two pictures have one file name, though their codes have one, or differ beyond what a file name holds', async () => {
	const long = 'a'.repeat(60);
	const names = ['A/B', 'A B', 'A B', `${long}1`, `${long}2`];
	for (const [at, name] of names.entries()) await make(30 + at, name);
	const { items } = await run(byId('={{ $json.id }}'), { rows: names.map((_name, at) => ({ id: 30 + at })) });
	expect(new Set(items.map(({ binary }) => binary?.data.fileName)).size).toBe(names.length);
});

test.each([
	['wide characters', '漫'.repeat(120), '漫'.repeat(60)],
	['an emoji where the name is cut', `${'a'.repeat(59)}😀${'b'.repeat(9)}`, `${'a'.repeat(59)}😀`],
	['half an emoji, and what leads elsewhere', 'Poster \ud83d\n../..\\up ', 'Poster .. .. up'],
	['nothing but slashes', ' // ', 'qr-code'],
])('the name of the file is the name of the code, without slashes and control characters: %s', async (...row) => {
	const [, name, expected] = row;
	await make(24, name);
	expect((await download(24)).items[0].binary?.data.fileName).toBe(`${expected}-24.svg`);
});

const flyer = {
	resource: 'qrCode',
	operation: 'create',
	type: 'link',
	data: 'https://example.com/flyer',
	qrCodeFields: { name: 'Flyer' },
};

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
async function serviceWith(answer: RequestListener): Promise<[baseUrl: string, link: string]> {
	const link = `${await serve(answer)}/picture`;
	const details = { id: 23, name: 'X', scans: 0, link };
	return [await serve((_request, response) => void response.end(JSON.stringify({ error: 0, details }))), link];
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
		const [baseUrl, at] = await serviceWith(answer);
		const { items, error } = await run(byId(23), { credential: credential({ baseUrl }) });
		expect(items).toEqual([]);
		const what =
			status === 200
				? `This service's QR links lead to the content of the codes, not to their pictures: ${at} (HTTP 200)`
				: `The address of the QR code gave no picture (HTTP ${status})`;
		expect(error?.message).toBe(what);
		expect(error?.description).toMatch(/^Open the address .* Add Custom Header\./);
	});

	test('nobody answers at the address', async () => {
		const details = { id: 23, name: 'X', scans: 0, link: 'http://127.0.0.1:9/x' };
		const baseUrl = await serve((_request, response) => void response.end(JSON.stringify({ error: 0, details })));
		const { error } = await run(byId(23), { credential: credential({ baseUrl }) });
		expect(error?.message).toBe('The address of the QR code gave no picture (ECONNREFUSED)');
	});
});

test('rows wait for one another no longer where nobody answers', async () => {
	let [open, most] = [0, 0];
	const baseUrl: string = await serve((request, response) => {
		const id = Number(request.url!.split('/').pop());
		if (request.url!.startsWith('/api/'))
			return void response.end(JSON.stringify({ error: 0, details: { id, link: `${baseUrl}/${id}` } }));
		most = Math.max(most, ++open);
		request.socket.once('close', () => open--);
	});
	const parameters = { ...byId('={{ $json.id }}'), requestOptions: { timeout: 300 } };
	const rows = Array.from({ length: 6 }, (_, at) => ({ id: at + 1 }));
	const { items } = await run(parameters, { rows, node: CONTINUE, credential: credential({ baseUrl }) });
	for (const { json } of items) expect(json.error).toContain('gave no picture (ETIMEDOUT)');
	expect(most).toBeGreaterThan(1);
});

describe('a service whose QR links lead to the content', () => {
	beforeEach(async () => await sandbox.configure({ deviations: { qrLink: 'content' } }));

	const rows = Array.from({ length: 50 }, (_, at) => ({ name: `code ${at}`, path: `${at}` }));
	const scans = async () => (await sandbox.qrs()).reduce((sum, code) => sum + code.scans, 0);

	test.each([
		['no host', undefined],
		['a page', '<html></html>'],
		['a picture', PNG],
	])('makes all codes, and opens one of their links: %s is there', async (_what, content) => {
		const page = content && (await serve((_request, response) => void response.end(content)));
		const parameters = { ...flyer, data: `=${page ?? 'https://nowhere.invalid'}/{{ $json.path }}` };
		const options = { downloadPicture: true };
		const { items, error } = await run(
			{ ...parameters, options, qrCodeFields: { name: '={{ $json.name }}' } },
			{ rows },
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.name)).toEqual(rows.map(({ name }) => name));
		const [first, ...others] = items.map(({ json }) => String(json.pictureError));
		expect(first).toMatch(
			/QR links lead to the content of the codes, not to their pictures: https?:.*\/0 \(.+\)\. Open/,
		);
		expect(new Set(others)).toEqual(new Set([first.replace(/: http.*?\)\./, '.')]));
		expect(await scans()).toBe(1);
	});

	test('opens no further one also where the first picture is missing', async () => {
		const page = await serve((_request, response) => void response.end('<html></html>'));
		const opened: string[] = [];
		const baseUrl: string = await serve((request, response) => {
			const id = Number(request.url!.split('/').pop());
			if (request.url!.startsWith('/api/'))
				return void response.end(JSON.stringify({ error: 0, details: { id, name: 'X', link: `${baseUrl}/qr/${id}` } }));
			opened.push(request.url!);
			response.writeHead(id === 1 ? 404 : 302, { location: page }).end();
		});
		const ids = Array.from({ length: 20 }, (_, at) => ({ id: at + 1 }));
		const setting = { rows: ids, node: CONTINUE, credential: credential({ baseUrl }) };
		const { items } = await run(byId('={{ $json.id }}'), setting);
		expect(items[0].json.error).toContain('gave no picture (HTTP 404)');
		expect(items.slice(1).every(({ json }) => String(json.error).includes('lead to the content'))).toBe(true);
		expect(opened).toEqual(['/qr/1', '/qr/2']);
	});

	test.each([403, 404, 500])('a stored picture that fails (HTTP %d) says nothing of the others', async (status) => {
		const store = await serve((request, response) =>
			request.url === '/1' ? response.writeHead(status).end('no') : response.end('<svg></svg>'),
		);
		const baseUrl: string = await serve((request, response) => {
			const id = Number(request.url!.split('/').pop());
			const link = `${baseUrl}/qr/${id}`;
			if (request.url!.startsWith('/api/'))
				response.end(JSON.stringify({ error: 0, details: { id, name: 'X', link } }));
			else response.writeHead(302, { location: `${store}/${id}` }).end();
		});
		const setting = { rows: [{ id: 1 }, { id: 2 }, { id: 3 }], node: CONTINUE, credential: credential({ baseUrl }) };
		const { items } = await run(byId('={{ $json.id }}'), setting);
		expect(items[0].json.error).toContain(`gave no picture (HTTP ${status})`);
		expect(items.slice(1).map(({ binary }) => binary?.data.mimeType)).toEqual(['image/svg+xml', 'image/svg+xml']);
	});

	test('each run looks for itself', async () => {
		await make(31, 'X');
		const page = await serve((_request, response) => void response.end('<html></html>'));
		await make(33, 'Y', page);
		expect((await download(33)).error?.message).toContain('lead to the content');
		await sandbox.configure({ deviations: { qrLink: 'picture' } });
		expect((await download(31)).items[0].binary?.data.mimeType).toBe('image/svg+xml');
	});

	test('of codes that are there, no further one is opened', async () => {
		const page = await serve((_request, response) => void response.end('<html></html>'));
		for (const at of [31, 32, 33]) await make(at, 'X', `${page}/${at}`);
		const found = await run(byId('={{ $json.id }}'), { rows: [{ id: 31 }, { id: 32 }, { id: 33 }], node: CONTINUE });
		expect(String(found.items[0].json.error)).toContain(`${page}/31 (HTTP 200)`);
		expect(found.items.every(({ json }) => String(json.error).includes('lead to the content'))).toBe(true);
		expect(await scans()).toBe(1);
	});
});

describe('a new QR code', () => {
	test('brings its picture at once where that is asked for', async () => {
		const options = { downloadPicture: true, binaryPropertyName: 'code' };
		const { items, error } = await run({ ...flyer, options });
		expect(error).toBeUndefined();
		expect(items[0].json).toEqual({
			id: expect.any(Number) as number,
			link: expect.any(String) as string,
			name: 'Flyer',
		});
		expect(items[0].binary?.code).toMatchObject({
			mimeType: 'image/svg+xml',
			fileName: expect.stringMatching(/^Flyer-\d+\.svg$/) as string,
		});
		expect((await sandbox.requests()).map(({ path }) => path)).toEqual(['/api/qr/add']);
	});

	test('brings none unless that is asked for', async () => {
		const { items } = await run(flyer);
		expect(items[0].binary).toBeUndefined();
		expect(await sandbox.pictureRequests()).toEqual([]);
	});

	test("comes out, and is made once, where its picture can't be read", async () => {
		await sandbox.configure({ deviations: { qrLink: 'content' } });
		const parameters = { ...flyer, options: { downloadPicture: true } };
		const { items, error } = await run(parameters, { node: TRIES });
		expect(error).toBeUndefined();
		expect(items[0].json).toEqual({
			id: expect.any(Number) as number,
			link: expect.any(String) as string,
			name: 'Flyer',
			pictureError: expect.stringMatching(
				/lead to the content of the codes, not to their pictures: https:\/\/example\.com\/flyer .*opens no further QR link/,
			) as string,
		});
		expect(items[0].binary).toBeUndefined();
		expect((await sandbox.stats()).created.qrs).toBe(1);
	});
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
	expect(items[0].binary?.data).toMatchObject({ mimeType, fileName: `Fair-7.${extension}` });
});
