/** What a sheet and an account in sync cost in requests, counted at the service, in both dialects, as docs/requests.md says. */
import type { IDataObject } from 'n8n-workflow';

import { page, rowsIn } from '../documentation/markdown';
import { DIALECTS, fillAccount, sheetRow as row, sheetRows as rows, type Dialect } from '../sandbox';
import { actions, CONTINUE, openAccount, upsertOf, type Work } from './account';
import { by } from './host';
import { createLink } from './service';

const ACCOUNT = 10_000;
const PAGE = 100;

const account = openAccount();

jest.setTimeout(900_000);

// Large pages are for services that are quick: a machine that is busy is not to look like a slow service.
const began = Date.now();
const clock = Date.now;
beforeAll(() => {
	jest.spyOn(Date, 'now').mockImplementation(() => began + (clock() - began) / 100);
});
afterAll(() => {
	jest.restoreAllMocks();
});

/** Fills the account with links in pages of 100, with those of the first `known` rows. */
async function fill(dialect: Dialect, known: number, links = ACCOUNT): Promise<void> {
	await account.has(dialect);
	const { apiKey: key } = account.credential;
	await fillAccount(account.sandbox, { dialect, key, links, page: PAGE, known: Array.from(Array(known).keys()) });
}

/** What a piece of work costs by docs/requests.md, at each of the services. */
function costOnPage(work: string): number[] {
	const found = rowsIn(page('docs/requests.md')).find(([title]) => title.startsWith(work));
	if (found === undefined) throw new Error(`docs/requests.md has no row "${work}"`);
	return found[1].split(' or ').map(Number);
}

const requests = async () => (await account.sandbox.stats()).requests;

/** The actions of a run that did not fail, and how often each was taken. */
function tally(...works: Work[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const work of works) {
		expect(work.error).toBeUndefined();
		for (const action of actions(work)) counts[String(action)] = (counts[String(action)] ?? 0) + 1;
	}
	return counts;
}

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	test('1,000 rows, 20 of them moved and 30 new, and the same again', async () => {
		await fill(dialect, 970);
		const sheet = rows(1000).map((one, at) => (at >= 950 && at < 970 ? row(at, 'moved') : one));
		expect(tally(await account.upsert(sheet))).toEqual({ unchanged: 950, updated: 20, created: 30 });
		expect(costOnPage('Link: Create or Update, 1,000 rows')).toContain(await requests());
		await account.sandbox.clearRequests();
		expect(tally(await account.upsert(sheet))).toEqual({ unchanged: 1000 });
		expect(costOnPage('the same again')).toContain(await requests());
	});

	test('2 rows are looked up, and the list is never read whole', async () => {
		await fill(dialect, 1);
		expect(tally(await account.upsert([row(0, 'moved'), row(1)]))).toEqual({ updated: 1, created: 1 });
		expect(costOnPage('2 rows')).toContain(await requests());
	});

	test('aliases that other users of the service have', async () => {
		await fill(dialect, 0);
		await account.sandbox.configure({ deviations: { aliasOfOthers: true } });
		const sheet = Array.from({ length: 9 }, (_, at) => ({ alias: `theirs-${at}`, url: `https://example.com/${at}` }));
		const { items } = await account.upsert(sheet, {}, CONTINUE);
		for (const { json } of items) expect(json.error).toMatch(/taken/);
		expect(costOnPage('9 rows whose aliases')).toContain(await requests());
	});

	test.each([1, 2])('aliases that a thousand others contain are looked up: %d rows', async (count) => {
		const link = (at: number) => ({ alias: `r${at}`, longurl: `https://example.com/${at}` });
		const links = Array.from({ length: 3_000 }, (_, at) => link(at + 1));
		await account.has(dialect, { links, deviations: { pageCap: PAGE } });
		const sheet = Array.from({ length: count }, (_, at) => link(at + 1));
		expect(tally(await account.upsert(sheet))).toEqual({ unchanged: count });
		// A page, the domains (an empty list is asked for again), and a look-up on each host for each row.
		const hosts = dialect === 'field' ? 3 : 1;
		expect(await requests()).toBeLessThanOrEqual(1 + 3 + count * hosts);
	});

	test('ten rounds of a loop read the list ten times, and say so from the third on', async () => {
		await fill(dialect, 970);
		const work = await account.loop(upsertOf(), rows(1000), {}, undefined, 100);
		expect(tally(work)).toEqual({ unchanged: 970, created: 30 });
		expect(costOnPage('ten rounds')).toContain(await requests());
	});

	test('the clicks of 1,000 rows', async () => {
		await fill(dialect, 1000);
		await account.sandbox.simulate({ clicks: [{ id: await account.idOf('row-7'), count: 5 }] });
		const links = (await account.sandbox.links()).filter(({ alias }) => alias.startsWith('row-'));
		await account.sandbox.clearRequests();
		const linkId = by('shortUrl', '={{ $json.shorturl }}');
		const get = { resource: 'link', operation: 'get', linkId, options: { details: 'totals' } };
		const { items, error } = await account.work(
			get,
			links.map(({ shorturl }) => ({ shorturl })),
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1000);
		expect(items.filter(({ json }) => json.alias === 'row-7').map(({ json }) => json.clicks)).toEqual([5]);
		expect(costOnPage('Link: Get with Details')).toContain(await requests());
	});

	describe('a link to update that lists alone show in its campaign, not found by a page of a search', () => {
		const others = Array.from({ length: 300 }, (_, at) => ({ longurl: `https://example.com/${at}` }));
		const search = { path: '^/api/urls$' };

		beforeEach(async () => {
			const oldest = { alias: 'e', longurl: 'https://example.com/', campaign: 3 };
			const deviations = { pageCap: 10, moreFields: true, linkUpdate: 'resets', noRateLimitHeaders: false } as const;
			await account.has(dialect, { links: [oldest, ...others], campaigns: [{ id: 3, name: 'Spring' }], deviations });
		});

		const update = async () => {
			const [{ id }] = await account.sandbox.links();
			const linkFields = { description: 'Changed' };
			return await account.work({ resource: 'link', operation: 'update', linkId: by('id', id), linkFields }, [{}]);
		};
		const campaign = async () => (await account.sandbox.links())[0].campaign;

		test('is looked for in one page of a search by its long URL, and then in the list', async () => {
			expect(tally(await update())).toEqual({ undefined: 1 });
			expect(await campaign()).toBe(3);
			// Its details, a page for its long URL, the list, one to try larger pages, and the update.
			expect(await requests()).toBeLessThanOrEqual(1 + 1 + 31 + 1 + 1);
		});

		test('is updated all the same where the key may not read the list', async () => {
			await account.sandbox.setFaults([{ kind: 'status', status: 404, body: 'html', match: search }]);
			expect(tally(await update())).toEqual({ undefined: 1 });
			expect((await account.sandbox.links())[0].description).toBe('Changed');
		});
	});

	const inCampaign = { ...createLink, linkFields: { campaign: by('name', '={{ $json.campaign }}') } };
	const rowsIn = (campaigns: string[]) =>
		campaigns.map((campaign, at): IDataObject => ({ url: `https://example.com/new/${at}`, campaign }));

	test('links into three campaigns by name: one reading of the campaigns', async () => {
		await fill(dialect, 0);
		await account.sandbox.createRecords({ campaigns: ['Spring', 'Summer', 'Autumn'].map((name) => ({ name })) });
		const sheet = rowsIn(Array.from({ length: 90 }, (_, at) => ['spring', 'SUMMER', 'Autumn'][at % 3]));
		const { items, error } = await account.work(inCampaign, sheet);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(90);
		expect(costOnPage('Link: Create with campaigns by name')).toContain(await requests());
		expect((await account.sandbox.stats()).byOperation.campaignGetAll).toBe(1);
	});
});
