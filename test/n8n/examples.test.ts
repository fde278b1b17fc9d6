/** Each workflow to import is run, in both dialects of the service. Google, Slack and the model have stand-ins. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { join } from 'path';
import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'timers/promises';
import { DIALECT, either } from '../dialect';
import type { Sandbox } from '../sandbox';
import { csv, readCsv } from './csv';
import { countRequests, Example, GoogleSheet, Receiver } from './example';
import { CREDENTIAL_TYPE, inARow, rowsNode } from './host';
import { PROJECT } from './host/installation';
import { emptyAccounts, type SharedSession } from './host/shared';
import { pollingWorkflow } from './polling';
import { startScriptedModel } from './scriptedModel';

let n8n: SharedSession;
let sandbox: Sandbox;

emptyAccounts({ dialect: DIALECT }, (session, service) => {
	n8n = session;
	sandbox = service;
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
		expect(first.json('Results')).toHaveLength(48);
		expect(created.length).toBe((await sandbox.stats()).created.links);
		expect(readFileSync(join(n8n.filesFolder, 'links-with-short-urls.csv'), 'utf8').trim().split('\n')).toHaveLength(
			49,
		);

		const second = await n8n.run(id);
		expect(
			second
				.json('Results')
				.map(({ result }) => result)
				.filter((result) => result === 'existed'),
		).toHaveLength(created.length);
		expect((await sandbox.stats()).created.links).toBe(created.length);
	});
});

/** Rows of a sheet, and the same with two of them changed and one new. */
const SHEET = Array.from({ length: 8 }, (_, at) => ({
	url: `https://shop.example.com/${at}`,
	alias: `sheet-${at}`,
	note: `Note ${at}`,
}));
const CHANGED_SHEET = [
	...SHEET.map((row, at) => ({
		...row,
		url: at === 2 ? 'https://shop.example.com/moved' : row.url,
		note: at === 5 ? 'Another note' : row.note,
	})),
	{ url: 'https://shop.example.com/new', alias: 'sheet-new', note: '' },
	{ url: 'no address', alias: 'wrong', note: 'A row that is wrong' },
];

const runAndCount = async (id: string) => await countRequests(sandbox, async () => await n8n.run(id));

/** The rows of a result as they have to be: those of the sheet, each with its short link and what came of it. */
function results(sheet: IDataObject[], resultOf: (at: number) => unknown): unknown[] {
	return sheet.map((row, at) => ({
		...row,
		short_url: row.alias === 'wrong' ? '' : expect.stringMatching(new RegExp(`/${String(row.alias)}$`)),
		result: resultOf(at),
	}));
}

const afterChange = (at: number): unknown =>
	at === 9
		? expect.stringMatching(/^failed: Long URL is not a web address/)
		: at === 8
			? 'created'
			: at === 2 || at === 5
				? 'updated'
				: 'unchanged';

async function longUrls(): Promise<Record<string, string>> {
	return Object.fromEntries((await sandbox.links()).map(({ alias, longurl }) => [alias, longurl]));
}

/** What the links of the changed sheet lead to. */
const CHANGED_LINKS = Object.fromEntries(CHANGED_SHEET.slice(0, 9).map(({ alias, url }) => [alias, url]));

describe('nightly-sheet.json', () => {
	it('makes the links, then does nothing, then what has changed, and writes what came of each row', async () => {
		const file = join(n8n.filesFolder, 'links.csv');
		const result = join(n8n.filesFolder, 'links-in-step.csv');
		const { workflow } = new Example('nightly-sheet.json', { filesFolder: n8n.filesFolder });
		const id = await n8n.createWorkflow(workflow);
		writeFileSync(file, csv(SHEET));
		const first = await runAndCount(id);
		expect(readCsv(result)).toEqual(results(SHEET, () => 'created'));
		expect(first.requests).toEqual({ GET: 1, POST: 8 });

		const second = await runAndCount(id);
		expect(readCsv(result)).toEqual(results(SHEET, () => 'unchanged'));
		expect(second.requests).toEqual({ GET: 1 });

		writeFileSync(file, csv(CHANGED_SHEET));
		const third = await runAndCount(id);
		expect(readCsv(result)).toEqual(results(CHANGED_SHEET, afterChange));
		// Each changed link is read first.
		expect(third.requests).toEqual({ GET: 1 + 2, POST: 1, PUT: 2 });
		expect(await longUrls()).toEqual(CHANGED_LINKS);
	});

	it('writes into the sheet itself where both paths are the same, and leaves other columns alone', async () => {
		const file = join(n8n.filesFolder, 'links.csv');
		const sheet = SHEET.map((row, at) => ({ ...row, shop: `Shop ${at}` }));
		writeFileSync(file, csv(sheet));
		const example = new Example('nightly-sheet.json', { filesFolder: n8n.filesFolder });
		const id = await n8n.createWorkflow(example.set('Write spreadsheet', { fileName: file }).workflow);
		await runAndCount(id);
		expect(readCsv(file)).toEqual(results(sheet, () => 'created'));
		await runAndCount(id);
		expect(readCsv(file)).toEqual(results(sheet, () => 'unchanged'));
	});
});

describe('nightly-sheet-excel.json', () => {
	/** Makes an Excel file, as a spreadsheet program would, with numbers as numbers. */
	async function writeExcelFile(fileName: string, rows: IDataObject[]): Promise<void> {
		const { error } = await n8n.runWorkflow(
			inARow(
				rowsNode(rows),
				{ name: 'To file', type: 'n8n-nodes-base.convertToFile', parameters: { operation: 'xlsx', options: {} } },
				{
					name: 'Write',
					type: 'n8n-nodes-base.readWriteFile',
					parameters: { operation: 'write', fileName, options: {} },
				},
			),
		);
		expect(error).toBeUndefined();
	}

	async function readExcelFile(fileSelector: string): Promise<IDataObject[]> {
		const execution = await n8n.runWorkflow(
			inARow(
				{
					name: 'Read',
					type: 'n8n-nodes-base.readWriteFile',
					parameters: { operation: 'read', fileSelector, options: {} },
				},
				{
					name: 'Rows',
					type: 'n8n-nodes-base.extractFromFile',
					parameters: { operation: 'xlsx', options: { includeEmptyCells: true } },
				},
			),
		);
		return execution.json('Rows');
	}

	it('does so with Excel files, also where an alias is a number', async () => {
		const file = join(n8n.filesFolder, 'links.xlsx');
		const result = join(n8n.filesFolder, 'links-in-step.xlsx');
		const asNumber = (rows: IDataObject[]): IDataObject[] =>
			rows.map((row, at) => (at === 0 ? { ...row, alias: 2026 } : row));
		const { workflow } = new Example('nightly-sheet-excel.json', { filesFolder: n8n.filesFolder });
		const id = await n8n.createWorkflow(workflow);
		await writeExcelFile(file, asNumber(SHEET));
		expect((await runAndCount(id)).requests).toEqual({ GET: 1, POST: 8 });
		expect(await readExcelFile(result)).toEqual(results(asNumber(SHEET), () => 'created'));

		await writeExcelFile(file, asNumber(CHANGED_SHEET));
		expect((await runAndCount(id)).requests).toEqual({ GET: 1 + 2, POST: 1, PUT: 2 });
		expect(await readExcelFile(result)).toEqual(results(asNumber(CHANGED_SHEET), afterChange));
		expect((await runAndCount(id)).requests).toEqual({ GET: 1 });
	});
});

describe('nightly-sheet-google-sheets.json', () => {
	it('does so with a Google sheet, and writes its own two columns beside each row', async () => {
		const sheet = await GoogleSheet.start(SHEET.map((row) => ({ ...row, shop: 'Berlin' })));
		const example = new Example('nightly-sheet-google-sheets.json');
		sheet.replaceIn(example);
		const id = await n8n.createWorkflow(example.workflow);
		expect((await runAndCount(id)).requests).toEqual({ GET: 1, POST: 8 });
		const inBerlin = (rows: IDataObject[]): IDataObject[] => rows.map((row) => ({ ...row, shop: 'Berlin' }));
		expect(sheet.rows).toEqual(results(inBerlin(SHEET), () => 'created'));

		expect((await runAndCount(id)).requests).toEqual({ GET: 1 });
		expect(sheet.rows).toEqual(results(inBerlin(SHEET), () => 'unchanged'));

		inBerlin(CHANGED_SHEET).forEach((row, at) => {
			sheet.rows[at] = { ...sheet.rows[at], ...row };
		});
		expect((await runAndCount(id)).requests).toEqual({ GET: 1 + 2, POST: 1, PUT: 2 });
		expect(sheet.rows).toEqual(results(inBerlin(CHANGED_SHEET), afterChange));
	});
});

describe('nightly-sheet-in-batches.json', () => {
	const ROWS = Array.from({ length: 30 }, (_, at) => ({
		url: `https://shop.example.com/batch/${at}`,
		alias: `batch-${at}`,
		note: `Note ${at}`,
	}));
	/** Of the account's list. */
	const PAGES = 3;
	const NEVER_MS = 3_600_000;

	async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
		while (!(await isSo())) await delay(50);
	}

	it('is stopped in the second batch, and loses nothing: the sheet shows the first, and a second run does the rest', async () => {
		await sandbox.configure({ deviations: { pageCap: 100 } });
		await sandbox.seedRecords({ links: 100 * PAGES - 50 });
		const sheet = await GoogleSheet.start(ROWS.map((row) => ({ ...row })));
		const example = new Example('nightly-sheet-in-batches.json').set('500 rows at a time', { batchSize: 10 });
		sheet.replaceIn(example);
		const id = await n8n.createWorkflow(example.workflow);
		// Two rows of the second batch are done; the next one's answer never comes.
		await sandbox.setFaults([{ kind: 'latency', ms: NEVER_MS, match: { method: 'POST' }, after: 12 }]);
		const run = await n8n.startRun(id);
		await eventually(async () => (await sandbox.stats()).byOperation.linkCreate > 12);
		await n8n.stopExecution(run);
		await n8n.waitForExecution(run);
		await sandbox.clearFaults();
		expect(sheet.rows).toEqual([...results(ROWS.slice(0, 10), () => 'created'), ...ROWS.slice(10)]);
		expect((await sandbox.stats()).created.links).toBe(12);

		const { requests } = await runAndCount(id);
		const done = sheet.rows.filter(({ result }) => result === 'unchanged').map(({ alias }) => alias);
		expect(done).toEqual(expect.arrayContaining(ROWS.slice(0, 10).map(({ alias }) => alias)));
		expect(done).toHaveLength(12);
		expect(sheet.rows).toEqual(results(ROWS, () => expect.stringMatching(/^(unchanged|created)$/)));
		expect(requests.POST).toBe(18);
		// The list is read for the first batch; each further one looks for what others may have made since.
		expect(requests.GET).toBeLessThanOrEqual(PAGES + 2 * 2);
		const aliases = (await sandbox.links()).map(({ alias }) => alias).filter((alias) => alias.startsWith('batch-'));
		expect(aliases.sort()).toEqual(ROWS.map(({ alias }) => alias).sort());
	});
});

describe('weekly-clicks-in-google-sheets.json', () => {
	/** Of the account's list. */
	const PAGES = 3;

	it('counts the clicks of all rows from the list of links, and keeps the count of a link that is gone', async () => {
		await sandbox.configure({ deviations: { pageCap: 100 } });
		await sandbox.seedRecords({ links: 100 * PAGES - 50 });
		const { links } = await sandbox.createRecords({
			links: Array.from({ length: 40 }, (_, at) => ({ alias: `row-${at}`, clicks: 0 })),
		});
		await sandbox.simulate({ clicks: links.map(({ id }, at) => ({ id, count: at + 1 })) });
		const sheet = await GoogleSheet.start([
			...links.map(({ alias, shorturl }) => ({ alias, short_url: shorturl, clicks: '' })),
			{ alias: 'gone', short_url: `${new URL(links[0].shorturl).origin}/gone`, clicks: 7 },
			{ alias: 'not made yet', short_url: '', clicks: '' },
		]);
		const example = new Example('weekly-clicks-in-google-sheets.json');
		sheet.replaceIn(example);
		const { requests } = await runAndCount(await n8n.createWorkflow(example.workflow));
		expect(sheet.rows.map(({ clicks }) => String(clicks))).toEqual([...links.map((_, at) => String(at + 1)), '7', '']);
		expect(sheet.rows.map(({ counted_on: countedOn }) => countedOn)).toEqual([
			...links.map(() => expect.stringMatching(/^\d{4}-\d\d-\d\d$/)),
			expect.stringMatching(/^failed: /),
			expect.stringMatching(/^failed: /),
		]);
		expect(Object.keys(requests)).toEqual(['GET']);
		expect(requests.GET).toBeLessThanOrEqual(PAGES + 2);
	});
});

describe('tidy-up-ended-campaign.json', () => {
	const over = (at: number): string =>
		`https://shop.example.com/${at}?utm_source=poster&utm_campaign=Spring-2025&page=${at}`;

	it('deletes nothing as it is, but writes the list; with the last node activated it deletes these links alone', async () => {
		await sandbox.createRecords({
			links: [
				...[1, 2, 3].map((at) => ({ alias: `over-${at}`, longurl: over(at) })),
				{ alias: 'other', longurl: 'https://shop.example.com/?utm_campaign=spring-2025-b' },
				{ alias: 'none', longurl: 'https://shop.example.com/spring-2025' },
			],
		});
		const list = join(n8n.filesFolder, 'deleted-links.csv');
		rmSync(list, { force: true });
		const example = new Example('tidy-up-ended-campaign.json', { filesFolder: n8n.filesFolder });
		const dry = await runAndCount(await n8n.createWorkflow(example.workflow));
		expect(dry.requests).toEqual({ GET: 1 });
		expect(
			readCsv(list)
				.map(({ alias, longurl }) => [alias, longurl])
				.sort(),
		).toEqual([1, 2, 3].map((at) => [`over-${at}`, over(at)]));

		example.node('Delete links').disabled = false;
		const wet = await runAndCount(await n8n.createWorkflow(example.workflow));
		expect(wet.requests).toEqual({ GET: 1, DELETE: 3 });
		expect((await sandbox.links()).map(({ alias }) => alias).sort()).toEqual(['none', 'other']);

		// What the note says: from the list they come back.
		const again = new Example('nightly-sheet.json', { filesFolder: n8n.filesFolder })
			.set('Read spreadsheet', { fileSelector: list })
			.set('Create or update links', { columns: { mappingMode: 'autoMapInputData', value: null } });
		const back = await runAndCount(await n8n.createWorkflow(again.workflow));
		expect(back.requests).toEqual({ GET: 1, POST: 3 });
		expect(await longUrls()).toMatchObject(Object.fromEntries([1, 2, 3].map((at) => [`over-${at}`, over(at)])));
	});
});

describe('qr-code-for-each-row.json', () => {
	it('puts the picture of each code into a file of its name, and makes no code twice', async () => {
		await sandbox.configure({ deviations: { qrLink: either({ document: 'picture', field: 'storedPicture' }) } });
		// A folder of its own: other workflows of this n8n write pictures too.
		const filesFolder = join(n8n.filesFolder, 'pictures');
		rmSync(filesFolder, { force: true, recursive: true });
		mkdirSync(filesFolder);
		const file = join(filesFolder, 'links.csv');
		const rows = SHEET.slice(0, 3);
		writeFileSync(file, csv([...rows, { url: '', alias: 'wrong', note: '' }]));
		const pictures = (): string[] => readdirSync(filesFolder).filter((name) => name.endsWith('.svg'));
		const example = new Example('qr-code-for-each-row.json', { filesFolder });
		const id = await n8n.createWorkflow(example.workflow);
		const first = await runAndCount(id);
		expect(first.requests).toEqual({ GET: 1, POST: 3 });
		expect(first.execution.json('Rows to correct')).toEqual([
			expect.objectContaining({ alias: 'wrong', error: expect.any(String) }),
		]);
		expect(pictures()).toEqual(rows.map(({ alias }) => `${alias}.svg`));
		for (const name of pictures()) expect(readFileSync(join(filesFolder, name), 'utf8')).toMatch(/^<svg .*<\/svg>$/s);
		expect((await sandbox.qrs()).map(({ name, type, data }) => ({ name, type, data }))).toEqual(
			expect.arrayContaining(rows.map(({ alias, url }) => ({ name: alias, type: 'link', data: url }))),
		);

		writeFileSync(file, csv([...rows, SHEET[3]]));
		expect((await runAndCount(id)).requests).toEqual({ GET: 1, POST: 1 });
		expect(pictures()).toEqual(SHEET.slice(0, 4).map(({ alias }) => `${alias}.svg`));
	});
});

describe('slack-alert-on-qr-scans.json', () => {
	it('posts a message for each hundred scans, once', async () => {
		const slack = await Receiver.start();
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

describe('check-your-service.json', () => {
	const check = async () => {
		const id = await n8n.createWorkflow(new Example('check-your-service.json').workflow);
		const execution = await n8n.run(id);
		expect(execution.error).toBeUndefined();
		return execution.json('Table');
	};

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

describe('weekly-report-of-top-links.json', () => {
	it('posts the most clicked links in their order', async () => {
		const slack = await Receiver.start();
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
				(_, index) => `${index + 1}. ${links[11 - index].shorturl}: ${(12 - index) * 10} clicks (Page ${11 - index})`,
			),
		);
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
	it('shortens a link when it is asked to', async () => {
		/** Asks for a short link, and then tells what the tool said. */
		const provider = await startScriptedModel(([told], tools) => {
			if (told !== undefined) return `The tool said: ${told}`;
			const tool = tools.find((name) => name === 'Create_a_short_link')!;
			return { tool, input: { Long_URL: 'https://example.com/summer', Alias: 'summer-sale' } };
		});
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
		const links = await sandbox.links();
		expect(links.map(({ alias, longurl }) => ({ alias, longurl }))).toEqual([
			{ alias: 'summer-sale', longurl: 'https://example.com/summer' },
		]);
		expect(execution.json('Agent')[0].output).toContain(links[0].shorturl);
	});
});
