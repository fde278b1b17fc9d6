/** What every user does in the editor: a link, a sheet, a row that is wrong, and the trigger's test. */
import type { Sandbox } from '../sandbox';
import { inARow, LINK_MANAGEMENT, NODE_TYPE, rowsNode, TRIGGER_TYPE } from '../n8n/host';
import { emptyAccounts, sharedN8n } from '../n8n/host/shared';
import { Editor } from './editor';

const n8n = sharedN8n();
let sandbox: Sandbox;

const DOMAIN = 'https://go.example.com';

emptyAccounts(
	{ records: { links: 0, qrs: 0, domains: 0, campaigns: 0 }, publicUrl: 'https://lnk.example' },
	async (service) => {
		sandbox = service;
		await sandbox.createRecords({ domains: [{ domain: DOMAIN }], campaigns: [{ id: 7, name: 'Summer sale' }] });
	},
);

describe.each(['light', 'dark'])('running a node, in the %s theme', (theme) => {
	let editor: Editor;

	beforeAll(async () => {
		editor = await Editor.open(n8n, { dark: theme === 'dark' });
	});

	afterAll(async () => {
		await editor?.close();
	});

	it('shows the link that it made', async () => {
		const node = await editor.openNodeWith({
			resource: 'link',
			operation: 'create',
			url: 'https://shop.example.com/summer?utm_source=newsletter',
			linkFields: {
				custom: 'summer-sale',
				domain: { __rl: true, mode: 'list', value: DOMAIN, cachedResultName: DOMAIN },
				campaign: { __rl: true, mode: 'list', value: 7, cachedResultName: 'Summer sale' },
				expiry: '2031-09-01T18:00:00',
			},
		});
		await node.execute();
		await node.output.getByText(`${DOMAIN}/summer-sale`).waitFor();
		await editor.picture(`create-link-${theme}`, await node.withoutInput('Add field'));
		expect((await sandbox.links()).filter(({ alias }) => alias === 'summer-sale')).toMatchObject([
			{ longurl: 'https://shop.example.com/summer?utm_source=newsletter', campaign: 7, expiry: '2031-09-01 18:00:00' },
		]);
	});

	it('brings a sheet and its links in sync, and says what became of each row', async () => {
		const longurl = (page: string) => `https://shop.example.com/${page}`;
		await sandbox.createRecords({
			links: ['spring', 'summer'].map((alias) => ({ alias, longurl: longurl(alias), title: alias })),
		});
		const rows = ['spring', 'summer', 'autumn', 'winter'].map((alias) => ({
			'Long URL': longurl(alias === 'summer' ? 'summer-sale' : alias),
			Alias: alias,
			Title: alias,
		}));
		const parameters = {
			resource: 'link',
			operation: 'upsert',
			columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
		};
		await editor.openWorkflow(inARow(rowsNode(rows), { name: LINK_MANAGEMENT, type: NODE_TYPE, parameters }));
		const node = await editor.openNode(LINK_MANAGEMENT);
		await node.execute();
		await node.output.getByText('Table', { exact: true }).click();
		await node.output.getByText('updated', { exact: true }).waitFor();
		await node.output.getByText('2 created, 1 updated, 1 unchanged.').waitFor();
		if (theme === 'light') await editor.picture('sheet-in-sync');
		const created = node.output.getByRole('cell', { name: 'created', exact: true });
		expect(await created.count()).toBe(2);
	});

	it('names the row and the field that is wrong', async () => {
		const rows = ['https://shop.example.com/summer', 'https://shop.example.com/autumn', 'winter sale'].map(
			(url, at) => ({ row_number: at + 2, 'Long URL': url, Alias: ['summer', 'autumn', 'winter'][at] }),
		);
		const parameters = { resource: 'link', operation: 'upsert' };
		await editor.openWorkflow(inARow(rowsNode(rows), { name: LINK_MANAGEMENT, type: NODE_TYPE, parameters }));
		const node = await editor.openNode('Link Management');
		await node.execute();
		const message = await node.output.getByTestId('node-error-message').innerText();
		expect(message).toContain('Long URL');
		expect(message).toContain('winter sale');
		expect(message).toContain('[row 4]');
		await editor.picture(`bad-row-${theme}`);
		expect((await sandbox.stats()).created.links).toBe(0);
	});

	it("shows the newest record in the event's shape as the trigger's test event", async () => {
		const { qrs } = await sandbox.createRecords({ qrs: [{ name: 'Poster in the window' }] });
		await sandbox.simulate({ scans: [{ id: qrs[0].id, count: 120 }] });
		const parameters = { event: 'qrCodeScanThreshold', threshold: 100 };
		await editor.openWorkflow({ nodes: [{ name: 'On a scan', type: TRIGGER_TYPE, parameters }], connections: {} });
		const node = await editor.openNode('On a scan');
		await node.execute();
		await node.output.getByText('Poster in the window').waitFor();
		await node.output.getByText('sample', { exact: true }).waitFor();
		const columns = await node.output.getByTestId('ndv-data-container').innerText();
		for (const column of ['scans', 'threshold', 'previousScans', 'newScans', 'event'])
			expect(columns).toContain(column);
		if (theme === 'light') await editor.picture('trigger');
	});
});
