/** The three workflows that the README tells of, built on an empty canvas: search, click, enter, drag, run, publish. */
import { credentialOf, sharedN8n } from '../n8n/host/shared';
import { startScriptedModel } from '../n8n/scriptedModel';
import type { Sandbox } from '../sandbox';
import { type Editor, enterCredential, openEditor } from './editor';
import { eventually } from './eventually';

const ROWS = [
	{ 'Long URL': 'https://shop.example.com/summer', Alias: 'summer', Title: 'Summer', Shop: 'Berlin' },
	{ 'Long URL': 'https://shop.example.com/autumn', Alias: 'autumn', Title: 'Autumn', Shop: 'Berlin' },
];

const n8n = sharedN8n();
let sandbox: Sandbox;
let editor: Editor;

openEditor({ records: { links: 0, qrs: 0 } }, (opened) => ({ sandbox, editor } = opened));

beforeEach(async () => {
	await n8n.deleteCredentials();
	await editor.openEmptyCanvas();
});

test('a sheet and its links, in sync', async () => {
	const schedule = await editor.addNode(editor.start, 'schedule', 'Schedule Trigger');
	await schedule.close();
	const sheet = await editor.addNode(editor.plusOf('Schedule Trigger'), 'code', 'Code', 'Code in JavaScript');
	await sheet.parameters.locator('.cm-content').fill(`return ${JSON.stringify(ROWS)}`);
	await eventually(async () => {
		// n8n takes the code over a moment after it was typed.
		await sheet.execute();
		expect(await sheet.output.innerText()).toContain('Long URL');
	});
	await sheet.close();

	const node = await editor.addNode(
		editor.plusOf('Code in JavaScript'),
		'shorten links',
		'Link Management',
		'Create or update a short link: an alias that exists is changed',
	);
	const form = await node.newCredential();
	await form.getByText('Find your API key in your account settings').waitFor();
	await enterCredential(form, { baseUrl: sandbox.url, apiKey: sandbox.apiKey });
	await form.waitFor({ state: 'hidden' });
	await node.parameters.getByText('Columns read: Long URL, Alias, Title as Meta Title.').waitFor();
	await node.execute();
	// What became of each row is to be seen without scrolling.
	expect(await node.output.locator('th').first().innerText()).toBe('action');
	expect(await node.output.locator('tbody td:first-of-type').allInnerTexts()).toEqual(['created', 'created']);
	expect((await sandbox.links()).map(({ alias, longurl }) => [alias, longurl])).toEqual(
		ROWS.map((row) => [row.Alias, row['Long URL']]),
	);
	await node.output.getByText('Columns ignored: Shop.').waitFor();
	await node.execute();
	await node.output.getByText('2 unchanged.').waitFor();
});

test('a first link, credential and all', async () => {
	await editor.start.click();
	const panel = await editor.searchNodes('Link Management');
	await panel.getByText('Link Management', { exact: true }).click();
	await panel.getByText(/^Actions \(\d+\)$/).click();
	const node = await editor.choose(panel, 'Create a short link');
	const form = await node.newCredential();
	await form.getByText('Your key is only ever sent there').waitFor();
	expect(await form.getByText('Allowed HTTP Request Domains', { exact: true }).count()).toBe(0);
	await enterCredential(form, { baseUrl: sandbox.url, apiKey: sandbox.apiKey });
	await form.waitFor({ state: 'hidden' });
	await node.fill('url', 'https://shop.example.com/first');
	await node.execute();
	await node.output.getByText('https://shop.example.com/first').waitFor();
	expect((await sandbox.links()).map(({ longurl }) => longurl)).toContain('https://shop.example.com/first');
});

test('a message when a QR code is scanned', async () => {
	await n8n.createCredential(credentialOf(sandbox));
	const { qrs } = await sandbox.createRecords({ qrs: [{ name: 'Poster at the station' }, { name: 'Menu' }] });
	await sandbox.simulate({ scans: [{ id: qrs[0].id, count: 120 }] });

	const trigger = await editor.addNode(
		editor.start,
		'qr codes',
		'Link Management',
		'QR code reached a number of scans',
	);
	await trigger.choose('watch', 'Selected');
	await trigger.parameters.getByText('The first poll only notes what exists').waitFor();
	await trigger.execute();
	const error = trigger.output.getByTestId('node-error-message');
	expect(await error.innerText()).toContain('No QR code is selected');
	await trigger.chooseOneMore('qrCodeIds', 'Poster at the station');
	await trigger.execute();
	await trigger.output.getByText('Poster at the station').waitFor();
	await trigger.close();

	const message = await editor.addNode(editor.plusOf('Link Management Trigger'), 'edit fields', 'Edit Fields (Set)');
	await message.drag('scans', message.parameters.getByTestId('drop-area'));
	await message.execute();
	await message.output.getByText('120', { exact: true }).waitFor();
	await message.close();

	const said = await editor.publish();
	try {
		await said.waitFor();
	} finally {
		await n8n.deactivate(editor.workflowId);
	}
});

test('an agent that shortens links', async () => {
	await n8n.createCredential(credentialOf(sandbox));
	const url = 'https://shop.example.com/winter';
	/** Calls the one tool that there is, and repeats what it says. */
	await startScriptedModel(n8n, ([answer], [tool]) => answer ?? { tool, input: { Long_URL: url, Alias: 'winter' } });
	try {
		const agent = await editor.addNode(editor.start, 'ai agent', 'AI Agent');
		await agent.close();
		const chatModel = await editor.addNode(editor.plusOf('AI Agent', 'Chat Model'), 'openai', 'OpenAI Chat Model');
		await chatModel.field('responsesApiEnabled').click();
		await chatModel.close();
		const tool = await editor.addNode(editor.plusOf('AI Agent', 'Tool'), 'short links', 'Link Management Tool');
		await tool.leaveToModel('url');
		await tool.add('Additional Fields', 'Alias');
		await tool.leaveToModel('custom');
		await tool.close();

		await editor.page.getByTestId('workflow-chat-button').click();
		const chat = editor.page.getByTestId('canvas-chat');
		await chat.locator('textarea').fill(`Shorten ${url}`);
		await editor.page.keyboard.press('Enter');
		await chat.getByText(`${sandbox.url}/winter`).waitFor();
		expect((await sandbox.links()).find(({ alias }) => alias === 'winter')?.longurl).toBe(url);
	} finally {
		await n8n.deleteCredentials('openAiApi');
	}
});
