import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../sandbox';
import { NODE_TYPE, type WorkflowJson } from './host';
import { emptyAccounts, type SharedSession } from './host/shared';

let n8n: SharedSession;
let sandbox: Sandbox;

const MANY = 1000;

// Before the service is stopped.
afterEach(async () => {
	expect(await sandbox.violations()).toEqual([]);
});

emptyAccounts({}, (session, service) => {
	n8n = session;
	sandbox = service;
});

/** Rows from a Code node, through the node, to a node that looks back at the row of each item. */
function rowsThrough(jsCode: string, parameters: INodeParameters, back = "={{ $('Rows').item.json }}"): WorkflowJson {
	return {
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
			{ name: 'Rows', type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } },
			{
				name: 'Link Management',
				type: NODE_TYPE,
				parameters: { resource: 'link', operation: 'create', ...parameters },
			},
			{
				name: 'Row of the item',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: {
					assignments: { assignments: [{ id: '1', name: 'row', type: 'object', value: back }] },
					includeOtherFields: true,
					options: {},
				},
			},
		],
		connections: {
			Start: { main: [[{ node: 'Rows', type: 'main', index: 0 }]] },
			Rows: { main: [[{ node: 'Link Management', type: 'main', index: 0 }]] },
			'Link Management': { main: [[{ node: 'Row of the item', type: 'main', index: 0 }]] },
		},
	};
}

describe('the number of items', () => {
	it('may be none: nothing runs, nothing is sent', async () => {
		const execution = await n8n.runWorkflow(rowsThrough('return []', { url: '={{ $json.url }}' }));
		expect(execution.status).toBe('success');
		expect(execution.runData['Link Management']).toBeUndefined();
		expect((await sandbox.stats()).requests).toBe(0);
	});

	it(`may be ${MANY}: each item leads back to its row, in order`, async () => {
		const execution = await n8n.runWorkflow(
			rowsThrough(
				`return Array.from({ length: ${MANY} }, (_, n) => ({ json: { n, url: 'https://example.com/page/' + n } }))`,
				{
					url: '={{ $json.url }}',
				},
			),
		);
		expect(execution.error).toBeUndefined();
		const longUrls = new Map((await sandbox.links()).map(({ id, longurl }) => [id, longurl]));
		expect(longUrls.size).toBe(MANY);
		const items = execution.json('Row of the item');
		expect(items).toHaveLength(MANY);
		expect(items.map(({ row }) => (row as IDataObject).n)).toEqual(Array.from({ length: MANY }, (_, n) => n));
		expect(items.every(({ id, row }) => longUrls.get(id as number) === (row as IDataObject).url)).toBe(true);
	});
});

describe('pairing', () => {
	it('leads from each record of a list to the row that asked for it', async () => {
		await sandbox.createRecords({
			links: [{ title: 'spring one' }, { title: 'spring two' }, { title: 'autumn one' }],
		});
		const execution = await n8n.runWorkflow(
			rowsThrough(
				"return [{ json: { word: 'autumn' } }, { json: { word: 'nothing' } }, { json: { word: 'spring' } }]",
				{
					operation: 'getAll',
					returnAll: true,
					filters: { q: '={{ $json.word }}' },
				},
			),
		);
		const found = execution.json('Row of the item').map(({ title, row }) => [title, (row as IDataObject).word]);
		expect(found).toHaveLength(3);
		expect(found[0]).toEqual(['autumn one', 'autumn']);
		expect(found.slice(1).sort()).toEqual([
			['spring one', 'spring'],
			['spring two', 'spring'],
		]);
	});

	it('leads from a failed item to its row', async () => {
		const workflow = rowsThrough(
			"return ['https://example.com/a', 'wrong', 'https://example.com/c'].map((url) => ({ json: { url } }))",
			{
				url: '={{ $json.url }}',
			},
		);
		workflow.nodes[2].onError = 'continueRegularOutput';
		const execution = await n8n.runWorkflow(workflow);
		expect(
			execution.json('Row of the item').map(({ error, row }) => [error !== undefined, (row as IDataObject).url]),
		).toEqual([
			[false, 'https://example.com/a'],
			[true, 'wrong'],
			[false, 'https://example.com/c'],
		]);
	});
});
