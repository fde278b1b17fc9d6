/** The credential's own test, as the engine runs it. */
import { startSandbox, type Sandbox } from '../sandbox';
import { freshSandbox } from '../sandbox/fresh';
import { testCredential, type Credential } from './host';

let sandbox: Sandbox;

freshSandbox({ limit: { requests: null } }, (started) => (sandbox = started));

describe('the credential test', () => {
	async function message(credential: Partial<Credential>): Promise<string> {
		const result = await testCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey, ...credential });
		expect(result.status).toBe('Error');
		return result.message;
	}

	test.each(['', '/', '/api', '/api/'])('passes with the right key, base URL with "%s" at its end', async (end) => {
		expect(await testCredential({ baseUrl: sandbox.url + end, apiKey: sandbox.apiKey })).toEqual({
			status: 'OK',
			message: 'Connection successful!',
		});
		expect(await sandbox.requests()).toMatchObject([{ method: 'GET', path: '/api/account', authorized: true }]);
	});

	test.each([200, 401])("fails with the service's message for a wrong key, at HTTP status %d", async (authStatus) => {
		await sandbox.configure({ deviations: { authStatus } });
		const told = await message({ apiKey: 'wrong-key-1234' });
		expect(told).toMatch(/API Key in the Link Management API credential/);
		expect(told).not.toContain('wrong-key-1234');
	});

	test('fails with the message of an error envelope at HTTP status 200', async () => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', status: 200, message: 'The plan has ended' }]);
		expect(await message({})).toMatch(/^The plan has ended\. /);
	});

	test.each<[string, Credential, RegExp]>([
		['a connection that is refused', { baseUrl: 'http://127.0.0.1:9', apiKey: 'k' }, /refused the connection/],
		['a host that does not exist', { baseUrl: 'http://host.invalid', apiKey: 'k' }, /no host of that name/],
		['no URL', { baseUrl: 'links', apiKey: 'k' }, /not a URL/],
	])('says what is wrong with %s', async (_what, credential, told) => {
		expect(await message(credential)).toMatch(told);
	});

	test('says that it got a web page', async () => {
		await sandbox.setFaults([{ kind: 'html', status: 200 }]);
		expect(await message({})).toMatch(/a web page instead of data.*Base URL/);
	});

	test('follows no redirect', async () => {
		const elsewhere = await startSandbox();
		try {
			await sandbox.setFaults([{ kind: 'redirect', to: elsewhere.url, keepPath: true }]);
			expect(await message({})).toContain(`redirects to ${elsewhere.url}`);
			expect(await elsewhere.requests()).toEqual([]);
		} finally {
			await elsewhere.stop();
		}
	});
});
