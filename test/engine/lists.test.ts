/**
 * Return All and Limit: which pages are asked for, and which items come of them. What services of every manner make of pages,
 * test/unit/list.test.ts shows.
 */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS, startSandbox, type PageHook, type Sandbox, type SandboxState } from '../sandbox';
import { quickClock, slowClock } from './clock';
import { by } from './host';
import { begin, itemsOf, openService, run, sandbox } from './service';

openService({ records: { links: 250 }, deviations: { pageCap: 100 } });

afterEach(() => jest.restoreAllMocks());

const all = { resource: 'link', operation: 'getAll', returnAll: true };
const getAll = (resource: string) => ({ resource, operation: 'getAll', returnAll: true });

/** Page and limit of each request. */
async function pages(service: Sandbox = sandbox): Promise<string[]> {
	return (await service.requests()).map(({ query }) => `${String(query.page)}/${String(query.limit)}`);
}

/** IDs of the service's links in the order in which it lists them: newest first. */
async function listed(service: Sandbox = sandbox): Promise<number[]> {
	const links = await service.links();
	return links.sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : b.id - a.id)).map(({ id }) => id);
}

async function ids(parameters: IDataObject): Promise<unknown[]> {
	return (await itemsOf(parameters)).map(({ id }) => id);
}

describe.each(DIALECTS)('Return All, %s', (dialect) => {
	beforeEach(async () => await begin({ dialect }));

	test('never asks an unknown service for more than 100 at once', async () => {
		expect(await ids(all)).toEqual(await listed());
		expect(await pages()).toEqual(['1/100', '2/100', '3/100']);
		expect(await sandbox.violations()).toEqual([]);
	});

	test.each<[string, number, SandboxState['deviations'], number, number]>([
		['a quick service without a maximum', 3000, { pageCap: null }, 8, 3],
		['a service that grants 100', 3000, {}, 32, 30],
		['a service that grants 100 and says what was asked for', 3000, { toldPageSize: 'asked' }, 32, 30],
		['a service whose pages have 15, always', 300, { pageCap: 15, pageFloor: 15 }, 20, 20],
		['a service that grants 250', 3000, { pageCap: 250 }, 15, 12],
	])('of %s, %d links in few requests; in fewer the next time', async (_name, links, deviations, most, mostNext) => {
		await begin({ dialect, validate: false, records: { links }, deviations });
		slowClock();
		const expected = await listed();
		for (const count of [most, mostNext]) {
			await sandbox.clearRequests();
			expect(await ids(all)).toEqual(expected);
			expect((await sandbox.requests()).length).toBeLessThanOrEqual(count);
		}
	});

	test('gives no item for an empty list', async () => {
		await begin({ dialect, records: { links: 0 } });
		const { items, run: execution } = await run(all);
		expect(items).toEqual([]);
		expect(execution.status).toBe('success');
		expect(execution.data.resultData.runData).not.toHaveProperty('Done');
		expect(await pages()).toEqual(['1/100']);
	});

	test.each<[string, Array<Partial<PageHook>>]>([
		['others appear', [{ afterPage: 1, create: { links: 30 } }]],
		['a page that was read vanishes', [{ afterPage: 1, deleteShown: 100 }]],
		['some vanish after every page', [1, 2].map((afterPage) => ({ afterPage, deleteShown: 7 }))],
	])('gives each record that stays, once, when %s while it reads', async (_what, hooks) => {
		const before = await listed();
		await sandbox.setPageHooks(hooks.map((hook) => ({ collection: 'urls', afterPage: 1, ...hook })));
		const got = await ids(all);
		const after = await listed();
		expect(new Set(got).size).toBe(got.length);
		expect(got).toEqual(expect.arrayContaining(before.filter((id) => after.includes(id))));
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

describe('a service that does not keep to the document', () => {
	test('finds all records with figures that are nonsense', async () => {
		const expected = await listed();
		const fields = { result: 'many', perpage: -1, currentpage: {}, nextpage: [], maxpage: '∞' };
		await sandbox.setFaults([{ kind: 'listFields', fields }]);
		expect(await ids(all)).toEqual(expected);
	});

	test.each(['repeat', 'empty'] as const)('promises a further page on each page, and it ends: %s', async (kind) => {
		await sandbox.setFaults([{ kind: 'endlessList', pages: kind }]);
		const { items, error } = await run(all);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(kind === 'empty' ? 0 : 100);
		expect((await sandbox.requests()).length).toBeLessThan(30);
	});

	test.each(['dataMissing', 'array', 'text', 'null'] as const)('gives no list, which is said: %s', async (variant) => {
		quickClock(10);
		await sandbox.setFaults([{ kind: 'badTypes', variant }]);
		const { items, error } = await run(all);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/without the list "urls"|something that is not JSON|an empty answer/);
	});

	test('refuses so large a page, and is asked for half of it', async () => {
		const message = 'The limit may not be greater than 100.';
		await sandbox.setFaults([{ kind: 'errorEnvelope', status: 422, message, times: 1 }]);
		expect(await ids(all)).toHaveLength(250);
		expect(await pages()).toEqual(['1/100', '1/50', '2/50', '3/50', '4/50', '5/50']);
	});
});

test('a slow service behind a gateway that gives up is asked for smaller pages when it has become slow', async () => {
	const services = await Promise.all(
		(['status504', 'status502', 'dropped', 'cutOff'] as const).map(async (gatewayAnswer) => {
			const limit = { requests: null };
			const deviations = { pageCap: null, gatewayAnswer };
			const service = await startSandbox({ dialect: 'field', limit, deviations, records: { links: 1200 } });
			const setting = { credential: { baseUrl: service.url, apiKey: service.apiKey } };
			const read = async () => (await itemsOf(all, setting)).map(({ id }) => id);
			return { service, read, expected: await listed(service) };
		}),
	);
	try {
		slowClock();
		for (const { read, expected } of services) expect(await read()).toEqual(expected);
		jest.restoreAllMocks();
		quickClock(3);
		// At once, for most of the time is spent waiting.
		const readSlowly = async ({ service, read, expected }: (typeof services)[number]) => {
			await service.clearRequests();
			await service.configure({ deviations: { msPerRecord: 2, gatewayMs: 600 } });
			expect(await read()).toEqual(expected);
			// The size that worked before is asked for once or twice, as quickly as the gateway shows that it no longer does.
			const asked = await pages(service);
			expect([...new Set(asked)].slice(0, 3)).toEqual(['1/1000', '1/500', '1/100']);
			expect(asked.length).toBeLessThanOrEqual(16);
		};
		await Promise.all(services.map(readSlowly));
	} finally {
		await Promise.all(services.map(async ({ service }) => await service.stop()));
	}
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

test('1,000 records need ten requests, which fit into one minute of the common limit', async () => {
	await begin({ records: { links: 1000 }, limit: { requests: 30 } });
	expect(await itemsOf(all)).toHaveLength(1000);
	expect(await sandbox.stats()).toMatchObject({ requests: 10, refused: 0 });
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

	test('a list without its collection is empty', async () => {
		const records = { links: 0, qrs: 0, campaigns: 0, channels: 0, domains: 0, splash: 0, overlays: 0 };
		await begin({ dialect: 'field', deviations: { emptyCollection: 'missing', sharedDomains: 0 }, records });
		for (const resource of ['campaign', 'channel', 'domain', 'link', 'overlay', 'qrCode', 'splashPage'])
			expect([resource, await itemsOf(getAll(resource))]).toEqual([resource, []]);
	});
});
