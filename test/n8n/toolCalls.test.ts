/**
 * The recorded calls of models again, in a real n8n: over its MCP Server Trigger, and in the newest by its AI Agent with a scripted
 * model.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { INodeParameters } from 'n8n-workflow';

import { prepareAccount } from '../documentation/examples';
import type { Sandbox } from '../sandbox';
import { expectAnswer, inputOf, shortUrlsOf, TOOLS, type RecordedCall } from '../toolCalls';
import { CREDENTIAL_TYPE, inARow, NODE_TYPE, type WorkflowJson } from './host';
import { oneAccount, sharedN8n } from './host/shared';
import { startScriptedModel } from './scriptedModel';

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

/** What an AI Agent tells its model of a call. */
function told(content: string): { records: unknown[] } | { message: string } {
	const [answer] = [JSON.parse(content) as unknown].flat() as [{ error?: string }];
	if (typeof answer.error === 'string') return { message: answer.error };
	// No records at all are an empty text.
	return { records: [JSON.parse(content) as unknown].flat(2).filter((record) => record !== '') };
}

/** Older n8n have other agents; what all of them call a tool with, the canaries show. */
const newest = process.env.N8N_VERSION === undefined ? test : test.skip;

newest('by the AI Agent, one call after the other in one conversation', async () => {
	const got: string[] = [];
	/** Makes the recorded calls, and keeps what it is told. */
	await startScriptedModel(n8n, (answers) => {
		got.splice(0, got.length, ...answers);
		const next = calls.at(answers.length);
		return next === undefined ? 'Done.' : { tool: next[0], input: inputOf(next[1], shortUrls) };
	});
	const { nodes, connections } = inARow({
		name: 'Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: 3,
		parameters: { promptType: 'define', text: 'Go on.', options: { maxIterations: calls.length + 1 } },
	});
	const execution = await n8n.runWorkflow({
		nodes: [
			...nodes,
			{
				name: 'Model',
				type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
				typeVersion: 1.2,
				parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
				credentials: { openAiApi: { id: null, name: '' } },
			},
			...tools,
		],
		connections: {
			...connections,
			Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
			...connectedTo('Agent'),
		},
		// As in every new workflow: in the old order the agent would go on before its tools have run.
		settings: { executionOrder: 'v1' },
	});
	expect(execution.error).toBeUndefined();
	expect(execution.json('Agent')[0].output).toBe('Done.');
	compare(got.map(told));
	expect(await sandbox.violations()).toEqual([]);
});
