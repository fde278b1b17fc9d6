import { type Sandbox, startSandbox } from '../sandbox';
import { CREDENTIAL_TYPE } from '../n8n/host';
import { type SharedSession, sharedN8n } from '../n8n/host/shared';
import { Editor } from './editor';

let n8n: SharedSession;
let sandbox: Sandbox;
let editor: Editor;

beforeAll(async () => {
	n8n = await sharedN8n();
	sandbox = await startSandbox({ limit: { requests: null } });
	for (const { id, type } of await n8n.rest<Array<{ id: string; type: string }>>('GET', '/rest/credentials')) {
		// With a credential at hand, n8n chooses it by itself.
		if (type === CREDENTIAL_TYPE) await n8n.rest('DELETE', `/rest/credentials/${id}`);
	}
	editor = await Editor.open(n8n);
});

afterAll(async () => {
	await editor?.close();
	await sandbox?.stop();
});

describe('the credential form', () => {
	it("says with the service's words why it can't connect, and saves once it can", async () => {
		const node = await editor.openNodeWith({ resource: 'link', operation: 'getAll' });
		await node.parameters.getByText('Connect to Link Management').click();
		const form = editor.page.getByTestId('editCredential-modal');
		await form.getByTestId('parameter-input-baseUrl').locator('input').fill(sandbox.url);
		await form.getByTestId('parameter-input-apiKey').locator('input').fill('a-key-that-was-mistyped');
		await form.getByTestId('credential-save-button').click();
		await form.getByText('Couldn’t connect with these settings').waitFor();
		await form.getByText('More details').click();
		await form.getByText('A valid API key is required to use this service.').waitFor();
		const said = await form.innerText();
		expect(said).not.toContain('..');
		expect(said).not.toContain('a-key-that-was-mistyped');
		await editor.picture('credential');

		await form.getByTestId('parameter-input-apiKey').locator('input').fill(sandbox.apiKey);
		await form.getByTestId('credential-save-button').click();
		await form.waitFor({ state: 'hidden' });
		expect(await node.parameters.getByTestId('node-credentials-select').locator('input').inputValue()).toBe(
			'Link Management account',
		);

		await node.execute();
		await node.output.getByText('shorturl').first().waitFor();
	});
});
