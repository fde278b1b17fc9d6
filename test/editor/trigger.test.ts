import type { Sandbox } from '../sandbox';
import { TRIGGER_TYPE, type WorkflowJson } from '../n8n/host';
import { type Editor, type NodeView, openEditor } from './editor';

let sandbox: Sandbox;
let editor: Editor;

openEditor({ records: { links: 0, qrs: 0 } }, (opened) => ({ sandbox, editor } = opened));

async function openTrigger(parameters: WorkflowJson['nodes'][number]['parameters']): Promise<NodeView> {
	await editor.openWorkflow({ nodes: [{ name: 'On a scan', type: TRIGGER_TYPE, parameters }], connections: {} });
	return await editor.openNode('On a scan');
}

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
});
