import { sharedN8n } from '../n8n/host/shared';
import type { Sandbox } from '../sandbox';
import { type Editor, enterCredential, openEditor } from './editor';

let sandbox: Sandbox;
let editor: Editor;

openEditor({}, async (opened) => {
	({ sandbox, editor } = opened);
	await sharedN8n().deleteCredentials();
});

it("the credential form says with the service's words why it can't connect, and saves once it can", async () => {
	const node = await editor.openNodeWith({ resource: 'link', operation: 'getAll' });
	const form = await node.newCredential();
	await enterCredential(form, { baseUrl: sandbox.url, apiKey: 'a-key-that-was-mistyped' });
	await form.getByText('Couldn’t connect with these settings').waitFor();
	await form.getByText('More details').click();
	await form.getByText('A valid API key is required to use this service').waitFor();
	const said = await form.innerText();
	expect(said).not.toContain('..');
	expect(said).not.toContain('a-key-that-was-mistyped');
	const field = form.getByTestId('parameter-input-baseUrl').locator('input');
	await field.fill('https://links.example.com');
	await editor.picture('credential');

	await enterCredential(form, { baseUrl: sandbox.url, apiKey: sandbox.apiKey });
	await form.waitFor({ state: 'hidden' });
	expect(await node.parameters.getByTestId('node-credentials-select').locator('input').inputValue()).toBe(
		'Link Management account',
	);

	const saved = await node.editCredential();
	await saved.getByText('Connection tested successfully').waitFor();
	// For the picture alone: n8n does not take it for an entry.
	const shown = saved.getByTestId('parameter-input-baseUrl').locator('input');
	await shown.evaluate((input: { value: string }) => (input.value = 'https://links.example.com'));
	await editor.picture('credential-works');
	await saved.locator('.el-dialog__headerbtn').click();
	await saved.waitFor({ state: 'hidden' });

	await node.execute();
	await node.output.getByText('shorturl').first().waitFor();
});
