/** Recorded calls of models, in a real n8n over its MCP Server Trigger; how an AI Agent calls the tool, an example shows. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { INodeParameters } from 'n8n-workflow';

import { prepareAccount } from '../documentation/examples';
import type { Sandbox } from '../sandbox';
import { expectAnswer, inputOf, shortUrlsOf, TOOLS, type RecordedCall } from '../toolCalls';
import { CREDENTIAL_TYPE, NODE_TYPE, type WorkflowJson } from './host';
import { oneAccount, sharedN8n } from './host/shared';

const MCP_PATH = 'recorded-calls';

const n8n = sharedN8n();
let sandbox: Sandbox;
let shortUrls: string;

oneAccount({}, (service) => (sandbox = service));

beforeEach(async () => {
	await prepareAccount(sandbox);
	shortUrls = await shortUrlsOf(sandbox);
});

type ToolNode = WorkflowJson['nodes'][number];

const tools: ToolNode[] = TOOLS.map(({ name, parameters }) => ({
	name,
	type: `${NODE_TYPE}Tool`,
	parameters: parameters as INodeParameters,
	credentials: { [CREDENTIAL_TYPE]: { id: null, name: '' } },
}));

/** All calls, in their order, with the name of the tool as models know it. */
const calls: Array<[tool: string, call: RecordedCall]> = TOOLS.flatMap(({ name, calls: all }) =>
	all.map((call): [string, RecordedCall] => [name.replaceAll(' ', '_'), call]),
);

function connectedTo(node: string): WorkflowJson['connections'] {
	return Object.fromEntries(tools.map(({ name }) => [name, { ai_tool: [[{ node, type: 'ai_tool', index: 0 }]] }]));
}

/** What came back for each call, compared with what is recorded; those that differ are told together. */
function compare(got: Array<{ records: unknown[] } | { message: string }>): void {
	expect(got).toHaveLength(calls.length);
	const differences = calls.flatMap(([tool, call], index) => {
		try {
			expectAnswer(call, got[index], shortUrls);
			return [];
		} catch (error) {
			return [`${tool} ${JSON.stringify(call.input)}: ${error instanceof Error ? error.message : String(error)}`];
		}
	});
	expect(differences).toEqual([]);
	expect(JSON.stringify(got)).not.toContain(sandbox.apiKey);
}

test('over the MCP Server Trigger', async () => {
	const workflowId = await n8n.createWorkflow({
		nodes: [
			{
				name: 'MCP Server Trigger',
				type: '@n8n/n8n-nodes-langchain.mcpTrigger',
				typeVersion: 2,
				webhookId: MCP_PATH,
				parameters: { path: MCP_PATH },
			},
			...tools,
		],
		connections: connectedTo('MCP Server Trigger'),
	});
	await n8n.activate(workflowId);
	const client = new Client({ name: 'recorded-calls', version: '1.0.0' });
	try {
		await client.connect(new StreamableHTTPClientTransport(new URL(`${n8n.url}/mcp/${MCP_PATH}`)));
		const { tools: listed } = await client.listTools();
		expect(listed.map(({ name }) => name).sort()).toEqual(TOOLS.map(({ name }) => name.replaceAll(' ', '_')).sort());
		expect(listed.find(({ name }) => name === 'Create_a_short_link')).toMatchObject({
			description: 'Create a short link in Link Management',
			inputSchema: {
				properties: { Long_URL: { type: 'string', description: 'The address to shorten' }, Alias: { type: 'string' } },
			},
		});
		const got = [];
		for (const [name, call] of calls) {
			const { isError, content } = await client.callTool({ name, arguments: inputOf(call, shortUrls) });
			const text = (content as Array<{ text: string }>).map((part) => part.text).join('\n');
			got.push(isError === true ? { message: text } : { records: JSON.parse(text) as unknown[] });
		}
		compare(got);
	} finally {
		await client.close();
		await n8n.deactivate(workflowId);
	}
	expect(await sandbox.violations()).toEqual([]);
});
