/** The workflows to import that work on sheets, and for moving in and out. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { join } from 'path';
import type { IDataObject } from 'n8n-workflow';
import { PROJECT } from '../documentation/markdown';
import type { Sandbox } from '../sandbox';
import { csv, readCsv } from './csv';
import { DataTable } from './dataTable';
import { Example, EXAMPLE_FILES, GoogleSheet } from './example';
import type { Execution } from './host';
import { emptyAccounts, sharedN8n } from './host/shared';

const n8n = sharedN8n();
let sandbox: Sandbox;

emptyAccounts({ dialect: 'field' }, (service) => (sandbox = service));

type Requests = Record<string, number>;

/** Runs an example that goes well, and says what it asked the service for, as method and number. */
async function runAndCount({ workflow }: Example): Promise<{ execution: Execution; requests: Requests }> {
	await sandbox.clearRequests();
	const execution = await n8n.runWorkflow(workflow);
	expect(execution.error).toBeUndefined();
	const requests: Requests = {};
	for (const { method } of await sandbox.requests()) requests[method] = (requests[method] ?? 0) + 1;
	return { execution, requests };
}

function inFolder(file: string, filesFolder = n8n.filesFolder): Example {
	return new Example(file, { filesFolder });
}

/** Columns that mean nothing to the node; some have the names of what it puts out. */
const FOREIGN = { shop: 'Berlin', link: 'see wiki', error: 'none yet' };

const path = (name: string): string => join(n8n.filesFolder, name);

/** An example, and the sheet that it reads and writes. */
interface Place {
	example: Example;
	write(rows: IDataObject[]): unknown;
	read(): IDataObject[] | Promise<IDataObject[]>;
}

const tables: DataTable[] = [];
afterAll(async () => await Promise.all(tables.map(async (table) => await table.delete())));

/** A Data Table whose rows are known by their aliases. */
async function inDataTable(file: string): Promise<Place> {
	const names = ['url', 'alias', 'description', 'short_url', 'result', ...Object.keys(FOREIGN)];
	const columns = Object.fromEntries(names.map((name) => [name, 'string'] as const));
	const table = await DataTable.create(n8n, file, columns);
	tables.push(table);
	const { locator: dataTableId } = table;
	const example = new Example(file).set('Rows', { dataTableId }).set('Write results', { dataTableId });
	const write = async (rows: IDataObject[]) => {
		const there = (await table.rows()).map(({ alias }) => alias);
		for (const row of rows.filter(({ alias }) => there.includes(alias as string)))
			await table.update('alias', row.alias, row);
		const others = rows.filter(({ alias }) => !there.includes(alias as string));
		if (others.length > 0) await table.insert(others);
	};
	return { example, write, read: async () => await table.rows() };
}

async function inGoogleSheets(file: string): Promise<Place> {
	const example = new Example(file);
	const { rows: kept } = await GoogleSheet.replaceIn(example);
	return { example, write: (rows) => kept.splice(0, kept.length, ...rows), read: () => kept };
}

/** Runs an example night after night: each with the rows of its sheet, what it asks the service for, and the rows of the result. */
async function runNights(
	{ example, write, read }: Place,
	nights: Array<[rows: IDataObject[], requests: Requests, result: unknown[]]>,
): Promise<void> {
	let before: IDataObject[] = [];
	for (const [rows, expected, result] of nights) {
		await write(rows.map((row, at) => ({ ...before[at], ...row })));
		const { requests } = await runAndCount(example);
		expect(requests).toEqual(expected);
		before = [...(await read())];
		expect(before).toEqual(result);
	}
}

it.each(
	EXAMPLE_FILES.filter((file) => {
		const { nodes } = new Example(file).workflow;
		return nodes.some(({ type, parameters }) => type.endsWith('.readWriteFile') && parameters.operation === 'read');
	}),
)('%s fails where its file is not there, and asks the service for nothing', async (file) => {
	await sandbox.clearRequests();
	const { error } = await n8n.runWorkflow(inFolder(file, join(n8n.filesFolder, 'no-such-folder')).workflow);
	expect(error?.message).toContain("'data'");
	expect(await sandbox.requests()).toEqual([]);
});

/** Rows of a sheet, and the same with two of them changed and one new. */
const SHEET = Array.from({ length: 8 }, (_, at) => ({
	url: `https://shop.example.com/${at}`,
	alias: `sheet-${at}`,
	description: `Note ${at}`,
}));
const CHANGED_SHEET = [
	...SHEET.map((row, at) => ({
		...row,
		url: at === 2 ? 'https://shop.example.com/moved' : at === 4 ? 'no address' : row.url,
		description: at === 5 ? 'Another note' : row.description,
	})),
	{ url: 'https://shop.example.com/new', alias: 'sheet-new', description: '' },
	{ url: 'no address', alias: 'wrong', description: 'A row that is wrong' },
];

/** The rows of a result as they have to be: those of the sheet, each with its short link and what came of it. */
function results(sheet: IDataObject[], resultOf: (at: number) => unknown): unknown[] {
	return sheet.map((row, at) => ({
		...row,
		short_url: row.alias === 'wrong' ? '' : expect.stringMatching(new RegExp(`/${String(row.alias)}$`)),
		result: resultOf(at),
	}));
}

const afterChange = (at: number): unknown =>
	at === 4 || at === 9
		? expect.stringMatching(/^failed: Long URL is not a web address/)
		: at === 8
			? 'created'
			: at === 2 || at === 5
				? 'updated'
				: 'unchanged';

async function longUrls(): Promise<Record<string, string>> {
	return Object.fromEntries((await sandbox.links()).map(({ alias, longurl }) => [alias, longurl]));
}

/** Where each nightly workflow has its sheet. */
const NIGHTLY: Array<[file: string, placeOf: (file: string) => Place | Promise<Place>]> = [
	['nightly-sheet.json', inDataTable],
	['nightly-sheet-google-sheets.json', inGoogleSheets],
];

it.each(NIGHTLY)(
	'%s makes the links, then does nothing, then what has changed, and writes what came of each row',
	async (file, placeOf) => {
		// The first row has an empty cell: what n8n's reader leaves out must not move the columns.
		const [sheet, changed] = [SHEET, CHANGED_SHEET].map((rows) =>
			rows.map((row, at) => ({ ...row, ...(at === 0 ? { description: '' } : {}), ...FOREIGN })),
		);
		await runNights(await placeOf(file), [
			// A list that is empty is asked for twice.
			[sheet, { GET: 2, POST: 8 }, results(sheet, () => 'created')],
			// From now on the rows have short URLs: the list of domains says which of them are the account's.
			[sheet, { GET: 1 }, results(sheet, () => 'unchanged')],
			// Each changed link is read first.
			[changed, { GET: 1 + 2, POST: 1, PUT: 2 }, results(changed, afterChange)],
		]);
		const led = Object.fromEntries(changed.slice(0, 9).map(({ alias, url }) => [alias, url]));
		expect(await longUrls()).toEqual({ ...led, 'sheet-4': sheet[4].url });
	},
);

/** The newest file of a folder that begins so. */
function newest(start: string): string {
	const found = readdirSync(n8n.filesFolder).filter((name) => name.startsWith(start));
	return path(found.sort().at(-1)!);
}

/** Deletes the files that begin so. */
function clear(start: string): void {
	for (const name of readdirSync(n8n.filesFolder)) if (name.startsWith(start)) rmSync(path(name));
}

const DATED = / \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.csv$/;

it('sheet-from-a-file.json makes the links of a file, and writes its result beside it', async () => {
	clear('links');
	writeFileSync(path('links.csv'), csv(SHEET.map((row) => ({ ...row, ...FOREIGN }))));
	const before = readFileSync(path('links.csv'));
	const { requests } = await runAndCount(inFolder('sheet-from-a-file.json'));
	expect(requests.POST).toBe(8);
	expect(readFileSync(path('links.csv')).equals(before)).toBe(true);
	expect(newest('links ')).toMatch(DATED);
	const sheet = SHEET.map((row) => ({ ...row, ...FOREIGN }));
	expect(readCsv(newest('links '))).toEqual(results(sheet, () => 'created'));
});

/** The path of the file that an example reads; undefined if it reads none. */
function readBy(file: string): string | undefined {
	const { nodes } = inFolder(file).workflow;
	const reader = nodes.find(
		({ type, parameters }) => type.endsWith('.readWriteFile') && parameters.operation === 'read',
	);
	return reader?.parameters.fileSelector as string | undefined;
}

const READING = EXAMPLE_FILES.filter((file) => readBy(file) !== undefined);
const LINES =
	'long_url,url,alias,shop\nhttps://shop.example.com/1,https://shop.example.com/1,one,K\u00f6ln Gr\u00f6\u00dfe\n';
const BAD_FILES: Record<string, Buffer> = {
	'with semicolons': Buffer.from(LINES.replaceAll(',', ';')),
	'in Windows-1252': Buffer.from(LINES, 'latin1'),
	'that is empty': Buffer.from(''),
	'that is none': Buffer.from(Array.from({ length: 400 }, (_, at) => (at * 73) % 256)),
};

it.each(READING.flatMap((file) => Object.keys(BAD_FILES).map((kind) => [file, kind])))(
	'%s, with a file %s, does not change the file, and makes no link of what it can not read',
	async (file, kind) => {
		writeFileSync(readBy(file)!, BAD_FILES[kind]);
		await sandbox.clearRequests();
		await n8n.runWorkflow(inFolder(file).workflow);
		expect(readFileSync(readBy(file)!).equals(BAD_FILES[kind])).toBe(true);
		if (kind === 'in Windows-1252') return;
		expect((await sandbox.requests()).filter(({ method }) => method !== 'GET')).toEqual([]);
	},
);

it('sheet-from-a-file.json says what to set for a file with semicolons or in another encoding, and with that it works', async () => {
	for (const [kind, says, options] of [
		[
			'with semicolons',
			/^failed: .*In the node that reads the file, set the header row and the delimiter/,
			{ delimiter: ';' },
		],
		['in Windows-1252', /^(?:created|unchanged)$/, { encoding: 'latin1' }],
	] as const) {
		clear('links');
		writeFileSync(path('links.csv'), BAD_FILES[kind]);
		const example = inFolder('sheet-from-a-file.json');
		await runAndCount(example);
		expect(readCsv(newest('links '))[0].result).toMatch(says);
		clear('links ');
		example.set('Rows', { options: { enableBOM: true, includeEmptyCells: true, ...options } });
		await runAndCount(example);
		expect(readCsv(newest('links '))).toMatchObject([{ alias: 'one', shop: 'K\u00f6ln Gr\u00f6\u00dfe' }]);
	}
});

const BATCHES = Array.from({ length: 36 }, (_, at) => ({
	url: `https://shop.example.com/batch/${at}`,
	alias: `batch-${at}`,
	description: `Note ${at}`,
}));
/** Of the account's list. */
const PAGES = 3;

it('nightly-sheet-in-batches.json makes the links of each batch, each of which reads the list', async () => {
	await sandbox.configure({ deviations: { pageCap: 100 } });
	await sandbox.seedRecords({ links: 100 * PAGES - 50 });
	const example = new Example('nightly-sheet-in-batches.json').set('2,000 rows at a time', { batchSize: 12 });
	// A row of the last batch says of a link what one of the first batch says, another says something else of it.
	const wrong = { url: 'no address', alias: 'wrong', description: '' };
	const all = [...BATCHES, BATCHES[0], wrong].map((row) => ({ ...row, ...FOREIGN }));
	const sheet = await GoogleSheet.replaceIn(
		example,
		all.map((row) => ({ ...row })),
	);
	const resultOf = (isNew: boolean) => (at: number) =>
		at === all.length - 1
			? expect.stringMatching(/^failed: Long URL is not a web address/)
			: isNew && at < BATCHES.length
				? 'created'
				: 'unchanged';
	for (const isNew of [true, false]) {
		const { requests } = await runAndCount(example);
		expect(sheet.rows).toEqual(results(all, resultOf(isNew)));
		expect(requests.POST ?? 0).toBe(isNew ? BATCHES.length : 0);
		expect(requests.GET).toBeLessThanOrEqual(4 * (PAGES + 1));
	}
});

it('weekly-clicks-in-google-sheets.json counts the clicks of all rows from the list of links, and keeps the count of a link that is gone', async () => {
	await sandbox.configure({ deviations: { pageCap: 100 } });
	await sandbox.seedRecords({ links: 100 * PAGES - 50 });
	const { links } = await sandbox.createRecords({
		links: Array.from({ length: 40 }, (_, at) => ({ alias: `row-${at}`, clicks: 0 })),
	});
	await sandbox.simulate({ clicks: links.map(({ id }, at) => ({ id, count: at + 1 })) });
	const example = new Example('weekly-clicks-in-google-sheets.json');
	const sheet = await GoogleSheet.replaceIn(example, [
		...[...links, links[0]].map(({ alias, shorturl }) => ({ ...FOREIGN, alias, short_url: shorturl, clicks: '' })),
		{ alias: 'gone', short_url: `${new URL(links[0].shorturl).origin}/gone`, clicks: 7 },
		{ alias: 'not made yet', short_url: '', clicks: '' },
	]);
	for (const week of [0, 1]) {
		const { requests } = await runAndCount(example);
		const counts = links.map((_, at) => String(at + 1 + week));
		expect(sheet.rows.map(({ clicks }) => String(clicks))).toEqual([...counts, counts[0], '7', '']);
		expect(sheet.rows.map(({ counted_on: countedOn }) => countedOn)).toEqual([
			...[...links, links[0]].map(() => expect.stringMatching(/^\d{4}-\d\d-\d\d$/)),
			expect.stringMatching(/^failed: /),
			expect.stringMatching(/^failed: /),
		]);
		expect(Object.keys(requests)).toEqual(['GET']);
		// Two more than the pages at most for the list, and one that looks for the link that is gone.
		expect(requests.GET).toBeLessThanOrEqual(PAGES + 2 + 1);
		await sandbox.simulate({ clicks: links.map(({ id }) => ({ id, count: 1 })) });
	}
});

it('tidy-up-ended-campaign.json deletes nothing as it is, but writes the list; with the last node activated it deletes these links alone', async () => {
	const url = (at: number) => `https://shop.example.com/${at}?utm_source=poster&utm_campaign=Spring-2025&page=${at}`;
	const ended = Object.fromEntries([1, 2, 3].map((at) => [`over-${at}`, url(at)]));
	await sandbox.createRecords({
		links: [
			...Object.entries(ended).map(([alias, longurl]) => ({ alias, longurl })),
			{ alias: 'other', longurl: 'https://shop.example.com/?utm_campaign=spring-2025-b' },
			{ alias: 'none', longurl: 'https://shop.example.com/spring-2025' },
		],
	});
	clear('deleted-links');
	const example = inFolder('tidy-up-ended-campaign.json');
	expect((await runAndCount(example)).requests).toEqual({ GET: 1 + 3 });
	expect(newest('deleted-links')).toMatch(DATED);
	const listed = readCsv(newest('deleted-links')).map(({ alias, long_url: longUrl }) => [alias, longUrl]);
	expect(Object.fromEntries(listed)).toEqual(ended);

	example.node('Delete links').disabled = false;
	expect((await runAndCount(example)).requests).toEqual({ GET: 1 + 3, DELETE: 3 });
	expect((await sandbox.links()).map(({ alias }) => alias).sort()).toEqual(['none', 'other']);
});

it('tidy-up-ended-campaign.json finds a campaign as people read it, and restore-links.json makes its links again', async () => {
	const url = (at: number) => `https://shop.example.com/${at}?utm_campaign=Spring${at === 1 ? '%20' : '+'}Sale%202025`;
	await sandbox.createRecords({
		links: [1, 2].map((at) => ({
			alias: `over-${at}`,
			longurl: url(at),
			title: `=Title, "${at}"`,
			description: '- a note',
			expiry: '2035-05-06 07:08:09',
			location: { germany: `https://de.example.com/${at}` },
			device: { iphone: `https://m.example.com/${at}` },
		})),
	});
	const shown = async () =>
		(await sandbox.links())
			.map(({ alias, longurl, title, description, expiry, location, device }) => {
				return { alias, longurl, title, description, expiry, location, device };
			})
			.sort((one, other) => (one.alias < other.alias ? -1 : 1));
	const before = await shown();
	clear('deleted-links');
	const example = inFolder('tidy-up-ended-campaign.json');
	const { conditions } = example.node('Of the campaign that is over').parameters as unknown as {
		conditions: { conditions: Array<{ rightValue: string }> };
	};
	conditions.conditions[0].rightValue = 'spring sale 2025';
	example.node('Delete links').disabled = false;
	expect((await runAndCount(example)).requests.DELETE).toBe(2);
	expect(await shown()).toEqual([]);
	// A spreadsheet takes none of them for a formula.
	expect(readCsv(newest('deleted-links')).map(({ title }) => String(title)[0])).toEqual(["'", "'"]);

	const restore = inFolder('restore-links.json').set('Read the list', { fileSelector: newest('deleted-links') });
	expect((await runAndCount(restore)).requests.POST).toBeUndefined();
	restore.set('Create or update links', { options: { updateWhen: 'never' } });
	expect((await runAndCount(restore)).requests.POST).toBe(2);
	expect(await shown()).toEqual(before);
	expect((await runAndCount(restore)).requests.POST).toBeUndefined();
});

it('qr-code-for-each-row.json puts the picture of each code into a file of its name, and makes no code twice', async () => {
	await sandbox.configure({ deviations: { qrLink: 'storedPicture' } });
	// A folder of its own: other workflows of this n8n write pictures too.
	const filesFolder = path('pictures');
	rmSync(filesFolder, { force: true, recursive: true });
	mkdirSync(filesFolder);
	const file = join(filesFolder, 'links.csv');
	const rows = SHEET.slice(0, 3);
	writeFileSync(file, csv([...rows, { url: '', alias: 'wrong', description: '' }]));
	const pictures = (): string[] =>
		readdirSync(filesFolder).flatMap((name) => /^(.*) qr-code-\d+\.svg$/.exec(name)?.[1] ?? []);
	const contents = () => readdirSync(filesFolder).filter((name) => name.endsWith('.svg'));
	const example = inFolder('qr-code-for-each-row.json', filesFolder);
	const first = await runAndCount(example);
	// The list of codes, twice since it is empty, and each code.
	expect(first.requests).toEqual({ GET: 2 + 3, POST: 3 });
	expect(first.execution.json('Rows to correct')).toEqual([
		expect.objectContaining({ alias: 'wrong', error: expect.any(String) }),
	]);
	expect(pictures()).toEqual(rows.map(({ alias }) => alias));
	for (const name of contents()) expect(readFileSync(join(filesFolder, name), 'utf8')).toMatch(/^<svg .*<\/svg>$/s);
	expect((await sandbox.qrs()).map(({ name, type, data }) => ({ name, type, data }))).toEqual(
		expect.arrayContaining(rows.map(({ alias, url }) => ({ name: alias, type: 'link', data: url }))),
	);

	writeFileSync(file, csv([...rows, SHEET[3]]));
	expect((await runAndCount(example)).requests).toEqual({ GET: 1 + 4, POST: 1 });
	expect(pictures()).toEqual(SHEET.slice(0, 4).map(({ alias }) => alias));
});

const TARGETS = ['https://eu.example.com/a', 'NO', 'https://eu.example.com/c', 'NO'].map((address, at) => ({
	alias: `target-${at}`,
	'long URL': `https://shop.example.com/target/${at}`,
	'short URL': '',
	description: `Note ${at}`,
	'address for the EU': address,
}));

/** The results of a sheet with targets, as rows. */
function targetResults(sheet: typeof TARGETS, resultOf: (at: number) => string): unknown[] {
	return sheet.map((row, at) => ({
		...row,
		'short URL': expect.stringMatching(new RegExp(`/${row.alias}$`)),
		result: resultOf(at),
	}));
}

it('sheet-with-targets.json makes links with targets where the row has an address, and takes them away where it says NO', async () => {
	const sheet = TARGETS.map((row) => ({ ...FOREIGN, ...row }));
	const changed = sheet.map((row, at) =>
		at === 0
			? { ...row, 'address for the EU': 'https://eu.example.com/new' }
			: at === 2
				? { ...row, 'address for the EU': ' No' }
				: row,
	);
	const wrong = { ...sheet[1], alias: 'target-wrong', 'long URL': 'no address' };
	const failed = {
		...wrong,
		'short URL': '',
		result: expect.stringMatching(/^failed: Long URL is not a web address/),
	};
	await runNights(await inGoogleSheets('sheet-with-targets.json'), [
		[sheet, { GET: 2, POST: 4 }, targetResults(sheet, () => 'created')],
		// The details of each link show its targets.
		[sheet, { GET: 1 + 4 }, targetResults(sheet, () => 'unchanged')],
		[
			[...changed, wrong],
			{ GET: 1 + 4, PUT: 2 },
			[...targetResults(changed, (at) => (at === 0 || at === 2 ? 'updated' : 'unchanged')), failed],
		],
	]);
	const links = await sandbox.links();
	const targets = links.map(({ alias, location }) => [alias, ...new Set(Object.values(location).map(String))]);
	expect(targets.sort()).toEqual([
		['target-0', 'https://eu.example.com/new'],
		['target-1'],
		['target-2'],
		['target-3'],
	]);
});

it('failed-rows-again.json tries the rows that failed, and of rows that contradict each other none is done', async () => {
	const [done, corrected] = SHEET;
	const contrary = { ...done, url: 'https://shop.example.com/another' };
	const place = await inGoogleSheets('failed-rows-again.json');
	place.write([
		{ ...FOREIGN, ...done, short_url: '', result: 'by hand' },
		{ ...FOREIGN, ...corrected, short_url: '', result: 'failed: Long URL is not a web address' },
		{ ...FOREIGN, ...contrary, short_url: '', result: 'failed: before' },
	]);
	for (const [result, requests] of [
		['created', { GET: 2, POST: 1 }],
		['created', { GET: 1 }],
	] as const) {
		expect((await runAndCount(place.example)).requests).toEqual(requests);
		expect(await longUrls()).toEqual({ [corrected.alias]: corrected.url });
		const now = await place.read();
		expect(now.map((row) => row.result)).toEqual(['by hand', result, expect.stringMatching(/^failed: .*row 2/)]);
		expect(now.map((row) => row.short_url)).toEqual(['', expect.stringMatching(/\/sheet-1$/), '']);
	}
});

it('links-without-a-row.json lists the links that no row stands for, and deletes them once its last node is activated', async () => {
	const urls = ['kept', 'by-long-url', 'gone', 'another'].map((alias) => `https://shop.example.com/${alias}`);
	const { links } = await sandbox.createRecords({
		links: urls.map((longurl) => ({ longurl, alias: longurl.split('/').pop()! })),
	});
	clear('deleted-links');
	const example = inFolder('links-without-a-row.json');
	const sheet = await GoogleSheet.replaceIn(example, [
		{ url: urls[0], alias: 'kept', short_url: links[0].shorturl },
		{ url: urls[1], alias: '', short_url: '' },
		{ url: 'https://shop.example.com/not-made-yet', alias: 'not-made-yet', short_url: '' },
	]);
	// A row that has no link yet may be one whose alias was changed: its link would be taken for one without a row.
	const { error } = await n8n.runWorkflow(example.workflow);
	expect(error?.message).toMatch(/^1 of the 3 rows have no link\. Run the nightly sheet first/);
	sheet.rows.pop();
	expect(Object.keys((await runAndCount(example)).requests)).toEqual(['GET']);
	expect(readCsv(newest('deleted-links')).map(({ alias }) => alias)).toEqual(['another', 'gone']);

	example.node('Delete links').disabled = false;
	sheet.rows.push({ url: 'no address', alias: 'gone', short_url: '' });
	const failed = await n8n.runWorkflow(example.workflow);
	expect(failed.error?.message).toMatch(/^1 of the 3 rows have no link\. Run the nightly sheet first/);
	expect(failed.json('Links of the rows')[2].error).toContain('Long URL is not a web address');
	expect(await sandbox.links()).toHaveLength(4);
	sheet.rows.pop();
	expect((await runAndCount(example)).requests.DELETE).toBe(2);
	expect((await sandbox.links()).map(({ alias }) => alias)).toEqual(['kept', 'by-long-url']);
	// A sheet that can't be read as it should, without a row, deletes nothing.
	sheet.rows.length = 0;
	expect((await runAndCount(example)).requests).toEqual({});
});

it('nightly-sheet-with-campaigns.json makes the campaigns that are missing, each once, and goes on where all are there', async () => {
	const names = ['long_url', 'alias', 'campaign', 'short_url', 'result'];
	const columns = Object.fromEntries(names.map((name) => [name, 'string'] as const));
	const table = await DataTable.create(n8n, 'links with campaigns', columns);
	tables.push(table);
	const { locator: dataTableId } = table;
	const campaigns = ['Spring', 'Autumn', 'Spring', ''];
	await table.insert(
		campaigns.map((campaign, at) => ({ long_url: `https://shop.example.com/${at}`, alias: `row-${at}`, campaign })),
	);
	await sandbox.createRecords({ campaigns: [{ id: 70, name: 'Autumn' }] });
	const example = new Example('nightly-sheet-with-campaigns.json');
	for (const name of ['Rows with campaigns', 'Rows', 'Write results']) example.set(name, { dataTableId });
	for (const result of ['created', 'unchanged']) {
		await runAndCount(example);
		expect((await table.rows()).map((row) => row.result)).toEqual(Array(4).fill(result));
	}
	const made = await sandbox.records('campaigns');
	expect(made.map(({ name }) => name).sort()).toEqual(['Autumn', 'Spring']);
	const nameOf = (id: unknown) => made.find((campaign) => campaign.id === id)?.name ?? '';
	const links = await sandbox.links();
	expect(campaigns.map((_name, at) => nameOf(links.find(({ alias }) => alias === `row-${at}`)?.campaign))).toEqual(
		campaigns,
	);
});

it('new-links-into-a-sheet.json adds a row for each new link that has none', async () => {
	const { links } = await sandbox.createRecords({ links: ['of-the-sheet', 'new'].map((alias) => ({ alias })) });
	const example = new Example('new-links-into-a-sheet.json');
	const sheet = await GoogleSheet.replaceIn(example, [{ alias: 'of-the-sheet', short_url: links[0].shorturl }]);
	example.workflow.pinData = { 'When a link is created': links.map((link) => ({ json: { ...link } })) };
	await runAndCount(example);
	expect(sheet.rows.map(({ alias, short_url: shortUrl }) => [alias, shortUrl])).toEqual(
		links.map(({ alias, shorturl }) => [alias, shorturl]),
	);
});

it('take-down-pasted-addresses.json deletes the links that were pasted, in whatever form, and nothing else', async () => {
	const { links } = await sandbox.createRecords({
		links: ['bad', 'worse', 'good'].map((alias) => ({ alias })),
	});
	const [bad, worse, good] = links.map(({ shorturl }) => new URL(shorturl));
	const pasted = [
		`hxxp://${bad.host.replaceAll('.', '[.]')}/bad`,
		worse.href,
		`${good.origin}/qr/good`,
		'https://elsewhere.example.com/good',
	];
	const example = new Example('take-down-pasted-addresses.json');
	example.workflow.pinData = { Addresses: [{ json: { Addresses: pasted.join('\n') } }] };
	const { execution } = await runAndCount(example);
	expect(execution.json('What was done')).toEqual(
		pasted.map((address, at) => ({
			address,
			result: expect.stringMatching(at < 2 ? /^deleted / : /^not deleted: There is no/),
		})),
	);
	expect((await sandbox.links()).map(({ alias }) => alias)).toEqual(['good']);
});

it('clicks-for-long-urls.json finds links by their long URLs, to the letter, and reads the list once', async () => {
	const { links } = await sandbox.createRecords({
		links: ['/a', '/a?next=/'].map((at, index) => ({
			alias: `long-${index}`,
			longurl: `https://shop.example.com${at}`,
			clicks: index + 1,
		})),
	});
	const urls = [...links.map(({ longurl }) => longurl), 'https://shop.example.com/a?next='];
	const rows = urls.map((url) => ({ note: '', url, ...FOREIGN }));
	writeFileSync(path('long-urls.csv'), csv(rows));
	const { requests } = await runAndCount(inFolder('clicks-for-long-urls.json'));
	expect(Object.keys(readCsv(path('long-urls-with-clicks.csv'))[0])).toEqual([
		...Object.keys(rows[0]),
		...['short_url', 'clicks', 'result'],
	]);
	expect(readCsv(path('long-urls-with-clicks.csv'))).toEqual([
		{ ...rows[0], short_url: links[0].shorturl, clicks: '1', result: 'counted' },
		{ ...rows[1], short_url: links[1].shorturl, clicks: '2', result: 'counted' },
		{ ...rows[2], short_url: '', clicks: '', result: expect.stringMatching(/^failed: There is no/) },
	]);
	expect(requests).toEqual({ GET: 1 });
});

it("clicks-day-by-day.json records each link's clicks once a day, with what grew since the day before", async () => {
	const columns = {
		day: 'string',
		short_url: 'string',
		link_id: 'number',
		clicks: 'number',
		since_yesterday: 'number',
	};
	const table = await DataTable.create(n8n, 'link clicks', columns as Record<string, 'string' | 'number'>);
	tables.push(table);
	const { links } = await sandbox.createRecords({ links: [{ alias: 'counted', clicks: 5 }] });
	const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
	const { locator: dataTableId } = table;
	const example = new Example('clicks-day-by-day.json');
	example.workflow.settings = { ...example.workflow.settings, timezone: 'Etc/UTC' };
	example.set('Counts of yesterday', { dataTableId }).set('Record', { dataTableId });
	await table.insert([{ day: yesterday, short_url: '', link_id: links[0].id, clicks: 2, since_yesterday: 2 }]);
	await runAndCount(example);
	await sandbox.simulate({ clicks: [{ id: links[0].id, count: 1 }] });
	await runAndCount(example);
	expect(
		(await table.rows()).map(({ day, clicks, since_yesterday: grown }) => ({
			isToday: day !== yesterday,
			clicks,
			grown,
		})),
	).toEqual([
		{ isToday: false, clicks: 2, grown: 2 },
		{ isToday: true, clicks: 6, grown: 4 },
	]);
});

const EXPORTS = join(PROJECT, 'test', 'brought', 'exports');

it.each(readdirSync(EXPORTS))(
	'move-in-from-csv.json: %s says first what would happen, and then keeps the back-halves',
	async (name) => {
		const rows = readCsv(join(EXPORTS, name));
		copyFileSync(join(EXPORTS, name), path('export.csv'));
		const example = inFolder('move-in-from-csv.json');
		expect((await runAndCount(example)).requests).toMatchObject({ GET: expect.any(Number) });
		expect(readCsv(newest('moved-in ')).map(({ result }) => result)).toEqual(rows.map(() => 'created (dry run)'));
		expect(await longUrls()).toEqual({});

		const { options } = example.node('Create or update links').parameters as { options: IDataObject };
		example.set('Create or update links', { options: { ...options, dryRun: false } });
		expect((await runAndCount(example)).requests).toMatchObject({ POST: 2 });
		expect(await longUrls()).toEqual({
			spring: 'https://shop.example.com/1',
			summer: 'https://shop.example.com/2',
		});
		expect(readCsv(newest('moved-in '))).toMatchObject(
			rows.map((row, at) => ({
				...row,
				new_short_url: expect.stringMatching(new RegExp(`/${at === 0 ? 'spring' : 'summer'}$`)),
				result: 'created',
			})),
		);
	},
);

it('move-in-from-csv.json: blank rows, rows that fail or repeat another, and a column named link do no harm, in a second run either', async () => {
	const file =
		'Long URL,Alias,link\nhttps://shop.example.com/1,one,x\n,,\nnowhere,two,y\nhttps://shop.example.com/1,one,z\n';
	writeFileSync(path('export.csv'), file);
	const example = inFolder('move-in-from-csv.json');
	for (const [dryRun, first, more] of [
		[true, 'created', ' (dry run)'],
		[false, 'created', ''],
		[false, 'unchanged', ''],
	] as const) {
		clear('moved-in');
		example.set('Create or update links', { options: { dryRun, updateWhen: 'never' } });
		await runAndCount(example);
		expect(readCsv(newest('moved-in ')).map(({ link, result }) => [link, result])).toEqual([
			['x', `${first}${more}`],
			['', `skipped${more}`],
			['y', expect.stringMatching(/^failed: Long URL is not a web address/)],
			['z', `unchanged${more}`],
		]);
	}
	expect(await sandbox.links()).toHaveLength(1);
});

it('move-in-from-csv.json leaves links of the new account alone: a row whose alias leads elsewhere there names them', async () => {
	await sandbox.createRecords({ links: [{ alias: 'taken', longurl: 'https://shop.example.com/old' }] });
	writeFileSync(
		path('export.csv'),
		'Long URL,Alias,Redirect Type,Status\nhttps://shop.example.com/1,taken,301,active\nhttps://shop.example.com/2,free,302,public\n',
	);
	clear('moved-in');
	const example = inFolder('move-in-from-csv.json');
	example.set('Create or update links', { options: { updateWhen: 'never' } });
	expect((await runAndCount(example)).requests.POST).toBe(1);
	expect(readCsv(newest('moved-in ')).map(({ result }) => result)).toEqual([
		expect.stringMatching(/^failed: The link .*\/taken .* leads to another long URL: "https:\/\/shop.example.com\/old/),
		'created',
	]);
	expect(await longUrls()).toEqual({ taken: 'https://shop.example.com/old', free: 'https://shop.example.com/2' });
});

it('move-in-from-csv.json makes no link of a file with two addresses for it, and names both columns', async () => {
	writeFileSync(path('export.csv'), 'Long URL,url,Alias\nhttps://shop.example.com/1,https://old.example/one,one\n');
	clear('moved-in');
	const example = inFolder('move-in-from-csv.json');
	example.set('Create or update links', { options: { updateWhen: 'never' } });
	await runAndCount(example);
	expect(readCsv(newest('moved-in ')).map(({ result }) => result)).toEqual([
		expect.stringMatching(/^failed: The columns "Long URL" and "URL to shorten" both mean Long URL, and differ/),
	]);
	expect(await longUrls()).toEqual({});
});

it('another-host-in-long-urls.json shows what would change, then changes links to the old host alone, once, targets too', async () => {
	const to = (host: string, page: string) => `https://${host}${page}`;
	const pages = ['/', '/a?b=https://old.example.com/c', '', ':8443/d#e'];
	const targets = (host: string) => ({ germany: to(host, '/de'), france: 'https://fr.example.com/' });
	await sandbox.createRecords({
		links: [
			...pages.map((page, at) => ({ alias: `moves-${at}`, longurl: to('OLD.example.com', page), title: `Page ${at}` })),
			{ alias: 'targets', longurl: to('old.example.com', '/t'), location: targets('old.example.com') },
			{ alias: 'sub', longurl: to('www.old.example.com', '/') },
			{ alias: 'longer', longurl: to('old.example.com.evil.example', '/') },
			{ alias: 'named', longurl: 'https://shop.example.com/?to=old.example.com' },
		],
	});
	const before = await longUrls();
	const moved: Record<string, string> = {
		...before,
		...Object.fromEntries(pages.map((page, at) => [`moves-${at}`, to('new.example.com', page)])),
		targets: to('new.example.com', '/t'),
	};
	const example = new Example('another-host-in-long-urls.json');
	const hosts = example.node('Hosts').parameters as unknown as {
		assignments: { assignments: Array<{ value: string }> };
	};
	// As people paste it.
	hosts.assignments.assignments[0].value = ' https://Old.example.com/ ';
	const planned = (await runAndCount(example)).execution.json('Update links');
	expect(planned).toHaveLength(pages.length + 1);
	for (const { alias, action, changes } of planned as Array<Record<string, string>>) {
		const { longurl } = changes as unknown as IDataObject;
		expect([action, longurl]).toEqual(['updated', { from: before[alias], to: moved[alias] }]);
	}
	expect(await longUrls()).toEqual(before);

	example.set('Update links', { options: {} });
	expect((await runAndCount(example)).requests.PUT).toBe(pages.length + 1);
	expect(await longUrls()).toEqual(moved);
	const links = await sandbox.links();
	expect(links.find(({ alias }) => alias === 'targets')?.location).toEqual(targets('new.example.com'));
	expect(links.filter(({ title }) => /^Page/.test(title ?? ''))).toHaveLength(pages.length);
	const { error } = await n8n.runWorkflow(example.workflow);
	expect(error?.message).toMatch(/^No link leads to .*Old\.example\.com.*Check the host in the node Hosts/);
});

it('export-all-links.json writes every link of the account', async () => {
	await sandbox.seedRecords({ links: 130 });
	const formula = '=HYPERLINK("https://evil.example")';
	await sandbox.createRecords({ links: [{ alias: 'formula', title: formula }] });
	await runAndCount(inFolder('export-all-links.json'));
	const written = readCsv(path('all-links.csv')).map(({ alias }) => alias);
	expect(written).toHaveLength(131);
	const rows = readCsv(path('all-links.csv'));
	expect(rows.find(({ alias }) => alias === 'formula')).toMatchObject({ title: `'${formula}` });
	expect(written.sort()).toEqual((await sandbox.links()).map(({ alias }) => alias).sort());
});
