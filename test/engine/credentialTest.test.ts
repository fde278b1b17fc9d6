/** The credential's own test, as the engine runs it. */
import { testCredential, type Credential } from './host';
import { credential, openService, sandbox } from './service';

openService();

async function message(more: Partial<Credential> = {}): Promise<string> {
	const result = await testCredential(credential(more));
	expect(result.status).toBe('Error');
	return result.message;
}

test.each(['', '/', '/api', '/api/'])('passes with the right key, base URL with "%s" at its end', async (end) => {
	const passed = { status: 'OK', message: 'Connection successful!' };
	expect(await testCredential(credential({ baseUrl: sandbox.url + end }))).toEqual(passed);
	expect(await sandbox.requests()).toMatchObject([{ method: 'GET', path: '/api/account', authorized: true }]);
});

test.each([200, 401])("fails with the service's message for a wrong key, at HTTP status %d", async (authStatus) => {
	await sandbox.configure({ deviations: { authStatus } });
	const told = await message({ apiKey: 'wrong-key-1234' });
	expect(told).toMatch(/API Key in the Link Management API credential/);
	expect(told).not.toContain('wrong-key-1234');
});

test('fails with the message of an error envelope at HTTP status 200, and says that it got a web page', async () => {
	await sandbox.setFaults([{ kind: 'errorEnvelope', status: 200, message: 'The plan has ended' }]);
	expect(await message()).toMatch(/^The plan has ended\. /);
	await sandbox.setFaults([{ kind: 'html', status: 200 }]);
	expect(await message()).toMatch(/a web page instead of data.*Base URL/);
});
