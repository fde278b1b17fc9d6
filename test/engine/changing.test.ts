/** Services change: what was learned of one is disproved by what it answers later, or forgotten in time. */
import { DIALECTS } from '../sandbox';
import { actions, CONTINUE, openAccount } from './account';
import { by, itemsOf, run } from './host';
import { serve } from './serve';
import { getAccount, rowsOf } from './service';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const account = openAccount();

afterEach(() => {
	jest.restoreAllMocks();
});

/** Sets the clock of this process forward. */
function later(milliseconds: number): void {
	const now = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds);
}

const links = rowsOf(30).map(({ alias, url: longurl }) => ({ alias, longurl }));

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	test('a service that ignored short URLs is asked for one again after an hour', async () => {
		await account.has(dialect, {
			links,
			deviations: { shortHit: 'wholeList', shortMiss: 'wholeList', shortLinksElsewhere: false },
		});
		const get = async () => {
			await account.sandbox.clearRequests();
			const linkId = by('shortUrl', account.short('row-7'));
			const [{ longurl }] = await itemsOf({ resource: 'link', operation: 'get', linkId }, account);
			expect(longurl).toBe('https://example.com/7');
			return (await account.sandbox.requests()).filter(({ query }) => query.short !== undefined).length;
		};
		expect([await get(), await get()]).toEqual([1, 0]);
		await account.sandbox.configure({ deviations: { shortHit: 'details', shortMiss: 'error' } });
		expect(await get()).toBe(0);
		later(HOUR);
		expect(await get()).toBe(1);
	});

	const rowOf = (at: number) => ({ alias: `new-${at}`, url: `https://example.com/new/${at}` });
	const dropping = { aliasDropped: true, knownLongUrl: 'new' as const };

	test('a service that dropped aliases makes them again: shown by the next link, or after a week', async () => {
		for (const isShown of [true, false]) {
			await account.has(dialect, { links, deviations: dropping });
			const said = async (...rows: number[]) => actions(await account.upsert(rows.map(rowOf), {}, CONTINUE));
			const other = expect.stringMatching(/The service gave the link/) as unknown;
			expect(await said(0)).toEqual([other]);
			await account.sandbox.configure({ deviations: { aliasDropped: false } });
			// It has its link, though under another alias: none is made besides.
			expect(await said(0)).toEqual([other]);
			expect(await account.sandbox.links()).toHaveLength(links.length + 1);
			if (isShown) expect(await said(1)).toEqual(['created']);
			else later(7 * DAY);
			expect(await said(0)).toEqual(['created']);
			expect((await account.links())['new-0'].longurl).toBe(rowOf(0).url);
		}
	});

	test('short links that move to another host are found there, and none is made twice', async () => {
		await account.has(dialect, { links, deviations: { shortLinksElsewhere: true, knownLongUrl: 'new' } });
		const rows = [...rowsOf(3), rowOf(0)];
		expect(actions(await account.upsert(rows))).toEqual(['unchanged', 'unchanged', 'unchanged', 'created']);
		await account.sandbox.configure({ deviations: { shortLinksElsewhere: false } });
		expect(actions(await account.upsert(rows))).toEqual(rows.map(() => 'unchanged'));
		for (const alias of ['row-7', 'new-0']) {
			const [{ shorturl }] = await itemsOf({ resource: 'link', operation: 'get', linkId: by('alias', alias) }, account);
			expect(shorturl).toBe(account.short(alias));
		}
		expect(actions(await account.upsert([rowOf(0), rowOf(1)]))).toEqual(['unchanged', 'created']);
		expect(await account.sandbox.links()).toHaveLength(links.length + 2);
	});
});

describe('the address', () => {
	/** Where the API is. */
	let prefix: string;
	let origin: string;

	beforeEach(async () => {
		origin = await serve(({ url, headers }, response) => {
			if (!url?.startsWith(`${prefix}/api/`)) response.writeHead(404).end('<html>Not found</html>');
			else if (headers.authorization === undefined)
				response.end('{"error":1,"message":"A valid API key is required."}');
			else response.end('{"error":0,"data":{"id":1}}');
		});
	});

	const said = async (baseUrl: string) => {
		const { error } = await run(getAccount, { credential: { baseUrl, apiKey: 'a-key' } });
		return [error?.message, error?.description].join(' ');
	};

	test('of an API that moves is looked for anew: at once where it comes to the Base URL, else after ten minutes', async () => {
		prefix = '';
		const pasted = `${origin}/shop/app`;
		expect(await said(pasted)).toContain(`but at ${origin} `);
		prefix = '/shop';
		later(HOUR);
		expect(await said(pasted)).toContain(`but at ${origin}/shop `);
		prefix = '/shop/app';
		expect(await said(pasted)).toBe(' ');
	});

	test('at which the service has answered is doubted again a day later', async () => {
		prefix = '/app';
		expect(await said(`${origin}/app`)).toBe(' ');
		prefix = '';
		expect(await said(`${origin}/app`)).toMatch(/does not offer "Get the account"/);
		later(DAY);
		expect(await said(`${origin}/app`)).toContain(`but at ${origin} `);
	});
});
