import type { Sandbox } from '../sandbox';
import { TRIGGER_TYPE, type WorkflowJson } from '../n8n/host';
import { type Editor, type NodeView, openEditor } from './editor';
import { eventually } from './eventually';

/** Each event by its name in the editor: what it shows below the event, and what its Options offer. */
const EVENTS: Record<string, { parameters: string[]; options?: string[] }> = {
	'Link Clicked': { parameters: ['Watch', 'Options'], options: ['Minimum Increase'] },
	'Link Created': { parameters: ['Options'], options: ['Include Existing'] },
	'Link Reached Clicks': { parameters: ['Watch', 'Threshold', 'Threshold Mode'] },
	'QR Code Created': { parameters: ['Options'], options: ['Include Existing'] },
	'QR Code Reached Scans': { parameters: ['Watch', 'Threshold', 'Threshold Mode'] },
	'QR Code Scanned': { parameters: ['Watch', 'Options'], options: ['Minimum Increase'] },
};

let sandbox: Sandbox;
let editor: Editor;

openEditor({ records: { links: 0, qrs: 0 } }, (opened) => ({ sandbox, editor } = opened));

async function openTrigger(parameters: WorkflowJson['nodes'][number]['parameters']): Promise<NodeView> {
	await editor.openWorkflow({ nodes: [{ name: 'On a scan', type: TRIGGER_TYPE, parameters }], connections: {} });
	return await editor.openNode('On a scan');
}

describe('the trigger in the editor', () => {
	describe('its parameters', () => {
		let node: NodeView;

		beforeAll(async () => {
			node = await openTrigger({});
		});

		it('offers every event', async () => {
			expect(await node.choices('event')).toEqual(Object.keys(EVENTS));
		});

		it.each(Object.entries(EVENTS))('%s shows its own fields and no others', async (event, { parameters, options }) => {
			await node.choose('event', event);
			await eventually(async () => expect(await node.labels()).toEqual(['Poll Times', 'Mode', 'Event', ...parameters]));
			if (options !== undefined) expect(await node.additions('Options')).toEqual(options);
		});
	});

	describe('Fetch Test Event', () => {
		it("shows the newest record in the event's shape", async () => {
			const { qrs } = await sandbox.createRecords({ qrs: [{ name: 'Poster in the window' }] });
			await sandbox.simulate({ scans: [{ id: qrs[0].id, count: 120 }] });
			const node = await openTrigger({ event: 'qrCodeScanThreshold', threshold: 100 });
			await node.execute();
			await node.output.getByText('Poster in the window').waitFor();
			const columns = await node.output.getByTestId('ndv-data-container').innerText();
			for (const column of ['scans', 'threshold', 'previousScans', 'newScans', 'event'])
				expect(columns).toContain(column);
			await editor.picture('trigger');
		});

		it('says what is missing when there is nothing to show', async () => {
			const node = await openTrigger({ event: 'linkClicked' });
			await node.execute();
			expect(await node.output.getByTestId('node-error-message').innerText()).toMatch(/no link/i);
		});
	});
});
