/** Each operation in a real n8n, by the pages' examples: what comes of it in detail, test/documentation/examples.test.ts shows. */
import type { INodeParameters } from 'n8n-workflow';
import { OPERATIONS, prepareAccount } from '../documentation/examples';
import { itemsOf } from '../engine/host';
import type { Sandbox } from '../sandbox';
import { LINK_MANAGEMENT, workflowOf } from './host';
import { credentialOf, oneAccount, sharedN8n } from './host/shared';

const n8n = sharedN8n();
let sandbox: Sandbox;

oneAccount({}, (service) => (sandbox = service));

beforeEach(async () => {
	await prepareAccount(sandbox, 'field');
});

afterEach(async () => {
	expect(await sandbox.violations()).toEqual([]);
});

it.each(OPERATIONS.map((example) => [example.operation, example.parameters] as const))(
	'%s gives the same items as in the oldest engine',
	async (name, given) => {
		const [resource, operation] = name.split(':');
		const parameters = { resource, operation, ...given };
		const expected = await itemsOf(parameters, { credential: credentialOf(sandbox) });
		await prepareAccount(sandbox, 'field');
		const execution = await n8n.runWorkflow(workflowOf(parameters as INodeParameters));
		expect(execution.error).toBeUndefined();
		const output = execution.items(LINK_MANAGEMENT);
		expect(output.map(({ json }) => Object.keys(json))).toEqual(expected.map((json) => Object.keys(json)));
		expect(output.map(({ json }) => json.id)).toEqual(expected.map(({ id }) => id));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(output.map(() => ({ item: 0 })));
	},
);
