/** Return All and Limit: which pages are asked for, and which items come of them. */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS, startSandbox, type Sandbox, type SandboxOptions } from '../sandbox';
import { quickClock, slowClock } from './clock';
import { by, itemsOf, run, type Setting } from './host';

let sandbox: Sandbox;

/** A service of its own for a test: the node remembers of each which page sizes work. It grants 100 unless stated. */
async function serviceWith({ deviations, ...options }: SandboxOptions): Promise<Sandbox> {
	return await startSandbox({
		limit: { requests: null },
		records: { links: 250 },
		...options,
		deviations: { pageCap: 100, ...deviations },
	});
}

async function start(options: SandboxOptions): Promise<void> {
	await sandbox?.stop();
	sandbox = await serviceWith(options);
}

/** Services for cases in which most of the time is spent waiting, that all of them can be asked at once. */
async function servicesFor<T>(
	cases: readonly T[],
	optionsOf: (one: T) => SandboxOptions,
): Promise<Array<[T, Sandbox]>> {
	return await Promise.all(cases.map(async (one): Promise<[T, Sandbox]> => [one, await serviceWith(optionsOf(one))]));
}

async function atOnce<T>(
	services: Array<[T, Sandbox]>,
	ask: (one: T, service: Sandbox) => Promise<void>,
): Promise<void> {
	try {
		await Promise.all(services.map(async ([one, service]) => await ask(one, service)));
	} finally {
		await Promise.all(services.map(async ([, service]) => await service.stop()));
	}
}

afterEach(() => {
	jest.restoreAllMocks();
});

afterAll(async () => {
	await sandbox.stop();
});

function setting(more: Partial<Setting> = {}, { url, apiKey } = sandbox): Setting {
	return { credential: { baseUrl: url, apiKey }, ...more };
}

const all = { resource: 'link', operation: 'getAll', returnAll: true };

function first(limit: number): IDataObject {
	return { resource: 'link', operation: 'getAll', returnAll: false, limit };
}

/** Page and limit of each request. */
async function pages(service = sandbox): Promise<string[]> {
	return (await service.requests()).map(({ query }) => `${String(query.page)}/${String(query.limit)}`);
}

/** IDs of the service's links in the order in which it lists them: newest first. */
async function listed(service = sandbox): Promise<number[]> {
	const links = await service.links();
	return links.sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : b.id - a.id)).map(({ id }) => id);
}

async function ids(parameters: IDataObject, service = sandbox): Promise<unknown[]> {
	return (await itemsOf(parameters, setting({}, service))).map(({ id }) => id);
}

/** Reads a service's links twice: all of them, in so many requests at the most, and then in so many. */
async function expectFewRequests(service: Sandbox, most: number, mostNext: number): Promise<void> {
	const expected = await listed(service);
	for (const count of [most, mostNext]) {
		await service.clearRequests();
		expect(await ids(all, service)).toEqual(expected);
		expect((await service.requests()).length).toBeLessThanOrEqual(count);
	}
}

describe.each(DIALECTS)('Return All, %s', (dialect) => {
	beforeEach(async () => {
		await start({ dialect });
	});

	test('never asks an unknown service for more than 100 at once', async () => {
		const expected = await listed();
		expect(await ids(all)).toEqual(expected);
		expect(await pages()).toEqual(['1/100', '2/100', '3/100']);
		expect(await sandbox.violations()).toEqual([]);
	});

	test.each<[string, number, SandboxOptions, number, number]>([
		['a quick service without a maximum', 3000, { deviations: { pageCap: null } }, 8, 3],
		['a service that grants 100', 3000, {}, 32, 30],
		['a service that grants 100 and says what was asked for', 3000, { deviations: { toldPageSize: 'asked' } }, 32, 30],
		['a service whose pages have 15, always', 300, { deviations: { pageCap: 15, pageFloor: 15 } }, 20, 20],
		['a service that grants 250', 3000, { deviations: { pageCap: 250 } }, 15, 12],
	])('of %s, %d links in few requests; in fewer the next time', async (_name, links, options, most, mostNext) => {
		await start({ dialect, validate: false, records: { links }, ...options });
		slowClock();
		await expectFewRequests(sandbox, most, mostNext);
	});

	test.each(['null', 'same', 'plusOne'] as const)(
		'ends with the last page, whatever nextpage says there: %s',
		async (lastNextPage) => {
			await start({ dialect, deviations: { lastNextPage } });
			expect(await ids(all)).toHaveLength(250);
			expect(await pages()).toHaveLength(3);
		},
	);

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

	test.each(['repeat', 'empty'] as const)(
		'ends though the service promises a further page on each page: %s',
		async (kind) => {
			await sandbox.setFaults([{ kind: 'endlessList', pages: kind }]);
			const { items, error } = await run(all, setting());
			if (kind === 'empty') expect([error, items]).toEqual([undefined, []]);
			else expect(error?.message).toMatch(/goes on beyond|repeats itself/);
			expect((await sandbox.requests()).length).toBeLessThan(30);
		},
	);

	test('gives no item for an empty list', async () => {
		await start({ dialect, records: { links: 0 } });
		const { items, run: execution } = await run(all, setting());
		expect(items).toEqual([]);
		expect(execution.status).toBe('success');
		expect(execution.data.resultData.runData).not.toHaveProperty('Done');
		expect(await pages()).toEqual(['1/100']);
	});

	test.each<[string, 'dataArray' | 'listAsObject']>([
		['data as an empty array', 'dataArray'],
		['records as an object', 'listAsObject'],
	])('reads %s', async (_what, variant) => {
		await sandbox.setFaults([{ kind: 'badTypes', variant }]);
		expect(await ids(all)).toHaveLength(variant === 'dataArray' ? 0 : 250);
	});

	test('says that there is no list in an answer without data, of another type, or none', async () => {
		const variants = ['dataMissing', 'array', 'text', 'null'] as const;
		quickClock(5);
		await atOnce(await servicesFor(variants, () => ({ dialect })), async (variant, service) => {
			await service.setFaults([{ kind: 'badTypes', variant }]);
			const { items, error } = await run(all, setting({}, service));
			expect([variant, items]).toEqual([variant, []]);
			expect(error?.message).toMatch(/without the list "urls"|something that is not JSON|an empty answer/);
		});
	});

	test('asks again without a size where the service refuses so large a page', async () => {
		await sandbox.setFaults([
			{ kind: 'errorEnvelope', status: 422, message: 'The limit may not be greater than 100.', times: 1 },
		]);
		expect(await ids(all)).toHaveLength(250);
		expect(await pages()).toEqual([
			'1/100',
			'1/undefined',
			...Array.from({ length: 16 }, (_, page) => `${page + 2}/15`),
		]);
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
		const expected = (await sandbox.links())
			.sort((a, b) => b.clicks - a.clicks || (a.date < b.date ? 1 : -1))
			.map(({ id }) => id);
		expect(await ids({ ...all, filters: { q: 'www.example.com', order: 'click' } })).toEqual(expected);
		for (const { query } of await sandbox.requests())
			expect(query).toMatchObject({ q: 'www.example.com', order: 'click' });
	});
});

describe('a slow service behind a gateway that gives up', () => {
	test('is read in few requests; in fewer the next time', async () => {
		const cases: Array<[links: number, deviations: SandboxOptions['deviations'], most: number, mostNext: number]> = [
			[600, { msPerRecord: 6, gatewayMs: 2500 }, 12, 3],
			[150, { msPerRecord: 30, gatewayMs: 2500, gatewayAnswer: 'cutOff' }, 8, 3],
		];
		const services = await servicesFor(cases, ([links, deviations]) => ({
			dialect: 'field',
			validate: false,
			records: { links },
			deviations: { pageCap: null, ...deviations },
		}));
		quickClock(5);
		await atOnce(services, async ([, , most, mostNext], service) => await expectFewRequests(service, most, mostNext));
	});

	test('is asked for smaller pages when it has become slow', async () => {
		const answers = ['status504', 'status502', 'dropped', 'cutOff'] as const;
		const services = await servicesFor(answers, () => ({
			dialect: 'field',
			deviations: { pageCap: null },
			records: { links: 1200 },
		}));
		slowClock();
		for (const [, service] of services) expect(await ids(all, service)).toEqual(await listed(service));
		jest.restoreAllMocks();
		quickClock(3);
		await atOnce(services, async (gatewayAnswer, service) => {
			const expected = await listed(service);
			await service.clearRequests();
			await service.configure({ deviations: { msPerRecord: 2, gatewayMs: 600, gatewayAnswer } });
			expect(await ids(all, service)).toEqual(expected);
			// The size that worked before is asked for once or twice, as quickly as the gateway shows that it no longer does.
			const asked = await pages(service);
			expect([...new Set(asked)].slice(0, 3)).toEqual(['1/1000', '1/500', '1/200']);
			expect(asked.length).toBeLessThanOrEqual(14);
		});
	});
});

describe.each(DIALECTS)('Limit, %s', (dialect) => {
	beforeEach(async () => {
		await start({ dialect });
	});

	test.each([
		[1, ['1/1']],
		[60, ['1/60']],
		[100, ['1/100']],
		[101, ['1/100', '2/100']],
		[230, ['1/100', '2/100', '3/100']],
		[1000, ['1/100', '2/100', '3/100']],
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
		await start({ dialect, deviations: { pageCap: 40 } });
		expect(await ids(first(90))).toHaveLength(90);
		expect(await pages()).toEqual(['1/90', '2/40', '3/40']);
	});
});

test('items of several types may share an ID', async () => {
	await start({});
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
	const items = await itemsOf(
		{ resource: 'channel', operation: 'getItems', channelId: by('id', 9002), returnAll: true },
		setting(),
	);
	expect(items.map(({ type, id }) => [type, id])).toEqual([
		['qr', 9001],
		['links', 9001],
	]);
});

test('a list for each row, paired with its row', async () => {
	await start({});
	const { items } = await run(
		{ ...first(2), filters: { q: '={{ $json.q }}' } },
		setting({ rows: [{ q: 'www.example.com' }, { q: 'no such thing' }, { q: '' }] }),
	);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }, { item: 2 }, { item: 2 }]);
});

test('an answer whose keys reach for a prototype pollutes none', async () => {
	await start({});
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

describe('what services of the field send', () => {
	beforeEach(async () => {
		await start({ dialect: 'field' });
	});

	const getAll = (resource: string) => ({ resource, operation: 'getAll', returnAll: true });

	test.each(['link', 'campaign', 'channel', 'overlay', 'qrCode', 'splashPage'])(
		'IDs and counts of %s lists are numbers, though they come as text',
		async (resource) => {
			const items = await itemsOf(getAll(resource), setting());
			expect(items.length).toBeGreaterThan(0);
			for (const item of items) {
				for (const field of ['id', 'clicks', 'uniqueClicks', 'scans'])
					expect(['number', 'undefined']).toContain(typeof item[field]);
				expect(item.id).toEqual(expect.any(Number));
			}
		},
	);

	test('a link has numbers, a nested location and no device, and stays as sent where it is not simplified', async () => {
		await start({ dialect: 'field', deviations: { statesInLocation: true, nullDevice: true }, records: { links: 3 } });
		const [{ id }] = await sandbox.links();
		const get = { resource: 'link', operation: 'get', linkId: by('id', id) };
		await sandbox.setFaults([{ kind: 'badTypes', variant: 'textNumbers' }]);
		const [simple] = await itemsOf({ ...get, simplify: true }, setting());
		expect(simple).toMatchObject({
			id,
			clicks: expect.any(Number) as number,
			uniqueClicks: expect.any(Number) as number,
		});
		expect(simple).toMatchObject({ device: null, location: expect.any(Object) as object });
		for (const count of Object.values(simple.socialCount as IDataObject)) expect(count).toEqual(expect.any(Number));
		const [raw] = await itemsOf({ ...get, simplify: false }, setting());
		expect(raw).toMatchObject({ details: { id: String(id) }, data: { clicks: expect.any(String) as string } });
		expect(raw).not.toHaveProperty('error');
	});

	test('a QR code has numbers', async () => {
		const [{ id }] = await sandbox.qrs();
		await sandbox.setFaults([{ kind: 'badTypes', variant: 'textNumbers' }]);
		const [code] = await itemsOf({ resource: 'qrCode', operation: 'get', qrCodeId: by('id', id) }, setting());
		expect(code.id).toBe(id);
		for (const field of ['scans', 'clicks', 'uniqueClicks'])
			expect(['number', 'undefined']).toContain(typeof code[field]);
	});

	test('text that looks like a number stays text', async () => {
		await sandbox.createRecords({ links: [{ alias: '2024', title: '7' }] });
		const [item] = await itemsOf(first(1), setting());
		expect(item).toMatchObject({ alias: '2024', title: '7' });
	});

	test('shared domains are in the list, without an ID', async () => {
		const items = await itemsOf(getAll('domain'), setting());
		expect(items.filter(({ id }) => id === null)).toHaveLength(2);
		expect(items.filter(({ id }) => typeof id === 'number').length).toBeGreaterThan(0);
	});

	test.each(['campaign', 'channel', 'domain', 'link', 'overlay', 'qrCode', 'splashPage'])(
		'a list of %s without its collection is empty',
		async (resource) => {
			await start({
				dialect: 'field',
				deviations: { emptyCollection: 'missing', sharedDomains: 0 },
				records: { links: 0, qrs: 0, campaigns: 0, channels: 0, domains: 0, splash: 0, overlays: 0 },
			});
			expect(await itemsOf(getAll(resource), setting())).toEqual([]);
		},
	);

	test.each(['cta', 'overlay'] as const)('overlays that stand under %s are found', async (overlayCollection) => {
		await sandbox.configure({ deviations: { overlayCollection } });
		expect(await itemsOf(getAll('overlay'), setting())).toHaveLength((await sandbox.records('overlays')).length);
	});

	test.each(['campaign', 'domain'] as const)(
		"a campaign's name is in name, where the answer has it in %s",
		async (where) => {
			await sandbox.configure({ deviations: { campaignNameIn: where } });
			const create = { resource: 'campaign', operation: 'create', name: 'Spring', campaignFields: {} };
			const [made] = await itemsOf(create, setting());
			expect(made).toMatchObject({ id: expect.any(Number) as number, name: 'Spring' });
			expect(made).not.toHaveProperty(where);
		},
	);
});
