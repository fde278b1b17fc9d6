import axios, { type AxiosError, type AxiosInstance, type AxiosResponse } from 'axios';
import { startSandbox, type Fault, type Sandbox } from '.';
import { clientOf } from './client';
import { freshSandbox } from './fresh';

let sandbox: Sandbox;
let api: AxiosInstance;

freshSandbox({ limit: { requests: null } }, (started) => {
	sandbox = started;
	api = clientOf(started);
});

const create = async (): Promise<AxiosResponse> => await api.post('/api/url/add', { url: 'https://example.com' });
const created = async (): Promise<number> => (await sandbox.stats()).created.links;

async function errorCode(request: Promise<AxiosResponse>): Promise<string | undefined> {
	return await request.then(
		({ status }) => `answered ${status}`,
		(error: AxiosError) => error.code,
	);
}

/** What of the faults test/engine would not miss: each of the others makes rows fail there, or be looked for. */
describe('a fault', () => {
	it('latency of a request that its client gave up does the work later all the same', async () => {
		await sandbox.setFaults([{ kind: 'latency', ms: 600 }]);
		expect(await errorCode(api.post('/api/url/add', { url: 'https://example.com' }, { timeout: 50 }))).toBe(
			'ECONNABORTED',
		);
		expect(await created()).toBe(0);
		while ((await created()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
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

	it('badTypes answers with wrong types', async () => {
		const first = async () => (await api.get<{ data: object }>('/api/urls?limit=1')).data;
		await sandbox.setFaults([{ kind: 'badTypes', variant: 'textNumbers' }]);
		expect(await first()).toMatchObject({ data: { result: '25', perpage: '1', urls: [{ id: expect.any(String) }] } });
		await sandbox.setFaults([{ kind: 'badTypes', variant: 'listAsObject' }]);
		expect(await first()).toMatchObject({ data: { urls: { 0: { id: expect.any(Number) } } } });
	});

	it('protoKeys answers with JSON that is legal and unkind', async () => {
		await sandbox.setFaults([{ kind: 'protoKeys' }]);
		const raw = { transformResponse: (text: string) => text };
		const proto = JSON.parse((await api.get<string>('/api/urls', raw)).data) as { data: { urls: object[] } };
		for (const record of [proto, ...proto.data.urls])
			expect(Object.getOwnPropertyNames(record)).toEqual(expect.arrayContaining(['__proto__', 'constructor']));
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
		['those after some', { after: 3, times: 2 }, [200, 200, 200, 500, 500, 200]],
		['every third', { every: 3 }, [200, 200, 500, 200, 200, 500]],
		['none of another method', { match: { method: 'POST' } }, [200, 200, 200, 200, 200, 200]],
		['those of this path', { match: { method: 'get', path: 'account$' } }, [500, 500, 500, 500, 500, 500]],
	])('%s', async (_name, conditions, expected) => {
		await sandbox.setFaults([{ kind: 'status', status: 500, ...conditions } as Fault]);
		expect(await statuses(6)).toEqual(expected);
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
	while ((await other.stats()).requests === 0) await new Promise((resolve) => setTimeout(resolve, 10));
	await other.stop();
	expect(await pending).toBe('ECONNRESET');
});
