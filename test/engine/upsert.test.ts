/** Create or Update: a sheet and the account in step, in both dialects of the service, over real HTTP. */
import { readFileSync } from 'fs';
import { join } from 'path';
import type { IDataObject, IWorkflowBase } from 'n8n-workflow';

import { startSandbox, type Dialect, type Sandbox } from '../sandbox';
import { run, type NodeSettings } from './host';

const KEY = 'sandbox-key';
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

afterAll(async () => {
	await sandbox.stop();
});

const NO_LIMIT = { requests: null };
const credential = () => ({ baseUrl: sandbox.url, apiKey: KEY });

/** An account that holds these links and `others` more, made up and older. */
async function account(dialect: Dialect, links: IDataObject[], others = 0): Promise<void> {
	await sandbox.reset({ dialect, records: { links: others }, limit: NO_LIMIT, apiKeys: [KEY] });
	if (links.length > 0) await sandbox.createRecords({ links });
	await sandbox.clearRequests();
}

interface Settings {
	options?: IDataObject;
	fields?: IDataObject;
	columns?: IDataObject;
	node?: NodeSettings;
}

async function upsert(rows: IDataObject[], { options = {}, fields = {}, columns, node }: Settings = {}) {
	const parameters = {
		resource: 'link',
		operation: 'upsert',
		columns: columns ?? { mappingMode: 'autoMapInputData', value: null },
		linkFields: fields,
		options,
	};
	return await run(parameters, { credential: credential(), rows, node });
}

/** What the service was asked for besides reading. */
async function changes(): Promise<Array<[string, string]>> {
	const requests = await sandbox.requests();
	return requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => [method, path]);
}

const link = (row: number, more: IDataObject = {}): IDataObject => ({
	alias: `row-${row}`,
	longurl: `https://example.com/${row}`,
	title: `Page ${row}`,
	description: '',
	...more,
});

const row = (number: number, more: IDataObject = {}): IDataObject => ({
	'Long URL': `https://example.com/${number}`,
	Alias: `row-${number}`,
	...more,
});

describe.each(['document', 'field'] as const)('in the dialect of the %s', (dialect) => {
	test('creates, updates and leaves rows as they are, and does nothing the second time', async () => {
		await account(dialect, [link(1), link(2), link(3)], 40);
		const rows = [row(1), row(2, { 'Long URL': 'https://example.com/moved' }), row(4), row(3, { title: 'New title' })];
		const { items, error } = await upsert(rows);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => [json.alias, json.action, json.longurl, json.title])).toEqual([
			['row-1', 'unchanged', 'https://example.com/1', 'Page 1'],
			['row-2', 'updated', 'https://example.com/moved', 'Page 2'],
			['row-4', 'created', 'https://example.com/4', undefined],
			['row-3', 'updated', 'https://example.com/3', 'New title'],
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
		expect(items.every(({ json }) => typeof json.id === 'number' && typeof json.shorturl === 'string')).toBe(true);
		expect(await sandbox.violations()).toEqual([]);
		const held = await sandbox.links();
		expect(
			held.filter(({ alias }) => alias.startsWith('row-')).map(({ alias, longurl, title }) => [alias, longurl, title]),
		).toEqual(
			expect.arrayContaining([
				['row-2', 'https://example.com/moved', 'Page 2'],
				['row-3', 'https://example.com/3', 'New title'],
			]),
		);

		await sandbox.clearRequests();
		const again = await upsert(rows);
		expect(again.items.map(({ json }) => json.action)).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged']);
		expect(await changes()).toEqual([]);
	});

	test('takes what lists put out as it is', async () => {
		await account(dialect, [link(1, { description: 'A note' }), link(2)], 30);
		const listed = await run({ resource: 'link', operation: 'getAll', returnAll: true }, { credential: credential() });
		expect(listed.items).toHaveLength(32);
		const { items, error } = await upsert(listed.items.map(({ json }) => json));
		expect(error).toBeUndefined();
		expect(new Set(items.map(({ json }) => json.action))).toEqual(new Set(['unchanged']));
		expect(await changes()).toEqual([]);
		expect(items.map(({ json: { action: _action, ...record } }) => Number(record.id))).toEqual(
			listed.items.map(({ json }) => Number(json.id)),
		);
	});

	test('keeps what an update is not asked to change', async () => {
		await account(dialect, [
			link(1, {
				description: 'A note',
				expiry: '2031-01-01 00:00:00',
				location: { germany: 'https://example.com/de' },
				device: { iphone: 'https://example.com/ios' },
			}),
		]);
		const { items } = await upsert([row(1, { 'meta-title': 'Changed' })]);
		expect(items[0].json.action).toBe('updated');
		expect(await sandbox.links()).toMatchObject([
			{
				longurl: 'https://example.com/1',
				title: 'Changed',
				description: 'A note',
				expiry: '2031-01-01 00:00:00',
				location: { germany: 'https://example.com/de' },
				device: { iphone: 'https://example.com/ios' },
			},
		]);
	});

	test('a dry run tells the same, and sends nothing but reading', async () => {
		await account(dialect, [link(1), link(2)], 5);
		const rows = [row(1), row(2, { description: 'New' }), row(3), row(3)];
		const planned = await upsert(rows, { options: { dryRun: true } });
		expect(planned.items.map(({ json }) => [json.alias, json.action, json.dryRun])).toEqual([
			['row-1', 'unchanged', true],
			['row-2', 'updated', true],
			['row-3', 'created', true],
			['row-3', 'unchanged', true],
		]);
		expect(await changes()).toEqual([]);
		const done = await upsert(rows);
		expect(done.items.map(({ json }) => json.action)).toEqual(planned.items.map(({ json }) => json.action));
	});

	test('of two rows that mean one link and say different things the later one fails, and names the earlier', async () => {
		await account(dialect, [link(1)]);
		const rows = [row(1, { description: 'one' }), row(2), row(1, { description: 'two' })];
		const { items } = await upsert(rows, { node: { onError: 'continueRegularOutput' } });
		expect(items.map(({ json }) => json.action ?? json.error)).toEqual([
			'updated',
			'created',
			expect.stringMatching(/means the same link as item 0, and says something else: Description\. Keep one/),
		]);
		await account(dialect, [link(1)]);
		const stopped = await upsert(rows);
		expect(stopped.error?.message).toContain('means the same link as item 0');
		expect(await changes()).toEqual([]);
	});

	test('rows without an alias are matched by their long URL', async () => {
		await account(dialect, [link(1)], 20);
		const rows = [
			{ url: 'https://EXAMPLE.com/1' },
			{ url: 'https://example.com/new' },
			{ url: 'https://example.com/new' },
		];
		const { items } = await upsert(rows);
		expect(items.map(({ json }) => json.action)).toEqual(['unchanged', 'created', 'unchanged']);
		expect((await sandbox.links()).filter(({ longurl }) => longurl.includes('/new'))).toHaveLength(1);
	});

	test('a link that others have made or deleted since the list was read is found, and made, once', async () => {
		await account(dialect, [link(1), link(2)], 5);
		// After the page was answered, another run makes row 3, and somebody deletes row 2.
		const ids = (await sandbox.links()).filter(({ alias }) => alias === 'row-2').map(({ id }) => id);
		await sandbox.setPageHooks([
			{
				collection: 'urls',
				afterPage: 1,
				create: { links: [link(3)] },
				delete: { links: ids },
			},
		]);
		const { items, error } = await upsert([row(1), row(2, { description: 'New' }), row(3)]);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => [json.alias, json.action])).toEqual([
			['row-1', 'unchanged'],
			['row-2', 'created'],
			// A service that returns the link which a long URL has already says nothing of its having been there.
			['row-3', dialect === 'document' ? 'unchanged' : 'created'],
		]);
		const aliases = (await sandbox.links()).map(({ alias }) => alias).filter((alias) => alias.startsWith('row-'));
		expect(aliases.sort()).toEqual(['row-1', 'row-2', 'row-3']);
	});

	test('two runs at once on one sheet make each link once', async () => {
		await account(dialect, [], 5);
		const rows = Array.from({ length: 30 }, (_, at) => row(at));
		const both = await Promise.all([upsert(rows), upsert(rows)]);
		for (const { items, error } of both) {
			expect(error).toBeUndefined();
			expect(items).toHaveLength(30);
		}
		const aliases = (await sandbox.links()).map(({ alias }) => alias).filter((alias) => alias.startsWith('row-'));
		expect(aliases).toHaveLength(30);
		expect(new Set(aliases).size).toBe(30);
	});

	test('a fifth of the answers lost after the work: every row is done, and none twice', async () => {
		await account(dialect, [link(0), link(1), link(2)], 5);
		await sandbox.setFaults([
			{ kind: 'dropAfter', every: 5, match: { method: 'POST' } },
			{ kind: 'dropAfter', every: 2, match: { method: 'PUT' } },
		]);
		const rows = Array.from({ length: 60 }, (_, at) => row(at, at < 3 ? { description: 'New' } : {}));
		const { items, error } = await upsert(rows);
		await sandbox.clearFaults();
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.action)).toEqual(rows.map((_, at) => (at < 3 ? 'updated' : 'created')));
		const aliases = (await sandbox.links()).map(({ alias }) => alias).filter((alias) => alias.startsWith('row-'));
		expect(aliases).toHaveLength(60);
		expect(new Set(aliases).size).toBe(60);
	});

	test('a deletion whose answer is lost is looked up', async () => {
		await account(dialect, [link(1), link(2)]);
		const [{ id }] = (await sandbox.links()).filter(({ alias }) => alias === 'row-1');
		await sandbox.setFaults([{ kind: 'dropAfter', match: { method: 'DELETE' }, times: 1 }]);
		const { items, error } = await run(
			{ resource: 'link', operation: 'delete', linkId: { __rl: true, mode: 'id', value: String(id) } },
			{ credential: credential() },
		);
		await sandbox.clearFaults();
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toMatchObject([{ deleted: true, id }]);
		expect((await sandbox.links()).map(({ alias }) => alias)).toEqual(['row-2']);
	});

	test('a long URL that has a link is not shortened again where that was asked for', async () => {
		await account(dialect, [link(1)], 20);
		const { items, error } = await run(
			{
				resource: 'link',
				operation: 'create',
				url: '={{ $json.url }}',
				options: { ifLongUrlExists: 'returnExisting' },
			},
			{ credential: credential(), rows: [{ url: 'https://EXAMPLE.com/1' }, { url: 'https://example.com/fresh' }] },
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => [json.alias, json.existing])).toEqual([
			['row-1', true],
			[expect.any(String), undefined],
		]);
		expect(await changes()).toEqual([['POST', '/api/url/add']]);
	});
});

test.each(['document', 'field'] as const)(
	'the example of the nightly sheet, in the dialect of the %s',
	async (dialect) => {
		const example = JSON.parse(
			readFileSync(join(__dirname, '../../examples/nightly-sheet.json'), 'utf8'),
		) as IWorkflowBase;
		const { parameters } = example.nodes.find(({ name }) => name === 'Create or update links')!;
		await account(dialect, [], 5);
		const sheet = Array.from({ length: 40 }, (_, at) => ({
			url: `https://example.com/sheet/${at}`,
			alias: `sheet-${at}`,
			note: `Note ${at}`,
		}));
		const actions = async () =>
			(await run(parameters as IDataObject, { credential: credential(), rows: sheet })).items.map(
				({ json }) => json.action,
			);
		expect(await actions()).toEqual(sheet.map(() => 'created'));
		sheet[3].url = 'https://example.com/moved';
		sheet[5].note = 'Another note';
		sheet.push({ url: 'https://example.com/new', alias: 'sheet-new', note: '' });
		await sandbox.clearRequests();
		expect(await actions()).toEqual(
			sheet.map((_, at) => (at === 40 ? 'created' : at === 3 || at === 5 ? 'updated' : 'unchanged')),
		);
		// One page of the list, two requests for a changed row, one for a new one.
		expect(await sandbox.requests()).toHaveLength(6);
	},
);

test('a link with another alias than was asked for is an error that shows the link', async () => {
	await account('field', [link(1)]);
	const parameters = {
		resource: 'link',
		operation: 'create',
		url: 'https://example.com/1',
		linkFields: { custom: 'mine' },
	};
	const [held] = await sandbox.links();
	const { items } = await run(parameters, { credential: credential(), node: { onError: 'continueRegularOutput' } });
	expect(items[0].json).toMatchObject({ id: held.id, shorturl: held.shorturl });
	expect(String(items[0].json.error)).toContain('whose alias is not "mine"');
	const returned = await run(
		{ ...parameters, options: { ifAliasExists: 'returnExisting' } },
		{ credential: credential() },
	);
	expect(returned.items[0].json).toMatchObject({ id: held.id, alias: 'row-1', existing: true });
});
