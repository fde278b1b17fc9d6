/** Create or Update: a sheet and the account in sync, in both dialects of the service, over real HTTP. */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS } from '../sandbox';
import { actions, CONTINUE, openAccount, upsertOf } from './account';
import { by } from './host';
import { createLink } from './service';

const account = openAccount();

const link = (row: number) => ({ alias: `row-${row}`, longurl: `https://example.com/${row}`, title: `Page ${row}` });

const row = (number: number, more: IDataObject = {}): IDataObject => ({
	'Long URL': `https://example.com/${number}`,
	Alias: `row-${number}`,
	...more,
});

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	test('creates, updates and leaves rows as they are, as a dry run says, and does nothing the second time', async () => {
		await account.has(dialect, { links: [link(1), link(2), link(3)], others: 40 });
		const moved = 'https://example.com/moved';
		const rows = [row(1), row(2, { 'Long URL': moved }), row(4), row(3, { title: 'New title' }), row(4)];
		const planned = await account.upsert(rows, { dryRun: true });
		expect(await account.changes()).toEqual([]);
		const { items, error } = await account.upsert(rows);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => [json.alias, json.action, json.longurl, json.title])).toEqual([
			['row-1', 'unchanged', 'https://example.com/1', 'Page 1'],
			['row-2', 'updated', moved, 'Page 2'],
			['row-4', 'created', 'https://example.com/4', undefined],
			['row-3', 'updated', 'https://example.com/3', 'New title'],
			['row-4', 'unchanged', 'https://example.com/4', undefined],
		]);
		expect(planned.items.map(({ json }) => [json.alias, json.action, json.dryRun])).toEqual(
			items.map(({ json }) => [json.alias, json.action, true]),
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
		expect(items.every(({ json }) => typeof json.id === 'number' && typeof json.shorturl === 'string')).toBe(true);
		expect(await account.sandbox.violations()).toEqual([]);
		const links = await account.sandbox.links();
		expect(links.find(({ alias }) => alias === 'row-2')).toMatchObject({ longurl: moved, title: 'Page 2' });
		expect(links.find(({ alias }) => alias === 'row-3')).toMatchObject({ title: 'New title' });

		await account.sandbox.clearRequests();
		expect(actions(await account.upsert(rows))).toEqual(rows.map(() => 'unchanged'));
		expect(await account.changes()).toEqual([]);
	});

	test("rows of one link are one update: what is refused is no row's, and each error names them all", async () => {
		await account.has(dialect, { links: [link(1)], others: 10 });
		await account.sandbox.setFaults([{ kind: 'errorEnvelope', match: { method: 'PUT' }, times: 1 }]);
		const rows = [row(1, { title: 'New' }), row(1, { description: 'A note' }), row(1, { title: 'New' })];
		const { items } = await account.upsert(rows, {}, CONTINUE);
		for (const { json } of items) expect(json.error).toContain('It is about row 1 of 3, row 2 of 3, row 3 of 3');
		expect(await account.changes()).toHaveLength(1);
		await account.sandbox.clearRequests();
		const again = await account.upsert(rows);
		expect(again.items.map(({ json }) => [json.action, json.changes])).toEqual([
			['updated', { title: { from: 'Page 1', to: 'New' }, description: { from: '', to: 'A note' } }],
			['unchanged', undefined],
			['unchanged', undefined],
		]);
		expect(await account.changes()).toHaveLength(1);
		const made = (await account.sandbox.links()).find(({ alias }) => alias === 'row-1');
		expect(made).toMatchObject({ title: 'New', description: 'A note' });
	});

	test('refuses a short URL that no link has, before anything is changed', async () => {
		await account.has(dialect, { links: [link(1)], others: 10 });
		const [{ shorturl = '' } = {}] = await account.sandbox.links();
		const gone = `${shorturl.slice(0, shorturl.lastIndexOf('/'))}/gone`;
		const messageOf = async (more: IDataObject) => (await account.upsert([row(1), { ...more, shorturl: gone }])).error;
		const url = 'https://example.com/gone';
		expect((await messageOf({ url }))?.message).toBe(`There is no link with the short URL ${gone} [row 2 of 2]`);
		const says = `There is no link with the short URL ${gone}, nor one with the alias "gone-too" on its domain [row 2 of 2]`;
		expect((await messageOf({ url, alias: 'gone-too' }))?.message).toBe(says);
		expect(await account.changes()).toEqual([]);
	});

	test('a row with the alias of its link, and the short URL of before, means the link that got this alias', async () => {
		await account.has(dialect, { links: [link(1)], others: 10 });
		const { shorturl } = (await account.sandbox.links()).find(({ alias }) => alias === 'row-1')!;
		const run = await account.upsert([row(1, { shorturl: shorturl.replace(/row-1$/, 'before') })]);
		expect(actions(run)).toEqual(['unchanged']);
		expect(await account.changes()).toEqual([]);
	});

	test('tells of all bad rows at once: first of what needs no request, then of what the account shows', async () => {
		await account.has(dialect, { links: [link(1)], campaigns: [{ name: 'Spring' }], domains: ['https://go.example'] });
		const rows = [
			row(1),
			row(2, { Alias: 'black friday', 'Long URL': 'here', Expiry: 'soon' }),
			row(3, { Campaign: 'Sprung' }),
			row(4, { Domain: 'https://no.example' }),
			row(5, { Expiry: '2020-01-01' }),
			row(1, { 'Long URL': 'https://example.com/other' }),
			{ Title: 'no link' },
		].map((one, at) => ({ row_number: at + 2, ...one }));
		const first = await account.upsert(rows);
		expect(first.error?.message).toBe('2 of 7 rows are invalid. Long URL is not a web address: "here" [row 3]');
		expect(first.error?.description).toContain(
			'Also:<br>• Expiry is not a date: "soon" [row 3]<br>• There is neither a Long URL nor an Alias [row 8]',
		);
		expect(await account.sandbox.requests()).toEqual([]);
		Object.assign(rows[1], { Alias: 'black/friday', 'Long URL': row(2)['Long URL'], Expiry: '' });
		const { error } = await account.upsert(rows.slice(0, 6));
		const told = `${error?.message} ${error?.description}`;
		expect(told).toMatch(/^5 of 6 rows are invalid\. /);
		for (const reason of [
			/A new alias has no space, slash, \? or #, .*: "black\/friday" \[row 3\]/,
			/There is no campaign named "Sprung" \[row 4\]/,
			/Domain is not one of the account's: "https:\/\/no\.example".* \[row 5\]/,
			/The row targets the same link as row 7 with different values: Long URL \[row 2\]/,
		])
			expect(told).toMatch(reason);
		expect(await account.changes()).toEqual([]);
		const { items } = await account.upsert(rows, {}, CONTINUE);
		expect(items.map(({ json }) => json.action)).toEqual(rows.map((_, at) => (at === 4 ? 'created' : 'failed')));
		for (const { json } of items.filter((_, at) => at !== 4))
			expect(Object.keys(json).slice(0, 3)).toEqual(['action', 'error', 'row_number']);
	});

	test('tells several things that are wrong with a row together', async () => {
		await account.has(dialect, {});
		const { error } = await account.upsert([{ 'Long URL': 'nowhere', Expiry: 'soon', 'Redirect Type': 'hidden' }]);
		expect(error?.message).toBe(
			'Long URL is not a web address: "nowhere". Expiry is not a date: "soon". Redirect Type (Redirection Type) is none of direct, frame and splash, nor the ID of a splash page, nor overlay- with an ID: "hidden"',
		);
		expect(error?.description).toMatch(
			/^Enter a full address .* Pick a date, .* Choose from the list, or enter the ID/,
		);
		const { items } = await account.upsert([{ 'Long URL': 'nowhere', Expiry: 'soon' }], {}, CONTINUE);
		expect(items[0].json.error).toMatch(/^Long URL is not .*\. Expiry is not .*\. Enter .* Pick a date, /);
	});

	test('tells each field that an update changes', async () => {
		await account.has(dialect, { links: [link(1)], others: 10 });
		const rows = [row(1, { 'Long URL': 'https://EXAMPLE.com/1', title: 'New' })];
		const changes = { title: { from: 'Page 1', to: 'New' } };
		expect((await account.upsert(rows, { dryRun: true })).items[0].json.changes).toEqual(changes);
		expect((await account.upsert(rows)).items[0].json.changes).toEqual(changes);
		const linkFields = { metatitle: 'Newer', description: 'A note' };
		const update = { resource: 'link', operation: 'update', linkId: by('alias', 'row-1'), linkFields };
		const [{ json }] = (await account.work(update, [{}])).items;
		expect(json).toMatchObject({
			success: true,
			alias: 'row-1',
			changes: { title: { from: 'New', to: 'Newer' }, description: { to: 'A note' } },
		});
	});
});

test('a failed row keeps its own fields, and names the link that it is about beside them', async () => {
	await account.has('field', { links: [link(1), link(2)] });
	const own = { id: 7, shorturl: '', alias: 'row-1', url: 'https://example.com/2' };
	const { items } = await account.upsert([own], { updateWhen: 'never' }, CONTINUE);
	const holder = (await account.sandbox.links()).find(({ alias }) => alias === 'row-1')!;
	const error = expect.stringContaining('leads to another long URL: "https://example.com/1"') as string;
	const existingLink = { id: holder.id, shorturl: holder.shorturl };
	expect(items[0].json).toEqual({ action: 'failed', error, existingLink, ...own });
});

test('what others have changed between two rounds of a loop is kept', async () => {
	const campaigns = ['Spring', 'Autumn'].map((name, at) => ({ id: 3 + 2 * at, name }));
	await account.has('field', { links: [{ ...link(1), campaign: 5 }, link(2), link(3)], campaigns });
	const meanwhile = async (time: number) => {
		if (time !== 1) return;
		const own = (await account.links())['row-1'];
		await account.sandbox.deleteRecords({ links: [own.id] });
		await account.sandbox.createRecords({ links: [{ ...own, campaign: 3 }] });
	};
	const rows = [row(1, { title: 'One' }), row(2), row(1, { description: 'Two' }), row(3)];
	const work = await account.loop(upsertOf(), rows, {}, meanwhile);
	expect(actions(work)).toEqual(['updated', 'unchanged', 'updated', 'unchanged']);
	expect((await account.links())['row-1']).toMatchObject({ title: 'One', description: 'Two', campaign: 3 });
});

test('a link with another alias than was asked for is an error that shows the link', async () => {
	await account.has('field', { links: [link(1)] });
	const rows = [{ url: 'https://example.com/1', alias: 'mine' }];
	const [{ id, shorturl }] = await account.sandbox.links();
	const { items } = await account.work(createLink, rows, 'at once', CONTINUE);
	const error = expect.stringContaining('whose alias is not "mine"') as string;
	expect(items[0].json).toEqual({ error, existingLink: { id, shorturl }, ...rows[0] });
});
