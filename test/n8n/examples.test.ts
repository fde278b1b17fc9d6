/**
 * Each workflow to import is run, in both dialects of the service; those that keep a sheet stand in sheetExamples.test.ts. Google, Slack
 * and the model have stand-ins.
 */
import { copyFileSync, readFileSync } from 'fs';
import { join } from 'path';
import { DIALECT, either } from '../dialect';
import type { Sandbox } from '../sandbox';
import { Example, Receiver } from './example';
import { CREDENTIAL_TYPE, type Execution } from './host';
import { PROJECT } from './host/installation';
import { emptyAccounts, sharedN8n } from './host/shared';
import { pollingWorkflow } from './polling';
import { startScriptedModel } from './scriptedModel';

const n8n = sharedN8n();
let sandbox: Sandbox;

emptyAccounts({ dialect: DIALECT }, (service) => (sandbox = service));

it('bulk-links-from-spreadsheet.json writes a short link for each row, and makes none twice', async () => {
	copyFileSync(join(PROJECT, 'examples', 'links.csv'), join(n8n.filesFolder, 'links.csv'));
	await sandbox.createRecords({ campaigns: [101, 102, 103, 104, 105].map((id) => ({ id })) });
	const example = new Example('bulk-links-from-spreadsheet.json', { filesFolder: n8n.filesFolder });
	const first = await run(example);
	const created = first.json('Results').filter(({ result }) => result === 'created');
	expect(first.json('Results')).toHaveLength(48);
	expect(created.length).toBe((await sandbox.stats()).created.links);
	expect(readFileSync(join(n8n.filesFolder, 'links-with-short-urls.csv'), 'utf8').trim().split('\n')).toHaveLength(49);

	const second = await run(example);
	expect(second.json('Results').filter(({ result }) => result === 'existed')).toHaveLength(created.length);
	expect((await sandbox.stats()).created.links).toBe(created.length);
});

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

it('slack-alert-on-qr-scans.json posts a message for each hundred scans, once', async () => {
	const slack = await Receiver.start();
	const { qrs } = await sandbox.createRecords({ qrs: [{ name: 'Poster at the station' }, { name: 'Menu' }] });
	const scan = async (...counts: number[]) =>
		await sandbox.simulate({ scans: counts.map((count, at) => ({ id: qrs[at].id, count })) });
	await scan(98);
	const example = new Example('slack-alert-on-qr-scans.json', { webhookUrl: slack.url });
	await whileActive(example, 'When a QR code reaches 100 scans', async (id) => {
		await scan(3, 20);
		await n8n.waitForExecutions(id, 1);
		await scan(99);
		return await n8n.waitForExecutions(id, 2);
	});
	expect(slack.received).toEqual([
		{ text: expect.stringMatching(/Poster at the station\* has reached 100 scans \(101 by now\)/) },
		{ text: expect.stringMatching(/Poster at the station\* has reached 200 scans \(200 by now\)/) },
	]);
});

it("slack-node-alert-on-qr-scans.json does so with n8n's Slack node, which stands still here", async () => {
	const { qrs } = await sandbox.createRecords({ qrs: [{ name: 'Menu' }] });
	await sandbox.simulate({ scans: [{ id: qrs[0].id, count: 120 }] });
	const example = new Example('slack-node-alert-on-qr-scans.json');
	example.workflow.pinData = { 'Send to channel': [{ json: { ok: true } }] };
	expect((await run(example)).json('Message')).toEqual([
		{ text: expect.stringMatching(/^:tada: The QR code \*Menu\* has reached 100 scans \(120 by now\)\.\nhttp/) },
	]);
});

describe('check-your-service.json', () => {
	const check = async () => (await run(new Example('check-your-service.json'))).json('Table');

	it('finds that every operation works, and leaves nothing behind', async () => {
		const table = await check();
		// As the document has it, the link of a QR code leads to what the code says, and is no picture.
		const failing = either({ document: ['QR Code: Download'], field: [] });
		expect(table.filter(({ result }) => result !== 'works').map(({ operation }) => operation)).toEqual(failing);
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
});

it('weekly-report-of-top-links.json posts the most clicked links in their order', async () => {
	const slack = await Receiver.start();
	const { links } = await sandbox.createRecords({
		links: Array.from({ length: 12 }, (_, index) => ({ alias: `link-${index}`, title: `Page ${index}` })),
	});
	await sandbox.simulate({ clicks: links.map(({ id }, index) => ({ id, count: (index + 1) * 10 })) });
	await run(new Example('weekly-report-of-top-links.json', { webhookUrl: slack.url }));
	const [{ text }] = slack.received as Array<{ text: string }>;
	const [title, ...lines] = text.split('\n');
	expect(title).toMatch(/^\*The most clicked links, \d+ \w+ \d{4}\*$/);
	expect(lines).toEqual(
		Array.from(
			{ length: 10 },
			(_, index) => `${index + 1}. ${links[11 - index].shorturl}: ${(12 - index) * 10} clicks (Page ${11 - index})`,
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
				{ alias: 'other', longurl: 'https://shop.example.com/?utm_campaign=autumn' },
			],
		});
		return await n8n.waitForExecutions(id, 1);
	});
	const campaigns = Object.fromEntries((await sandbox.links()).map(({ alias, campaign }) => [alias, campaign]));
	expect(campaigns).toEqual({ old: null, fits: 7, other: null });
});

it('ai-agent-for-short-links.json shortens a link when it is asked to', async () => {
	/** Asks for a short link, and then tells what the tool said. */
	await startScriptedModel(n8n, ([told], tools) => {
		if (told !== undefined) return `The tool said: ${told}`;
		const tool = tools.find((name) => name === 'Create_a_short_link')!;
		return { tool, input: { Long_URL: 'https://example.com/summer', Alias: 'summer-sale' } };
	});
	const example = new Example('ai-agent-for-short-links.json');
	example.node('Chat model').credentials = { openAiApi: { id: null, name: '' } };
	for (const node of example.workflow.nodes)
		if (node.type.endsWith('linkManagementTool')) node.credentials = { [CREDENTIAL_TYPE]: { id: null, name: '' } };
	// As the chat window does it: the workflow starts at the chat trigger, with what was typed.
	const chatInput = 'Shorten https://example.com/summer as summer-sale';
	example.workflow.pinData = { Chat: [{ json: { sessionId: 'session', action: 'sendMessage', chatInput } }] };
	const execution = await run(example);
	const links = await sandbox.links();
	expect(links.map(({ alias, longurl }) => ({ alias, longurl }))).toEqual([
		{ alias: 'summer-sale', longurl: 'https://example.com/summer' },
	]);
	expect(execution.json('Agent')[0].output).toContain(links[0].shorturl);
});
