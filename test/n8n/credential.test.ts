/** The credential in a real n8n: whom its key goes to. What its test says of a service, test/engine/credentialTest.test.ts shows. */
import type { Sandbox } from '../sandbox';
import { Receiver } from './example';
import { credentialOf, oneAccount, sharedN8n } from './host/shared';

const n8n = sharedN8n();
let sandbox: Sandbox;

oneAccount({}, (service) => (sandbox = service));

describe('the credential test', () => {
	it('accepts a valid key', async () => {
		expect(await n8n.testCredential(credentialOf(sandbox))).toMatchObject({ status: 'OK' });
	});

	it('fails for a wrong key, and does not repeat the key', async () => {
		const { status, message } = await n8n.testCredential({ baseUrl: sandbox.url, apiKey: 'not-the-right-key' });
		expect(status).toBe('Error');
		expect(message).not.toContain('not-the-right-key');
		expect(message).toMatch(/key/i);
	});

	it('does not carry the key along on a redirect to another host', async () => {
		const seen: Array<string | undefined> = [];
		const elsewhere = await Receiver.start((_body, { headers }) => {
			seen.push(headers.authorization);
			return {};
		});
		// The same machine under another name: another host to every HTTP client.
		await sandbox.setFaults([
			{ kind: 'redirect', to: elsewhere.url.replace('127.0.0.1', 'localhost'), keepPath: true },
		]);
		try {
			const { status } = await n8n.testCredential(credentialOf(sandbox));
			expect(status).toBe('Error');
			expect(seen.filter((header) => header !== undefined)).toEqual([]);
		} finally {
			await sandbox.clearFaults();
		}
	});
});
