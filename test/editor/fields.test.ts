/** What one meets in the fields of a link: lists that help to fill them, and what the next node offers before anything has run. */
import type { Sandbox } from '../sandbox';
import { inARow, LINK_MANAGEMENT, NODE_TYPE, rowsNode } from '../n8n/host';
import { type Editor, openEditor } from './editor';

const CREATE = { resource: 'link', operation: 'create', url: 'https://shop.example.com/summer' };

let sandbox: Sandbox;
let editor: Editor;

openEditor(
	{ records: { campaigns: 3 }, deviations: { qrLink: 'picture' } },
	(opened) => ({ sandbox, editor } = opened),
);

beforeEach(async () => {
	await sandbox.clearRequests();
});

it('the countries of an address are chosen from a list, several at once', async () => {
	const link = 'https://shop.example.com/de';
	const node = await editor.openNodeWith({
		...CREATE,
		linkFields: { geotarget: { values: [{ location: [], link }] } },
	});
	await node.chooseOneMore('location', 'Germany');
	await node.chooseOneMore('location', 'Austria');
	await editor.page.keyboard.press('Escape');
	await node.execute();
	await node.output.getByText(sandbox.url).first().waitFor();
	const [{ body }] = (await sandbox.requests()).filter(({ method }) => method === 'POST');
	expect(body).toMatchObject({
		geotarget: [
			{ location: 'Germany', link },
			{ location: 'Austria', link },
		],
	});
});

it('a field with an entry stays when others are added', async () => {
	const node = await editor.openNodeWith({
		...CREATE,
		linkFields: { parameters: { values: [{ name: 'ref', value: 'poster' }] } },
	});
	for (const field of ['Deep Link', 'UTM Parameters']) await node.add('Additional Fields', field);
	const fields = ['URL Parameters', 'Value', 'Deep Link', 'From Long URL', 'UTM Parameters', 'UTM Medium'];
	expect(await node.labels()).toEqual(expect.arrayContaining(fields));
});

it('a switch that is added is on, a choice takes effect, and a color is there', async () => {
	const upsert = await editor.openNodeWith({ resource: 'link', operation: 'upsert' });
	await upsert.add('Options', 'Dry Run');
	expect(await upsert.field('dryRun').getByRole('switch').getAttribute('aria-checked')).toBe('true');
	await upsert.add('Options', 'Empty Cells');
	expect(await upsert.field('emptyCells').locator('input').inputValue()).toBe('Keep');
	const channel = await editor.openNodeWith({ resource: 'channel', operation: 'create', name: 'Press' });
	await channel.add('Additional Fields', 'Color');
	expect(await channel.field('color').locator('input').last().inputValue()).toMatch(/^#[0-9A-F]{6}$/);
});

it('as a tool of an agent, Create or Update opens with the fields that a model gives, and no others', async () => {
	const parameters = { resource: 'link', operation: 'upsert' };
	await editor.openWorkflow({
		nodes: [{ name: 'Short links', type: `${NODE_TYPE}Tool`, parameters }],
		connections: {},
	});
	const node = await editor.openNode('Short links');
	await node.parameters.getByText('Meta Title', { exact: true }).waitFor();
	const labels = await node.labels();
	expect(labels).toEqual(expect.arrayContaining(['Long URL', 'Alias', 'Meta Title', 'Description']));
	for (const other of ['Short URL', 'Domain', 'Campaign', 'Expiry', 'Password']) expect(labels).not.toContain(other);
	await editor.picture('agent-tool');
});

it('a QR code is downloaded as a picture', async () => {
	const { qrs } = await sandbox.createRecords({ qrs: [{ name: 'Menu' }] });
	const node = await editor.openNodeWith({
		resource: 'qrCode',
		operation: 'download',
		qrCodeId: { __rl: true, mode: 'id', value: qrs[0].id },
	});
	await node.execute();
	await node.output.getByText('Binary', { exact: true }).click();
	await node.output
		.getByText(/qr-code-\d+\.svg/)
		.first()
		.waitFor();
	await editor.picture('qr-code');
});

it('once the node before it has run, it says which column is public, and which is ignored', async () => {
	const says = async (row: Record<string, string>, hint: string) => {
		const parameters = { resource: 'link', operation: 'upsert' };
		await editor.openWorkflow(inARow(rowsNode([row]), { name: LINK_MANAGEMENT, type: NODE_TYPE, parameters }));
		const rows = await editor.openNode('Rows');
		await rows.execute();
		await rows.close();
		const node = await editor.openNode('Link Management');
		await node.parameters.getByText(hint).waitFor();
	};
	await says(
		{ 'Long URL': 'https://shop.example.com', Title: 'Sale' },
		'Title becomes the public title of the preview',
	);
	await says({ 'Page URL': 'https://shop.example.com' }, 'The input has no column that is read: Page URL');
	const row = { 'Long URL': 'https://shop.example.com', 'End Date': '2040-01-01' };
	await says(row, 'Columns ignored: End Date.');
});

it('the node after it offers the fields of the link before anything has run, without a request', async () => {
	await editor.openWorkflow(
		inARow(
			{ name: LINK_MANAGEMENT, type: NODE_TYPE, parameters: CREATE, position: [300, 0] },
			{
				name: 'Edit Fields',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: { assignments: { assignments: [{ id: 'a', name: 'link', value: '', type: 'string' }] } },
				position: [600, 0],
			},
		),
	);
	const { view } = await editor.openNode('Edit Fields');
	const field = view.getByTestId('ndv-input-panel').or(view.getByTestId('input-panel')).getByText('shorturl');
	await field.first().waitFor();
	await editor.picture('fields-before-a-run');
	expect(await sandbox.requests()).toEqual([]);
});
