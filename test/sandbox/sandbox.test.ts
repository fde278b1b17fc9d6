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
		['a path that is no number', 'GET', '/api/url/abc', undefined, /id.*integer/],
		['an unknown query parameter', 'GET', '/api/qr?q=x', undefined, /"q"/],
		['a query parameter sent twice', 'GET', '/api/qr?limit=1&limit=2', undefined, /limit/],
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

describe('links', () => {
	it.each([
		[{ url: 'nonsense' }, /valid URL/],
		[{ domain: 'https://other.example' }, /domain/],
		[{ campaign: 9 }, /Campaign/],
		[{ channel: 9 }, /Channel/],
		[{ type: '9' }, /type/],
		[{ deeplink: { auto: true } }, /Device targeting/],
	])('are refused with %j', async (fields, message) => {
		await expectFailure(api.post('/api/url/add', { url: 'https://example.com', ...fields }), message);
		expect((await sandbox.stats()).created.links).toBe(0);
		expect(await sandbox.violations()).toEqual([]);
	});

	it('send their visitors on and count them', async () => {
		const { id, alias } = (await sandbox.createRecords({ links: [{ longurl: 'https://example.com/there' }] })).links[0];
		const visit = await axios.get(`${sandbox.url}/${alias}`, { maxRedirects: 0, validateStatus: () => true });
		expect([visit.status, visit.headers.location]).toEqual([302, 'https://example.com/there']);
		expect((await api.get(`/api/url/${id}`)).data).toMatchObject({ data: { clicks: 1, uniqueClicks: 1 } });
	});
});

describe('channels, domains and QR codes', () => {
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

	it('refuse a domain that is not pointed to the service, and unknown ids', async () => {
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
