/** Services change: what was learned of one is disproved by what it answers later, or forgotten in time. */
import { isDeepStrictEqual } from 'util';
import { DIALECTS } from '../sandbox';
import { actions, openAccount } from './account';
import { by, itemsOf } from './host';
import { rowsOf } from './service';

const HOUR = 3_600_000;

const account = openAccount();

afterEach(() => {
	jest.restoreAllMocks();
});

/** Sets the clock of this process forward. */
function later(milliseconds: number): void {
	const now = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + milliseconds);
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

	test('many updates read the list where it shows more than details do, in later runs as well', async () => {
		await account.has(dialect, { links, deviations: { shortLinksElsewhere: false } });
		const rows = (await account.sandbox.links()).map(({ id }) => ({ id }));
		const linkId = by('id', '={{ $json.id }}');
		for (const description of ['Old', 'New', 'Newer']) {
			await account.sandbox.clearRequests();
			const update = { resource: 'link', operation: 'update', linkId, linkFields: { description } };
			await itemsOf(update, { credential: account.credential, rows });
			// Each link is read and updated.
			expect((await account.sandbox.requests()).length).toBeLessThanOrEqual(2 * rows.length + 2);
		}
	});

	test('where the list fails, each of many updates looks for its own link', async () => {
		await account.has(dialect, { links, deviations: { linkUpdate: 'resets' } });
		const rows = (await account.sandbox.links()).slice(0, 3).map(({ id }) => ({ id }));
		const byDate = { kind: 'errorEnvelope' as const, message: 'Not now.', match: { path: '^/api/urls$' }, times: 1 };
		await account.sandbox.setFaults([byDate]);
		const update = { resource: 'link', operation: 'update', linkId: by('id', '={{ $json.id }}') };
		const { error } = await account.work({ ...update, linkFields: { description: 'New' } }, rows);
		expect(error).toBeUndefined();
		expect(await account.changes()).toHaveLength(3);
	});

	const rowOf = (at: number) => ({ alias: `new-${at}`, url: `https://example.com/new/${at}` });

	test('an alias that comes back otherwise in an update is told with the new address, and the link keeps the rest', async () => {
		const poster = { alias: 'poster', longurl: 'https://example.com/poster' };
		await account.has(dialect, { links: [poster], deviations: { aliasKept: 'lowered' } });
		const linkFields = { custom: 'Spring', description: 'New' };
		const update = { resource: 'link', operation: 'update', linkId: by('alias', 'poster'), linkFields };
		const { error } = await account.work(update, [{}]);
		expect(error?.message).toMatch(/\/spring \(ID /);
		expect(error?.message).toContain('instead of "Spring"');
		expect(error?.description).toMatch(/\/poster does not work any more/);
		expect((await account.links()).spring).toMatchObject({ longurl: poster.longurl, description: 'New' });
	});

	test.each(['get', 'update', 'delete'])(
		'of an alias on two domains, %s takes the one that is named, or neither',
		async (operation) => {
			const domains = ['https://go.example.com', 'https://qr.example.com'];
			const two = domains.map((domain) => ({ alias: 'spring', longurl: `${domain}/page`, domain }));
			await account.has(dialect, { links: two, domains, deviations: { aliasUnique: 'domain' } });
			const before = await account.sandbox.links();
			const work = async (name: string) =>
				await account.work(
					{ resource: 'link', operation, linkId: by('alias', name), linkFields: { metatitle: 'New' } },
					[{}],
				);
			const { error } = await work('spring');
			const [one, other] = before.map(({ id, shorturl }) => `${shorturl} (ID ${id})`).sort();
			expect(error?.message).toContain('The alias "spring" belongs to more than one link: ');
			for (const named of [one, other]) expect(error?.message).toContain(named);
			expect(error?.description).toContain('Name the domain too, as in go.example.com/spring');
			expect(await account.sandbox.links()).toEqual(before);
			expect((await work('qr.example.com/spring')).error).toBeUndefined();
			const [left, changed] = domains.map((at) => before.find(({ domain }) => domain === at)!);
			const after = await account.sandbox.links();
			expect(after).toContainEqual(left);
			expect(after.some((link) => isDeepStrictEqual(link, changed))).toBe(operation === 'get');
		},
	);

	test('an update whose alias the service leaves out says so, and makes the other changes', async () => {
		const poster = { alias: 'poster', longurl: 'https://example.com/poster' };
		await account.has(dialect, { links: [poster], deviations: { aliasDropped: true } });
		const linkFields = { custom: 'spring', description: 'New' };
		const update = { resource: 'link', operation: 'update', linkId: by('alias', 'poster'), linkFields };
		const { error } = await account.work(update, [{}]);
		expect(error?.message).toMatch(/the alias "poster" instead of "spring"/);
		expect(error?.description).toContain('The other changes were made. Enter "poster", or an alias that the service');
		expect((await account.links()).poster).toMatchObject({ description: 'New' });
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
