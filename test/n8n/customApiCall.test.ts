import type { IncomingMessage } from 'http';
import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../sandbox';
import { Receiver } from './example';
import { CREDENTIAL_TYPE, type Execution, inARow } from './host';
import { credentialOf, oneAccount, sharedN8n } from './host/shared';

const n8n = sharedN8n();
let sandbox: Sandbox;
let other: Receiver;
/** What reached the other server. */
let strays: IncomingMessage[];

oneAccount({}, (service) => (sandbox = service));

beforeAll(async () => {
	other = await Receiver.start((_body, request) => {
		strays.push(request);
		return { error: 0 };
	});
});

beforeEach(async () => {
	strays = [];
	await sandbox.clearRequests();
	await sandbox.clearFaults();
});

/** Runs n8n's HTTP Request node with this package's credential. */
async function run(more: INodeParameters): Promise<Execution> {
	const parameters = { authentication: 'predefinedCredentialType', nodeCredentialType: CREDENTIAL_TYPE, ...more };
	const credentials = { [CREDENTIAL_TYPE]: { id: null, name: '' } };
	const type = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 };
	return await n8n.runWorkflow(inARow({ name: 'Custom call', ...type, parameters, credentials }));
}

describe("n8n's HTTP Request node with the credential", () => {
	it('calls any endpoint of the service', async () => {
		const execution = await run({ url: `${sandbox.url}/api/account` });
		expect(execution.error).toBeUndefined();
		expect(execution.json('Custom call')[0]).toMatchObject({ data: { username: expect.any(String) } });
		const [request] = await sandbox.requests();
		expect(request).toMatchObject({ path: '/api/account', authorized: true });
	});

	it('sends the custom header along', async () => {
		const header = { header: true, headerName: 'X-Front', headerValue: 'a pass of the front' };
		await n8n.createCredential({ baseUrl: other.url, apiKey: 'a-key-of-the-other', ...header });
		const execution = await run({ url: `${other.url}/api/account` });
		await n8n.createCredential(credentialOf(sandbox));
		expect(execution.error).toBeUndefined();
		expect(strays.map(({ headers }) => headers['x-front'])).toEqual(['a pass of the front']);
	});

	it.each([
		['another host', () => `${other.url}/api/account`],
		[
			'a host that only begins like it',
			() => `${sandbox.url.replace(/:(\d+)$/, '@')}${other.url.slice('http://'.length)}/api/account`,
		],
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
		for (const to of [other.url, other.url.replace('127.0.0.1', 'localhost')]) {
			await sandbox.setFaults([{ kind: 'redirect', to, keepPath: true }]);
			const execution = await run({ url: `${sandbox.url}/api/account`, options });
			expect(strays).toEqual([]);
			expect(JSON.stringify(execution.data)).not.toContain(sandbox.apiKey);
		}
	});
});
