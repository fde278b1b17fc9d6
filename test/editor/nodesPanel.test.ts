import { resources } from '../../nodes/LinkManagement/resources';
import { inARow } from '../n8n/host';
import { type Editor, openEditor } from './editor';
import { eventually } from './eventually';

let editor: Editor;

openEditor({}, (opened) => ({ editor } = opened));

describe('the nodes panel', () => {
	beforeAll(async () => {
		await editor.openWorkflow(inARow());
	});

	it.each([
		'link management',
		'short link',
		'url shortener',
		'shorten url',
		'utm',
		'tracking link',
		'bitly',
		'create qr code',
		'branded domain',
		'qr code scanned',
		'link clicked',
		'new link',
	])('finds the nodes by "%s"', async (words) => {
		const panel = await editor.searchNodes(words);
		await eventually(async () => {
			const names = await panel.getByTestId('node-creator-item-name').allInnerTexts();
			// n8n has nodes whose own names begin with QR.
			expect(names.slice(0, 3)).toContain('Link Management');
		});
	});

	it('lists what each node does', async () => {
		const panel = await editor.searchNodes('short link');
		await panel.getByText('Link Management', { exact: true }).click();
		await panel.getByText('Short links and QR codes').last().waitFor();
		await panel.getByText(`Actions (${resources.flatMap(({ operations }) => operations).length})`).waitFor();
		for (const action of [
			'Create a short link',
			'Get many short links',
			'Create a QR code',
			'Assign a link to a campaign',
			'Update the account',
		]) {
			await panel.getByText(action, { exact: true }).waitFor();
		}
		await editor.picture('nodes-panel');
		await panel.getByText(/^Triggers \(\d+\)$/).click();
		for (const event of ['Link Created', 'Link Clicked', 'QR Code Scanned'])
			await panel.getByText(event).first().waitFor();
	});
});
