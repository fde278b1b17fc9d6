/** Services that keep what they are sent in another way: addresses in another spelling. */
import { DIALECTS, type Behavior } from '../sandbox';
import { actions, CONTINUE, openAccount, upsertOf } from './account';
import { hintsOf, run } from './host';

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

	test('a service that adds to long URLs makes one link for the rows without an alias, and the run says so', async () => {
		await account.has(dialect, { deviations: { longUrlKept: 'tagged', knownLongUrl: 'new' } });
		const rows = Array.from({ length: 30 }, (_, at) => ({
			alias: at % 2 === 0 ? `row-${at}` : '',
			url: `https://example.com/${at}`,
		}));
		const outcome = await run(upsertOf(), { credential: account.credential, rows, node: CONTINUE });
		const work = actions(outcome);
		const done = work.filter((_action, at) => at % 2 === 1);
		expect(done.filter((action) => action === 'created')).toHaveLength(1);
		for (const failed of done.filter((action) => action !== 'created'))
			expect(failed).toMatch(
				/^error: The service changes the long URL of new links: the first one became .* Give the row an alias/,
			);
		expect(work.filter((_action, at) => at % 2 === 0)).toEqual(Array(15).fill('created'));
		expect(hintsOf(outcome).join(' ')).toMatch(/The service changes long URLs: ".*" became ".*tag=own-21"/);
		expect(await account.sandbox.links()).toHaveLength(16);
		const reads = (await account.sandbox.requests()).filter(
			({ method, path }) => method === 'GET' && /url\//.test(path),
		);
		expect(reads).toHaveLength(1);
	});

	test('a service that adds to long URLs, and gives back the link that it has: the row says so, and nothing is changed', async () => {
		await account.has(dialect, { deviations: { longUrlKept: 'tagged', knownLongUrl: 'returned' } });
		const row = { url: 'https://example.com/page', title: 'Fair' };
		expect(actions(await account.upsert([row]))).toEqual(['created']);
		const before = await account.sandbox.links();
		const [again] = (await account.upsert([{ ...row, title: 'Other' }], {}, CONTINUE)).items;
		expect(again.json.error).toMatch(/^The service gave the link .* \(ID \d+\), which was there already\. /);
		expect(again.json.existingLink).toEqual({ id: before[0].id, shorturl: before[0].shorturl });
		expect(await account.sandbox.links()).toEqual(before);
	});

	test.each([200, 402])(
		'links whose details get HTTP %d and an error once they are made are created all the same',
		async (status) => {
			await account.has(dialect, { deviations: { knownLongUrl: 'new' } });
			const match = { method: 'GET', path: '^/api/url/' };
			await account.sandbox.setFaults([{ kind: 'errorEnvelope', status, message: 'Not now.', match }]);
			const rows = [1, 2, 3].map((at) => ({ url: `https://example.com/${at}` }));
			expect(actions(await account.upsert(rows))).toEqual(Array(3).fill('created'));
			expect(await account.sandbox.links()).toHaveLength(3);
		},
	);

	test('where long URLs stay as they are, one reading of a run shows it', async () => {
		await account.has(dialect, { deviations: { knownLongUrl: 'new' } });
		const rows = Array.from({ length: 30 }, (_, at) => ({ url: `https://example.com/${at}` }));
		expect(actions(await account.upsert(rows))).toEqual(Array(30).fill('created'));
		const reads = (await account.sandbox.requests()).filter(
			({ method, path }) => method === 'GET' && /url\//.test(path),
		);
		expect(reads).toHaveLength(1);
	});

	test('an alias that is there is taken as it stands, also with a sign that no new one has', async () => {
		await account.has(dialect, { links: [{ alias: "'old", longurl: 'https://example.com/' }] });
		expect(actions(await account.upsert([{ alias: "'old", description: 'A note' }]))).toEqual(['updated']);
		const [failed] = actions(await account.upsert([{ alias: '="new"', url: 'https://example.com/2' }], {}, CONTINUE));
		expect(failed).toMatch(/^error: A new alias has no space/);
	});

	test('a long URL that is there itself is no other spelling of another link', async () => {
		const urls = ['https://example.com/?q=a+b', 'https://example.com/?q=a%20b'];
		const links = urls.map((longurl, at) => ({ alias: `old-${at}`, longurl }));
		await account.has(dialect, { links, deviations: { knownLongUrl: 'new' } });
		expect(actions(await account.upsert(urls.map((url) => ({ url }))))).toEqual(['unchanged', 'unchanged']);
	});

	test('a title that somebody has typed otherwise is updated once', async () => {
		await account.has(dialect, { links: [{ alias: 'fair', longurl: 'https://example.com/', title: 'SPRING SALE!' }] });
		const rows = [{ alias: 'fair', title: 'Spring sale' }, { alias: 'fair' }];
		expect(actions(await account.upsert(rows))).toEqual(['updated', 'unchanged']);
		expect(actions(await account.upsert(rows))).toEqual(['unchanged', 'unchanged']);
	});
});
