import type { Sandbox } from '../sandbox';
import { type Editor, openEditor } from './editor';
import { eventually } from './eventually';

let sandbox: Sandbox;
let editor: Editor;

const CAMPAIGNS = 230;

openEditor({ records: { campaigns: CAMPAIGNS } }, async (opened) => {
	({ sandbox, editor } = opened);
	await sandbox.createRecords({
		campaigns: [{ name: 'Summer sale' }, { name: 'Summer newsletter' }, { name: 'Trade fair' }],
	});
});

describe('a dropdown', () => {
	it('loads further pages as one scrolls', async () => {
		const node = await editor.openNodeWith({ resource: 'campaign', operation: 'delete' });
		await node.field('campaignId').getByTestId('rlc-input').click();
		const entries = editor.page.getByTestId('rlc-item').filter({ visible: true });
		await entries.first().waitFor();
		await eventually(async () => {
			await entries.last().scrollIntoViewIfNeeded();
			expect(await entries.count()).toBe(CAMPAIGNS + 3);
		});
		const names = await entries.allInnerTexts();
		expect(new Set(names).size).toBe(CAMPAIGNS + 3);
	});

	it('is searched by typing, and takes what is chosen', async () => {
		const node = await editor.openNodeWith({
			resource: 'campaign',
			operation: 'update',
			name: 'Summer sale, second week',
		});
		const entries = await node.searchList('campaignId', 'summer ');
		await eventually(async () => {
			const names = await entries.allInnerTexts();
			expect(names.length).toBeGreaterThanOrEqual(2);
			expect(names.filter((name) => !/summer/i.test(name))).toEqual([]);
		});
		await editor.picture('campaign-dropdown');
		await entries.filter({ hasText: 'Summer sale' }).click();
		const [{ id }] = (await sandbox.records('campaigns')).filter(({ name }) => name === 'Summer sale');
		await node.execute();
		await node.output.getByText('Summer sale, second week').waitFor();
		expect((await sandbox.records('campaigns')).find((campaign) => campaign.id === id)?.name).toBe(
			'Summer sale, second week',
		);
	});
});
