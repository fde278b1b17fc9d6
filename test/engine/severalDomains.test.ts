/** Aliases that stand on several domains, at services whose searches find one of them, all of them, or none. */
import { DIALECTS, type Behavior } from '../sandbox';
import { actions, CONTINUE, openAccount, upsertOf } from './account';
import { by } from './host';

const GO = 'https://go.example.com';

const account = openAccount();

const SERVICES: Array<[string, Partial<Behavior>]> = [
	['finds aliases', {}],
	['looks at other fields', { aliasUnsearched: true }],
	[
		'looks at other fields, and short URLs are not looked up',
		{ aliasUnsearched: true, shortHit: 'wholeList', shortMiss: 'wholeList' },
	],
	['ignores what is searched for', { searchIgnored: true }],
	['looks at other fields, and short links stand elsewhere', { aliasUnsearched: true, shortLinksElsewhere: true }],
];

const OPERATIONS = [
	{ resource: 'link', operation: 'delete' },
	{ resource: 'link', operation: 'get' },
	{ resource: 'link', operation: 'get', options: { details: 'totals' } },
	{ resource: 'link', operation: 'update', linkFields: { description: 'New' } },
	{ resource: 'channel', operation: 'assignItem', channelId: by('id', '9'), itemType: 'links' },
	{ resource: 'campaign', operation: 'assignLink', campaignId: by('id', '3') },
];

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	describe.each(SERVICES)('where a search %s', (_what, deviations) => {
		/** The first has the alias in its long URL, too: a search in other fields finds it. */
		const links = [
			{ alias: 'fair', longurl: 'https://example.com/fair', domain: '' },
			{ alias: 'fair', longurl: 'https://example.com/other', domain: GO },
			{ alias: 'only', longurl: 'https://example.com/else', domain: GO },
			{ alias: 'plain', longurl: 'https://example.com/plain', domain: '' },
		];

		beforeEach(async () => {
			await account.has(dialect, {
				links,
				others: 40,
				domains: [GO],
				campaigns: [{ id: 3, name: 'Spring' }],
				channels: [{ id: 9, name: 'News' }],
				deviations: { shortLinksElsewhere: false, knownLongUrl: 'new', ...deviations },
			});
		});

		test.each(OPERATIONS)('the alias alone is an error that names both: %j', async (parameters) => {
			const before = await account.sandbox.links();
			const { error } = await account.work({ ...parameters, linkId: by('alias', 'fair') }, [{}]);
			expect(error?.message).toMatch(/belongs to more than one link|exists on several domains/);
			for (const { id } of before.filter(({ alias }) => alias === 'fair'))
				expect(error?.message).toContain(`(ID ${id})`);
			expect(await account.changes()).toEqual([]);
		});

		test('Create or Update of one row, and of a few', async () => {
			const row = { alias: 'fair', description: 'New' };
			for (const rows of [
				[row],
				[row, { alias: 'only', description: 'New' }, { alias: 'plain', description: 'New' }],
			]) {
				const [first, ...others] = actions(await account.work(upsertOf(), rows, 'at once', CONTINUE));
				expect(first).toMatch(/exists on several domains/);
				expect(others).toEqual(others.map(() => 'updated'));
			}
		});

		test('an alias that stands on a domain alone is no free one', async () => {
			const row = { alias: 'only', url: 'https://example.com/moved' };
			expect(actions(await account.upsert([row]))).toEqual(['updated']);
			expect(await account.sandbox.links()).toHaveLength(links.length + 40);
		});

		test('one that stands once is found', async () => {
			const get = { resource: 'link', operation: 'get', linkId: by('alias', 'plain') };
			const { items, error } = await account.work(get, [{}]);
			expect(error).toBeUndefined();
			expect(items[0].json.longurl).toBe('https://example.com/plain');
		});
	});
});
