/** Nodes of one execution: what one of them changes, the others know. */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS } from '../sandbox';
import { actions, CONTINUE, openAccount, upsertOf } from './account';
import { by } from './host';

const account = openAccount();

const linkId = by('shortUrl', '={{ $json.short }}');
const update = (linkFields: IDataObject) => ({ resource: 'link', operation: 'update', linkId, linkFields });
const remove = { resource: 'link', operation: 'delete', linkId };

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	describe.each([1, 3, 40])('a sheet of %d rows', (count) => {
		const rows = Array.from({ length: count }, (_, at) => ({ alias: `row-${at}`, url: `https://example.com/${at}` }));
		const short = (at: number, prefix = 'row') => [{ short: account.short(`${prefix}-${at}`) }];
		/** The newest link is seen whenever the list is looked at; this one stands on its last page. */
		const oldest = 0;
		const deviations = { shortLinksElsewhere: false, pageCap: 10, knownLongUrl: 'new' as const };

		test('what Update has changed is updated back by Create or Update', async () => {
			await account.has(dialect, { others: 5, deviations });
			const works = await account.inOneExecution([
				{ parameters: upsertOf(), rows },
				{ parameters: update({ url: 'https://example.com/elsewhere' }), rows: short(oldest) },
				{ parameters: upsertOf(), rows },
			]);
			expect(works.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
			expect(actions(works[0])).toEqual(rows.map(() => 'created'));
			expect(actions(works[2])).toEqual(rows.map((_, at) => (at === oldest ? 'updated' : 'unchanged')));
			expect((await account.links())[`row-${oldest}`].longurl).toBe(`https://example.com/${oldest}`);
		});

		test('what Update has renamed is not found under its old name, and is under its new one', async () => {
			await account.has(dialect, { others: 5, deviations });
			const works = await account.inOneExecution([
				{ parameters: upsertOf(), rows },
				{ parameters: update({ custom: `new-${oldest}` }), rows: short(oldest) },
				{ parameters: remove, rows: short(oldest), node: CONTINUE },
				{ parameters: upsertOf(), rows: [{ alias: `new-${oldest}`, url: rows[oldest].url }] },
			]);
			expect(String(works[2].items[0].json.error)).toContain('There is no short link');
			expect(actions(works[3])).toEqual(['unchanged']);
			expect((await account.links())[`new-${oldest}`]).toBeDefined();
			expect(await account.sandbox.links()).toHaveLength(count + 5);
		});

		test('what Delete has taken away is made again, and what Create has made is there', async () => {
			await account.has(dialect, { others: 5, deviations });
			const create = { resource: 'link', operation: 'create', url: 'https://example.com/made' };
			const works = await account.inOneExecution([
				{ parameters: upsertOf(), rows },
				{ parameters: remove, rows: short(oldest) },
				{ parameters: { ...create, linkFields: { custom: 'made' } } },
				{ parameters: upsertOf(), rows: [...rows, { alias: 'made', url: 'https://example.com/made' }] },
			]);
			expect(actions(works[3])).toEqual([
				...rows.map((_, at) => (at === oldest ? 'created' : 'unchanged')),
				'unchanged',
			]);
			expect(await account.sandbox.links()).toHaveLength(count + 6);
		});
	});
});
