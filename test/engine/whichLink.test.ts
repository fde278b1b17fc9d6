/** Which link is meant: by its short URL, its alias and domain, or its long URL, whatever operation asks. */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS } from '../sandbox';
import { actions, CONTINUE, openAccount, WAYS } from './account';
import { quickTime } from './clock';
import { by } from './host';
import { createLink } from './service';

quickTime(5);

const account = openAccount();

const linkId = by('shortUrl', '={{ $json.short }}');

/** Every operation that takes a link, and what it needs besides. */
const OPERATIONS: Record<string, IDataObject> = {
	get: { resource: 'link', operation: 'get', linkId },
	totals: { resource: 'link', operation: 'get', linkId, options: { details: 'totals' } },
	update: { resource: 'link', operation: 'update', linkId, linkFields: { description: 'Changed' } },
	delete: { resource: 'link', operation: 'delete', linkId },
	assignLink: { resource: 'campaign', operation: 'assignLink', campaignId: by('id', '7'), linkId },
	assignItem: { resource: 'channel', operation: 'assignItem', channelId: by('id', '7'), itemType: 'links', linkId },
};

const around = {
	campaigns: [{ id: 7, name: 'Spring' }],
	channels: [{ id: 7, name: 'News' }],
	deviations: { shortLinksElsewhere: false },
};
const linkAt = (alias: string) => ({ alias, longurl: `https://example.com/${alias}` });

const SHOP = 'https://shop.example.com';
const GO = 'https://go.example.com';

/** Pairs of addresses that lead to different places; test/unit/url.test.ts has more, and test/model draws from them. */
const ALIKE: Array<[string, string]> = [
	[`${SHOP}/?next=/`, `${SHOP}/?next=`],
	[`${SHOP}/Page`, `${SHOP}/page`],
];

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	const LIKE_OTHERS = ['qr/poster', 'r/launch', 'spring/qr', 'poster/', 'u/me/launch'];

	describe.each(Object.entries(OPERATIONS))('%s', (name, parameters) => {
		test.each([1, 3, 40])('takes no other link whose alias is the last part of the path: %d rows', async (count) => {
			const aliases = ['poster', 'launch', 'qr', 'me', ...Array.from({ length: 40 }, (_, at) => `own-${at}`)];
			await account.has(dialect, { ...around, links: aliases.map(linkAt) });
			const before = await account.links();
			// The first are addresses of other things below the service; the others name links.
			const wrong = LIKE_OTHERS.slice(0, Math.min(3, count));
			const right = Array.from({ length: count - wrong.length }, (_, at) => `own-${at}`);
			const rows = [...wrong, ...right].map((path) => ({ short: account.short(path) }));
			const { items } = await account.work(parameters, rows, 'at once', CONTINUE);
			expect(items).toHaveLength(count);
			items.forEach(({ json }, at) => {
				if (at < wrong.length) expect(String(json.error)).toContain('There is no short link');
				else expect(json.error).toBeUndefined();
			});
			const after = await account.links();
			for (const alias of ['poster', 'launch', 'qr', 'me']) expect(after[alias]).toEqual(before[alias]);
			if (name === 'delete') expect(Object.keys(after)).toHaveLength(aliases.length - right.length);
		});

		test('takes no other link by an alias with more than a domain before it', async () => {
			await account.has(dialect, { ...around, links: [linkAt('poster')] });
			const { host } = new URL(account.sandbox.url);
			const byAlias = { ...parameters, linkId: by('alias', '={{ $json.short }}') };
			const rows = [`${host}/qr/poster`, 'qr/poster', `${host}/poster`].map((short) => ({ short }));
			const { items } = await account.work(byAlias, rows.slice(0, 2), 'at once', CONTINUE);
			const none = expect.stringContaining('There is no short link') as string;
			expect(items.map(({ json }) => json.error)).toEqual([none, none]);
			expect(await account.changes()).toEqual([]);
			const right = await account.work(byAlias, rows.slice(2));
			expect(right.error).toBeUndefined();
			expect(right.items).toHaveLength(1);
		});

		test.each([1, 3])('takes a short URL whatever its scheme: %d rows', async (count) => {
			await account.has(dialect, { ...around, links: ['own-0', 'own-1', 'own-2'].map(linkAt) });
			const { host } = new URL(account.sandbox.url);
			const rows = [`https://${host}/own-0`, `${host}/own-1`, `http://${host}/own-2`].map((short) => ({ short }));
			const { items, error } = await account.work(parameters, rows.slice(0, count));
			expect(error).toBeUndefined();
			expect(items).toHaveLength(count);
		});
	});

	describe.each([1, 2, 40])('an alias of a row that names no domain, with %d rows', (count) => {
		const others = Array.from({ length: count - 1 }, (_, at) => linkAt(`own-${at}`));
		const twice = linkAt('twice');

		test.each([0, 300])(
			'stands on two domains: an error that names both, and no change (%d newer links)',
			async (newer) => {
				await account.has(dialect, {
					domains: [GO],
					links: [twice, { ...twice, domain: GO }, ...others],
					others: newer,
					deviations: { pageCap: 10 },
				});
				const rows = [...others, { ...twice, description: 'New' }];
				for (const dryRun of [true, false]) {
					const work = await account.upsert(rows, { dryRun }, CONTINUE);
					expect(actions(work)).toEqual([
						...others.map(() => 'unchanged'),
						expect.stringMatching(/"twice" stands on several domains: .*go\.example\.com/),
					]);
				}
				expect(await account.changes()).toEqual([]);
			},
		);

		test('stands on another domain alone, far down the list: it is that link', async () => {
			await account.has(dialect, {
				domains: [GO],
				links: [{ ...twice, domain: GO }, ...others],
				others: 300,
				deviations: { pageCap: 10, knownLongUrl: 'new' },
			});
			const rows = [...others, twice];
			for (const dryRun of [true, false])
				expect(actions(await account.upsert(rows, { dryRun }))).toEqual(rows.map(() => 'unchanged'));
			expect(await account.changes()).toEqual([]);
		});
	});

	describe.each(ALIKE)('a link to %s, and a row with %s', (there, wanted) => {
		const links = [{ alias: 'there', longurl: there }];
		const deviations = { knownLongUrl: 'new' as const };

		test.each([1, 2])('are two links for Create or Update, and Return Existing finds none (%d rows)', async (count) => {
			const rows = [{ url: wanted }, { url: there }].slice(0, count);
			await account.has(dialect, { links, deviations });
			expect(actions(await account.upsert(rows))).toEqual(['created', 'unchanged'].slice(0, count));
			await account.has(dialect, { links, deviations });
			const found = await account.work({ ...createLink, options: { ifLongUrlExists: 'returnExisting' } }, rows);
			expect(found.error).toBeUndefined();
			const given = rows.map(({ url }) => [url, url === there ? true : undefined]);
			expect(found.items.map(({ json }) => [json.longurl, json.existing])).toEqual(given);
		});

		test('a corrected address is applied, and no taken alias is returned for it', async () => {
			await account.has(dialect, { links, deviations });
			expect(actions(await account.upsert([{ url: wanted, alias: 'there' }]))).toEqual(['updated']);
			expect((await account.links()).there.longurl).toBe(wanted);
			const returning = { ...createLink, options: { ifAliasExists: 'returnExisting' } };
			const { error } = await account.work(returning, [{ url: there, alias: 'there' }]);
			expect(error?.message).toContain('belongs to a link with another long URL');
		});
	});

	test.each(WAYS)('two spellings of one address are one link, %s', async (way) => {
		await account.has(dialect, { links: [{ alias: 'one', longurl: 'https://example.com/one' }] });
		const urls = ['HTTPS://EXAMPLE.com:443/one', 'https://example.com/two', 'https://Example.com/two'];
		const rows = urls.map((url) => ({ url }));
		const work = await account.upsert(rows, {}, {}, way);
		expect(work.error).toBeUndefined();
		expect(actions(work)).toEqual(['unchanged', 'created', 'unchanged']);
		expect(await account.sandbox.links()).toHaveLength(2);
	});
});
