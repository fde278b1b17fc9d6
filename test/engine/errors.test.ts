/** What the service refuses: said with its own words, for the row it belongs to, and without harm to the others. */
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../sandbox';
import { freshSandbox } from '../sandbox/fresh';
import { hashKey } from '../sandbox/records';
import { by, run, type NodeSettings, type Setting } from './host';

let sandbox: Sandbox;

freshSandbox({ limit: { requests: null } }, (started) => (sandbox = started));

function setting(more: Partial<Setting> = {}): Setting {
	return { credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey }, ...more };
}

const account = { resource: 'account', operation: 'get' };
const create = {
	resource: 'link',
	operation: 'create',
	url: '={{ $json.url }}',
	linkFields: { custom: '={{ $json.alias }}' },
};

describe('an error envelope is an error with the message of the service', () => {
	test.each([200, 201, 400, 403, 404, 409, 422])('at HTTP status %d', async (status) => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', status, message: 'The plan has ended.' }]);
		const { items, error } = await run(account, setting());
		expect(items).toEqual([]);
		expect(error?.message).toBe('The plan has ended.');
		expect(error?.description).toMatch(/^Item 0: /);
		expect(error?.httpCode).toBe(String(status));
		expect(error?.context?.itemIndex).toBe(0);
		expect(await sandbox.requests()).toHaveLength(1);
	});

	test.each([1, '1', true, 2, 'yes'])('with error = %j', async (flag) => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', error: flag, message: 'No.' }]);
		expect((await run(account, setting())).error?.message).toBe('No.');
	});

	test.each([
		['campaign', 'delete', { campaignId: by('id', 999) }, 'Campaign does not exist.'],
		['qrCode', 'get', { qrCodeId: by('id', 999) }, 'QR code does not exist.'],
		['link', 'get', { linkId: by('id', 999) }, 'Link does not exist.'],
		['channel', 'getItems', { channelId: by('id', 999), returnAll: true }, 'Channel does not exist.'],
	] as const)('%s:%s', async (resource, operation, parameters, message) => {
		expect((await run({ resource, operation, ...parameters }, setting())).error?.message).toBe(message);
	});

	test('no message at all', async () => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', message: '', status: 422 }]);
		expect((await run(account, setting())).error?.message).toMatch(/without saying why \(HTTP 422\)/);
	});

	test('a long message is shortened', async () => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', message: 'x'.repeat(100_000) }]);
		expect((await run(account, setting())).error?.message.length).toBeLessThanOrEqual(501);
	});
});

describe('a problem with the key points to the credential', () => {
	test.each([200, 401, 403])('at HTTP status %d', async (authStatus) => {
		await sandbox.configure({ deviations: { authStatus } });
		const { error } = await run(account, setting({ credential: { baseUrl: sandbox.url, apiKey: 'wrong-key-1234' } }));
		expect(error?.description).toContain('API Key in the Link Management API credential');
	});

	test('an expired one too', async () => {
		await sandbox.configure({ expiredKeys: ['expired-key-1234'] });
		const { error } = await run(account, setting({ credential: { baseUrl: sandbox.url, apiKey: 'expired-key-1234' } }));
		expect(error?.description).toContain('API Key in the Link Management API credential');
	});

	test('another problem does not', async () => {
		const { error } = await run({ resource: 'link', operation: 'get', linkId: by('id', 999) }, setting());
		expect(error?.description).not.toContain('API Key');
	});
});

test.each<[string, string, string | undefined]>([
	['names none', ' ', 'names none'],
	['names others', 'elsewhere.example, *.0.0.1.example', 'elsewhere.example'],
	['names subdomains of others', '*.elsewhere.example', 'leads elsewhere'],
	['names its own', 'elsewhere.example, 127.0.0.1', undefined],
	['names subdomains', '*.0.0.1', undefined],
])('a credential that is limited to domains, and %s', async (_what, allowedDomains, message) => {
	const limited = {
		baseUrl: sandbox.url,
		apiKey: sandbox.apiKey,
		allowedHttpRequestDomains: 'domains',
		allowedDomains,
	};
	const { error } = await run(account, setting({ credential: limited }));
	if (message === undefined) expect(error).toBeUndefined();
	else expect(error?.message).toContain(message);
	expect(await sandbox.requests()).toHaveLength(message === undefined ? 1 : 0);
});

test('a link that a search by short URL does not find, however the service says so', async () => {
	const get = { resource: 'link', operation: 'get', linkId: by('shortUrl', `${sandbox.url}/none`) };
	for (const shortMiss of ['error', 'emptyList', 'wholeList'] as const) {
		await sandbox.configure({ deviations: { shortMiss } });
		expect((await run(get, setting())).error?.message).toBe(
			`There is no short link with the URL ${sandbox.url}/none [item 0]`,
		);
	}
});

const sheet = [
	{ row: 'first', url: 'https://example.com/1', alias: 'one' },
	{ row: 'second', url: 'https://example.com/2', alias: 'taken' },
	{ row: 'third', url: 'nowhere', alias: 'three' },
	{ row: 'last', url: 'https://example.com/4', alias: 'four' },
];
const taken = 'That alias is taken. Please choose another one.';
/** What a failed row says: what happened, and what to do; of no item, for it is the item. */
const TAKEN =
	/^That alias is taken\. Please choose another one\. This is the answer.* set Options → If Alias Exists to [^[\]]*$/;

async function takeAlias(): Promise<void> {
	await sandbox.createRecords({ links: [{ alias: 'taken', longurl: 'https://example.com/elsewhere' }] });
}

describe('On Error → Continue', () => {
	test('the failed rows come out with their own JSON and the error, the others are done', async () => {
		await takeAlias();
		const { items, error } = await run(create, setting({ rows: sheet, node: { onError: 'continueRegularOutput' } }));
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }, { item: 3 }]);
		expect(items.map(({ json }) => Object.keys(json)[0])).toEqual(['id', 'error', 'error', 'id']);
		expect(items.map(({ json }) => json)).toEqual([
			{ id: expect.any(Number), shorturl: `${sandbox.url}/one`, alias: 'one', longurl: 'https://example.com/1' },
			{ ...sheet[1], error: expect.stringMatching(TAKEN) },
			{ ...sheet[2], error: expect.stringContaining('is not a web address') },
			{ id: expect.any(Number), shorturl: `${sandbox.url}/four`, alias: 'four', longurl: 'https://example.com/4' },
		]);
	});

	test('the next node finds the row of each item', async () => {
		await takeAlias();
		const { run: execution } = await run(create, setting({ rows: sheet, node: { onError: 'continueRegularOutput' } }));
		const [passed] = execution.data.resultData.runData.Done.at(-1)?.data?.main ?? [];
		expect(passed).toHaveLength(4);
	});

	test('a failed list leaves its row', async () => {
		const { items } = await run(
			{ resource: 'channel', operation: 'getItems', channelId: by('id', '={{ $json.channel }}'), returnAll: true },
			setting({ rows: [{ channel: 999 }], node: { onError: 'continueRegularOutput' } }),
		);
		expect(items).toMatchObject([
			{
				json: { channel: 999, error: expect.stringMatching(/^Channel does not exist\. ./) },
				pairedItem: { item: 0 },
			},
		]);
	});
});

describe('On Error → Continue (using error output)', () => {
	test('failed rows leave by the error output, with their JSON and the error', async () => {
		await takeAlias();
		const { items, failed, error } = await run(
			create,
			setting({ rows: sheet, node: { onError: 'continueErrorOutput' } }),
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.shorturl)).toEqual([`${sandbox.url}/one`, `${sandbox.url}/four`]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 3 }]);
		expect(failed.map(({ json }) => json)).toEqual([
			{ ...sheet[1], error: expect.stringMatching(TAKEN) },
			{ ...sheet[2], error: expect.stringContaining('is not a web address') },
		]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toMatchObject([{ item: 1 }, { item: 2 }]);
	});

	test('no record of a service leaves by the error output, whatever fields it has', async () => {
		const { items, failed } = await run(
			{ resource: 'link', operation: 'getAll', limit: 5 },
			setting({ node: { onError: 'continueErrorOutput' } }),
		);
		expect([items.length, failed.length]).toEqual([5, 0]);
		const update = { resource: 'account', operation: 'update', accountFields: { email: 'a@example.com' } };
		const updated = await run(update, setting({ node: { onError: 'continueErrorOutput' } }));
		expect([updated.items.length, updated.failed.length]).toEqual([1, 0]);
	});
});

describe('without Continue', () => {
	test('the first refusal ends the run, and names its row', async () => {
		await takeAlias();
		const good = sheet.filter(({ url }) => url !== 'nowhere');
		const { items, error, run: execution } = await run(create, setting({ rows: good }));
		expect(execution.status).toBe('error');
		expect(items).toEqual([]);
		expect(error?.message).toBe(taken);
		expect(error?.description).toMatch(/^Item 1: /);
		expect(error?.context?.itemIndex).toBe(1);
		expect(error?.description).toContain('set Settings → On Error to "Continue"');
	});

	test('an error that ends the run says which rows were done besides, and how to go on', async () => {
		await takeAlias();
		const ten = Array.from({ length: 10 }, (_, row) => ({ url: `https://example.com/${row}`, alias: `ten-${row}` }));
		ten[0].alias = 'taken';
		const { error } = await run(create, setting({ rows: ten }));
		const done = (await sandbox.links())
			.filter(({ alias }) => alias.startsWith('ten-'))
			.map(({ alias }) => Number(alias.slice(4)) + 1);
		expect(done.length).toBeGreaterThan(0);
		const rows = done.length === 1 ? `row ${done[0]}` : `rows ${Math.min(...done)} to ${Math.max(...done)}`;
		expect(error?.description).toContain(`${done.length} of 10 rows were done all the same (${rows}). To run again`);
		expect(error?.description).toMatch(/set Options → If Alias Exists to "Return Existing Link"/);
		// As advised: the row that was refused is mended, and nothing is made twice.
		ten[0].alias = 'ten-0';
		const again = await run({ ...create, options: { ifAliasExists: 'returnExisting' } }, setting({ rows: ten }));
		expect(again.error).toBeUndefined();
		expect(again.items.map(({ json }) => json.alias)).toEqual(ten.map(({ alias }) => alias));
		expect((await sandbox.links()).filter(({ alias }) => alias.startsWith('ten-'))).toHaveLength(10);
	});

	test('Create or Update can be run again as it is', async () => {
		const rows = Array.from({ length: 5 }, (_, row) => ({ url: `https://example.com/${row}`, alias: `five-${row}` }));
		const upsert = { resource: 'link', operation: 'upsert' };
		await sandbox.setFaults([
			{ kind: 'errorEnvelope', message: 'Not now.', match: { method: 'POST' }, after: 3, times: 1 },
		]);
		const { error } = await run(upsert, setting({ rows }));
		expect(error?.description).toContain('It can be run again as it is');
		const { items } = await run(upsert, setting({ rows }));
		expect(items.map(({ json }) => json.alias)).toEqual(rows.map(({ alias }) => alias));
		expect((await sandbox.links()).filter(({ alias }) => alias.startsWith('five-'))).toHaveLength(5);
	});
});

describe('Retry On Fail', () => {
	const many = Array.from({ length: 20 }, (_, row) => ({ url: `https://example.com/${row}`, alias: `row-${row}` }));
	const retry: NodeSettings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

	async function creations(): Promise<string[]> {
		return (await sandbox.requests())
			.filter(({ path, worked }) => path === '/api/url/add' && worked)
			.map(({ body }) => String((body as IDataObject).custom));
	}

	test('20 rows make exactly 20 requests', async () => {
		const { items } = await run(create, setting({ rows: many, node: retry }));
		expect(items).toHaveLength(20);
		expect(await sandbox.requests()).toHaveLength(20);
	});

	test.each<[string, NodeSettings, number]>([
		['Stop', {}, 0],
		['Continue', { onError: 'continueRegularOutput' }, 0],
		['Continue', { onError: 'continueRegularOutput' }, 7],
		['Continue (using error output)', { onError: 'continueErrorOutput' }, 0],
	])('under On Error → %s no row is created twice when one is refused for good (%#)', async (_name, node, bad) => {
		await takeAlias();
		const sheetWithOne = many.map((row, index) => (index === bad ? { ...row, alias: 'taken' } : row));
		const { items, failed } = await run(create, setting({ rows: sheetWithOne, node: { ...retry, ...node } }));
		const made = (await sandbox.links())
			.filter(({ longurl }) => /example\.com\/\d+$/.test(longurl))
			.map(({ longurl }) => longurl);
		expect(new Set(made).size).toBe(made.length);
		if (node.onError === undefined) return;
		expect(made).toHaveLength(19);
		expect([...items, ...failed]).toHaveLength(20);
		expect([...items, ...failed].filter(({ json }) => json.error !== undefined)).toHaveLength(1);
	});

	test('a row that the service takes at the second try is done, and the others once', async () => {
		await sandbox.setFaults([
			{ kind: 'errorEnvelope', message: 'Not now.', match: { method: 'POST' }, after: 4, times: 1 },
		]);
		const { items, error } = await run(create, setting({ rows: many, node: retry }));
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.shorturl)).toEqual(many.map(({ alias }) => `${sandbox.url}/${alias}`));
		expect((await creations()).sort()).toEqual(many.map(({ alias }) => alias).sort());
	});

	test('a row whose fields are others at each try is created once', async () => {
		const changing = {
			...create,
			linkFields: { ...create.linkFields, description: '={{ $now.toMillis() }} {{ Math.random() }}' },
		};
		await sandbox.setFaults([
			{ kind: 'errorEnvelope', message: 'Not now.', match: { method: 'POST' }, after: 2, times: 1 },
		]);
		const { items, error } = await run(changing, setting({ rows: many.slice(0, 3), node: retry }));
		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
		expect((await creations()).sort()).toEqual(['row-0', 'row-1', 'row-2']);
	});

	test('a lost answer to a row whose fields change is not asked for by creating it again', async () => {
		const changing = { ...create, linkFields: { description: '={{ Math.random() }}' } };
		await sandbox.setFaults([{ kind: 'dropAfter', match: { method: 'POST' }, times: 1 }]);
		const { error } = await run(changing, setting({ rows: many.slice(0, 1), node: retry }));
		expect(error?.message).toMatch(/may have been created/);
		expect((await sandbox.requests()).filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	test('rows that are alike are created once each', async () => {
		const alike = Array.from({ length: 3 }, () => ({ url: 'https://example.com/same' }));
		await sandbox.setFaults([{ kind: 'errorEnvelope', message: 'Not now.', match: { method: 'POST' }, times: 1 }]);
		const { items } = await run({ ...create, linkFields: {} }, setting({ rows: alike, node: retry }));
		expect(items).toHaveLength(3);
		expect((await sandbox.links()).filter(({ longurl }) => longurl === 'https://example.com/same')).toHaveLength(3);
	});
});

describe('an alias that is taken', () => {
	const returning = { ...create, options: { ifAliasExists: 'returnExisting' } };
	const elsewhere = { url: 'https://example.com/elsewhere', alias: 'taken' };

	beforeEach(takeAlias);

	test('is an error, unless told otherwise', async () => {
		expect((await run(create, setting({ rows: [elsewhere] }))).error?.message).toBe(taken);
		expect(
			(await run({ ...create, options: { ifAliasExists: 'fail' } }, setting({ rows: [elsewhere] }))).error?.message,
		).toBe(taken);
	});

	test('is named, with what to do', async () => {
		const { error } = await run(create, setting({ rows: [elsewhere] }));
		expect(error?.description).toContain('with the alias "taken"');
		expect(error?.description).toContain('set Options → If Alias Exists to "Return Existing Link"');
		expect(error?.description).toContain('Create or Update');
	});

	test('gives the link that has it, if that leads to the same address', async () => {
		const { items, error } = await run(returning, setting({ rows: [elsewhere] }));
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({
			shorturl: `${sandbox.url}/taken`,
			alias: 'taken',
			longurl: elsewhere.url,
			id: expect.any(Number),
			existing: true,
		});
		expect(items[0].json).not.toHaveProperty('error');
		expect((await sandbox.requests()).map(({ method, path, query }) => [method, path, query])).toEqual([
			['POST', '/api/url/add', {}],
			['GET', '/api/urls', { q: 'taken', page: '1', limit: '100' }],
		]);
		expect(await sandbox.violations()).toEqual([]);
	});

	test.each(['größe', 'a+b', 'a@b,c', 'a%b'])('also one such as %s', async (alias) => {
		await sandbox.createRecords({ links: [{ alias, longurl: 'https://example.com/special' }] });
		const { items, error } = await run(returning, setting({ rows: [{ url: 'https://example.com/special', alias }] }));
		expect(error).toBeUndefined();
		expect(items[0].json.existing).toBe(true);
	});

	test('is asked for with the key of its row, where the credential takes the key from there', async () => {
		const rows = ['first', 'second', 'third'].map((name) => ({
			url: elsewhere.url,
			alias: `taken-${name}`,
			key: `key-of-the-${name}-account`,
		}));
		await sandbox.configure({ apiKeys: rows.map(({ key }) => key) });
		await sandbox.createRecords({ links: rows.map(({ url, alias }) => ({ alias, longurl: url })) });
		const { items } = await run(returning, { credential: { baseUrl: sandbox.url, apiKey: '={{ $json.key }}' }, rows });
		expect(items.map(({ json }) => json.existing)).toEqual([true, true, true]);
		const asked = (await sandbox.requests()).filter(({ method }) => method === 'GET');
		expect(asked.map(({ query, keyHash }) => [query.q, keyHash]).sort()).toEqual(
			rows.map(({ alias, key }) => [alias, hashKey(key)]).sort(),
		);
	});

	test('also below a branded domain', async () => {
		await sandbox.createRecords({
			domains: [{ domain: 'https://go.example.com' }],
			links: [{ alias: 'branded', domain: 'https://go.example.com', longurl: 'https://example.com/branded' }],
		});
		const { items } = await run(
			{ ...returning, linkFields: { custom: 'branded', domain: by('url', 'https://go.example.com/') } },
			setting({ rows: [{ url: 'https://example.com/branded' }] }),
		);
		expect(items[0].json).toMatchObject({ shorturl: 'https://go.example.com/branded', existing: true });
	});

	test('is an error that says so, if it leads elsewhere', async () => {
		const { error } = await run(returning, setting({ rows: [{ ...elsewhere, url: 'https://example.com/other' }] }));
		expect(error?.message).toBe('The alias "taken" belongs to a link with another long URL');
		expect(error?.description).toContain(taken);
	});

	test('has nothing to do with other refusals', async () => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', message: 'The plan has ended.', match: { method: 'POST' } }]);
		const { error } = await run(returning, setting({ rows: [{ url: 'https://example.com/new', alias: 'free' }] }));
		expect(error?.message).toBe('The plan has ended.');
	});

	test.each(['error', 'emptyList'] as const)(
		'a look-up that finds nothing leaves the refusal: %s',
		async (shortMiss) => {
			await sandbox.configure({ deviations: { shortMiss } });
			await sandbox.setFaults([{ kind: 'errorEnvelope', message: taken, match: { method: 'POST' } }]);
			const { error } = await run(returning, setting({ rows: [{ url: 'https://example.com/new', alias: 'free' }] }));
			expect(error?.message).toBe(taken);
		},
	);
});

describe('a credential that takes its values from the item', () => {
	let other: Sandbox;

	beforeAll(async () => {
		other = await startSandbox({ limit: { requests: null } });
	});

	afterAll(async () => {
		await other.stop();
	});

	test('sends each item to its own service, with its own key and budget, and shows neither key', async () => {
		await other.reset();
		const credential = { baseUrl: '={{ $json.service }}', apiKey: '={{ $json.key }}' };
		const tenants = [sandbox, other];
		// The first service lets one request through: the second one's rows need not wait for it.
		await sandbox.setLimit({ requests: 1, windowMs: 60_000 });
		await other.setFaults([{ kind: 'errorEnvelope', message: `Nothing for ${other.apiKey}`, after: 2 }]);
		const rows = [0, 1, 1, 1].map((tenant, row) => ({
			service: tenants[tenant].url,
			key: tenants[tenant].apiKey,
			url: `https://example.com/tenant-${row}`,
			alias: `tenant-${row}`,
		}));
		const { items } = await run(create, { credential, rows, node: { onError: 'continueErrorOutput' } });
		expect(items.map(({ json }) => json.shorturl)).toEqual([
			`${sandbox.url}/tenant-0`,
			`${other.url}/tenant-1`,
			`${other.url}/tenant-2`,
		]);
		const aliases = async (service: Sandbox) =>
			(await service.requests()).map(({ body }) => (body as IDataObject).custom);
		expect(await aliases(sandbox)).toEqual(['tenant-0']);
		expect((await aliases(other)).sort()).toEqual(['tenant-1', 'tenant-2', 'tenant-3']);
		const failure = await run(create, { credential, rows: rows.slice(3) });
		expect(failure.error?.message).toBe('Nothing for *****');
		await sandbox.setLimit({ requests: null });
	});
});
