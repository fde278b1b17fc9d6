import { createServer, type IncomingMessage, type Server } from 'http';
import type { AddressInfo } from 'net';
import { type Sandbox, startSandbox } from '../sandbox';
import { CREDENTIAL_TYPE, type Execution, type WorkflowJson } from './host';
import { type SharedSession, sharedN8n } from './host/shared';

let n8n: SharedSession;
let sandbox: Sandbox;
let other: Server;
let otherUrl: string;
/** What reached the other server. */
let strays: IncomingMessage[];

beforeAll(async () => {
	n8n = await sharedN8n();
	sandbox = await startSandbox({ limit: { requests: null } });
	await n8n.createCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
	other = createServer((request, response) => {
		strays.push(request);
		response.setHeader('content-type', 'application/json');
		response.end('{"error":0}');
	});
	await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
	otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
});

beforeEach(async () => {
	strays = [];
	await sandbox.clearRequests();
	await sandbox.clearFaults();
});

afterAll(async () => {
	await sandbox?.stop();
	other?.close();
});

/** n8n's HTTP Request node with this package's credential. */
function call(parameters: WorkflowJson['nodes'][number]['parameters']): WorkflowJson {
	return {
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
			{
				name: 'Custom call',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: { authentication: 'predefinedCredentialType', nodeCredentialType: CREDENTIAL_TYPE, ...parameters },
				credentials: { [CREDENTIAL_TYPE]: { id: null, name: '' } },
			},
		],
		connections: { Start: { main: [[{ node: 'Custom call', type: 'main', index: 0 }]] } },
	};
}

async function run(parameters: WorkflowJson['nodes'][number]['parameters']): Promise<Execution> {
	return await n8n.runWorkflow(call(parameters));
}

describe("n8n's HTTP Request node with the credential", () => {
	it('calls any endpoint of the service', async () => {
		const execution = await run({ url: `${sandbox.url}/api/account` });
		expect(execution.error).toBeUndefined();
		expect(execution.json('Custom call')[0]).toMatchObject({ data: { username: expect.any(String) } });
		const [request] = await sandbox.requests();
		expect(request).toMatchObject({ path: '/api/account', authorized: true });
	});

	it('sends bodies', async () => {
		const execution = await run({
			method: 'POST',
			url: `${sandbox.url}/api/campaign/add`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '{ "name": "From a custom call" }',
		});
		expect(execution.json('Custom call')[0]).toMatchObject({ error: 0, domain: 'From a custom call' });
	});

	it('sends the custom header along', async () => {
		const header = { header: true, headerName: 'X-Front', headerValue: 'a pass of the front' };
		await n8n.createCredential({ baseUrl: otherUrl, apiKey: 'a-key-of-the-other', ...header });
		const execution = await run({ url: `${otherUrl}/api/account` });
		await n8n.createCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
		expect(execution.error).toBeUndefined();
		expect(strays.map(({ headers }) => headers['x-front'])).toEqual(['a pass of the front']);
	});

	it.each([
		['another host', () => `${otherUrl}/api/account`],
		[
			'a host that only begins like it',
			() => `${sandbox.url.replace(/:(\d+)$/, '@')}${otherUrl.slice('http://'.length)}/api/account`,
		],
		['the same host by another name', () => `${otherUrl.replace('127.0.0.1', 'localhost')}/api/account`],
	])('refuses to send the key to %s', async (_what, url) => {
		const execution = await run({ url: url() });
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toMatch(/only sent to the Base URL/);
		expect(strays).toEqual([]);
		expect(JSON.stringify(execution.data)).not.toContain(sandbox.apiKey);
	});

	it.each([
		['by its own settings', {}],
		[
			'where the node is told to follow redirects',
			{ redirect: { redirect: { followRedirects: true, maxRedirects: 5 } } },
		],
		['where the node is told to send credentials along', { sendCredentialsOnCrossOriginRedirect: true }],
	])('follows no redirect with the key, %s', async (_how, options) => {
		for (const to of [otherUrl, otherUrl.replace('127.0.0.1', 'localhost')]) {
			await sandbox.setFaults([{ kind: 'redirect', to, keepPath: true }]);
			const execution = await run({ url: `${sandbox.url}/api/account`, options });
			expect(strays).toEqual([]);
			expect(JSON.stringify(execution.data)).not.toContain(sandbox.apiKey);
		}
	});
});
