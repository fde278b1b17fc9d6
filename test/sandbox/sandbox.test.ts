import { spawn } from 'child_process';
import { once } from 'events';
import { join } from 'path';
import axios, { type AxiosInstance } from 'axios';
import { OpenAPIBackend } from 'openapi-backend';
import { controlOf, type Sandbox } from '.';
import { readContract, withFieldForms } from './contract';
import { freshSandbox } from './fresh';

let sandbox: Sandbox;
let api: AxiosInstance;

freshSandbox({ limit: { requests: null }, onViolation: () => undefined }, (started) => {
	sandbox = started;
	api = clientOf(started);
});

/** Speaks to a sandbox with its key, and takes every answer as it comes: errors and redirects too. */
function clientOf({ url, apiKey }: Pick<Sandbox, 'url' | 'apiKey'>): AxiosInstance {
	const headers = { Authorization: `Bearer ${apiKey}` };
	return axios.create({ baseURL: url, headers, validateStatus: () => true, maxRedirects: 0 });
}

type Request = [method: string, path: string, body?: unknown, type?: string];

async function expectFailure([method, url, data, type]: Request, message: RegExp, status = 200): Promise<void> {
	const headers = type === undefined ? {} : { 'Content-Type': type };
	const response = await api.request<unknown>({ method, url, data, headers });
	expect(response.data).toEqual({ error: 1, message: expect.stringMatching(message) as string });
	expect(response.status).toBe(status);
	expect(await sandbox.ledger()).toEqual([]);
}

describe('the contract', () => {
	it('is a valid OpenAPI document with valid schemas, the forms of the field among them', async () => {
		const definition = withFieldForms(readContract());
		const whole = await new OpenAPIBackend({ definition, strict: true }).init();
		expect(whole.router.getOperations().length).toBeGreaterThanOrEqual(33);
	});

	const CHANNEL = '/api/channel/add';

	it.each<[string, Request, RegExp, number?]>([
		['an unknown body field', ['POST', '/api/url/add', { url: 'https://example.com', alias: 'x' }], /alias/],
		['a wrong type', ['POST', CHANNEL, { name: 'x', starred: 'yes' }], /starred.*boolean/],
		['a path that is no number', ['GET', '/api/url/abc'], /id.*integer/],
		['an unknown query parameter', ['GET', '/api/qr?q=x'], /"q"/],
		['a query parameter sent twice', ['GET', '/api/qr?limit=1&limit=2'], /limit/],
		['a body where none belongs', ['POST', '/api/campaign/1/assign/2', { id: 1 }], /takes none/],
		['no body where one belongs', ['PUT', '/api/account/update'], /requestBody/],
		['a list in the body', ['PUT', '/api/account/update', [1]], /object/],
		['a body that is no JSON', ['POST', CHANNEL, Buffer.from('{"name":'), 'application/json'], /no JSON/],
		['another content type', ['POST', CHANNEL, Buffer.from('{"name":"x"}'), 'text/plain'], /Content-Type/],
		['a path that is not there', ['GET', '/api/nowhere'], /route/, 404],
	])('refuses and records %s', async (_name, request, message, status = 400) => {
		await expectFailure(request, message, status);
		expect(await sandbox.violations()).toMatchObject([{ method: request[0], where: 'request' }]);
		expect((await sandbox.requests())[0].violations).not.toEqual([]);
	});

	it('notices an answer that breaks it', async () => {
		await sandbox.createRecords({ qrs: [{ date: 'yesterday' }] });
		await api.get('/api/qr');
		expect(await sandbox.violations()).toMatchObject([{ where: 'response', path: '/api/qr' }]);
	});
});

it('links send their visitors on and count them', async () => {
	const { id, alias } = (await sandbox.createRecords({ links: [{ longurl: 'https://example.com/there' }] })).links[0];
	const visit = await api.get(`/${alias}`);
	expect([visit.status, visit.headers.location]).toEqual([302, 'https://example.com/there']);
	expect((await api.get(`/api/url/${id}`)).data).toMatchObject({ data: { clicks: 1, uniqueClicks: 1 } });
});

it('runs alone, is controlled from another process, and stops when told', async () => {
	const main = join(__dirname, 'main.ts');
	const args = ['--import', 'tsx', main, '--port', '0', '--records', 'links=3', '--limit', '5'];
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
	try {
		let output = '';
		for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
			output += String(chunk);
			if (/API key: +\S+\n/.test(output)) break;
		}
		const [, url, apiKey] = /Base URL: (\S+)\s+API key: +(\S+)/.exec(output)!;
		expect(await controlOf(url).links()).toHaveLength(3);
		expect((await clientOf({ url, apiKey }).get('/api/account')).status).toBe(200);
		child.kill('SIGTERM');
		expect(await once(child, 'exit')).toEqual([0, null]);
	} finally {
		child.kill('SIGKILL');
	}
});
