/** What one meets in the fields of a link: lists that help to fill them, and what the next node offers before anything has run. */
import { type Sandbox, startSandbox } from '../sandbox';
import { NODE_TYPE } from '../n8n/host';
import { type SharedSession, sharedN8n } from '../n8n/host/shared';
import { Editor } from './editor';

const CREATE = { resource: 'link', operation: 'create', url: 'https://shop.example.com/summer' };
const NOTHING = { __rl: true, mode: 'list', value: '' };

let n8n: SharedSession;
let sandbox: Sandbox;
let editor: Editor;

beforeAll(async () => {
	n8n = await sharedN8n();
	sandbox = await startSandbox({ limit: { requests: null }, records: { campaigns: 3 } });
	await n8n.createCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey }, { name: 'Link Management account' });
	editor = await Editor.open(n8n);
});

beforeEach(async () => {
	await sandbox.clearRequests();
});

afterAll(async () => {
	await editor?.close();
	await sandbox?.stop();
});

it('the country of a target is chosen from a list', async () => {
	const link = 'https://shop.example.com/de';
	const node = await editor.openNodeWith({
		...CREATE,
		linkFields: { geotarget: { values: [{ location: NOTHING, link }] } },
	});
	const entries = await node.searchList('location', 'german');
	await entries.filter({ hasText: 'Germany' }).waitFor();
	await entries.filter({ hasText: 'Germany' }).click();
	await node.execute();
	await node.output.getByText(sandbox.url).first().waitFor();
	const [{ body }] = (await sandbox.requests()).filter(({ method }) => method === 'POST');
	expect(body).toMatchObject({ geotarget: [{ location: 'Germany', link }] });
});

it('the name of the way to give a link by its short URL is not cut', async () => {
	const linkId = { __rl: true, mode: 'shortUrl', value: '' };
	const node = await editor.openNodeWith({ resource: 'link', operation: 'get', linkId });
	const shown = node.field('linkId').getByTestId('rlc-mode-selector').locator('input');
	expect(await shown.inputValue()).toBe('By URL');
	const [needed, there] = await shown.evaluate(
		({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) => [scrollWidth, clientWidth],
	);
	expect(needed).toBeLessThanOrEqual(there);
});

it('the node after it offers the fields of the link before anything has run, without a request', async () => {
	await editor.openWorkflow({
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
			{ name: 'Link Management', type: NODE_TYPE, parameters: CREATE, position: [300, 0] },
			{
				name: 'Edit Fields',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: { assignments: { assignments: [{ id: 'a', name: 'link', value: '', type: 'string' }] } },
				position: [600, 0],
			},
		],
		connections: {
			Start: { main: [[{ node: 'Link Management', type: 'main', index: 0 }]] },
			'Link Management': { main: [[{ node: 'Edit Fields', type: 'main', index: 0 }]] },
		},
	});
	const { view } = await editor.openNode('Edit Fields');
	const field = view.getByTestId('ndv-input-panel').or(view.getByTestId('input-panel')).getByText('shorturl');
	await field.first().waitFor();
	await editor.picture('fields-before-a-run');
	expect(await sandbox.requests()).toEqual([]);
});
