import { copyFileSync, readFileSync } from 'fs';
import { join } from 'path';
import { type INode, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import { type Sandbox, startSandbox } from '../sandbox';
import { Example, EXAMPLE_FILES, Receiver } from './example';
import { CREDENTIAL_TYPE, type WorkflowJson } from './host';
import { PROJECT } from './host/installation';
import { type SharedSession, sharedN8n } from './host/shared';
import { pollingWorkflow } from './polling';

let n8n: SharedSession;
let sandbox: Sandbox;

beforeAll(async () => {
	n8n = await sharedN8n();
});

beforeEach(async () => {
	sandbox = await startSandbox({ limit: { requests: null }, records: { links: 0, qrs: 0, campaigns: 0 } });
	await n8n.createCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
});

afterEach(async () => {
	await sandbox?.stop();
});

describe('every workflow to import', () => {
	let descriptions: INodeTypeDescription[];

	beforeAll(async () => {
		descriptions = JSON.parse(await n8n.fetchText('/types/nodes.json')) as INodeTypeDescription[];
	});

	function describe({ name, type, typeVersion = 1 }: WorkflowJson['nodes'][number]): INodeTypeDescription {
		const found = descriptions.find(
			(description) => description.name === type && [description.version].flat().includes(typeVersion),
		);
		if (found === undefined)
			throw new Error(`n8n has no node type ${type} in version ${typeVersion}, which "${name}" needs.`);
		return found;
	}

	it.each(EXAMPLE_FILES)('%s fits the nodes of n8n', (file) => {
		const { workflow, stickyNote } = new Example(file);
		for (const node of workflow.nodes) {
			const { properties } = describe(node);
			const known = new Set(properties.map(({ name }) => name));
			expect({ node: node.name, unknown: Object.keys(node.parameters).filter((name) => !known.has(name)) }).toEqual({
				node: node.name,
				unknown: [],
			});
			// What is left to set, the note on the canvas has to name.
			const issues = NodeHelpers.getNodeParametersIssues(properties, node as INode, describe(node));
			if (issues !== null) expect(stickyNote).toContain(`**${node.name}**`);
		}
	});

	it.each(EXAMPLE_FILES)('%s says which credentials it needs, and brings none', (file) => {
		const { workflow, stickyNote } = new Example(file);
		for (const node of workflow.nodes) {
			expect(node.credentials).toBeUndefined();
			const required = (describe(node).credentials ?? []).filter(
				(credential) =>
					credential.required === true &&
					NodeHelpers.displayParameter(node.parameters, credential, node as INode, describe(node)),
			);
			if (required.length > 0 && !node.type.endsWith('Tool')) expect(stickyNote).toContain(`**${node.name}**`);
		}
		expect(stickyNote).toMatch(/credential/);
	});
});

describe('bulk-links-from-spreadsheet.json', () => {
	it('writes a short link for each row, and makes none twice', async () => {
		copyFileSync(join(PROJECT, 'examples', 'links.csv'), join(n8n.filesFolder, 'links.csv'));
		await sandbox.createRecords({ campaigns: [101, 102, 103, 104, 105].map((id) => ({ id })) });
		const example = new Example('bulk-links-from-spreadsheet.json', { filesFolder: n8n.filesFolder });
		const id = await n8n.createWorkflow(example.workflow);
		const first = await n8n.run(id);
		expect(first.error).toBeUndefined();
		const created = first.json('Results').filter(({ result }) => result === 'created');
		expect(first.json('Results')).toHaveLength(60);
		expect(created.length).toBe((await sandbox.stats()).created.links);
		expect(readFileSync(join(n8n.filesFolder, 'links-with-short-urls.csv'), 'utf8').trim().split('\n')).toHaveLength(
			61,
		);

		const second = await n8n.run(id);
		expect(second.json('Results').filter(({ result }) => result === 'existed')).toHaveLength(created.length);
		expect((await sandbox.stats()).created.links).toBe(created.length);
	});
});

describe('bulk-links-from-excel.json', () => {
	const ROWS = [
		{
			url: 'https://shop.example.com/spring',
			alias: 'spring',
			campaign: 7,
			expires: '2031-06-01 00:00:00',
			note: 'Poster',
		},
		{ url: 'https://shop.example.com/2026', alias: 2026, campaign: '', expires: '', note: '' },
		{ url: 'no address', alias: '', campaign: '', expires: '', note: 'A row that is wrong' },
	];

	/** Makes an Excel file, as a spreadsheet program would, with numbers as numbers. */
	async function writeExcelFile(path: string): Promise<void> {
		const execution = await n8n.runWorkflow({
			nodes: [
				{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
				{
					name: 'Rows',
					type: 'n8n-nodes-base.code',
					typeVersion: 2,
					parameters: { jsCode: `return ${JSON.stringify(ROWS.map((json) => ({ json })))}` },
				},
				{
					name: 'To file',
					type: 'n8n-nodes-base.convertToFile',
					typeVersion: 1,
					parameters: { operation: 'xlsx', options: {} },
				},
				{
					name: 'Write',
					type: 'n8n-nodes-base.readWriteFile',
					typeVersion: 1,
					parameters: { operation: 'write', fileName: path, options: {} },
				},
			],
			connections: {
				Start: { main: [[{ node: 'Rows', type: 'main', index: 0 }]] },
				Rows: { main: [[{ node: 'To file', type: 'main', index: 0 }]] },
				'To file': { main: [[{ node: 'Write', type: 'main', index: 0 }]] },
			},
		});
		expect(execution.error).toBeUndefined();
	}

	it('reads and writes Excel files', async () => {
		await sandbox.createRecords({ campaigns: [{ id: 7, name: 'Spring' }] });
		await writeExcelFile(join(n8n.filesFolder, 'links.xlsx'));
		const example = new Example('bulk-links-from-excel.json', { filesFolder: n8n.filesFolder });
		// What the result file holds is read back with n8n itself.
		example.workflow.nodes.push(
			{
				name: 'Read back',
				type: 'n8n-nodes-base.readWriteFile',
				typeVersion: 1,
				parameters: {
					operation: 'read',
					fileSelector: join(n8n.filesFolder, 'links-with-short-urls.xlsx'),
					options: {},
				},
			},
			{
				name: 'Result rows',
				type: 'n8n-nodes-base.extractFromFile',
				typeVersion: 1,
				parameters: { operation: 'xlsx', options: {} },
			},
		);
		example.workflow.connections['Write Excel file'] = { main: [[{ node: 'Read back', type: 'main', index: 0 }]] };
		example.workflow.connections['Read back'] = { main: [[{ node: 'Result rows', type: 'main', index: 0 }]] };
		const execution = await n8n.runWorkflow(example.workflow);
		expect(execution.error).toBeUndefined();
		expect(execution.json('Result rows')).toEqual([
			expect.objectContaining({
				url: ROWS[0].url,
				short_url: `${sandbox.url}/spring`,
				result: 'created',
				note: 'Poster',
			}),
			expect.objectContaining({ url: ROWS[1].url, short_url: `${sandbox.url}/2026`, result: 'created' }),
			expect.objectContaining({
				url: 'no address',
				result: expect.stringMatching(/^failed: Long URL is not a web address/),
			}),
		]);
		const links = await sandbox.links();
		expect(links).toHaveLength(2);
		expect(links.find(({ alias }) => alias === 'spring')).toMatchObject({ campaign: 7, expiry: '2031-06-01 00:00:00' });
		expect(await sandbox.violations()).toEqual([]);
	});
});

describe('bulk-links-from-google-sheets.json', () => {
	it('gives the rows without a short link theirs, and leaves the others alone', async () => {
		const example = new Example('bulk-links-from-google-sheets.json');
		const sheet = [
			{
				row_number: 2,
				url: 'https://shop.example.com/done',
				alias: '',
				campaign: '',
				expires: '',
				note: '',
				short_url: 'https://go.example.com/done',
				result: 'created',
			},
			{
				row_number: 3,
				url: 'https://shop.example.com/new',
				alias: 'new',
				campaign: '',
				expires: '',
				note: '',
				short_url: '',
				result: '',
			},
			{ row_number: 4, url: 'wrong', alias: '', campaign: '', expires: '', note: '', short_url: '', result: '' },
			{ row_number: 5, url: '', alias: '', campaign: '', expires: '', note: '', short_url: '', result: '' },
		];
		// The two Google nodes stand still: their items are pinned.
		example.workflow.pinData = { 'Read rows': sheet.map((json) => ({ json })), 'Write results': [{ json: {} }] };
		const execution = await n8n.runWorkflow(example.workflow);
		expect(execution.error).toBeUndefined();
		expect(execution.json('Results')).toEqual([
			{ row_number: 3, short_url: `${sandbox.url}/new`, result: 'created' },
			{ row_number: 4, short_url: '', result: expect.stringMatching(/^failed: Long URL is not a web address/) },
		]);
		expect((await sandbox.stats()).created.links).toBe(1);
	});
});

describe('slack-alert-on-qr-scans.json', () => {
	let slack: Receiver;

	beforeEach(async () => {
		slack = await Receiver.start();
	});

	afterEach(async () => {
		await slack.stop();
	});

	it('posts a message for each hundred scans, once', async () => {
		const { qrs } = await sandbox.createRecords({ qrs: [{ name: 'Poster at the station' }, { name: 'Menu' }] });
		await sandbox.simulate({ scans: [{ id: qrs[0].id, count: 98 }] });
		const example = new Example('slack-alert-on-qr-scans.json', { webhookUrl: slack.url });
		const trigger = 'When a QR code reaches 100 scans';
		example.set(trigger, { pollTimes: pollingWorkflow({}).nodes[0].parameters.pollTimes });
		const id = await n8n.createWorkflow(example.workflow);
		await n8n.activate(id);
		try {
			await sandbox.simulate({
				scans: [
					{ id: qrs[0].id, count: 3 },
					{ id: qrs[1].id, count: 20 },
				],
			});
			await n8n.waitForExecutions(id, 1);
			await sandbox.simulate({ scans: [{ id: qrs[0].id, count: 99 }] });
			const executions = await n8n.waitForExecutions(id, 2);
			expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		} finally {
			await n8n.deactivate(id);
		}
		expect(slack.received).toEqual([
			{ text: expect.stringMatching(/Poster at the station\* has reached 100 scans \(101 by now\)/) },
			{ text: expect.stringMatching(/Poster at the station\* has reached 200 scans \(200 by now\)/) },
		]);
	});

	it("has a variant with n8n's Slack node", async () => {
		const { qrs } = await sandbox.createRecords({ qrs: [{ name: 'Menu' }] });
		await sandbox.simulate({ scans: [{ id: qrs[0].id, count: 120 }] });
		const example = new Example('slack-node-alert-on-qr-scans.json');
		// The Slack node stands still.
		example.workflow.pinData = { 'Send to channel': [{ json: { ok: true } }] };
		const execution = await n8n.runWorkflow(example.workflow);
		expect(execution.error).toBeUndefined();
		expect(execution.json('Message')).toEqual([
			{ text: expect.stringMatching(/^:tada: The QR code \*Menu\* has reached 100 scans \(120 by now\)\.\nhttp/) },
		]);
	});
});

describe('weekly-report-of-top-links.json', () => {
	it('posts the most clicked links in their order', async () => {
		const slack = await Receiver.start();
		try {
			const { links } = await sandbox.createRecords({
				links: Array.from({ length: 12 }, (_, index) => ({ alias: `link-${index}`, title: `Page ${index}` })),
			});
			await sandbox.simulate({ clicks: links.map(({ id }, index) => ({ id, count: (index + 1) * 10 })) });
			const execution = await n8n.runWorkflow(
				new Example('weekly-report-of-top-links.json', { webhookUrl: slack.url }).workflow,
			);
			expect(execution.error).toBeUndefined();
			const [{ text }] = slack.received as Array<{ text: string }>;
			const [title, ...lines] = text.split('\n');
			expect(title).toMatch(/^\*The most clicked links, \d+ \w+ \d{4}\*$/);
			expect(lines).toEqual(
				Array.from(
					{ length: 10 },
					(_, index) =>
						`${index + 1}. ${sandbox.url}/link-${11 - index}: ${(12 - index) * 10} clicks (Page ${11 - index})`,
				),
			);
		} finally {
			await slack.stop();
		}
	});
});

describe('new-links-to-campaign.json', () => {
	it('assigns new links that fit, and no others', async () => {
		await sandbox.createRecords({
			campaigns: [{ id: 7, name: 'Spring' }],
			links: [{ alias: 'old', longurl: 'https://shop.example.com/?utm_campaign=spring' }],
		});
		const example = new Example('new-links-to-campaign.json')
			.set('When a link is created', { pollTimes: pollingWorkflow({}).nodes[0].parameters.pollTimes })
			.set('Assign to campaign', { campaignId: { __rl: true, mode: 'list', value: 7 } });
		const id = await n8n.createWorkflow(example.workflow);
		await n8n.activate(id);
		try {
			await sandbox.createRecords({
				links: [
					{ alias: 'fits', longurl: 'https://shop.example.com/?utm_campaign=Spring' },
					{ alias: 'other', longurl: 'https://shop.example.com/?utm_campaign=autumn' },
				],
			});
			const [execution] = await n8n.waitForExecutions(id, 1);
			expect(execution.status).toBe('success');
		} finally {
			await n8n.deactivate(id);
		}
		const campaigns = Object.fromEntries((await sandbox.links()).map(({ alias, campaign }) => [alias, campaign]));
		expect(campaigns).toEqual({ old: null, fits: 7, other: null });
	});
});

describe('ai-agent-for-short-links.json', () => {
	/** Stands in for a model: asks for a short link, and then tells what the tool said. */
	function model(body: unknown): unknown {
		const { messages, tools } = body as {
			messages: Array<{ role: string; content: string }>;
			tools: Array<{ function: { name: string } }>;
		};
		const told = messages.filter(({ role }) => role === 'tool').at(-1);
		const message =
			told === undefined
				? {
						role: 'assistant',
						content: null,
						tool_calls: [
							{
								id: 'call-1',
								type: 'function',
								function: {
									name: tools.map((tool) => tool.function.name).find((name) => name === 'Create_a_short_link'),
									arguments: JSON.stringify({ Long_URL: 'https://example.com/summer', Alias: 'summer-sale' }),
								},
							},
						],
					}
				: { role: 'assistant', content: `The tool said: ${told.content}` };
		return {
			id: 'answer',
			object: 'chat.completion',
			created: 0,
			model: 'stand-in',
			choices: [{ index: 0, message, finish_reason: told === undefined ? 'tool_calls' : 'stop' }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	}

	it('shortens a link when it is asked to', async () => {
		const provider = await Receiver.start(model);
		try {
			await n8n.createCredential(
				{ apiKey: 'none', url: `${provider.url}/v1` },
				{ type: 'openAiApi', name: 'Stand-in model' },
			);
			const example = new Example('ai-agent-for-short-links.json');
			example.node('Chat model').credentials = { openAiApi: { id: null, name: '' } };
			for (const node of example.workflow.nodes) {
				if (node.type.endsWith('linkManagementTool')) node.credentials = { [CREDENTIAL_TYPE]: { id: null, name: '' } };
			}
			// As the chat window does it: the workflow starts at the chat trigger, with what was typed.
			const execution = await n8n.runWorkflow(example.workflow, {
				trigger: 'Chat',
				items: [
					{
						json: {
							sessionId: 'session',
							action: 'sendMessage',
							chatInput: 'Shorten https://example.com/summer as summer-sale',
						},
					},
				],
			});
			expect(execution.error).toBeUndefined();
			expect(execution.json('Agent')[0].output).toContain(`${sandbox.url}/summer-sale`);
			expect((await sandbox.links()).map(({ alias, longurl }) => ({ alias, longurl }))).toEqual([
				{ alias: 'summer-sale', longurl: 'https://example.com/summer' },
			]);
		} finally {
			await provider.stop();
		}
	});
});
