/** The settings that n8n gives every such node, Request Options among them. */
import { createServer as createHttpServer, request as sendHttp, type Server } from 'http';
import { createServer as createHttpsServer } from 'https';
import type { AddressInfo } from 'net';

import { generate } from 'selfsigned';

import { type Sandbox } from '../sandbox';
import { freshSandbox } from '../sandbox/fresh';
import { run, testCredential, type Credential, type Setting } from './host';

let sandbox: Sandbox;
const servers: Server[] = [];

freshSandbox({ limit: { requests: null } }, (started) => (sandbox = started));

afterEach(() => {
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		server.close();
	}
});

function setting(more: Partial<Setting> = {}): Setting {
	return { credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey }, ...more };
}

const account = { resource: 'account', operation: 'get' };

async function listen(server: Server): Promise<number> {
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return (server.address() as AddressInfo).port;
}

/** Hands a request on to the sandbox, as a proxy or a TLS end point in front of it does. */
function toSandbox(seen: string[]): Parameters<typeof createHttpServer>[1] {
	return (request, response) => {
		seen.push(String(request.url));
		const { pathname, search } = new URL(String(request.url), sandbox.url);
		const passed = sendHttp(
			`${sandbox.url}${pathname}${search}`,
			{ method: request.method, headers: request.headers },
			(answer) => {
				response.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(response);
			},
		);
		passed.on('error', () => response.destroy());
		request.pipe(passed);
	};
}

describe('Request Options', () => {
	test('Timeout ends a read that takes longer, after its tries', async () => {
		await sandbox.setFaults([{ kind: 'latency', ms: 2_000 }]);
		const { error } = await run({ ...account, requestOptions: { timeout: 400 } }, setting());
		expect(error?.message).toMatch(/did not answer in time/);
		expect(await sandbox.requests()).toHaveLength(4);
	});

	test('Timeout leaves open what became of a creation, and sends it once', async () => {
		await sandbox.setFaults([{ kind: 'latency', ms: 2_000 }]);
		const create = { resource: 'link', operation: 'create', url: 'https://example.com/slow' };
		const { error } = await run({ ...create, requestOptions: { timeout: 400 } }, setting());
		expect(error?.message).toMatch(/did not answer in time.*may have been created/);
		expect(await sandbox.requests()).toHaveLength(1);
	});

	test('Batching spaces the rows out', async () => {
		const rows = Array.from({ length: 6 }, (_, row) => ({ row }));
		const requestOptions = { batching: { batch: { batchSize: 2, batchInterval: 150 } } };
		const began = Date.now();
		const { items } = await run({ ...account, requestOptions }, setting({ rows }));
		expect(items).toHaveLength(6);
		const times = (await sandbox.requests()).map(({ at }) => at - began);
		expect(times).toHaveLength(6);
		expect(times[2]).toBeGreaterThanOrEqual(145);
		expect(times[4]).toBeGreaterThanOrEqual(295);
	});

	describe.each([1, 3])('Batching and a row that cannot be sent, with %d tries', (maxTries) => {
		const requestOptions = { batching: { batch: { batchSize: 1, batchInterval: 50 } } };
		const node = maxTries > 1 ? { retryOnFail: true, maxTries, waitBetweenTries: 10 } : {};
		const create = { resource: 'link', operation: 'create', requestOptions };

		test('bad input: none is sent, and it is named', async () => {
			const rows = ['https://example.com/1', 'https://example.com/2', 'nowhere'].map((url) => ({ url }));
			const { error } = await run({ ...create, url: '={{ $json.url }}' }, setting({ rows, node }));
			expect(error?.message).toBe('Long URL is not a web address: "nowhere" [item 2]');
			expect(await sandbox.requests()).toEqual([]);
		});

		test('an expression that fails: none is sent, also after the execution has ended', async () => {
			const rows = [1, 2, 3].map((row) => ({ row }));
			const url =
				"={{ $json.row === 3 ? (() => { throw new Error('no address') })() : 'https://example.com/' + $json.row }}";
			const { error } = await run({ ...create, url }, setting({ rows, node }));
			expect(error).toBeDefined();
			// What has begun, and outlives the execution, is sent before this request.
			await run(account, setting());
			expect((await sandbox.requests()).map(({ path }) => path)).toEqual(['/api/account']);
		});
	});

	test('Proxy is used for every request, look-ups included', async () => {
		const seen: string[] = [];
		const port = await listen(createHttpServer(toSandbox(seen)));
		await sandbox.setFaults([{ kind: 'dropAfter', match: { method: 'POST' }, times: 1 }]);
		const { items, error } = await run(
			{
				resource: 'link',
				operation: 'create',
				url: 'https://example.com/proxy',
				linkFields: { custom: 'by-proxy' },
				requestOptions: { proxy: `http://127.0.0.1:${port}` },
			},
			setting(),
		);
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ shorturl: `${sandbox.url}/by-proxy` });
		const sent = await sandbox.requests();
		expect(sent.length).toBeGreaterThan(1);
		expect(seen.map((url) => new URL(url).pathname)).toEqual(sent.map(({ path }) => path));
	});

	describe('Ignore SSL Issues', () => {
		let credential: Credential;

		beforeEach(async () => {
			const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
			const port = await listen(createHttpsServer({ key, cert }, toSandbox([])));
			credential = { baseUrl: `https://127.0.0.1:${port}`, apiKey: sandbox.apiKey };
		});

		test('on: a certificate of the service itself will do', async () => {
			const { items, error } = await run(
				{ ...account, requestOptions: { allowUnauthorizedCerts: true } },
				setting({ credential }),
			);
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
		});

		test('off: it will not, which is said with what to do, and not tried again', async () => {
			const { error } = await run(account, setting({ credential }));
			expect(error?.message).toMatch(/^No secure connection/);
			expect(error?.description).toContain('Ignore SSL Issues');
			expect(await sandbox.requests()).toEqual([]);
		});

		test('the credential test says so as well', async () => {
			expect(await testCredential(credential)).toEqual({
				status: 'Error',
				message: expect.stringContaining('No secure connection'),
			});
		});
	});
});

describe('the node', () => {
	test('runs for the first row alone with Execute Once', async () => {
		const { items } = await run(account, setting({ node: { executeOnce: true }, rows: [{}, {}, {}] }));
		expect(items).toHaveLength(1);
		expect(await sandbox.requests()).toHaveLength(1);
	});

	test('Always Output Data gives one empty item for an empty list', async () => {
		const list = { resource: 'link', operation: 'getAll', filters: { q: 'no such thing' } };
		const { items } = await run(list, setting({ node: { alwaysOutputData: true } }));
		expect(items.map(({ json }) => json)).toEqual([{}]);
	});
});
