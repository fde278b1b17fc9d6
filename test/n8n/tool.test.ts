import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { INodeParameters } from 'n8n-workflow';
import { type Sandbox, startSandbox } from '../sandbox';
import { CREDENTIAL_TYPE, NODE_TYPE, type WorkflowJson } from './host';
import { type SharedSession, sharedN8n } from './host/shared';

/** What an MCP client gets back from a tool. */
interface ToolResult {
	isError?: boolean;
	content: Array<{ type: string; text: string }>;
}

const MCP_PATH = 'link-tools';

let n8n: SharedSession;
let sandbox: Sandbox;
let workflowId: string;
let client: Client;

function tool(name: string, parameters: INodeParameters): WorkflowJson['nodes'][number] {
	return { name, type: `${NODE_TYPE}Tool`, parameters, credentials: { [CREDENTIAL_TYPE]: { id: null, name: '' } } };
}

/** A value that the model gives, as the editor's "Let the model define this parameter" writes it. */
function fromAI(name: string, description: string, type = 'string'): string {
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${description}\`, '${type}') }}`;
}

const TOOLS = [
	tool('Create a short link', {
		resource: 'link',
		operation: 'create',
		url: fromAI('Long_URL', 'The address to shorten'),
		linkFields: { custom: fromAI('Alias', 'The last part of the short link; empty for a random one') },
	}),
	tool('Get a short link', {
		resource: 'link',
		operation: 'get',
		linkId: { __rl: true, mode: 'id', value: fromAI('Link', 'The ID of the short link', 'number') },
	}),
	tool('Find short links', {
		resource: 'link',
		operation: 'getAll',
		limit: fromAI('Limit', 'How many links at most', 'number'),
		filters: { q: fromAI('Search', 'A keyword') },
	}),
	tool('Get many campaigns', { resource: 'campaign', operation: 'getAll', returnAll: true }),
];

async function call(name: string, args: Record<string, unknown>): Promise<ToolResult> {
	return (await client.callTool({ name, arguments: args })) as ToolResult;
}

/** What a tool said, as the model reads it. */
function said({ content }: ToolResult): string {
	return content.map(({ text }) => text).join('\n');
}

/** The records that a tool gave. */
function records(result: ToolResult): Array<Record<string, unknown>> {
	expect(said(result)).not.toBe('');
	expect(result.isError ?? false).toBe(false);
	return JSON.parse(said(result)) as Array<Record<string, unknown>>;
}

beforeAll(async () => {
	n8n = await sharedN8n();
	sandbox = await startSandbox({ limit: { requests: null } });
	await n8n.createCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
	workflowId = await n8n.createWorkflow({
		nodes: [
			{
				name: 'MCP Server Trigger',
				type: '@n8n/n8n-nodes-langchain.mcpTrigger',
				typeVersion: 2,
				webhookId: MCP_PATH,
				parameters: { path: MCP_PATH },
			},
			...TOOLS,
		],
		connections: Object.fromEntries(
			TOOLS.map(({ name }) => [name, { ai_tool: [[{ node: 'MCP Server Trigger', type: 'ai_tool', index: 0 }]] }]),
		),
	});
	await n8n.activate(workflowId);
	client = new Client({ name: 'tool-test', version: '1.0.0' });
	await client.connect(new StreamableHTTPClientTransport(new URL(`${n8n.url}/mcp/${MCP_PATH}`)));
});

afterAll(async () => {
	await client?.close();
	await n8n.deactivate(workflowId);
	await sandbox?.stop();
});

describe('the node as a tool of AI agents, over MCP', () => {
	it('is listed under names and with descriptions that a model understands', async () => {
		const { tools } = await client.listTools();
		expect(Object.fromEntries(tools.map(({ name, description }) => [name, description]))).toEqual({
			Create_a_short_link: 'Create a short link in Link Management',
			Find_short_links: 'Get many short links in Link Management',
			Get_a_short_link: 'Get a short link in Link Management',
			Get_many_campaigns: 'Get many campaigns in Link Management',
		});
		const schema = tools.find(({ name }) => name === 'Create_a_short_link')?.inputSchema;
		expect(schema?.properties).toMatchObject({
			Long_URL: { type: 'string', description: 'The address to shorten' },
			Alias: { type: 'string' },
		});
	});

	it('creates a link and reads its statistics', async () => {
		const [{ id, shorturl }] = records(
			await call('Create_a_short_link', { Long_URL: 'https://shop.example.com/spring', Alias: 'spring' }),
		);
		expect(shorturl).toBe(`${sandbox.url}/spring`);
		await sandbox.simulate({ clicks: [{ id: Number(id), count: 12 }] });
		const [link] = records(await call('Get_a_short_link', { Link: id }));
		expect(link).toMatchObject({
			id,
			longurl: 'https://shop.example.com/spring',
			clicks: 12,
			topCountries: expect.any(Object),
		});
	});

	it('takes an empty value from the model for one that was left out', async () => {
		const [{ id }] = records(
			await call('Create_a_short_link', { Long_URL: 'https://shop.example.com/winter', Alias: '' }),
		);
		expect((await sandbox.links()).find((link) => link.id === id)?.longurl).toBe('https://shop.example.com/winter');
	});

	it('searches', async () => {
		const { links } = await sandbox.createRecords({
			links: [{ title: 'Harvest festival' }, { title: 'Harvest market' }, { title: 'Harvest run' }],
		});
		const found = records(await call('Find_short_links', { Limit: 2, Search: 'harvest' }));
		expect(found).toHaveLength(2);
		expect(links.map(({ id }) => id)).toEqual(expect.arrayContaining(found.map(({ id }) => id)));
	});

	it.each([
		[
			'what is wrong with a value, and what to give instead',
			'Create_a_short_link',
			{ Long_URL: 'shop.example.com', Alias: '' },
			[/Long URL/, /shop\.example\.com/, /starts with https:\/\//],
		],
		["the service's own message", 'Get_a_short_link', { Link: 999_999 }, [/Link does not exist/]],
	])('says in an error %s', async (_what, name, args, parts) => {
		const result = await call(name, args);
		expect(result.isError).toBe(true);
		for (const part of parts) expect(said(result)).toMatch(part);
		expect(said(result)).not.toContain(sandbox.apiKey);
	});

	it('goes on working after an error', async () => {
		await call('Get_a_short_link', { Link: 999_999 });
		expect(records(await call('Get_many_campaigns', {})).length).toBe((await sandbox.records('campaigns')).length);
	});

	it('keeps the contract', async () => {
		expect(await sandbox.violations()).toEqual([]);
	});
});
