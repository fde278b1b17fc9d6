/** The trigger in the newest n8n: active workflows, polled by n8n itself, over real HTTP to the sandbox. */
import type { INode } from 'n8n-workflow';
import { setTimeout as delay } from 'timers/promises';

import type { Sandbox } from '../sandbox';
import { oneAccount, sharedN8n } from './host/shared';
import { POLLING, pollingWorkflow, reported } from './polling';

const n8n = sharedN8n();
let sandbox: Sandbox;

oneAccount({ dialect: 'field', records: { links: 300, qrs: 40 } }, (service) => (sandbox = service));

afterEach(async () => {
	expect(await sandbox.violations()).toEqual([]);
});

const RENAMED = 'Poster scanned';

const eventually = async (workflowId: string, count?: number) =>
	await reported(n8n, workflowId, count, [POLLING, RENAMED]);

/** Saves and publishes an edit of the trigger, as a user does. */
async function publish(workflow: string, change: (node: INode) => void): Promise<void> {
	const saved = await n8n.rest<{ nodes: INode[]; versionId: string }>('GET', `/rest/workflows/${workflow}`);
	const [trigger, after] = saved.nodes;
	change(trigger);
	const connections = { [trigger.name]: { main: [[{ node: after.name, type: 'main', index: 0 }]] } };
	await n8n.rest('PATCH', `/rest/workflows/${workflow}`, {
		nodes: saved.nodes,
		connections,
		versionId: saved.versionId,
	});
	await n8n.activate(workflow);
}

it('a node that is moved goes on, also where the workflow was off; one with another name or event begins again', async () => {
	const { qrs } = await sandbox.createRecords({ qrs: [{ name: 'Poster', scans: 1 }] });
	const { id: qr } = qrs[0];
	const scan = async (count: number) => await sandbox.simulate({ scans: [{ id: qr, count }] });
	const workflow = await n8n.createWorkflow(pollingWorkflow({ event: 'qrCodeScanned' }, 20));
	await n8n.activate(workflow);
	await scan(1);
	expect(await eventually(workflow, 1)).toMatchObject([{ id: qr, newScans: 1 }]);

	// What happens before the edit is published is not lost either.
	await scan(2);
	await publish(workflow, (node) => Object.assign(node, { position: [400, 100] }));
	expect(await eventually(workflow, 2)).toMatchObject([{}, { previousScans: 2, newScans: 2 }]);

	await n8n.deactivate(workflow);
	await scan(3);
	await n8n.activate(workflow);
	expect(await eventually(workflow, 3)).toMatchObject([{}, {}, { previousScans: 4, newScans: 3 }]);

	await scan(4);
	await publish(workflow, (node) => Object.assign(node, { name: RENAMED }));
	await publish(workflow, (node) => Object.assign(node.parameters, { event: 'qrCodeCreated' }));
	await delay(7000);
	expect(await eventually(workflow)).toHaveLength(3);
	// Where it begins, n8n has saved with its activation: no execution is without items.
	expect(await n8n.executions(workflow)).toHaveLength(3);
	await n8n.deactivate(workflow);
});
