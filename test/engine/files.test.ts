/** What people's files hold: blank rows and headings, titles of columns, addresses, domains and aliases as they were typed. */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS } from '../sandbox';
import { actions, CONTINUE, openAccount, upsertOf } from './account';
import { by } from './host';

const account = openAccount();

const GO = 'https://go.example.com';

const createOf = (linkFields: IDataObject = {}) => ({
	resource: 'link',
	operation: 'create',
	url: "={{ $json['Long URL'] }}",
	linkFields,
});

describe('rows without cells, as readers of CSV and Excel give them', () => {
	const row = (at: number) => ({ 'Long URL': `https://example.com/${at}`, Alias: `row-${at}` });

	beforeEach(async () => await account.has('field', { deviations: { knownLongUrl: 'new' } }));

	test.each(['at once', 'in three tries'] as const)(
		'Create or Update passes blank rows and headings over, %s',
		async (way) => {
			const rows = [{}, { Note: 'Spring' }, row(1), { row_number: 5 }, row(2), {}];
			const work = await account.work(upsertOf(), rows, way);
			expect(actions(work)).toEqual(['skipped', 'skipped', 'created', 'skipped', 'created', 'skipped']);
			expect(await account.sandbox.links()).toHaveLength(2);
		},
	);

	test.each<[string, IDataObject[], RegExp, RegExp]>([
		[
			'another name',
			[{ 'Page URL': 'https://example.com/', Shop: 'a' }],
			/^The input has no column that is read: Page URL, Shop$/,
			/Name the columns "Long URL", "Alias" or "Short URL", or set Mapping/,
		],
		[
			'all in one column',
			[{ 'Long URL;Alias': 'https://example.com/;a' }],
			/no column that is read: Long URL;Alias$/,
			/In the node that reads the file, set the header row and the delimiter\./,
		],
		['no column', [{}, {}], /The input has no columns/, /Name the columns/],
	])('%s: the run fails and says which columns there are', async (_what, rows, says, advises) => {
		const { error } = await account.upsert(rows);
		expect(error?.message).toMatch(says);
		expect(error?.description).toMatch(advises);
		expect(await account.changes()).toEqual([]);
	});

	test('what is wrong with all rows alike is told once, and of no row', async () => {
		const { error } = await account.upsert(Array.from({ length: 12 }, (_, at) => ({ Shop: `shop ${at}` })));
		expect(error?.message).toBe('The input has no column that is read: Shop');
		expect(error?.description).not.toMatch(/rows? (?:\d|is|are)|On Error/);
	});

	test('a row that names no link says which columns are ignored', async () => {
		const { error } = await account.upsert([{ Title: 'Fair', 'Page URL': 'https://example.com/' }]);
		expect(error?.message).toBe('There is neither a Long URL nor an Alias');
		expect(error?.description).toContain('Columns ignored: Page URL.');
	});

	test.each<[string, IDataObject]>([
		['Redirect Type', { 'Redirect Type': 'Poster' }],
		['Channel', { Channel: 'Email' }],
		['Expiry', { Expiry: 'soon' }],
	])('a column %s that means something else: the error says how it is left alone', async (title, cells) => {
		const { error } = await account.upsert([{ ...row(1), ...cells }]);
		expect(`${error?.message} ${error?.description}`).toMatch(
			new RegExp(`If the column "?${title}"? is not meant for the link, set Mapping Column Mode to Map Each`, 'i'),
		);
		const value = { url: "={{ $json['Long URL'] }}", custom: '={{ $json.Alias }}' };
		const byHand = { ...upsertOf(), columns: { mappingMode: 'defineBelow', value } };
		expect(actions(await account.work(byHand, [{ ...row(1), ...cells }]))).toEqual(['created']);
	});
});

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	const SPELLINGS = ['https://go.example.com/', 'https://GO.example.com', 'http://go.example.com', 'go.example.com'];

	test.each(SPELLINGS)('the domain %s is that of the account', async (domain) => {
		await account.has(dialect, { domains: [GO], deviations: { knownLongUrl: 'new', unknownDomain: 'replaced' } });
		const rows = [1, 2].map((at) => ({ url: `https://example.com/${at}`, alias: `row-${at}`, domain }));
		expect(actions(await account.upsert(rows))).toEqual(['created', 'created']);
		expect(actions(await account.upsert(rows))).toEqual(['unchanged', 'unchanged']);
		const linkFields = { domain: by('url', domain), custom: 'made' };
		const { items } = await account.work(createOf(linkFields), [{ 'Long URL': 'https://example.com/3' }]);
		expect(items[0].json.shorturl).toBe(`${GO}/made`);
		expect((await account.sandbox.links()).map((link) => link.domain)).toEqual([GO, GO, GO]);
	});

	test('a host that is none of the account is refused before anything is sent, with its domains', async () => {
		await account.has(dialect, { domains: [GO], others: 5, deviations: { unknownDomain: 'replaced' } });
		const row = { url: 'https://example.com/', domain: 'https://other.example.net' };
		const { error } = await account.upsert([row]);
		expect(error?.message).toContain(`Domain is not one of the account's: "https://other.example.net". It has "${GO}"`);
		const linkFields = { domain: by('url', row.domain) };
		const create = await account.work(createOf(linkFields), [{ 'Long URL': row.url }], 'at once', CONTINUE);
		expect(create.items[0].json.error).toContain("not one of the account's");
		expect(await account.changes()).toEqual([]);
	});

	test("the service's own address, and the host of its links, are the account's", async () => {
		await account.has(dialect, {
			domains: [GO],
			others: 5,
			deviations: { shortLinksElsewhere: true, knownLongUrl: 'new' },
		});
		const [{ shorturl }] = await account.sandbox.links();
		const rows = [account.sandbox.url, new URL(shorturl).origin].map((domain, at) => {
			return { url: `https://example.com/${at}`, domain };
		});
		expect(actions(await account.upsert(rows, {}, CONTINUE)).filter((one) => /not one of/.test(String(one)))).toEqual(
			[],
		);
	});

	test('where the domains can not be read, the service decides', async () => {
		await account.has(dialect, { domains: [GO], deviations: { missing: 'lists', knownLongUrl: 'new' } });
		expect(actions(await account.upsert([{ url: 'https://example.com/', alias: 'a', domain: GO }]))).toEqual([
			'created',
		]);
	});

	test('where the list of domains fails, the rows that name one fail with its reason, and nothing is made', async () => {
		await account.has(dialect, { domains: [GO] });
		const match = { path: '^/api/domains' };
		await account.sandbox.setFaults([{ kind: 'errorEnvelope', message: 'Come back tomorrow.', match }]);
		const rows = [{ url: 'https://example.com/1', domain: GO }, { url: 'https://example.com/2' }];
		const { items } = await account.upsert(rows, {}, CONTINUE);
		expect(items.map(({ json }) => json.error ?? json.action)).toEqual([
			expect.stringContaining('The service says "Come back tomorrow"'),
			'created',
		]);
	});

	const COMPOSED = 'caf\u00e9';
	const APART = 'cafe\u0301';

	test.each([
		[COMPOSED, APART],
		[APART, COMPOSED],
	])('an alias in its other Unicode form is the same: %j, %j', async (there, written) => {
		await account.has(dialect, { links: [{ alias: there, longurl: 'https://example.com/' }], others: 250 });
		const rows = [{ alias: written, url: 'https://example.com/moved' }];
		expect(actions(await account.upsert(rows))).toEqual(['updated']);
		expect(actions(await account.upsert(rows))).toEqual(['unchanged']);
		const get = { resource: 'link', operation: 'get', linkId: by('alias', written) };
		expect((await account.work(get, [{}])).items[0].json.longurl).toBe('https://example.com/moved');
		expect(await account.sandbox.links()).toHaveLength(251);
	});

	test('joiners within long URLs and aliases are sent as they stand', async () => {
		await account.has(dialect, {});
		const row = { url: 'https://example.com/می\u200cخواهم/👨\u200d👩\u200d👧', alias: 'می\u200cخواهم' };
		expect(actions(await account.upsert([row]))).toEqual(['created']);
		expect((await account.sandbox.links())[0]).toMatchObject({ longurl: row.url, alias: row.alias });
		expect(actions(await account.upsert([row]))).toEqual(['unchanged']);
	});
});
