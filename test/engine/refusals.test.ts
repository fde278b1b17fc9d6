/** Rows of Create or Update that can't be done: what they say, in the dry run and in the run. test/model draws more of them. */
import type { IDataObject } from 'n8n-workflow';

import { actions, CONTINUE, openAccount, upsertOf } from './account';

const account = openAccount();

const GO = 'https://go.example.com';
const linkTo = (alias: string, path: string, domain = '') => ({
	alias,
	longurl: `https://example.com/${path}`,
	domain,
});
const LINKS = [linkTo('one', '1'), linkTo('two', '2'), linkTo('twice', '3'), linkTo('twice', '4', GO)];
const url = (path: string) => `https://example.com/${path}`;
const own = (alias: string) => account.short(alias);

/** The last row of each fails, with these words. */
const REFUSALS: Array<[what: string, rows: () => IDataObject[], words: RegExp, matchOn?: string]> = [
	[
		'an alias on several domains',
		() => [{ alias: 'twice', title: 'New' }],
		/"twice" .*several domains: .*go\.example\.com/,
	],
	['no long URL for a new link', () => [{ alias: 'new' }], /Long URL is empty/],
	[
		'a campaign that nobody has',
		() => [{ alias: 'one', campaign: 'Sumer' }],
		/no campaign named "Sumer" \(did you mean "Summer"\?\)/,
	],
	[
		'something else than an earlier row',
		() => [
			{ row_number: 7, alias: 'one', title: 'First' },
			{ row_number: 8, alias: 'one', title: 'Second' },
		],
		/same link as row 7 with different values: Meta Title/,
	],
	[
		'the alias of another link',
		() => [{ url: url('1'), alias: 'two' }],
		/"two" belongs to another link: .*\/two/,
		'url',
	],
	[
		'an alias that another row gives another link',
		() => ['one', 'two'].map((alias, at) => ({ row_number: at + 2, shorturl: own(alias), alias: 'same' })),
		/"same" is given to another link, too, by row 2/,
	],
	[
		'an alias that an earlier row gives up',
		() => [
			{ row_number: 2, shorturl: own('one'), alias: 'first' },
			{ row_number: 3, url: url('3'), domain: account.sandbox.url, alias: 'one' },
		],
		/"one" belongs to .*, which gets another one from row 2/,
		'url',
	],
];

describe('in the dialect of the field', () => {
	const dialect = 'field';

	test.each(REFUSALS)('%s', async (_what, rowsOf, words, matchOn = 'alias') => {
		await account.has(dialect, {
			links: LINKS,
			others: 30,
			domains: [GO],
			campaigns: [{ name: 'Summer' }],
			deviations: { shortLinksElsewhere: false, knownLongUrl: 'new', pageCap: 10 },
		});
		const rows = [{ alias: 'fresh', url: url('fresh') }, ...rowsOf()];
		const parameters = { ...upsertOf(), matchOn };
		const dryRun = { ...upsertOf({ dryRun: true }), matchOn };
		// Nothing is sent where the run ends at errors; otherwise the row fails alone.
		const { error, items } = await account.work(parameters, rows);
		expect(items).toEqual([]);
		expect(`${error?.message} ${error?.description}`).toMatch(words);
		for (const [of, node] of [
			[dryRun, {}],
			[dryRun, CONTINUE],
			[dryRun, { onError: 'continueErrorOutput' as const }],
			[parameters, CONTINUE],
		] as const) {
			expect(await account.changes()).toEqual([]);
			const work = await account.work(of, rows, 'at once', node);
			expect(String(work.items.at(-1)?.json.error)).toMatch(words);
			expect(actions(work)[0]).toBe('created');
		}
		expect((await account.links()).fresh.longurl).toBe(url('fresh'));
	});

	test('a run that has failed says so at once, and waits for no interval of Batching', async () => {
		await account.has(dialect);
		await account.sandbox.setFaults([{ kind: 'errorEnvelope', match: { method: 'POST' }, message: 'Not today' }]);
		const batching = { requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 600_000 } } } };
		const began = Date.now();
		const rows = ['a', 'b', 'c'].map((alias) => ({ alias, url: url(alias) }));
		const { error } = await account.work({ ...upsertOf(), ...batching }, rows);
		await account.sandbox.clearFaults();
		expect(error?.message).toContain('Not today');
		expect(Date.now() - began).toBeLessThan(500_000);
		expect(await account.changes()).toHaveLength(1);
	});
});
