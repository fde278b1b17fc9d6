/**
 * Each workflow to import is run, at a service that answers as deployed ones do; those that keep a sheet stand in sheetExamples.test.ts.
 * Google, Slack and the model have stand-ins.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { serve } from '../engine/serve';
import type { Sandbox } from '../sandbox';
import { Example, EXAMPLE_FILES, Receiver } from './example';
import { CREDENTIAL_TYPE, type Execution } from './host';
import { emptyAccounts, sharedN8n } from './host/shared';
import { until } from './host/until';
import { pollingWorkflow } from './polling';
import { startScriptedModel } from './scriptedModel';

const n8n = sharedN8n();
let sandbox: Sandbox;

emptyAccounts({ dialect: 'field' }, (service) => (sandbox = service));

/** Runs an example that goes well, once. */
async function run(example: Example): Promise<Execution> {
	const execution = await n8n.runWorkflow(example.workflow);
	expect(execution.error).toBeUndefined();
	return execution;
}

/** Does something while an example is active, whose trigger polls every few seconds; its executions go well. */
async function whileActive(
	example: Example,
	trigger: string,
	work: (id: string) => Promise<Execution[]>,
): Promise<void> {
	example.set(trigger, { pollTimes: pollingWorkflow({}).nodes[0].parameters.pollTimes });
	const id = await n8n.createWorkflow(example.workflow);
	await n8n.activate(id);
	try {
		for (const { status } of await work(id)) expect(status).toBe('success');
	} finally {
		await n8n.deactivate(id);
	}
}

it('slack-alert-on-qr-scans.json sends a message for each hundred scans, once', async () => {
	const slack = await Receiver.start();
	const { qrs } = await sandbox.createRecords({
		qrs: [{ name: '<!channel> Poster at the station' }, { name: 'Menu' }],
	});
	const scan = async (...counts: number[]) =>
		await sandbox.simulate({ scans: counts.map((count, at) => ({ id: qrs[at].id, count })) });
	await scan(98);
	const example = new Example('slack-alert-on-qr-scans.json');
	// No test can reach Slack: its node becomes a request with the text that it would send.
	const { text } = example.node('Send to channel').parameters;
	const body = { specifyBody: 'keypair', bodyParameters: { parameters: [{ name: 'text', value: text }] } };
	Object.assign(example.node('Send to channel'), { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.3 });
	example.node('Send to channel').parameters = { method: 'POST', url: slack.url, sendBody: true, ...body, options: {} };
	await whileActive(example, 'When a QR code reaches 100 scans', async (id) => {
		await scan(3, 20);
		await n8n.waitForExecutions(id, 1);
		await scan(99);
		return await n8n.waitForExecutions(id, 2);
	});
	expect(slack.received).toEqual([
		{ text: expect.stringMatching(/\*&lt;!channel&gt; Poster at the station\* has reached 100 scans \(101 by now\)/) },
		{ text: expect.stringMatching(/Poster at the station\* has reached 200 scans \(200 by now\)/) },
	]);
});

describe('check-your-service.json', () => {
	const check = async () => (await run(new Example('check-your-service.json'))).json('Table');

	it('finds that every operation works, and leaves nothing behind', async () => {
		const table = await check();
		expect(table.filter(({ result }) => result !== 'works')).toEqual([]);
		expect(table.length).toBeGreaterThanOrEqual(28);
		for (const kind of ['links', 'qrs', 'campaigns', 'pixels'] as const) {
			expect([kind, await sandbox.records(kind)]).toEqual([kind, []]);
		}
	});

	it('says what a service lacks, and makes nothing there that it could not delete', async () => {
		await sandbox.configure({ deviations: { missing: 'half' } });
		const results = Object.fromEntries((await check()).map(({ operation, result }) => [operation, result]));
		expect(results).toMatchObject({
			'Account: Get': 'works',
			'Campaign: Delete': 'works',
			'Channel: Get Many': 'not offered',
			'QR Code: Create': 'not tried',
			'Link: Create': 'not tried',
		});
		expect(await sandbox.links()).toEqual([]);
	});

	it('says which rights the key lacks, by resource', async () => {
		await sandbox.configure({ deviations: { rights: 'link' } });
		const rows = Object.fromEntries((await check()).map(({ operation, ...row }) => [operation, row]));
		expect(rows).toMatchObject({
			'Link: Get Many': { result: 'works' },
			'Campaign: Get Many': { result: 'no right', message: 'Add the right to use /api/campaigns to the API key.' },
			'QR Code: Get Many': { result: 'no right', message: 'Add the right to use /api/qr to the API key.' },
			'Campaign: Create': { result: 'not tried' },
		});
	});
});

it('instant-events.json takes what the service posts at once, and believes it of links of the account alone', async () => {
	const path = 'posted-here';
	const example = new Example('instant-events.json').set('Posted by the service', { path });
	example.node('Posted by the service').webhookId = path;
	const id = await n8n.createWorkflow(example.workflow);
	await n8n.activate(id);
	const address = `${n8n.url}/webhook/${path}`;
	await sandbox.configure({ notify: address });
	const { links } = await sandbox.createRecords({ links: [{ alias: 'posted' }] });
	await sandbox.simulate({ clicks: [{ id: links[0].id, count: 2 }] });
	const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) as string;
	const link = expect.objectContaining({ id: links[0].id, longurl: links[0].longurl }) as object;
	const { shorturl } = links[0];
	const linksOf = (executions: Execution[]) =>
		executions.flatMap((one) => (one.runData['The link'] === undefined ? [] : one.json('The link')));
	const visits = [
		{ country: 'Germany', city: 'Berlin', system: 'Android', browser: 'Chrome' },
		{ country: 'France', referrer: 'https://www.example.org/', system: 'iOS', browser: 'Safari' },
	].map((visit) => ({ event: 'linkClicked', shorturl, at, ...visit, link }));
	const posted = linksOf(await n8n.waitForExecutions(id, 3));
	expect(posted).toHaveLength(3);
	expect(posted).toEqual(expect.arrayContaining([{ event: 'linkCreated', shorturl, at, link }, ...visits]));

	// The service is slow, and the posts are not its own: each is answered at once, and none is believed but that of a link.
	await sandbox.setFaults([{ kind: 'latency', ms: 2500 }]);
	const [, host] = /^(https?:\/\/[^/]+)/.exec(shorturl) ?? [];
	const bodies: unknown[] = [
		{ type: 'view', shorturl: 'https://elsewhere.example.com/posted' },
		{ type: 'view', shorturl: `${host}/nothing` },
		{ type: 'view', shorturl: { toString: 'posted' } },
		{ type: 'deleted', shorturl },
		[shorturl],
		{
			type: 'view',
			shorturl,
			country: { code: 'DE' },
			city: 'x'.repeat(9000),
			date: 'yesterday',
			longurl: 'http://wrong',
		},
	];
	for (const body of bodies) {
		const signal = AbortSignal.timeout(2000);
		const headers = { 'content-type': 'application/json' };
		expect((await fetch(address, { method: 'POST', headers, body: JSON.stringify(body), signal })).status).toBe(200);
	}
	const hostile = (await n8n.waitForExecutions(id, 3 + bodies.length)).slice(3);
	expect(hostile.map(({ status }) => status)).toEqual(bodies.map(() => 'success'));
	expect(linksOf(hostile)).toEqual([{ event: 'linkClicked', shorturl, at: '', city: 'x'.repeat(500), link }]);
	await n8n.deactivate(id);
});

it('weekly-report-of-top-links.json posts the most clicked links in their order', async () => {
	const slack = await Receiver.start();
	const { links } = await sandbox.createRecords({
		links: Array.from({ length: 12 }, (_, index) => ({ alias: `link-${index}`, title: `<Page> & ${index}` })),
	});
	await sandbox.simulate({ clicks: links.map(({ id }, index) => ({ id, count: (index + 1) * 10 })) });
	await run(new Example('weekly-report-of-top-links.json', { webhookUrl: slack.url }));
	const [{ text }] = slack.received as Array<{ text: string }>;
	const [title, ...lines] = text.split('\n');
	expect(title).toMatch(/^\*The most clicked links, \d+ \w+ \d{4}\*$/);
	expect(lines).toEqual(
		Array.from(
			{ length: 10 },
			(_, index) =>
				`${index + 1}. ${links[11 - index].shorturl}: ${(12 - index) * 10} clicks (&lt;Page&gt; &amp; ${11 - index})`,
		),
	);
});

it('new-links-to-campaign.json assigns new links that fit, and no others', async () => {
	await sandbox.createRecords({
		campaigns: [{ id: 7, name: 'Spring' }],
		links: [{ alias: 'old', longurl: 'https://shop.example.com/?utm_campaign=spring' }],
	});
	const example = new Example('new-links-to-campaign.json').set('Assign to campaign', {
		campaignId: { __rl: true, mode: 'list', value: 7 },
	});
	await whileActive(example, 'When a link is created', async (id) => {
		await sandbox.createRecords({
			links: [
				{ alias: 'fits', longurl: 'https://shop.example.com/?utm_campaign=Spring' },
				{ alias: 'longer', longurl: 'https://shop.example.com/?utm_campaign=springfield' },
				{ alias: 'other', longurl: 'https://shop.example.com/?utm_campaign=autumn' },
			],
		});
		return await n8n.waitForExecutions(id, 1);
	});
	const campaigns = Object.fromEntries((await sandbox.links()).map(({ alias, campaign }) => [alias, campaign]));
	expect(campaigns).toEqual({ old: null, fits: 7, longer: null, other: null });
});

it('lead-elsewhere-after-clicks.json leads a link to another page once it has its clicks, and no other link', async () => {
	const { links } = await sandbox.createRecords({ links: [{ alias: 'offer' }, { alias: 'other' }] });
	const example = new Example('lead-elsewhere-after-clicks.json')
		.set('When a link reaches 100 clicks', { linkIds: [String(links[0].id)] })
		.set('Lead it elsewhere', { linkFields: { url: 'https://shop.example.com/closed' } });
	await whileActive(example, 'When a link reaches 100 clicks', async (id) => {
		await sandbox.simulate({ clicks: links.map((link) => ({ id: link.id, count: 101 })) });
		return await n8n.waitForExecutions(id, 1);
	});
	expect((await sandbox.links()).map(({ alias, longurl }) => [alias, longurl])).toEqual([
		['offer', 'https://shop.example.com/closed'],
		['other', links[1].longurl],
	]);
});

it('links-that-lead-nowhere.json lists the links whose pages are gone, and asks for each page once', async () => {
	const asked: string[] = [];
	const statuses: Record<string, number> = { '/there': 200, '/gone': 404, '/closed': 403, '/broken': 500, '/odd': 501 };
	const shop = await serve((request, response) => {
		asked.push(`${request.method} ${request.url}`);
		response.writeHead(statuses[request.url!]).end();
	});
	const pages = [...Object.keys(statuses).map((path) => `${shop}${path}`), 'http://127.0.0.1:9/none'];
	await sandbox.createRecords({
		links: [...pages, `${shop}/gone`].map((longurl, at) => ({ alias: `link-${at}`, longurl })),
	});
	const example = new Example('links-that-lead-nowhere.json');
	const { options } = example.node('Ask for the page').parameters as { options: { batching: unknown } };
	options.batching = { batch: { batchSize: 1, batchInterval: 0 } };
	const dead = (await run(example)).json('Links that lead nowhere');
	expect(dead.map(({ alias, shorturl, why }) => [alias ?? String(shorturl).split('/').pop(), why]).sort()).toEqual([
		['link-1', 'HTTP 404'],
		['link-3', 'HTTP 500'],
		['link-5', expect.stringMatching(/^no answer: ./)],
		['link-6', 'HTTP 404'],
	]);
	expect(asked.sort()).toEqual(
		Object.keys(statuses)
			.map((path) => `HEAD ${path}`)
			.sort(),
	);
});

const AGENT = 'ai-agent-for-short-links.json';
/** A test of the example, where this n8n has a step that asks before a tool is used. */
function itAsks(title: string, test: () => Promise<void>): void {
	if (EXAMPLE_FILES.includes(AGENT)) it(title, test);
}

/** The example of an agent, with what was typed into the chat window: there the workflow starts at the chat trigger. */
function agentExample(chatInput: string): Example {
	const example = new Example(AGENT);
	example.node('Chat model').credentials = { openAiApi: { id: null, name: '' } };
	for (const node of example.workflow.nodes)
		if (node.type.endsWith('linkManagementTool')) node.credentials = { [CREDENTIAL_TYPE]: { id: null, name: '' } };
	example.workflow.pinData = { Chat: [{ json: { sessionId: 'session', action: 'sendMessage', chatInput } }] };
	return example;
}

/** Runs an example until it waits for the chat window, which there is not here. */
async function whenWaiting(example: Example): Promise<Execution> {
	const workflow = await n8n.createWorkflow(example.workflow);
	const id = await n8n.startRun(workflow);
	await until('it waits for the chat', async () =>
		(await n8n.executionSummaries(workflow)).some(({ status }) => status === 'waiting'),
	);
	return await n8n.execution(id);
}

itAsks(
	'ai-agent-for-short-links.json shortens a link when it is asked to, and reads what the tool says of a wrong address',
	async () => {
		/** Asks for a short link to no address, then to one, and then tells what the tool said. */
		await startScriptedModel(n8n, (told, tools) => {
			if (told.length === 2) return `The tool said: ${told.join(' ')}`;
			const tool = tools.find((name) => name === 'Create_a_short_link')!;
			const url = ['no address', 'https://example.com/summer'][told.length];
			return { tool, input: { Long_URL: url, Alias: 'summer-sale' } };
		});
		const example = agentExample('Shorten https://example.com/summer as summer-sale');
		const execution = await whenWaiting(example);
		const links = await sandbox.links();
		expect(links.map(({ alias, longurl }) => ({ alias, longurl }))).toEqual([
			{ alias: 'summer-sale', longurl: 'https://example.com/summer' },
		]);
		const output = String(execution.json('Agent')[0].output);
		expect(output).toContain(links[0].shorturl);
		expect(output).toContain('Long URL is not a web address');
	},
);

itAsks('ai-agent-for-short-links.json deletes nothing before somebody has said yes', async () => {
	const [{ shorturl }] = (await sandbox.createRecords({ links: [{ alias: 'old' }] })).links;
	await startScriptedModel(n8n, (_told, tools) => {
		const tool = tools.find((name) => name === 'Delete_a_short_link')!;
		return { tool, input: { toolParameters: { Link: shorturl }, hitlParameters: {} } };
	});
	const execution = await whenWaiting(agentExample('Delete the old link'));
	expect(Object.keys(execution.runData)).toContain('Ask before deleting');
	expect(execution.runData).not.toHaveProperty('Delete a short link');
	expect((await sandbox.links()).map(({ alias }) => alias)).toEqual(['old']);
});

itAsks(
	'ai-agent-for-short-links.json changes nothing before somebody has said yes, and says what the link becomes',
	async () => {
		const [{ shorturl }] = (await sandbox.createRecords({ links: [{ alias: 'old', title: 'Old' }] })).links;
		await startScriptedModel(n8n, (_told, tools) => {
			const tool = tools.find((name) => name === 'Change_a_short_link')!;
			const toolParameters = { Link: shorturl, New_long_URL: 'https://evil.example/', New_title: '', New_note: '' };
			return { tool, input: { toolParameters, hitlParameters: {} } };
		});
		const execution = await whenWaiting(agentExample('Lead the old link elsewhere'));
		expect(JSON.stringify(execution.runData['Ask before changing'])).toContain(
			'It will lead to https://evil.example/.',
		);
		expect(execution.runData).not.toHaveProperty('Change a short link');
		expect((await sandbox.links()).map(({ title }) => title)).toEqual(['Old']);
	},
);

it('mcp-server-for-links.json gives an MCP client its tools, which make and find a link, and change none', async () => {
	const token = 'token-of-the-client';
	await n8n.createCredential({ token }, { type: 'httpBearerAuth', name: 'Token' });
	const example = new Example('mcp-server-for-links.json');
	example.node('MCP Server').credentials = { httpBearerAuth: { id: null, name: '' } };
	for (const node of example.workflow.nodes)
		if (node.type.endsWith('linkManagementTool')) node.credentials = { [CREDENTIAL_TYPE]: { id: null, name: '' } };
	const id = await n8n.createWorkflow(example.workflow);
	await n8n.activate(id);
	const client = new Client({ name: 'example', version: '1.0.0' });
	try {
		const requestInit = { headers: { Authorization: `Bearer ${token}` } };
		await client.connect(new StreamableHTTPClientTransport(new URL(`${n8n.url}/mcp/short-links`), { requestInit }));
		const { tools } = await client.listTools();
		expect(tools.map(({ name }) => name).sort()).toEqual([
			'Create_a_QR_code',
			'Create_a_short_link',
			'Find_short_links',
			'Get_a_short_link',
		]);
		const call = async (name: string, input: Record<string, unknown>) => {
			const { content } = await client.callTool({ name, arguments: input });
			return (JSON.parse((content as Array<{ text: string }>)[0].text) as unknown[])[0];
		};
		const summer = { Long_URL: 'https://example.com/summer', Alias: 'summer' };
		const { id } = (await call('Create_a_short_link', summer)) as { id: number };
		expect(await call('Create_a_short_link', summer)).toMatchObject({ id, alias: 'summer' });
		expect(await call('Find_short_links', { Keyword: 'summer' })).toMatchObject({ total: 1, more: false });
		expect(await call('Get_a_short_link', { Link: 'https://example.com/summer' })).toMatchObject({ alias: 'summer' });
		const code = { URL: 'https://example.com/summer', Name: 'Poster' };
		expect(await call('Create_a_QR_code', code)).toMatchObject({ name: 'Poster' });
	} finally {
		await client.close();
		await n8n.deactivate(id);
	}
	expect((await sandbox.links()).map(({ alias }) => alias)).toEqual(['summer']);
});
