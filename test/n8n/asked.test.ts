/**
 * Workflows of the kinds that people ask AI builders for, as builders write them: in the code of n8n's workflow SDK, from what the
 * definition of the node says. n8n's own validator has nothing against them, nor against any operation, and they run.
 */
import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import ts from 'typescript';

import { OPERATIONS, type OperationExample } from '../documentation/examples';
import { by } from '../engine/host';
import type { Sandbox } from '../sandbox';
import { build, typeName, type Validated } from './builder';
import { type Execution, NODE_TYPE, TRIGGER_TYPE, type WorkflowJson } from './host';
import { oneAccount, sharedN8n } from './host/shared';

const FOLDER = join(__dirname, 'asked');
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.mjs'));

const n8n = sharedN8n();
let sandbox: Sandbox;
/** What the account's short links begin with. */
let shortUrls: string;
let validated: Validated;
let validate: (sources: string[]) => Promise<Validated>;

function sourceOf(file: string): string {
	return readFileSync(join(FOLDER, file), 'utf8');
}

/** A workflow of one operation, with the parameters of its example on the pages. */
function sourceOfOperation({ operation: named, parameters }: OperationExample): string {
	const [resource, operation] = named.split(':');
	const config = JSON.stringify({ name: 'Do it', parameters: { resource, operation, ...parameters } });
	return `
const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });
const own = node({ type: '${NODE_TYPE}', version: 1, config: ${config} });
export default workflow('one', 'One').add(start).to(own);`;
}

function workflowIn(file: string): WorkflowJson {
	return validated.results[FILES.indexOf(file)].workflow;
}

oneAccount({ dialect: 'field', records: { links: 0, qrs: 0 } }, async (service) => {
	sandbox = service;
	// In the field, an account may have a default domain.
	shortUrls = sandbox.url.replace('127.0.0.1', 'localhost');
	const types = await n8n.nodeTypes();
	validate = async (sources) => await build([types.get(NODE_TYPE)!, types.get(TRIGGER_TYPE)!], sources);
	validated = await validate([...FILES.map(sourceOf), ...OPERATIONS.map(sourceOfOperation)]);
});

beforeEach(async () => {
	await sandbox.reset();
});

/**
 * Parameters of the nodes that their definitions do not have, found by TypeScript. n8n's validator checks values and what is
 * missing, and lets other parameters pass; a builder reads the types.
 */
function unknownParameters(workflow: WorkflowJson): string[] {
	const uses = workflow.nodes.flatMap(({ type, parameters }) => {
		// n8n adds the poll times to every trigger that polls, outside of its definition.
		const { pollTimes: _pollTimes, ...own } = parameters;
		const name = type === TRIGGER_TYPE ? 'LinkManagementTriggerV1Params' : typeName(own.resource, own.operation);
		return [NODE_TYPE, TRIGGER_TYPE].includes(type)
			? [`{ const own: Partial<${name}> = ${JSON.stringify(own)}; }`]
			: [];
	});
	const known = [
		'type Expression<T> = string; type CredentialReference = object; type IDataObject = object; type NodeConfig<T> = T;',
		validated.definitions[0],
		// Helpers that the first has too.
		validated.definitions[1].replace(/^type .*$/gm, ''),
	].join('\n');
	const source = [known, ...uses].join('\n');
	const options: ts.CompilerOptions = { strict: true, noEmit: true, types: [], lib: ['lib.es5.d.ts'] };
	const host = ts.createCompilerHost(options);
	const read = host.getSourceFile.bind(host);
	host.getSourceFile = (name, ...rest) =>
		name === 'uses.ts' ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2020) : read(name, ...rest);
	return (
		ts
			.getPreEmitDiagnostics(ts.createProgram(['uses.ts'], options, host))
			// n8n's generator names a type that it does not write.
			.filter(({ start = 0 }) => start > known.length)
			.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
	);
}

describe("n8n's validator", () => {
	it.each([...FILES, ...OPERATIONS.map(({ operation }) => operation)].map((name, at) => [name, at] as const))(
		'has nothing against %s',
		(_name, at) => {
			const { workflow, issues } = validated.results[at];
			expect(issues).toEqual([]);
			expect(unknownParameters(workflow)).toEqual([]);
		},
	);

	it('finds what is wrong', async () => {
		const spoilt: Array<[operation: string, wrong: IDataObject, message: RegExp]> = [
			['link:create', { operation: 'shorten' }, /operation.*got "shorten"/],
			['link:create', { url: undefined }, /parameters\.url/],
			['channel:assignItem', { channelId: by('slug', 'Newsletter') }, /channelId/],
			['channel:assignItem', { options: { ifNameMissing: 'make' } }, /ifNameMissing/],
			['link:getAll', { limit: 'five' }, /parameters\.limit/],
			['qrCode:create', { data: undefined }, /parameters\.data/],
			['qrCode:create', { type: 'url' }, /parameters\.type/],
		];
		const operations = spoilt.map(([operation, wrong]) => {
			const { parameters } = OPERATIONS.find((example) => example.operation === operation)!;
			return sourceOfOperation({ operation, parameters: { ...parameters, ...wrong } });
		});
		const trigger = sourceOf('alert-on-scans.mjs').replace("'qrCodeScanThreshold'", "'scanned'");
		const { results } = await validate([...operations, trigger]);
		expect(results.map(({ issues }) => issues)).toEqual(
			[...spoilt.map(([, , message]) => message), /parameters\.event/].map((message) => [
				expect.objectContaining({ code: 'INVALID_PARAMETER', message: expect.stringMatching(message) }),
			]),
		);
	});

	it.each<[string, (parameters: INodeParameters) => object, string]>([
		['at the top', (parameters) => Object.assign(parameters, { additionalFields: {} }), 'additionalFields'],
		['among the fields', ({ linkFields }) => Object.assign(linkFields as object, { slug: 'spring' }), 'slug'],
	])('lets a parameter pass that there is not; the definition does not: %s', (_where, add, name) => {
		const workflow = structuredClone(workflowIn('links-with-pixels.mjs'));
		add(workflow.nodes[2].parameters);
		expect(unknownParameters(workflow)).toEqual([expect.stringContaining(`'"${name}"' does not exist`)]);
	});
});

/** Runs one of them, and says what stands beside it in the account. */
async function run(file: string): Promise<Execution> {
	const execution = await n8n.runWorkflow(workflowIn(file));
	expect(execution.error).toBeUndefined();
	expect(await sandbox.violations()).toEqual([]);
	return execution;
}

/** What each of them does, by its file. */
const RUNS: Record<string, () => Promise<void>> = {
	async 'sheet-to-links.mjs'() {
		await sandbox.createRecords({
			links: [{ alias: 'coffee', longurl: 'https://shop.example.com/coffee', title: 'Coffee' }],
		});
		const execution = await run('sheet-to-links.mjs');
		expect(execution.json('Results')).toEqual([
			{ row_number: 2, short_url: `${shortUrls}/tea`, result: 'created' },
			{ row_number: 3, short_url: `${shortUrls}/coffee`, result: 'updated' },
			{ row_number: 4, short_url: '', result: expect.stringContaining('Long URL is not a web address: "no address"') },
		]);
		const links = Object.fromEntries((await sandbox.links()).map(({ alias, longurl }) => [alias, longurl]));
		expect(links).toEqual({ tea: 'https://shop.example.com/tea', coffee: 'https://shop.example.com/coffee-2' });
	},

	async 'alert-on-scans.mjs'() {
		const { qrs } = await sandbox.createRecords({ qrs: [{ name: 'Menu' }] });
		await sandbox.simulate({ scans: [{ id: qrs[0].id, count: 230 }] });
		const execution = await run('alert-on-scans.mjs');
		expect(execution.json('Message')).toEqual([{ text: 'Menu has reached 200 scans (230 by now)' }]);
	},

	async 'links-with-pixels.mjs'() {
		const execution = await run('links-with-pixels.mjs');
		const [{ id }] = execution.json('Make the pixel');
		expect(execution.json('Make the link')).toHaveLength(1);
		const { body } = (await sandbox.requests()).at(-1) ?? {};
		expect(body).toMatchObject({
			pixels: [id],
			deeplink: { auto: true },
			devicetarget: [{ device: 'iPhone', link: 'https://apps.example.com/ios' }],
		});
	},
};

describe('what people ask for', () => {
	it('is each of the workflows', () => {
		expect(Object.keys(RUNS).sort()).toEqual(FILES);
	});

	it.each(Object.entries(RUNS))('%s does it', async (_file, does) => {
		await does();
	});
});
