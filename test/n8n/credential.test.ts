/** The credential's test in a real n8n. What it says of each service, test/documentation/credentialTest.test.ts shows. */
import type { Sandbox } from '../sandbox';
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
});
