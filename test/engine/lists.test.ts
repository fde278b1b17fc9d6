/** Return All and Limit: which pages are asked for, and which items come of them. */
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../sandbox';
import { by, itemsOf, run, type Setting } from './host';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ limit: { requests: null }, records: { links: 250 } });
});

beforeEach(async () => {
	await sandbox.reset();
});

afterAll(async () => {
	await sandbox.stop();
});

function setting(more: Partial<Setting> = {}): Setting {
	return { credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey }, ...more };
}

const all = { resource: 'link', operation: 'getAll', returnAll: true };

function first(limit: number): IDataObject {
	return { resource: 'link', operation: 'getAll', returnAll: false, limit };
}

/** Page and limit of each request. */
async function pages(): Promise<string[]> {
	return (await sandbox.requests()).map(({ query }) => `${String(query.page)}/${String(query.limit)}`);
}

/** IDs of the service's links in the order in which it lists them: newest first. */
async function listed(): Promise<number[]> {
	const links = await sandbox.links();
	return links.sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : b.id - a.id)).map(({ id }) => id);
}

async function ids(parameters: IDataObject): Promise<unknown[]> {
	return (await itemsOf(parameters, setting())).map(({ id }) => id);
}

describe('Return All', () => {
	test('asks for everything at once, and goes on with the page size that is granted', async () => {
		const expected = await listed();
		expect(await ids(all)).toEqual(expected);
		expect(await pages()).toEqual(['1/10000', '2/100', '3/100']);
		expect(await sandbox.violations()).toEqual([]);
	});

	test('needs one request where the service grants it', async () => {
		await sandbox.configure({ pageCap: 5000 });
		expect(await ids(all)).toHaveLength(250);
		expect(await pages()).toEqual(['1/10000']);
	});

	test.each(['null', 'same', 'plusOne'] as const)('ends with the last page, whatever nextpage says there: %s', async (lastNextPage) => {
		await sandbox.configure({ lastNextPage });
		expect(await ids(all)).toHaveLength(250);
		expect(await pages()).toHaveLength(3);
	});

	test.each<[string, IDataObject]>([
		['no figures', { result: null, perpage: null, currentpage: null, nextpage: null, maxpage: null }],
		['figures as text', { result: '250', perpage: '100', currentpage: '1', nextpage: '2', maxpage: '3' }],
		['nonsense', { result: 'many', perpage: -1, currentpage: {}, nextpage: [], maxpage: '∞' }],
		['a wrong maxpage', { maxpage: 1 }],
		['a wrong result', { result: 0 }],
	])('finds all records with %s', async (_what, fields) => {
		const expected = await listed();
		await sandbox.setFaults([{ kind: 'listFields', fields }]);
		expect(await ids(all)).toEqual(expected);
	});

	test.each(['repeat', 'empty'] as const)('ends though the service promises a further page on each page: %s', async (kind) => {
		await sandbox.setFaults([{ kind: 'endlessList', pages: kind }]);
		const { items, error } = await run(all, setting());
		if (kind === 'empty') expect([error, items]).toEqual([undefined, []]);
		else expect(error?.message).toMatch(/goes on beyond|repeats itself/);
		expect((await sandbox.requests()).length).toBeLessThan(30);
	});

	test('gives no item for an empty list', async () => {
		await sandbox.reset({ records: { links: 0 } });
		const { items, run: execution } = await run(all, setting());
		expect(items).toEqual([]);
		expect(execution.status).toBe('success');
		expect(execution.data.resultData.runData).not.toHaveProperty('Done');
		expect(await pages()).toEqual(['1/10000']);
	});

	test.each<[string, 'dataArray' | 'listAsObject' | 'nullFields']>([
		['data as an empty array', 'dataArray'],
		['records as an object', 'listAsObject'],
	])('reads %s', async (_what, variant) => {
		await sandbox.setFaults([{ kind: 'badTypes', variant }]);
		expect(await ids(all)).toHaveLength(variant === 'dataArray' ? 0 : 250);
	});

	test.each(['dataMissing', 'array', 'text', 'null'] as const)('says that there is no list in an answer such as: %s', async (variant) => {
		await sandbox.setFaults([{ kind: 'badTypes', variant }]);
		const { items, error } = await run(all, setting());
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/without the list "urls"|something that is not JSON/);
	}, 20_000);

	test('asks again without a size where the service refuses so large a page', async () => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', status: 422, message: 'The limit may not be greater than 100.', times: 1 }]);
		expect(await ids(all)).toHaveLength(250);
		expect(await pages()).toEqual(['1/10000', '1/undefined', ...Array.from({ length: 16 }, (_, page) => `${page + 2}/15`)]);
	});

	test('gives each record once when others appear while it reads', async () => {
		const expected = await listed();
		await sandbox.setPageHooks([{ collection: 'urls', afterPage: 1, create: { links: 30 } }]);
		const got = await ids(all);
		expect(new Set(got).size).toBe(got.length);
		expect(got).toEqual(expect.arrayContaining(expected));
	});

	test.each([1, 30, 100])('skips none when %d records of a page that was read vanish', async (deleteShown) => {
		const before = await listed();
		await sandbox.setPageHooks([{ collection: 'urls', afterPage: 1, deleteShown }]);
		const got = await ids(all);
		expect(new Set(got).size).toBe(got.length);
		expect(got).toEqual(expect.arrayContaining(before.slice(deleteShown)));
	});

	test('skips none when records vanish after every page', async () => {
		await sandbox.setPageHooks([1, 2].map((afterPage) => ({ collection: 'urls', afterPage, deleteShown: 7 })));
		const got = await ids(all);
		expect(got).toEqual(expect.arrayContaining(await listed()));
		expect(new Set(got).size).toBe(got.length);
	});

	test('keeps the search and the order on every page', async () => {
		const expected = (await sandbox.links()).sort((a, b) => b.clicks - a.clicks || (a.date < b.date ? 1 : -1)).map(({ id }) => id);
		expect(await ids({ ...all, filters: { q: 'www.example.com', order: 'click' } })).toEqual(expected);
		for (const { query } of await sandbox.requests()) expect(query).toMatchObject({ q: 'www.example.com', order: 'click' });
	});
});

describe('Limit', () => {
	test.each([
		[1, ['1/1']],
		[60, ['1/60']],
		[100, ['1/100']],
		[101, ['1/101', '2/100']],
		[230, ['1/230', '2/100', '3/100']],
		[1000, ['1/1000', '2/100', '3/100']],
	])('%d asks for no more than it takes', async (limit, expected) => {
		const newest = (await listed()).slice(0, limit);
		expect(await ids(first(limit))).toEqual(newest);
		expect(await pages()).toEqual(expected);
	});

	test('as text or from an expression', async () => {
		expect(await ids({ ...first(1), limit: '={{ "7" }}' })).toHaveLength(7);
	});

	test('is 50 unless stated', async () => {
		expect(await ids({ resource: 'link', operation: 'getAll' })).toHaveLength(50);
		expect(await pages()).toEqual(['1/50']);
	});

	test('never gives more, whatever comes', async () => {
		await sandbox.setFaults([{ kind: 'latency', ms: 0 }]);
		await sandbox.configure({ pageCap: 40 });
		expect(await ids(first(90))).toHaveLength(90);
		expect(await pages()).toEqual(['1/90', '2/40', '3/40']);
	});
});

test('items of several types may share an ID', async () => {
	await sandbox.createRecords({
		links: [{ id: 9001 }],
		qrs: [{ id: 9001 }],
		channels: [
			{
				id: 9002,
				items: [
					{ type: 'links', id: 9001 },
					{ type: 'qr', id: 9001 },
				],
			},
		],
	});
	const items = await itemsOf({ resource: 'channel', operation: 'getItems', channelId: by('id', 9002), returnAll: true }, setting());
	expect(items.map(({ type, id }) => [type, id])).toEqual([
		['qr', 9001],
		['links', 9001],
	]);
});

test('a list for each row, paired with its row', async () => {
	const { items } = await run({ ...first(2), filters: { q: '={{ $json.q }}' } }, setting({ rows: [{ q: 'www.example.com' }, { q: 'no such thing' }, { q: '' }] }));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }, { item: 2 }, { item: 2 }]);
});

test('an answer whose keys reach for a prototype pollutes none', async () => {
	await sandbox.setFaults([{ kind: 'protoKeys' }]);
	await ids(first(5));
	expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('1,000 records need ten requests, which fit into one minute of the common limit', async () => {
	const limited = await startSandbox({ records: { links: 1000 } });
	try {
		const { items } = await run(all, { credential: { baseUrl: limited.url, apiKey: limited.apiKey } });
		expect(items).toHaveLength(1000);
		expect(await limited.stats()).toMatchObject({ requests: 10, refused: 0 });
	} finally {
		await limited.stop();
	}
});
