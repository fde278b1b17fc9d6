/**
 * Calls as models make them, in a real n8n over its MCP Server Trigger: values as text, names in place of IDs, empty text and "null"
 * for what is left out; and mistakes, each with the call that follows on what the message says. How an AI Agent calls the tool, an
 * example shows.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { prepareAccount } from '../documentation/examples';
import { by } from '../engine/host';
import { DIALECTS, type Sandbox } from '../sandbox';
import { CREDENTIAL_TYPE, NODE_TYPE, type WorkflowJson } from './host';
import { oneAccount, sharedN8n } from './host/shared';

const MCP_PATH = 'calls-of-models';

const n8n = sharedN8n();
let sandbox: Sandbox;

oneAccount({}, (service) => (sandbox = service));

/** A value that the model gives, as the editor's "Let the model define this parameter" writes it. */
function ai(key: string, description = ''): string {
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, 'string') }}`;
}

/** Tools, as their builder sets them up in the editor, by the names that models know. */
const TOOLS: Record<string, IDataObject> = {
	Create_a_short_link: {
		resource: 'link',
		operation: 'create',
		url: ai('Long_URL', 'The address to shorten'),
		linkFields: {
			custom: ai('Alias'),
			campaign: by('id', ai('Campaign')),
			channel: by('list', ai('Channel')),
			expiry: ai('Expiry'),
			pixels: ai('Pixels'),
			status: ai('Status'),
		},
	},
	Keep_a_short_link: {
		resource: 'link',
		operation: 'upsert',
		columns: {
			mappingMode: 'defineBelow',
			value: { url: ai('Long_URL'), custom: ai('Alias'), metatitle: ai('Meta_Title') },
		},
		options: { dryRun: ai('Dry_Run') },
	},
	Find_short_links: {
		resource: 'link',
		operation: 'getAll',
		limit: ai('Limit'),
		page: ai('Page'),
		filters: { q: ai('Search'), order: ai('Order') },
	},
	Change_a_short_link: {
		resource: 'link',
		operation: 'update',
		linkId: by('id', ai('Link')),
		linkFields: { metatitle: ai('Meta_Title'), description: ai('Description') },
	},
	Delete_a_short_link: { resource: 'link', operation: 'delete', linkId: by('id', ai('Link')) },
	Delete_a_campaign: { resource: 'campaign', operation: 'delete', campaignId: by('id', ai('Campaign')) },
	Put_into_a_channel: {
		resource: 'channel',
		operation: 'assignItem',
		channelId: by('id', ai('Channel')),
		itemType: ai('Item_Type'),
		linkId: by('id', ai('Link')),
		qrCodeId: by('id', ai('QR_Code')),
	},
};

/** A call, in the order in which it is made. */
interface Call {
	tool: keyof typeof TOOLS;
	input: IDataObject;
	/** What is in the one record that comes back, or what the message says. */
	gives: object | RegExp;
}

const SUMMER = { Long_URL: 'https://example.com/summer', Alias: 'summer' };

const CALLS: Call[] = [
	{
		tool: 'Create_a_short_link',
		input: { ...SUMMER, Campaign: 'Lanch' },
		gives: /no campaign named "Lanch".*There are: .*"Launch"/,
	},
	{
		tool: 'Create_a_short_link',
		input: { ...SUMMER, Campaign: 'Launch', Channel: 'press', Expiry: '2031-06-30', Pixels: '91', Status: 'public' },
		gives: { alias: 'summer', longurl: 'https://example.com/summer' },
	},
	{
		tool: 'Create_a_short_link',
		input: { ...SUMMER, Status: 'public' },
		gives: { alias: 'summer', longurl: 'https://example.com/summer' },
	},
	{
		tool: 'Create_a_short_link',
		input: { ...SUMMER, Long_URL: 'https://example.com/winter' },
		gives: /The alias "summer" belongs to a link with another long URL: "https:\/\/example.com\/summer/,
	},
	{
		tool: 'Create_a_short_link',
		input: { Long_URL: 'https://example.com/winter', Alias: 'null', Campaign: 'null', Expiry: 'null', Pixels: 'null' },
		gives: { longurl: 'https://example.com/winter', alias: expect.not.stringMatching(/^null$/) as string },
	},
	{
		tool: 'Keep_a_short_link',
		input: { Long_URL: 'https://example.com/spring-2', Alias: 'spring', Meta_Title: 'null', Dry_Run: 'false' },
		gives: { action: 'updated', alias: 'spring', longurl: 'https://example.com/spring-2' },
	},
	{
		tool: 'Find_short_links',
		input: { Limit: '10', Search: 'nothing like it' },
		gives: { returned: 0, more: false, records: [] },
	},
	{ tool: 'Find_short_links', input: { Order: 'clicks' }, gives: /Order is none of click, date: "clicks"/ },
	{
		tool: 'Find_short_links',
		input: { Limit: '1', Search: 'spring', Order: 'click' },
		gives: { records: [{ id: 12 }] },
	},
	{
		tool: 'Put_into_a_channel',
		input: { Channel: 'Press', Item_Type: 'links', Link: 'spring', QR_Code: 'null' },
		gives: { success: true, channelId: 41, linkId: 12 },
	},
	{
		tool: 'Change_a_short_link',
		input: { Link: 'SHORT/spring', Description: 'For the fair' },
		gives: { success: true, id: 12, changes: { description: { to: 'For the fair' } } },
	},
	{ tool: 'Delete_a_short_link', input: { Link: 'autumn' }, gives: /no short link with the alias "autumn"/ },
	{
		tool: 'Delete_a_short_link',
		input: { Link: 'https://example.com/summer' },
		gives: { deleted: true, alias: 'summer', longurl: 'https://example.com/summer', clicks: 0 },
	},
	{ tool: 'Delete_a_campaign', input: { Campaign: '31' }, gives: { deleted: true, id: 31, name: 'Launch' } },
	{ tool: 'Delete_a_campaign', input: { Campaign: 'Launch' }, gives: /no campaign named "Launch"/ },
];

/** What a model gives, with empty text for what it has no value for. */
function inputOf({ tool, input }: Call, host: string): IDataObject {
	const keys = [...JSON.stringify(TOOLS[tool]).matchAll(/\$fromAI\('(\w+)'/g)].map(([, key]) => [key, '']);
	const given = JSON.stringify({ ...Object.fromEntries(keys), ...input });
	return JSON.parse(given.replaceAll('SHORT', host)) as IDataObject;
}

test.each(DIALECTS)('over the MCP Server Trigger, at a service of the %s', async (dialect) => {
	await prepareAccount(sandbox, dialect);
	// Where short links are.
	const [{ shorturl }] = await sandbox.links();
	const host = shorturl.slice(0, shorturl.lastIndexOf('/'));
	const tools = Object.entries(TOOLS).map(([name, parameters]): WorkflowJson['nodes'][number] => ({
		name: name.replaceAll('_', ' '),
		type: `${NODE_TYPE}Tool`,
		parameters: parameters as INodeParameters,
		credentials: { [CREDENTIAL_TYPE]: { id: null, name: '' } },
	}));
	const toTrigger = { ai_tool: [[{ node: 'MCP Server Trigger', type: 'ai_tool' as const, index: 0 }]] };
	const trigger = {
		name: 'MCP Server Trigger',
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		webhookId: MCP_PATH,
		parameters: { path: MCP_PATH },
	};
	const workflowId = await n8n.createWorkflow({
		nodes: [trigger, ...tools],
		connections: Object.fromEntries(tools.map(({ name }) => [name, toTrigger])),
	});
	await n8n.activate(workflowId);
	const client = new Client({ name: 'calls-of-models', version: '1.0.0' });
	try {
		await client.connect(new StreamableHTTPClientTransport(new URL(`${n8n.url}/mcp/${MCP_PATH}`)));
		const { tools: listed } = await client.listTools();
		expect(listed.map(({ name }) => name).sort()).toEqual(Object.keys(TOOLS).sort());
		expect(listed.find(({ name }) => name === 'Create_a_short_link')).toMatchObject({
			description: 'Create a short link in Link Management',
			inputSchema: {
				properties: { Long_URL: { type: 'string', description: 'The address to shorten' }, Alias: { type: 'string' } },
			},
		});
		for (const call of CALLS) {
			const { isError, content } = await client.callTool({ name: String(call.tool), arguments: inputOf(call, host) });
			const text = (content as Array<{ text: string }>).map((part) => part.text).join('\n');
			const { gives } = call;
			expect([call.input, isError === true, text]).toEqual([call.input, gives instanceof RegExp, text]);
			if (gives instanceof RegExp) {
				expect(text.replaceAll('\n', ' ')).toMatch(gives);
				// Neither of them means anything to a model.
				expect(text).not.toMatch(/\[item |^Item \d/);
				const sentences = text.split(/(?<=[.!?])\s+/);
				expect(sentences).toEqual([...new Set(sentences)]);
			} else expect(JSON.parse(text)).toMatchObject([gives]);
			expect(text).not.toContain(sandbox.apiKey);
		}
	} finally {
		await client.close();
		await n8n.deactivate(workflowId);
	}
	expect(await sandbox.violations()).toEqual([]);
});
