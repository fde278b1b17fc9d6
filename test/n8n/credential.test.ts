/** The credential in a real n8n: whom its key goes to. What its test says of a service, test/engine/credentialTest.test.ts shows. */
import { createServer, type RequestListener, type Server } from 'http';
import type { AddressInfo } from 'net';
import { type Sandbox, startSandbox } from '../sandbox';
import { workflowOf } from './host';
import { type SharedSession, sharedN8n } from './host/shared';

let n8n: SharedSession;
let sandbox: Sandbox;
const servers: Server[] = [];

async function serve(answer: RequestListener): Promise<string> {
	const server = createServer(answer);
	servers.push(server);
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
	n8n = await sharedN8n();
	sandbox = await startSandbox({ limit: { requests: null } });
});

afterAll(async () => {
	await sandbox.stop();
	servers.forEach((server) => server.close());
});

describe('the credential test', () => {
	it('accepts a valid key', async () => {
		expect(await n8n.testCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey })).toMatchObject({ status: 'OK' });
	});

	it('fails for a wrong key, and does not repeat the key', async () => {
		const { status, message } = await n8n.testCredential({ baseUrl: sandbox.url, apiKey: 'not-the-right-key' });
		expect(status).toBe('Error');
		expect(message).not.toContain('not-the-right-key');
		expect(message).toMatch(/key/i);
	});

	it('does not carry the key along on a redirect to another host', async () => {
		const seen: Array<string | undefined> = [];
		const elsewhere = await serve((request, response) => {
			seen.push(request.headers.authorization);
			response.end('{}');
		});
		// The same machine under another name: another host to every HTTP client.
		const other = elsewhere.replace('127.0.0.1', 'localhost');
		const baseUrl = await serve((_request, response) => {
			response.writeHead(302, { location: `${other}/api/account` }).end();
		});
		const { status } = await n8n.testCredential({ baseUrl, apiKey: 'a-key' });
		expect(status).toBe('Error');
		expect(seen.filter((header) => header !== undefined)).toEqual([]);
	});
});

describe('a credential that is limited to domains', () => {
	const limitedTo = async (allowedDomains: string) => {
		await n8n.createCredential({
			baseUrl: sandbox.url,
			apiKey: sandbox.apiKey,
			allowedHttpRequestDomains: 'domains',
			allowedDomains,
		});
		await sandbox.clearRequests();
		return await n8n.runWorkflow(workflowOf({ resource: 'account', operation: 'get' }));
	};

	it('is not used elsewhere', async () => {
		const { status, error } = await limitedTo('elsewhere.example');
		expect(status).toBe('error');
		expect(error?.message).toContain('elsewhere.example');
		expect(await sandbox.requests()).toEqual([]);
	});

	it('is used at them', async () => {
		expect(await limitedTo(new URL(sandbox.url).hostname)).toMatchObject({ status: 'success' });
	});
});
