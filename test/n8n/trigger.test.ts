/** The trigger in the newest n8n: active workflows, polled by n8n itself, over real HTTP to the sandbox. */
import type { IDataObject, INode, INodeParameters, INodePropertyOptions } from 'n8n-workflow';
import { setTimeout as delay } from 'timers/promises';

import type { Sandbox } from '../sandbox';
import { TRIGGER_TYPE } from './host';
import { oneAccount, sharedN8n } from './host/shared';
import { until } from './host/until';
import { pollingWorkflow, reportedBy } from './polling';

const n8n = sharedN8n();
let sandbox: Sandbox;

oneAccount({ dialect: 'field', records: { links: 300, qrs: 40 } }, (service) => (sandbox = service));

afterEach(async () => {
	expect(await sandbox.violations()).toEqual([]);
});

const RENAMED = 'Poster scanned';

/** Everything that a workflow's executions were started with, in order. */
async function reported(workflowId: string): Promise<IDataObject[]> {
	return (await n8n.executions(workflowId)).flatMap((execution) => [
		...reportedBy(execution),
		...reportedBy(execution, RENAMED),
	]);
}

/** Waits for so many items. */
async function eventually(workflowId: string, count: number): Promise<IDataObject[]> {
	return await until(`${count} items`, async () => {
		const items = await reported(workflowId);
		return items.length >= count && items;
	});
}

it('a node that is renamed and moved goes on; one whose event is changed begins again', async () => {
	const { qrs } = await sandbox.createRecords({ qrs: [{ name: 'Poster', scans: 1 }] });
	const { id: qr } = qrs[0];
	const workflow = await n8n.createWorkflow(pollingWorkflow({ event: 'qrCodeScanned' }));
	await n8n.activate(workflow);
	await sandbox.simulate({ scans: [{ id: qr, count: 1 }] });
	expect(await eventually(workflow, 1)).toMatchObject([{ id: qr, newScans: 1 }]);

	const publish = async (change: (node: INode) => void) => {
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
	};
	await publish((node) => Object.assign(node, { name: RENAMED, position: [400, 100] }));
	await sandbox.simulate({ scans: [{ id: qr, count: 2 }] });
	expect(await eventually(workflow, 2)).toMatchObject([{ newScans: 1 }, { previousScans: 2, newScans: 2 }]);

	await publish((node) => Object.assign(node.parameters, { event: 'qrCodeCreated' }));
	await delay(7000);
	expect(await reported(workflow)).toHaveLength(2);
	await n8n.deactivate(workflow);
});

it('settings that can not work are refused at activation, in plain words', async () => {
	const workflow = await n8n.createWorkflow(pollingWorkflow({ event: 'linkClickThreshold', threshold: 0 }));
	await expect(n8n.activate(workflow)).rejects.toThrow('Threshold: 0 is not a whole number of at least 1');
});

it('Fetch Test Event shows a real record in the shape of the event, also where none fits', async () => {
	const { links } = await sandbox.createRecords({ links: [{ title: 'Newest', clicks: 3 }] });
	const run = async (parameters: INodeParameters) => await n8n.runWorkflow(pollingWorkflow(parameters));
	const shown = await run({ event: 'linkClicked' });
	expect(reportedBy(shown)).toMatchObject([
		{ event: 'linkClicked', id: links[0].id, title: 'Newest', clicks: 3, previousClicks: 2, newClicks: 1 },
	]);
	const none = await run({ event: 'linkClickThreshold', threshold: 99_999_999 });
	expect(none.error).toBeUndefined();
	expect(reportedBy(none)).toMatchObject([{ event: 'linkClickThreshold', threshold: 99_999_999 }]);
});

it('the lists to select from show names', async () => {
	const options = await n8n.askDropdown<INodePropertyOptions[]>('options', {
		nodeType: TRIGGER_TYPE,
		method: 'getLinks',
		path: 'parameters.linkIds',
		parameters: { event: 'linkClicked', watch: 'selected' },
	});
	const [newest] = (await sandbox.links()).sort((a, b) => (a.date < b.date ? 1 : -1));
	expect(options.find(({ value }) => value === newest.id)?.name).toContain(newest.shorturl);
});
