/**
 * Return All and Limit: which pages are asked for, and which items come of them. What services of every manner make of pages,
 * test/unit/list.test.ts shows.
 */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS } from '../sandbox';
import { skipWaits } from './clock';
import { by, hintsOf } from './host';
import { begin, itemsOf, openService, run, sandbox } from './service';

openService({ records: { links: 250 }, deviations: { pageCap: 100 } });

afterEach(() => jest.restoreAllMocks());

const all = { resource: 'link', operation: 'getAll', returnAll: true };
const getAll = (resource: string) => ({ resource, operation: 'getAll', returnAll: true });

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
	return (await itemsOf(parameters)).map(({ id }) => id);
}

describe.each(DIALECTS)('Return All, %s', (dialect) => {
	beforeEach(async () => await begin({ dialect }));

	test('gives no item for an empty list', async () => {
		await begin({ dialect, records: { links: 0 } });
		const { items, run: execution } = await run(all);
		expect(items).toEqual([]);
		expect(execution.status).toBe('success');
		expect(execution.data.resultData.runData).not.toHaveProperty('Done');
		// An empty list is believed when it comes twice.
		expect(await pages()).toEqual(['1/100', '1/100']);
	});

	test('keeps the search and the order on every page', async () => {
		const expected = (await sandbox.links())
			.sort((a, b) => b.clicks - a.clicks || (a.date < b.date ? 1 : -1))
			.map(({ id }) => id);
		const filters = { q: 'www.example.com', order: 'click' };
		expect(await ids({ ...all, filters })).toEqual(expected);
		for (const { query } of await sandbox.requests()) expect(query).toMatchObject(filters);
	});
});

describe.each(DIALECTS)('Limit, %s', (dialect) => {
	test.each<[IDataObject, number, number, string[]]>([
		[{ limit: 1 }, 100, 1, ['1/1']],
		[{ limit: 101 }, 100, 101, ['1/100', '2/100']],
		[{ limit: 1000 }, 100, 250, ['1/100', '2/100', '3/100']],
		[{ limit: '={{ "7" }}' }, 100, 7, ['1/7']],
		[{}, 100, 50, ['1/50']],
		[{ limit: 90 }, 40, 90, ['1/90', '2/40', '3/40']],
	])('%j of pages of %d gives no more and asks for no more', async (limit, pageCap, count, expected) => {
		await begin({ dialect, deviations: { pageCap } });
		expect(await ids({ resource: 'link', operation: 'getAll', ...limit })).toEqual((await listed()).slice(0, count));
		expect(await pages()).toEqual(expected);
	});
});

test('an answer without the list is no empty list', async () => {
	skipWaits();
	await sandbox.setFaults([{ kind: 'badTypes', variant: 'dataMissing' }]);
	const { items, error } = await run(all);
	expect(items).toEqual([]);
	expect(error?.message).toMatch(/without the list "urls"/);
});

test('a list that the pages leave records out of is put out with a hint that says how many of how many', async () => {
	await begin({ records: { links: 30 }, deviations: { pageCap: 10, ties: 30 } });
	await sandbox.setFaults([{ kind: 'listFields', fields: { result: 40 } }]);
	const outcome = await run(all);
	expect(outcome.items).toHaveLength(30);
	expect(hintsOf(outcome)).toEqual([
		'This list is not whole: it has 30 of 40 records. The service shows some of them twice and leaves others out.',
	]);
});

test('a list from which records are deleted while each reading goes on is put out with a hint that says so', async () => {
	await begin({ records: { links: 30 }, deviations: { pageCap: 10 } });
	await sandbox.setFaults([{ kind: 'listFields', fields: { result: 35 }, every: 2 }]);
	const outcome = await run(all);
	expect(outcome.items).toHaveLength(30);
	expect(hintsOf(outcome)).toEqual(['This list may not be whole: records were deleted while it was read, each time.']);
});

test('items of several types may share an ID', async () => {
	const shared = (['links', 'qr'] as const).map((type) => ({ type, id: 9001 }));
	await sandbox.createRecords({ links: [{ id: 9001 }], qrs: [{ id: 9001 }], channels: [{ id: 9002, items: shared }] });
	const parameters = { resource: 'channel', operation: 'getItems', channelId: by('id', 9002), returnAll: true };
	expect(await itemsOf(parameters)).toMatchObject(shared.reverse());
});

test('a list for each row, paired with its row', async () => {
	const parameters = { resource: 'link', operation: 'getAll', limit: 2, filters: { q: '={{ $json.q }}' } };
	const { items } = await run(parameters, { rows: [{ q: 'www.example.com' }, { q: 'no such thing' }, { q: '' }] });
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }, { item: 2 }, { item: 2 }]);
});

describe('what services of the field send', () => {
	beforeEach(async () => await begin({ dialect: 'field', records: {} }));

	test.each([
		['link', 'linkId'],
		['qrCode', 'qrCodeId'],
	] as const)('a %s has numbers, and stays as sent where it is not simplified', async (resource, parameter) => {
		const [{ id }] = resource === 'link' ? await sandbox.links() : await sandbox.qrs();
		const get = { resource, operation: 'get', [parameter]: by('id', id) };
		await sandbox.setFaults([{ kind: 'badTypes', variant: 'textNumbers' }]);
		const [simple] = await itemsOf(get);
		const number = expect.any(Number) as number;
		expect(simple).toMatchObject({ id, clicks: number, uniqueClicks: number });
		for (const count of Object.values(simple.socialCount as IDataObject)) expect(count).toEqual(number);
		const [raw] = await itemsOf({ ...get, simplify: false });
		expect(raw).toMatchObject({ details: { id: String(id) }, data: { clicks: expect.any(String) as string } });
		expect(raw).not.toHaveProperty('error');
	});

	test('text that looks like a number stays text', async () => {
		await sandbox.createRecords({ links: [{ alias: '2024', title: '7' }] });
		expect(await itemsOf({ ...all, returnAll: false, limit: 1 })).toMatchObject([{ alias: '2024', title: '7' }]);
	});

	test('shared domains are in the list, without an ID', async () => {
		const items = await itemsOf(getAll('domain'));
		expect(items.filter(({ id }) => id === null)).toHaveLength(2);
		expect(items.filter(({ id }) => typeof id === 'number').length).toBeGreaterThan(0);
	});
});

describe('what the service makes of Search and Order', () => {
	const filtered = (filters: IDataObject, more: IDataObject = {}) => ({ ...all, filters, ...more });
	const sorted = async (by: 'clicks' | 'date') =>
		(await sandbox.links()).map((link) => link[by]).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));

	test('a search that is ignored is an error, if nothing holds the word', async () => {
		await begin({ deviations: { searchIgnored: true, pageCap: 100 } });
		for (const more of [{}, { returnAll: false, limit: 10 }]) {
			const { items, error } = await run(filtered({ q: 'no-such-word' }, more));
			expect(items).toEqual([]);
			expect(error?.message).toBe(
				'This service ignores Search: it gives all 250 links, and none of those that were read holds "no-such-word"',
			);
		}
	});

	test('a search that finds nothing, or what only the service can see, is no error', async () => {
		expect(await itemsOf(filtered({ q: 'no-such-word' }))).toEqual([]);
		const [link] = await sandbox.links();
		const text = JSON.stringify({ error: '0', data: { result: 1, nextpage: null, maxpage: 1, urls: [{ ...link }] } });
		await sandbox.setFaults([{ kind: 'answer', text, times: 1 }]);
		expect(await itemsOf(filtered({ q: 'a word of its page' }))).toMatchObject([{ id: link.id }]);
		expect(await sandbox.requests()).toHaveLength(4);
	});

	test.each([
		['click', 'clicks'],
		['date', 'date'],
	] as const)('all links come sorted by %s, or a hint says that the service ignores it', async (order, field) => {
		for (const orders of ['both', 'date', 'none'] as const) {
			await begin({ deviations: { orders, pageCap: 100 } });
			const { items, run: execution } = await run(filtered({ order }));
			const come = items.map(({ json }) => json[field]);
			const isSorted = orders === 'both' || (orders === 'date' && order === 'date');
			if (isSorted) expect(come).toEqual(await sorted(field));
			const said = hintsOf({ run: execution }).join(' ');
			expect(said).toMatch(isSorted ? /^$/ : new RegExp(`not sorted by ${field}.*add a Sort node`));
		}
	});

	test('of some links, a hint says that they are not in order', async () => {
		await begin({ deviations: { orders: 'none' } });
		const outcome = await run(filtered({ order: 'click' }, { returnAll: false, limit: 10 }));
		expect(outcome.items).toHaveLength(10);
		expect(hintsOf(outcome).join(' ')).toContain('This service ignores Order: these links are not sorted by clicks');
		await begin();
		const sound = await run(filtered({ order: 'click' }, { returnAll: false, limit: 10 }));
		expect(hintsOf(sound)).toEqual([]);
	});
});
