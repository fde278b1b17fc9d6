import { spawn } from 'child_process';
import { once } from 'events';
import { join } from 'path';
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import { OpenAPIBackend } from 'openapi-backend';
import { controlOf, startSandbox, type Sandbox } from '.';
import { clientOf } from './client';
import { Contract, readContract, withFieldForms } from './contract';

interface ListData {
	result: number;
	perpage: number;
	currentpage: number;
	nextpage: number | null;
	maxpage: number;
	[collection: string]: unknown;
}

let sandbox: Sandbox;
let api: AxiosInstance;

beforeAll(async () => {
	sandbox = await startSandbox({ limit: { requests: null }, onViolation: () => undefined });
	api = clientOf(sandbox);
});

afterAll(async () => {
	await sandbox.stop();
});

beforeEach(async () => {
	await sandbox.reset();
});

async function list(path: string, params: Record<string, unknown> = {}): Promise<ListData> {
	const { data } = await api.get<{ error: unknown; data: ListData }>(path, { params });
	expect(data.error).toBe('0');
	return data.data;
}

function idsOf(data: ListData, collection: string): number[] {
	return (data[collection] as Array<{ id: number }>).map(({ id }) => id);
}

async function firstId(path: string, collection: string): Promise<number> {
	return idsOf(await list(path), collection)[0];
}

async function expectFailure(request: Promise<AxiosResponse>, message: RegExp, status = 200): Promise<void> {
	const response = await request;
	expect(response.data).toEqual({ error: 1, message: expect.stringMatching(message) as string });
	expect(response.status).toBe(status);
}

describe('the contract', () => {
	it('is a valid OpenAPI document with valid schemas, the forms of the field among them', async () => {
		const definition = withFieldForms(readContract());
		const api = await new OpenAPIBackend({ definition, strict: true }).init();
		expect(api.router.getOperations().length).toBeGreaterThanOrEqual(33);
	});

	describe('with an endpoint that the sandbox has no behaviour for', () => {
		const pixel = { id: 1, name: 'Shop' };

		async function answerWith(example: unknown): Promise<{ answer: AxiosResponse; violations: string[] }> {
			const definition = readContract();
			const schema = {
				type: 'object',
				required: ['error', 'id', 'name'],
				properties: { error: { type: 'integer' }, id: { type: 'integer' }, name: { type: 'string' } },
			};
			const responses = { 200: { description: 'A pixel', content: { 'application/json': { schema, example } } } };
			Object.assign(definition.paths!, { '/api/pixel': { get: { operationId: 'pixelGet', responses } } });
			const other = await startSandbox({ contract: await Contract.of(definition), onViolation: () => undefined });
			try {
				const answer = await axios.get(`${other.url}/api/pixel`, {
					headers: { Authorization: `Bearer ${other.apiKey}` },
				});
				return { answer, violations: (await other.violations()).flatMap(({ errors }) => errors) };
			} finally {
				await other.stop();
			}
		}

		it("gives the contract's example", async () => {
			const { answer, violations } = await answerWith({ error: 0, ...pixel });
			expect(answer.data).toEqual({ error: 0, ...pixel });
			expect(answer.headers).toHaveProperty('x-ratelimit-remaining');
			expect(violations).toEqual([]);
		});

		it('tells of an example that breaks the contract', async () => {
			const { violations } = await answerWith({ error: 0, ...pixel, id: 'one' });
			expect(violations).toEqual([expect.stringContaining('integer')]);
		});
	});

	it.each([
		['an unknown body field', 'POST', '/api/url/add', { url: 'https://example.com', alias: 'x' }, /alias/],
		['a wrong type', 'POST', '/api/channel/add', { name: 'x', starred: 'yes' }, /starred.*boolean/],
		['a missing field', 'POST', '/api/qr/add', { type: 'text' }, /data/],
		['a value outside an enum', 'POST', '/api/qr/add', { type: 'pdf', data: 'x' }, /type/],
		[
			'a color that is no rgb(r,g,b)',
			'POST',
			'/api/qr/add',
			{ type: 'text', data: 'x', background: '#FFFFFF' },
			/background/,
		],
		['a path that is no number', 'GET', '/api/url/abc', undefined, /id.*integer/],
		['an unknown query parameter', 'GET', '/api/qr?q=x', undefined, /"q"/],
		['a query parameter sent twice', 'GET', '/api/qr?limit=1&limit=2', undefined, /limit/],
		['a page that is no number', 'GET', '/api/qr?page=two', undefined, /page/],
		['a body where none belongs', 'POST', '/api/campaign/1/assign/2', { id: 1 }, /takes none/],
		['no body where one belongs', 'PUT', '/api/account/update', undefined, /requestBody/],
		['a list in the body', 'PUT', '/api/account/update', [1], /object/],
	])('refuses and records %s', async (_name, method, path, data, message) => {
		await expectFailure(api.request({ method, url: path, data }), message, 400);
		const [violation] = await sandbox.violations();
		expect(violation).toMatchObject({ method, where: 'request' });
		expect((await sandbox.requests())[0].violations.join()).toMatch(message);
		expect(await sandbox.ledger()).toEqual([]);
	});

	it('refuses a body that is no JSON, one of another content type, and a path that is not there', async () => {
		await expectFailure(
			api.post('/api/channel/add', Buffer.from('{"name":'), { headers: { 'Content-Type': 'application/json' } }),
			/no JSON/,
			400,
		);
		await expectFailure(
			api.post('/api/channel/add', Buffer.from('{"name":"x"}'), { headers: { 'Content-Type': 'text/plain' } }),
			/Content-Type/,
			400,
		);
		await expectFailure(api.get('/api/nowhere'), /route/, 404);
		expect(await sandbox.violations()).toHaveLength(3);
	});

	it('lets everything pass without validation', async () => {
		await sandbox.configure({ validate: false });
		expect((await api.post('/api/channel/add', { name: 'x', other: 1 })).data).toMatchObject({ error: 0 });
		expect(await list('/api/urls', { limit: 2, page: 2 })).toMatchObject({ perpage: 2, currentpage: 2 });
		expect(await sandbox.violations()).toEqual([]);
	});

	it('notices an answer that breaks it', async () => {
		await sandbox.createRecords({ qrs: [{ date: 'yesterday' }] });
		await api.get('/api/qr');
		expect(await sandbox.violations()).toMatchObject([{ where: 'response', path: '/api/qr' }]);
	});
});

describe('the key', () => {
	it.each([
		['missing', {}],
		['wrong', { Authorization: 'Bearer other' }],
		['expired', { Authorization: 'Bearer old' }],
		['without Bearer', { Authorization: 'sandbox-key' }],
	])('is refused when %s', async (_name, headers) => {
		await sandbox.configure({ expiredKeys: ['old'], apiKeys: ['sandbox-key', 'old'] });
		const send = async () => await axios.get(`${sandbox.url}/api/account`, { headers, validateStatus: () => true });
		await expectFailure(send(), /API key/, 401);
		await sandbox.configure({ deviations: { authStatus: 200 } });
		await expectFailure(send(), /API key/, 200);
		expect((await sandbox.requests()).map(({ authorized }) => authorized)).toEqual([false, false]);
	});

	it('stands nowhere in the log', async () => {
		await api.get('/api/account');
		const log = await sandbox.requests();
		expect(log[0].keyHash).toMatch(/^[0-9a-f]{16}$/);
		expect(JSON.stringify(log)).not.toContain(sandbox.apiKey);
	});
});

describe('records', () => {
	it('are the same for the same seed, and others for another', async () => {
		const read = async () => [
			await list('/api/urls'),
			await list('/api/qr'),
			await list('/api/campaigns'),
			await list('/api/channels'),
		];
		const first = await read();
		await api.post('/api/url/add', { url: 'https://example.com' });
		await sandbox.reset();
		expect(await read()).toEqual(first);
		await sandbox.reset({ seed: 2 });
		expect(await read()).not.toEqual(first);
	});

	it('give pages of 20,000 links at once, whatever the page and the order', async () => {
		await sandbox.reset({ records: { links: 20_000 } });
		const [link] = await sandbox.links();
		await sandbox.simulate({ clicks: [{ id: link.id, count: 10_000 }] });
		expect(idsOf(await list('/api/urls', { order: 'click', limit: 1 }), 'urls')).toEqual([link.id]);
		expect((await list('/api/urls', { order: 'date', limit: 100, page: 200 })).urls).toHaveLength(100);
		await sandbox.deleteRecords({ links: [link.id] });
		expect(idsOf(await list('/api/urls', { order: 'click', limit: 1 }), 'urls')).not.toEqual([link.id]);
	});
});

describe('links', () => {
	it.each([
		['an address that is none', { url: 'nonsense' }, /valid URL/],
		['an unregistered domain', { url: 'https://example.com', domain: 'https://other.example' }, /domain/],
		['an unknown campaign', { url: 'https://example.com', campaign: 9 }, /Campaign/],
		['an unknown channel', { url: 'https://example.com', channel: 9 }, /Channel/],
		['an unknown page type', { url: 'https://example.com', type: '9' }, /type/],
		[
			'deep links without device targeting',
			{ url: 'https://example.com', deeplink: { auto: true } },
			/Device targeting/,
		],
	])('are refused with %s', async (_name, body, message) => {
		await expectFailure(api.post('/api/url/add', body), message);
		expect((await sandbox.stats()).created.links).toBe(0);
		expect(await sandbox.violations()).toEqual([]);
	});

	it('send their visitors on and count them', async () => {
		const { id, alias } = (await sandbox.createRecords({ links: [{ longurl: 'https://example.com/there' }] })).links[0];
		const visit = await axios.get(`${sandbox.url}/${alias}`, { maxRedirects: 0, validateStatus: () => true });
		expect([visit.status, visit.headers.location]).toEqual([302, 'https://example.com/there']);
		expect((await api.get(`/api/url/${id}`)).data).toMatchObject({ data: { clicks: 1, uniqueClicks: 1 } });
		expect((await sandbox.ledger()).at(-1)).toMatchObject({ kind: 'clicked', by: 'visitor', id, total: 1 });
	});
});

describe('campaigns, channels, domains and QR codes', () => {
	it("put a campaign's name under domain in answers and in one list item", async () => {
		const created = (await api.post<{ id: number }>('/api/campaign/add', { name: 'Fair', slug: 'fair' })).data;
		expect(created).toMatchObject({ error: 0, domain: 'Fair', rotator: `${sandbox.url}/r/fair`, public: false });
		expect(created).not.toHaveProperty('name');
		const campaigns = (await list('/api/campaigns')).campaigns as Array<{ id: number; name?: string; domain?: string }>;
		expect(campaigns.filter((campaign) => campaign.name === undefined && campaign.domain !== undefined)).toHaveLength(
			1,
		);
		expect((await api.put(`/api/campaign/${created.id}/update`, { name: 'Market', public: true })).data).toMatchObject({
			domain: 'Market',
			public: true,
		});
		await expectFailure(api.post('/api/campaign/add', { slug: 'fair' }), /slug/);
	});

	it('unassign the items of a deleted channel and keep them', async () => {
		const channel = (await api.post<{ id: number }>('/api/channel/add', { name: 'Mine' })).data.id;
		const qr = await firstId('/api/qr', 'qrs');
		const bio = (await sandbox.records('bios'))[0].id;
		await api.post(`/api/channel/${channel}/assign/qr/${qr}`);
		await api.post(`/api/channel/${channel}/assign/bio/${bio}`);
		await api.post(`/api/channel/${channel}/assign/bio/${bio}`);
		const items = (await list(`/api/channel/${channel}`)).items as Array<{ type: string; id: number; date: string }>;
		expect(items.map(({ type, id }) => [type, id])).toEqual([
			['bio', bio],
			['qr', qr],
		]);
		expect(items[0].date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
		await api.delete(`/api/channel/${channel}/delete`);
		await expectFailure(api.get(`/api/channel/${channel}`), /Channel/);
		expect((await api.get(`/api/qr/${qr}`)).data).toMatchObject({ error: 0 });
		expect(await sandbox.violations()).toEqual([]);
	});

	it('refuse a domain that is taken or not pointed to the service, and unknown ids', async () => {
		const [{ domain }] = await sandbox.records('domains');
		await expectFailure(api.post('/api/domain/add', { domain: `${domain}/` }), /already/);
		await expectFailure(api.post('/api/domain/add', { domain: 'https://go.unpointed.example' }), /pointed/);
		await expectFailure(api.delete('/api/domain/9/delete'), /Domain/);
		await expectFailure(api.put('/api/qr/9/update', { data: 'x' }), /QR code/);
		await expectFailure(api.post('/api/campaign/9/assign/9'), /Campaign/);
		await expectFailure(api.get('/api/url/9'), /Link/);
	});
});

describe('control', () => {
	it('writes a ledger of everything in order', async () => {
		const { links } = await sandbox.createRecords({ links: [{ id: 77_000, date: '2020-01-01 00:00:00' }], qrs: 1 });
		await sandbox.simulate({ clicks: [{ id: 77_000, count: 4 }] });
		await sandbox.resetCounts({ links: [77_000] });
		await sandbox.deleteRecords({ links: [77_000] });
		const created = (await api.post<{ id: number }>('/api/url/add', { url: 'https://example.com/a' })).data;
		expect(links[0].shorturl).toBe(`${sandbox.url}/${links[0].alias}`);
		const ledger = await sandbox.ledger();
		expect(ledger.map(({ seq, kind, collection, by }) => [seq, kind, collection, by])).toEqual([
			[1, 'created', 'links', 'control'],
			[2, 'created', 'qrs', 'control'],
			[3, 'clicked', 'links', 'control'],
			[4, 'countsReset', 'links', 'control'],
			[5, 'deleted', 'links', 'control'],
			[6, 'created', 'links', 'api'],
		]);
		expect(await sandbox.ledger({ since: 5 })).toMatchObject([{ id: created.id, longurl: 'https://example.com/a' }]);
		expect(created.id).toBe(77_001);
	});

	it('logs requests and keeps figures', async () => {
		const before = Date.now();
		await api.post('/api/url/add', { url: 'https://example.com/a' });
		await Promise.all([api.get('/api/account'), api.get('/api/urls', { params: { limit: 1 } })]);
		const [first, ...others] = await sandbox.requests();
		expect(first).toMatchObject({
			n: 1,
			method: 'POST',
			path: '/api/url/add',
			operationId: 'linkCreate',
			query: {},
			body: { url: 'https://example.com/a' },
			status: 200,
			refused: false,
			authorized: true,
			worked: true,
			violations: [],
		});
		expect(first.at).toBeGreaterThanOrEqual(before);
		expect(first.doneAt).toBeGreaterThanOrEqual(first.at);
		expect(others.find(({ path }) => path === '/api/urls')).toMatchObject({ query: { limit: '1' }, body: null });
		expect(await sandbox.requests({ since: 2 })).toHaveLength(1);
		const stats = await sandbox.stats();
		expect(stats).toMatchObject({
			requests: 3,
			refused: 0,
			created: { links: 1, qrs: 0 },
		});
		expect(stats.lastRequestAt).toBeGreaterThanOrEqual(first.at);
		await sandbox.clearRequests();
		expect(await sandbox.stats()).toMatchObject({
			requests: 0,
			created: { links: 0 },
			lastRequestAt: null,
		});
	});

	it('makes records come and go between two pages', async () => {
		await sandbox.reset({ records: { qrs: 30 } });
		const before = idsOf(await list('/api/qr', { limit: 30 }), 'qrs');
		await sandbox.setPageHooks([{ collection: 'qrs', afterPage: 1, deleteShown: 2, create: { qrs: 1 } }]);
		expect(idsOf(await list('/api/qr', { limit: 10 }), 'qrs')).toEqual(before.slice(0, 10));
		// Two of the first ten went and one came: the second page begins one record later than it would have.
		expect(idsOf(await list('/api/qr', { limit: 10, page: 2 }), 'qrs')).toEqual(before.slice(11, 21));
		await list('/api/qr', { limit: 10 });
		expect((await list('/api/qr')).result).toBe(29);
	});

	it('moves the clock of new records', async () => {
		await sandbox.setClock({ skewMs: -86_400_000 });
		const [qr] = (await sandbox.createRecords({ qrs: 1 })).qrs;
		expect(Math.abs(Date.parse(`${qr.date.replace(' ', 'T')}Z`) - (Date.now() - 86_400_000))).toBeLessThan(5000);
	});

	it('says what is wrong with a call', async () => {
		await expect(sandbox.simulate({ clicks: [{ id: 9, count: 1 }] })).rejects.toThrow('No link 9');
		await expect(sandbox.deleteRecords({ qrs: [9] })).rejects.toThrow('No record 9');
		await expect(sandbox.createRecords({ links: [{ alias: 'twice' }, { alias: 'twice' }] })).rejects.toThrow(
			'alias twice is taken',
		);
	});
});

it('runs alone, is controlled from another process, and stops when told', async () => {
	const child = spawn(
		process.execPath,
		['--import', 'tsx', join(__dirname, 'main.ts'), '--port', '0', '--records', 'links=3', '--limit', '5'],
		{
			stdio: ['ignore', 'pipe', 'inherit'],
		},
	);
	try {
		let output = '';
		for await (const chunk of child.stdout) {
			output += String(chunk);
			if (/API key: +\S+\n/.test(output)) break;
		}
		const control = controlOf(/Base URL: (\S+)/.exec(output)?.[1] ?? '');
		expect(await control.links()).toHaveLength(3);
		expect(await control.keys()).toEqual([/API key: +(\S+)/.exec(output)?.[1]]);
		child.kill('SIGTERM');
		expect(await once(child, 'exit')).toEqual([0, null]);
	} finally {
		child.kill('SIGKILL');
	}
});
