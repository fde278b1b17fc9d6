/** Services that keep what they are sent in another way: addresses in another spelling, texts cut or escaped. */
import { DIALECTS, type Behavior } from '../sandbox';
import { actions, CONTINUE, openAccount } from './account';

const account = openAccount();

const OTHERWISE: Array<[Behavior['longUrlKept'], string]> = [
	['encoded', 'https://example.com/?a[]=1|2'],
	['escaped', 'https://example.com/?a=1&b=2'],
	['plus', 'https://example.com/?q=two%20words'],
	['normalized', 'https://example.com/k%c3%b8b?q=%7euser'],
];

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	test('spellings that a browser reads as the same are one long URL, with an alias or without', async () => {
		await account.has(dialect, { deviations: { knownLongUrl: 'new' } });
		const rowsOf = (url: string) => [{ url }, { url: `${url}?2`, alias: 'second' }];
		expect(actions(await account.upsert(rowsOf('https://example.com/a')))).toEqual(['created', 'created']);
		for (const url of ['https://EXAMPLE.com/a', 'https://example.com:443/b/../a'])
			expect(actions(await account.upsert(rowsOf(url)))).toEqual(['unchanged', 'unchanged']);
		expect(await account.sandbox.links()).toHaveLength(2);
	});

	test.each(OTHERWISE)(
		'a long URL that is kept %s makes no second link, and changes show both: %s',
		async (longUrlKept, url) => {
			await account.has(dialect, { deviations: { longUrlKept, knownLongUrl: 'new' } });
			expect(actions(await account.upsert([{ url }]))).toEqual(['created']);
			account.restart();
			const [{ id, longurl }] = await account.sandbox.links();
			const [again] = actions(await account.upsert([{ url }], {}, CONTINUE));
			expect(again).toContain(`(ID ${id}) has it in another spelling: "${longurl}"`);
			expect(await account.sandbox.links()).toHaveLength(1);

			const named = [{ url: `${url}#2`, alias: 'second' }, { alias: 'second' }];
			expect(actions(await account.upsert(named))).toEqual(['created', 'unchanged']);
			const nextNight = await account.upsert(named);
			expect(nextNight.items[0].json.changes).toEqual({ longurl: { from: `${longurl}#2`, to: `${url}#2` } });
			expect(await account.sandbox.links()).toHaveLength(2);
		},
	);

	test('a long URL that is there itself is no other spelling of another link', async () => {
		const urls = ['https://example.com/?q=a+b', 'https://example.com/?q=a%20b'];
		const links = urls.map((longurl, at) => ({ alias: `old-${at}`, longurl }));
		await account.has(dialect, { links, deviations: { knownLongUrl: 'new' } });
		expect(actions(await account.upsert(urls.map((url) => ({ url }))))).toEqual(['unchanged', 'unchanged']);
	});

	const LONG = 'A title that is far too long for a service which cuts its titles after sixty characters';
	test.each<[Behavior['textKept'], string, string]>([
		['cut', LONG, LONG.slice(0, 60)],
		['escaped', 'Tom & Jerry <live> "now"', 'Tom &amp; Jerry &lt;live> &quot;now&quot;'],
		['stripped', 'Summer 🌞 sale', 'Summer  sale'],
	])('a title that is %s is updated in each run, and changes show both texts', async (textKept, title, kept) => {
		await account.has(dialect, { deviations: { textKept, knownLongUrl: 'new' } });
		const rows = [1, 2, 3].map((at) => ({ url: `https://example.com/${at}`, alias: `row-${at}`, title }));
		await account.upsert(rows);
		for (const { json } of (await account.upsert(rows)).items)
			expect(json).toMatchObject({ action: 'updated', changes: { title: { from: kept, to: title } } });
	});

	test('a title that somebody has typed otherwise is updated once', async () => {
		await account.has(dialect, { links: [{ alias: 'fair', longurl: 'https://example.com/', title: 'SPRING SALE!' }] });
		const rows = [{ alias: 'fair', title: 'Spring sale' }, { alias: 'fair' }];
		expect(actions(await account.upsert(rows))).toEqual(['updated', 'unchanged']);
		expect(actions(await account.upsert(rows))).toEqual(['unchanged', 'unchanged']);
	});
});
