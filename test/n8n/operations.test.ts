/** Each operation in a real n8n, by the pages' examples: what comes of it in detail, test/documentation/examples.test.ts shows. */
import type { IDataObject, INodeParameters, INodePropertyOptions } from 'n8n-workflow';
import { DIALECT } from '../dialect';
import { OPERATIONS, prepareAccount } from '../documentation/examples';
import { itemsOf } from '../engine/host';
import type { Sandbox } from '../sandbox';
import { inARow, LINK_MANAGEMENT, NODE_TYPE, rowsNode, workflowOf } from './host';
import { credentialOf, oneAccount, type SharedSession } from './host/shared';

let n8n: SharedSession;
let sandbox: Sandbox;

oneAccount({}, (session, service) => {
	n8n = session;
	sandbox = service;
});

beforeEach(async () => {
	await prepareAccount(sandbox, DIALECT);
});

afterEach(async () => {
	expect(await sandbox.violations()).toEqual([]);
});

it('each operation is tried here', async () => {
	const properties = (await n8n.nodeTypes()).get(NODE_TYPE)?.properties ?? [];
	const offered = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(displayOptions?.show?.resource ?? []).flatMap((resource) =>
				(options as INodePropertyOptions[]).map(({ value }) => `${String(resource)}:${String(value)}`),
			),
		)
		// n8n adds this to every node that has a credential.
		.filter((name) => !name.endsWith('__CUSTOM_API_CALL__'));
	expect(offered.sort()).toEqual(OPERATIONS.map(({ operation }) => operation).sort());
});

it.each(OPERATIONS.map((example) => [example.operation, example.parameters] as const))(
	'%s gives the same items as in the oldest engine',
	async (name, given) => {
		const [resource, operation] = name.split(':');
		const parameters = { resource, operation, ...given };
		const expected = await itemsOf(parameters, { credential: credentialOf(sandbox) });
		await prepareAccount(sandbox, DIALECT);
		const execution = await n8n.runWorkflow(workflowOf(parameters as INodeParameters));
		expect(execution.error).toBeUndefined();
		const output = execution.items(LINK_MANAGEMENT);
		expect(output.map(({ json }) => Object.keys(json))).toEqual(expected.map((json) => Object.keys(json)));
		expect(output.map(({ json }) => json.id)).toEqual(expected.map(({ id }) => id));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(output.map(() => ({ item: 0 })));
	},
);

it('no rows: nothing runs, nothing is sent', async () => {
	const parameters = { resource: 'link', operation: 'create', url: '={{ $json.url }}' };
	const node = { name: LINK_MANAGEMENT, type: NODE_TYPE, parameters };
	const execution = await n8n.runWorkflow(inARow(rowsNode([]), node));
	expect(execution.status).toBe('success');
	expect(execution.runData[LINK_MANAGEMENT]).toBeUndefined();
	expect((await sandbox.stats()).requests).toBe(0);
});

describe('60 rows with three bad ones', () => {
	const rows: IDataObject[] = Array.from({ length: 60 }, (_row, index) => ({
		url: `https://shop.example.com/rows/${index}`,
		alias: `row-${index}`,
	}));
	rows[16] = { url: 'to be announced', alias: 'row-16' };
	rows[33] = { url: 'https://shop.example.com/rows/33', alias: 'row-33', campaign: 999_999 };
	rows[51] = { url: 'https://shop.example.com/rows/51', alias: 'spring' };
	const bad = [16, 33, 51];
	const parameters = {
		resource: 'link',
		operation: 'create',
		url: '={{ $json.url }}',
		linkFields: {
			custom: '={{ $json.alias }}',
			campaign: { __rl: true, mode: 'id', value: '={{ $json.campaign }}' },
		},
	};

	it('put the bad ones out of the error output, each with its row, and do the others', async () => {
		const execution = await n8n.runWorkflow(workflowOf(parameters, rows, { onError: 'continueErrorOutput' }));
		expect(execution.status).toBe('success');
		const good = execution.items(LINK_MANAGEMENT, 0);
		expect(good.map(({ pairedItem }) => pairedItem)).toEqual(
			rows.flatMap((_row, item) => (bad.includes(item) ? [] : [{ item }])),
		);
		expect(good.every(({ json }) => typeof json.shorturl === 'string')).toBe(true);
		const failed = execution.items(LINK_MANAGEMENT, 1);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual(bad.map((item) => ({ item })));
		expect(failed.map(({ json }) => json)).toEqual(bad.map((item) => ({ ...rows[item], error: expect.any(String) })));
		const aliases = (await sandbox.links()).map(({ alias }) => alias).filter((alias) => /^row-\d+$/.test(alias));
		expect(aliases.sort()).toEqual(rows.flatMap(({ alias }, item) => (bad.includes(item) ? [] : [alias])).sort());
	});
});
