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
const REFUSALS: Array<[what: string, rows: () => IDataObject[], words: RegExp]> = [
	[
		'an alias on several domains',
		() => [{ alias: 'twice', title: 'New' }],
		/The alias "twice" belongs to more than one link: .*\/twice \(ID \d+\), .*\/twice \(ID \d+\).*Add the domain/,
	],
	['no long URL for a new link', () => [{ alias: 'new' }], /Long URL is empty/],
	[
		'the short URL of another service alone',
		() => [{ shorturl: 'https://elsewhere.example/a', title: 'New' }],
		/^Long URL is empty, and there is no link to update/,
	],
	[
		'the short URL of a link, and another domain',
		() => [{ shorturl: own('one'), domain: GO }],
		/The row holds the short URL .*\/one and another domain, https:\/\/go\.example\.com/,
	],
	[
		'a campaign that nobody has',
		() => [{ alias: 'one', campaign: 'Sumer' }],
		/no campaign named "Sumer".*There are: "Summer"/,
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
		'the short URL of one link and the alias of another',
		() => [{ shorturl: own('one'), alias: 'two' }],
		/short URL of one link, .*\/one .*, and the alias of another, .*\/two/,
	],
	[
		'an alias that no new link can have',
		() => [{ url: url('new'), alias: 'a/b' }],
		/no space, slash, \? or #, .*: "a\/b"/,
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
		/"one" belongs to .*, which gets another one from row 2.*Run the node again/,
	],
	[
		'an alias that another row gives up for the own of its link',
		() => [
			{ row_number: 2, shorturl: own('two'), alias: 'third' },
			{ row_number: 3, shorturl: own('one'), alias: 'two' },
		],
		/"two" belongs to .*, which gets another one from row 2.*Run the node again/,
	],
	[
		'an alias for which another row wants its own',
		() => [
			{ row_number: 2, shorturl: own('two'), alias: 'one' },
			{ row_number: 3, shorturl: own('one'), alias: 'two' },
		],
		/To swap aliases, give one of the links a third alias in between/,
	],
];

describe('in the dialect of the field', () => {
	const dialect = 'field';

	test.each(REFUSALS)('%s', async (_what, rowsOf, words) => {
		await account.has(dialect, {
			links: LINKS,
			others: 30,
			domains: [GO],
			campaigns: [{ name: 'Summer' }],
			deviations: { shortLinksElsewhere: false, knownLongUrl: 'new', pageCap: 10 },
		});
		const rows = [{ alias: 'fresh', url: url('fresh') }, ...rowsOf()];
		const parameters = upsertOf();
		const dryRun = upsertOf({ dryRun: true });
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
});
