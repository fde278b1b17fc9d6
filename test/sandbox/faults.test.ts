import axios, { type AxiosError, type AxiosInstance, type AxiosResponse } from 'axios';
import { startSandbox, type BadTypes, type Fault, type Sandbox } from '.';
import { clientOf } from './client';

let sandbox: Sandbox;
let api: AxiosInstance;

beforeAll(async () => {
	sandbox = await startSandbox({ limit: { requests: null } });
	api = clientOf(sandbox);
});

afterAll(async () => {
	expect(await sandbox.violations()).toEqual([]);
	await sandbox.stop();
});

beforeEach(async () => {
	await sandbox.reset();
});

const create = async (): Promise<AxiosResponse> => await api.post('/api/url/add', { url: 'https://example.com' });
const created = async (): Promise<number> => (await sandbox.stats()).created.links;

async function errorCode(request: Promise<AxiosResponse>): Promise<string | undefined> {
	return await request.then(
		({ status }) => `answered ${status}`,
		(error: AxiosError) => error.code,
	);
}

describe('each fault', () => {
	it('latency delays the answer, the work before it or not', async () => {
		await sandbox.setFaults([{ kind: 'latency', ms: 150, times: 1 }]);
		await create();
		const [slow] = await sandbox.requests();
		expect((slow.doneAt ?? 0) - slow.at).toBeGreaterThanOrEqual(145);
		expect(slow).toMatchObject({ fault: 'latency', status: 200 });

		await sandbox.setFaults([{ kind: 'latency', ms: 60_000, when: 'after' }]);
		expect(await errorCode(api.post('/api/url/add', { url: 'https://example.com' }, { timeout: 100 }))).toBe(
			'ECONNABORTED',
		);
		expect(await created()).toBe(2);
	});

	it('latency of a request that its client gave up does the work later all the same', async () => {
		await sandbox.setFaults([{ kind: 'latency', ms: 600 }]);
		expect(await errorCode(api.post('/api/url/add', { url: 'https://example.com' }, { timeout: 50 }))).toBe(
			'ECONNABORTED',
		);
		expect(await created()).toBe(0);
		while ((await created()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
		expect((await sandbox.stats()).inFlight).toBe(0);
	});

	it('status answers with the status in any form, before or after the work', async () => {
		await sandbox.setFaults([{ kind: 'status', status: 503, headers: { 'Retry-After': '7' } }]);
		expect(await create()).toMatchObject({
			status: 503,
			data: { error: 1 },
			headers: { 'retry-after': '7', 'x-ratelimit-limit': '1000000' },
		});
		expect(await created()).toBe(0);
		await sandbox.setFaults([{ kind: 'status', status: 500, body: 'text', message: 'Oops', workDone: true }]);
		expect(await create()).toMatchObject({ status: 500, data: 'Oops' });
		expect(await created()).toBe(1);
		await sandbox.setFaults([{ kind: 'status', status: 502, body: 'empty' }]);
		expect(await create()).toMatchObject({ status: 502, data: '' });
	});

	it.each([false, true])('dropBefore ends the connection before the work (reset %s)', async (reset) => {
		await sandbox.setFaults([{ kind: 'dropBefore', reset }]);
		expect(await errorCode(create())).toBe('ECONNRESET');
		expect(await created()).toBe(0);
		expect((await sandbox.requests())[0]).toMatchObject({ status: 0, worked: false, fault: 'dropBefore' });
	});

	it.each([false, true])('dropAfter ends it after the work (reset %s)', async (reset) => {
		await sandbox.setFaults([{ kind: 'dropAfter', reset }]);
		expect(await errorCode(create())).toBe('ECONNRESET');
		expect(await created()).toBe(1);
		expect((await sandbox.requests())[0]).toMatchObject({ status: 0, worked: true, fault: 'dropAfter' });
	});

	it('html and hugeHtml answer with a page', async () => {
		await sandbox.setFaults([
			{ kind: 'html', times: 1, workDone: true },
			{ kind: 'hugeHtml', bytes: 300_000, status: 502 },
		]);
		const page = await create();
		expect(page.headers['content-type']).toContain('text/html');
		expect(page.data).toMatch(/^<!DOCTYPE html>/);
		expect(await created()).toBe(1);
		const huge = await create();
		expect(huge.status).toBe(502);
		expect((huge.data as string).length).toBeGreaterThanOrEqual(300_000);
	});

	it('truncatedJson cuts the answer, or breaks the connection within it', async () => {
		await sandbox.setFaults([{ kind: 'truncatedJson', keep: 0.9 }]);
		const cut = await create();
		expect(cut.data).toMatch(/^\{"error":0,"id":\d+,/);
		expect(() => JSON.parse(cut.data as string) as unknown).toThrow();
		await sandbox.setFaults([{ kind: 'truncatedJson', broken: true }]);
		expect(await errorCode(create())).toMatch(/ECONNRESET|ERR_BAD_RESPONSE/);
		expect(await created()).toBe(2);
	});

	it('redirect points elsewhere and does nothing', async () => {
		await sandbox.setFaults([{ kind: 'redirect', to: 'http://other.example/', status: 307, keepPath: true }]);
		const { status, headers } = await create();
		expect([status, headers.location]).toEqual([307, 'http://other.example/api/url/add']);
		expect(await created()).toBe(0);
	});

	it('rateLimited refuses with headers, without them, or with Retry-After alone', async () => {
		await sandbox.setFaults([
			{ kind: 'rateLimited', times: 1, resetInMs: 5000 },
			{ kind: 'rateLimited', headers: false, retryAfter: 3 },
		]);
		const now = Date.now() / 1000;
		const feigned = await create();
		expect(feigned).toMatchObject({ status: 429, headers: { 'x-ratelimit-remaining': '0' } });
		expect(Math.abs(Number(feigned.headers['x-ratelimit-reset']) - now - 5)).toBeLessThan(3);
		const bare = await create();
		expect(bare).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
		expect(bare.headers['x-ratelimit-reset']).toBeUndefined();
		expect(await created()).toBe(0);
		expect((await sandbox.stats()).refused).toBe(2);
	});

	it.each([200, 422])('errorEnvelope says so at HTTP %d', async (status) => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', status, message: 'Not today.', error: '1' }]);
		expect(await create()).toMatchObject({ status, data: { error: '1', message: 'Not today.' } });
		expect(await created()).toBe(0);
	});

	it.each<[BadTypes, unknown]>([
		['textNumbers', { error: '0', data: { result: '25', perpage: '1', urls: [{ id: expect.any(String) as string }] } }],
		['nullFields', { error: '0', data: { result: 25, urls: [{ id: null, alias: null }] } }],
		['listAsObject', { error: '0', data: { urls: { 0: { id: expect.any(Number) as number } } } }],
		['dataArray', { error: '0', data: [] }],
		['dataMissing', { error: '0' }],
		['array', [{ error: '0' }]],
		['text', 'OK'],
		['null', null],
	])('badTypes answers with wrong types: %s', async (variant, expected) => {
		await sandbox.setFaults([{ kind: 'badTypes', variant }]);
		const { data } = await api.get<unknown>('/api/urls', { params: { limit: 1 } });
		expect([data]).toMatchObject([expected]);
		if (variant === 'dataMissing') expect(data).not.toHaveProperty('data');
	});

	it('deepJson and protoKeys answer with JSON that is legal and unkind', async () => {
		await sandbox.setFaults([{ kind: 'deepJson', depth: 5000, times: 1 }, { kind: 'protoKeys' }]);
		const raw = { transformResponse: (text: string) => text };
		const deep = await api.get<string>('/api/urls', raw);
		expect(deep.data.match(/\[/g)).toHaveLength(5000);
		const proto = JSON.parse((await api.get<string>('/api/urls', raw)).data) as { data: { urls: object[] } };
		for (const record of [proto, ...proto.data.urls])
			expect(Object.getOwnPropertyNames(record)).toEqual(expect.arrayContaining(['__proto__', 'constructor']));
	});

	it('endlessList promises a further page on every page', async () => {
		await sandbox.setFaults([{ kind: 'endlessList' }]);
		const read = async (page: number) =>
			(await api.get<{ data: { urls: object[] } }>('/api/urls', { params: { page, limit: 10 } })).data.data;
		const [first, far] = [await read(1), await read(50)];
		expect(far).toMatchObject({ currentpage: 50, nextpage: 51, maxpage: 51, result: 510 });
		expect(far.urls).toEqual(first.urls);
		await sandbox.setFaults([{ kind: 'endlessList', pages: 'empty' }]);
		expect(await read(50)).toMatchObject({ nextpage: 51, urls: [] });
	});

	it('listFields overwrites the paging fields', async () => {
		await sandbox.setFaults([{ kind: 'listFields', fields: { nextpage: 1, perpage: '15' } }]);
		expect((await api.get('/api/qr')).data).toMatchObject({
			error: '0',
			data: { nextpage: 1, perpage: '15', result: 12 },
		});
	});

	it('limit changes the limit under way', async () => {
		await sandbox.setFaults([{ kind: 'limit', limit: { requests: 7 }, after: 1, times: 1 }]);
		expect((await create()).headers['x-ratelimit-limit']).toBe('1000000');
		expect((await create()).headers['x-ratelimit-limit']).toBe('7');
	});
});

describe('which requests a fault befalls', () => {
	async function statuses(count: number): Promise<number[]> {
		const seen = [];
		for (let index = 0; index < count; index++) seen.push((await api.get('/api/account')).status);
		return seen;
	}

	it.each<[string, Partial<Fault>, number[]]>([
		['the first ones', { times: 2 }, [500, 500, 200, 200, 200, 200]],
		['those after some', { after: 3, times: 2 }, [200, 200, 200, 500, 500, 200]],
		['every third', { every: 3 }, [200, 200, 500, 200, 200, 500]],
		['none of another method', { match: { method: 'POST' } }, [200, 200, 200, 200, 200, 200]],
		['none of another path', { match: { path: '^/api/url/\\d+$' } }, [200, 200, 200, 200, 200, 200]],
		['those of this path', { match: { method: 'get', path: 'account$' } }, [500, 500, 500, 500, 500, 500]],
	])('%s', async (_name, conditions, expected) => {
		await sandbox.setFaults([{ kind: 'status', status: 500, ...conditions } as Fault]);
		expect(await statuses(6)).toEqual(expected);
	});

	it('draws chances from the seed', async () => {
		const faults: Fault[] = [
			{ kind: 'status', status: 500, probability: 0.3 },
			{ kind: 'status', status: 502, probability: 0.3 },
		];
		await sandbox.setFaults(faults, 5);
		const first = await statuses(60);
		await sandbox.setFaults(faults, 5);
		expect(await statuses(60)).toEqual(first);
		await sandbox.setFaults(faults, 6);
		expect(await statuses(60)).not.toEqual(first);
		const share = (status: number) => first.filter((seen) => seen === status).length / 60;
		expect(share(500)).toBeGreaterThan(0.1);
		expect(share(502)).toBeGreaterThan(0.05);
		expect(share(200)).toBeGreaterThan(0.2);
	});

	it("lets latency come together with one that takes the answer's place", async () => {
		await sandbox.setFaults([{ kind: 'latency', ms: 20 }, { kind: 'status', status: 500 }, { kind: 'html' }]);
		expect(await statuses(1)).toEqual([500]);
		expect((await sandbox.requests())[0].fault).toBe('latency+status');
		await sandbox.clearFaults();
		expect(await statuses(1)).toEqual([200]);
	});
});

it('ends delayed answers when it stops', async () => {
	const other = await startSandbox();
	await other.setFaults([{ kind: 'latency', ms: 60_000 }]);
	const pending = errorCode(axios.get(`${other.url}/api/account`));
	while ((await other.stats()).inFlight === 0) await new Promise((resolve) => setTimeout(resolve, 10));
	await other.stop();
	expect(await pending).toBe('ECONNRESET');
});
