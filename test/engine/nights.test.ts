/** The same sheet night after night, at services that make something else of it: what the account shows decides, not what n8n remembers. */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS, type Behaviour } from '../sandbox';
import { actions, CONTINUE, openAccount, upsertOf, type Way, type Work } from './account';
import { answered } from './answered';
import { by } from './host';
import { rowsOf } from './service';

const account = openAccount();

/** Two rows of a long URL are two links. */
const rowOf = (at: number) => ({ alias: `row-${at}`, url: `https://example.com/${at - (at % 7 === 1 ? 1 : 0)}` });
const sheetOf = (count: number) => Array.from({ length: count }, (_, at) => rowOf(at));

const creation = (options: IDataObject = {}) => ({
	resource: 'link',
	operation: 'create',
	url: '={{ $json.url }}',
	linkFields: { custom: '={{ $json.alias }}', domain: '={{ $json.domain }}' },
	options,
});

/** Each row's error names the link that the service has given instead of the first one. */
async function expectNamed({ items }: Work): Promise<void> {
	const byId = new Map((await account.sandbox.links()).map((link) => [link.id, link]));
	for (const { json } of items) {
		const [, id] = /\(ID (\d+)\)/.exec(String(json.error)) ?? [];
		expect(byId.get(Number(id))?.longurl).toMatch(/^https:\/\/example\.com/);
	}
}

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	const dropping: Partial<Behaviour> = { aliasDropped: true, knownLongUrl: 'new', pageCap: 100 };

	test.each<[string, number, Way, IDataObject, Partial<Behaviour>]>([
		['Create or Update, more rows than any cap', 1_200, 'at once', upsertOf(), dropping],
		['Create or Update in a loop', 30, 'in a loop', upsertOf(), dropping],
		['Create or Update in three tries', 30, 'in three tries', upsertOf(), dropping],
		['Create or Update of a few rows', 4, 'at once', upsertOf(), dropping],
		['Create', 600, 'at once', creation(), dropping],
		['Create in batches', 12, 'in batches', creation(), dropping],
		['Create or Update, answers without IDs', 30, 'at once', upsertOf(), { ...dropping, createReply: 'shorturl' }],
	])('%s: where aliases are dropped, one link is made a night, and every row fails', async (...given) => {
		const [, count, way, parameters, deviations] = given;
		await account.has(dialect, { others: 30, deviations });
		const before = (await account.sandbox.links()).length;
		const rows = sheetOf(count);
		for (let night = 0; night < 3; night++) {
			const work = await account.work(parameters, rows, way, CONTINUE);
			expect((await account.sandbox.links()).length - before).toBeLessThanOrEqual(1 + night);
			if (deviations.createReply === undefined) await expectNamed(work);
			account.restart();
		}
		expect((await account.sandbox.links()).length - before).toBeGreaterThanOrEqual(1);
	});

	test.each<[string, IDataObject, (at: number) => IDataObject]>([
		['Create or Update by alias', upsertOf(), (at) => ({ ...rowOf(at), domain: 'https://go.example.com' })],
		[
			'Create or Update by long URL',
			upsertOf(),
			(at) => ({ url: `https://example.com/${at}`, domain: 'https://go.example.com' }),
		],
		['Create', creation(), (at) => ({ url: `https://example.com/${at}`, domain: 'https://go.example.com' })],
	])('%s: the same of a domain that is dropped', async (_what, parameters, row) => {
		const deviations = { domainDropped: true, aliasDropped: true, knownLongUrl: 'new' as const };
		await account.has(dialect, { domains: ['https://go.example.com'], deviations });
		const rows = Array.from({ length: 40 }, (_, at) => row(at));
		for (let night = 0; night < 3; night++) {
			await account.work(parameters, rows, 'at once', CONTINUE);
			expect((await account.sandbox.links()).length).toBeLessThanOrEqual(rows.length + night);
			account.restart();
		}
	});

	test.each(['slashCut', 'fragmentCut', 'escaped'] as const)(
		'the same where long URLs are kept in another spelling (%s)',
		async (longUrlKept) => {
			await account.has(dialect, { deviations: { ...dropping, longUrlKept } });
			const rows = Array.from({ length: 12 }, (_, at) => ({
				alias: `row-${at}`,
				url: `https://example.com/?a=1&at=${at}${at % 2 === 0 ? '#part' : '/'}`,
			}));
			for (let night = 0; night < 3; night++) {
				await account.work(upsertOf(), rows, 'at once', CONTINUE);
				expect((await account.sandbox.links()).length).toBeLessThanOrEqual(rows.length + night);
				account.restart();
			}
		},
	);

	test.each([
		['alias', { alias: 'a' }, { aliasDropped: true }, /drops the alias of.*became .*includes the alias "new-\d"/],
		[
			'domain',
			{},
			{ domainDropped: true },
			/drops the domain of.*includes the domain go\.example\.com, or leave the domain of the row empty/,
		],
		[
			'domain',
			{ alias: 'a' },
			{ domainDropped: true },
			/drops the domain of.*became .*leave the domain of the row empty/,
		],
	])('what is dropped is said, and what to do: %s of %j', async (what, row, deviations, says) => {
		const links = rowsOf(3).map(({ url }, at) => ({ alias: `old-${at}`, longurl: String(url) }));
		await account.has(dialect, {
			links,
			domains: ['https://go.example.com'],
			deviations: { knownLongUrl: 'new', ...deviations },
		});
		const rows = rowsOf(3).map(({ url }, at) => ({
			url,
			...('alias' in row ? { alias: `new-${at}` } : {}),
			...(what === 'domain' ? { domain: 'https://go.example.com' } : {}),
		}));
		const [first, ...others] = actions(await account.upsert(rows, {}, CONTINUE));
		expect(first).toMatch(/The service gave the link/);
		for (const other of others) expect(other).toMatch(says);
	});

	test('Return Existing Link gives the one link that was made without its alias; the other rows fail', async () => {
		await account.has(dialect, { deviations: dropping });
		const rows = rowsOf(20);
		const parameters = creation({ ifAliasExists: 'returnExisting' });
		const [first, ...others] = (await account.work(parameters, rows, 'at once', CONTINUE)).items;
		const [link] = await account.sandbox.links();
		expect(first.json).toMatchObject({ existing: true, id: link.id, longurl: rows[0].url });
		for (const { json } of others) expect(json.error).toContain(`(ID ${link.id})`);
		expect(await account.sandbox.links()).toHaveLength(1);
	});

	test('a link that the long URL has already says nothing of aliases: the other rows get theirs', async () => {
		const rows = rowsOf(20);
		const links = [{ alias: 'old', longurl: String(rows[0].url) }];
		await account.has(dialect, { links, others: 30, deviations: { knownLongUrl: 'returned' } });
		for (const parameters of [upsertOf(), creation()]) {
			const [first, ...others] = (await account.work(parameters, rows, 'at once', CONTINUE)).items;
			expect(first.json.error).toContain('whose alias is not');
			for (const { json } of others) expect(json.error ?? undefined).toBeUndefined();
			await account.has(dialect, { links, others: 30, deviations: { knownLongUrl: 'returned' } });
		}
	});

	test('as soon as the plan includes aliases, each row gets its link', async () => {
		await account.has(dialect, { deviations: dropping });
		const rows = rowsOf(20);
		await account.upsert(rows, {}, CONTINUE);
		await account.sandbox.configure({ deviations: { ...dropping, aliasDropped: false } });
		expect(actions(await account.upsert(rows, {}, CONTINUE))).toEqual(rows.map(() => 'created'));
		expect(actions(await account.upsert(rows, {}, CONTINUE))).toEqual(rows.map(() => 'unchanged'));
	});

	test('an alias that leads nowhere else is given to a new link, though the long URL has a link', async () => {
		const links = rowsOf(20).map(({ url }, at) => ({ alias: `old-${at}`, longurl: String(url) }));
		await account.has(dialect, { links, deviations: { knownLongUrl: 'new' } });
		expect(actions(await account.upsert(rowsOf(20), {}, CONTINUE))).toEqual(links.map(() => 'created'));
	});

	test('a dropped domain says nothing of aliases', async () => {
		const links = rowsOf(20).map(({ url }, at) => ({ alias: `old-${at}`, longurl: String(url) }));
		const deviations = { domainDropped: true, knownLongUrl: 'new' as const };
		await account.has(dialect, { links, deviations, domains: ['https://go.example.com'] });
		const rows = rowsOf(20).map((row, at) => (at === 0 ? { ...row, domain: 'https://go.example.com' } : row));
		const [first, ...others] = actions(await account.upsert(rows, {}, CONTINUE));
		expect(first).toMatch(/which is not on the domain https:\/\/go\.example\.com/);
		expect(others).toEqual(others.map(() => 'created'));
	});

	test('what another run has made, and somebody has deleted, is made again', async () => {
		await account.has(dialect, { deviations: { knownLongUrl: 'new' } });
		const row = { url: 'https://example.com/fair' };
		await account.sandbox.setFaults([{ kind: 'latency', ms: 3_000, match: { method: 'POST' }, times: 1 }]);
		const long = account.upsert([{ url: 'https://example.com/slow' }]);
		await answered(account.sandbox, 1);
		const [{ json: made }] = (await account.upsert([row])).items;
		expect(made.action).toBe('created');
		const [{ json: there }] = (await account.upsert([row])).items;
		expect(there).toMatchObject({ action: 'unchanged', id: made.id });
		await account.sandbox.deleteRecords({ links: [Number(made.id)] });
		const [{ json: anew }] = (await account.upsert([row])).items;
		expect(anew.action).toBe('created');
		const ids = (await account.sandbox.links()).map(({ id }) => id);
		expect(ids).toContain(anew.id);
		await long;
	});

	test.each<[string, IDataObject]>([
		['Create or Update', upsertOf()],
		['Create with Return Existing Link', creation({ ifAliasExists: 'returnExisting' })],
	])('%s: of aliases that others have, the list is read once', async (_what, parameters) => {
		const deviations = { aliasOfOthers: true, knownLongUrl: 'new' as const, pageCap: 100 };
		await account.has(dialect, { others: 3_000, deviations });
		const rows = Array.from({ length: 9 }, (_, at) => ({ alias: `theirs-${at}`, url: `https://example.com/${at}` }));
		const { items } = await account.work(parameters, rows, 'at once', CONTINUE);
		for (const { json } of items) expect(json.error).toMatch(/taken/);
		expect((await account.sandbox.requests()).length).toBeLessThanOrEqual(60);
	});

	test('a list that fails is asked for once by all rows', async () => {
		await account.has(dialect, { campaigns: [{ id: 3, name: 'Spring' }] });
		await account.sandbox.setFaults([
			{ kind: 'status', status: 500, body: 'envelope', match: { method: 'GET', path: '^/api/campaigns' } },
		]);
		const rename = {
			resource: 'campaign',
			operation: 'update',
			campaignId: by('name', 'Spring'),
			name: 'Summer',
		};
		const { items } = await account.work(rename, [{}, {}, {}, {}], 'at once', CONTINUE);
		expect(items.map(({ json }) => typeof json.error)).toEqual(items.map(() => 'string'));
		// One reading, with its further tries.
		expect((await account.sandbox.requests()).length).toBeLessThanOrEqual(6);
	});
});
