/** Create or Update: a sheet and the account in step, in both dialects of the service, over real HTTP. */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS } from '../sandbox';
import { actions, CONTINUE, openAccount } from './account';
import { itemsOf } from './host';
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

	test('updates none of the rows of one link where that is not wanted', async () => {
		await account.has(dialect, { links: [link(1)], others: 10 });
		const rows = [row(1, { title: 'Another' }), row(1, { description: 'A note' })];
		expect(actions(await account.upsert(rows, { updateWhen: 'never' }))).toEqual(['unchanged', 'unchanged']);
		expect(await account.changes()).toEqual([]);
	});

	test('does for a row what an earlier row of the same link was to do, and could not', async () => {
		await account.has(dialect, { links: [link(1)], others: 10 });
		await account.sandbox.setFaults([{ kind: 'errorEnvelope', match: { method: 'PUT' }, times: 1 }]);
		const { items } = await account.upsert([row(1, { title: 'New' }), row(1, { title: 'New' })], {}, CONTINUE);
		expect(items[0].json.error).toBeDefined();
		expect(items[1].json).toMatchObject({ action: 'updated', title: 'New' });
	});

	test('does the rest for a row between whose earlier rows of the same link one has failed', async () => {
		await account.has(dialect, { links: [link(1)], others: 10 });
		await account.sandbox.setFaults([{ kind: 'errorEnvelope', match: { method: 'PUT' }, after: 1, times: 1 }]);
		const note = { description: 'A note' };
		const rows = [row(1, { title: 'New' }), row(1, note), row(1, { ...note, title: 'New' })];
		const { items } = await account.upsert(rows, {}, CONTINUE);
		expect(items.map(({ json }) => json.action)).toEqual(['updated', 'failed', 'updated']);
		expect(items[2].json).toMatchObject({ title: 'New', changes: { description: { to: 'A note' } } });
		expect((await account.sandbox.links()).find(({ alias }) => alias === 'row-1')).toMatchObject(note);
	});

	test('makes no link for a row where the earlier row of the same link could not', async () => {
		await account.has(dialect, { links: [], others: 10 });
		await account.sandbox.setFaults([{ kind: 'errorEnvelope', match: { method: 'POST' }, times: 1 }]);
		const { items } = await account.upsert([row(1), row(1, { title: 'New' }), row(2)], {}, CONTINUE);
		expect(items[0].json.error).toBeDefined();
		expect(items[1].json.error).toContain('The row targets the same link as row 1 of 3, which was not completed');
		expect(items[2].json.action).toBe('created');
		expect(await account.changes()).toHaveLength(2);
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

	test('takes what lists put out as it is', async () => {
		await account.has(dialect, { links: [{ ...link(1), description: 'A note' }, link(2)], others: 30 });
		const listed = await itemsOf({ resource: 'link', operation: 'getAll', returnAll: true }, account);
		expect(listed).toHaveLength(32);
		const { items, error } = await account.upsert(listed);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => [json.action, json.id])).toEqual(listed.map(({ id }) => ['unchanged', id]));
		expect(await account.changes()).toEqual([]);
	});
});

test('a link with another alias than was asked for is an error that shows the link', async () => {
	await account.has('field', { links: [link(1)] });
	const rows = [{ url: 'https://example.com/1', alias: 'mine' }];
	const [{ id, shorturl }] = await account.sandbox.links();
	const { items } = await account.work(createLink, rows, 'at once', CONTINUE);
	const error = expect.stringContaining('whose alias is not "mine"') as string;
	expect(items[0].json).toMatchObject({ id, shorturl, error });
	const returned = await account.work({ ...createLink, options: { ifAliasExists: 'returnExisting' } }, rows);
	expect(returned.items[0].json).toMatchObject({ id, alias: 'row-1', existing: true });
});
