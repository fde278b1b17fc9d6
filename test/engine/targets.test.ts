/** Addresses for visitors from some countries: how they are given, and what a sheet with them costs. */
import type { IDataObject } from 'n8n-workflow';

import { actions, openAccount, upsertOf } from './account';
import { by, itemsOf } from './host';
import { createLink, rowsOf } from './service';

const account = openAccount();

/** Two addresses: for several countries, and for one. */
const targets = (location: unknown): IDataObject => ({
	geotarget: {
		values: [
			{ location, link: '={{ $json.visitors }}' },
			{ location: 'Japan', link: '={{ $json.japan }}' },
		],
	} as IDataObject,
});

const visitors = 'https://example.com/visitors';
const japan = 'https://example.com/japan';
const asRow = { alias: 'own', url: 'https://example.com/own' };

describe('in the dialect of the field', () => {
	const dialect = 'field';

	const operations: Array<[string, (linkFields: IDataObject) => IDataObject]> = [
		['create', (linkFields) => ({ ...createLink, linkFields: { ...createLink.linkFields, ...linkFields } })],
		['update', (linkFields) => ({ resource: 'link', operation: 'update', linkId: by('alias', 'own'), linkFields })],
		['upsert', (linkFields) => upsertOf({}, linkFields)],
	];

	test.each(operations)('%s takes several countries for one address', async (operation, parametersOf) => {
		const germanyAndKorea = ['Germany', 'Korea, Republic of'];
		// In text commas separate; a list holds each name whole.
		for (const [location, korea] of [
			[germanyAndKorea, { 'korea, republic of': visitors }],
			[`={{ ${JSON.stringify(germanyAndKorea)} }}`, { 'korea, republic of': visitors }],
			['Germany, South Korea ,', { 'south korea': visitors }],
		] as const) {
			await account.has(dialect, { links: operation === 'create' ? [] : [{ alias: 'own', longurl: asRow.url }] });
			const rows = [{ ...asRow, visitors, japan: '' }];
			await itemsOf(parametersOf(targets(location as string)), { credential: account.credential, rows });
			const [{ location: there }] = await account.sandbox.links();
			expect(there).toEqual({ germany: visitors, ...korea });
		}
	});

	test.each(operations.slice(1))(
		'%s that would lose targets by state is refused, and nothing is sent',
		async (_operation, parametersOf) => {
			await account.has(dialect, { links: [{ alias: 'own', longurl: asRow.url }] });
			const [{ id, shorturl }] = await account.sandbox.links();
			const location = { 'united states': { all: visitors, california: japan } };
			const text = JSON.stringify({ error: 0, id, details: { id, shorturl, longurl: asRow.url, location } });
			await account.sandbox.setFaults([{ kind: 'answer', text, match: { path: '^/api/url/\\d+$' } }]);
			const rows = [{ ...asRow, visitors, japan: '' }];
			const { error } = await account.work(
				parametersOf({ languagetarget: { values: [{ language: 'German', link: visitors }] } }),
				rows,
			);
			expect(error?.message).toMatch(/^The link has targets by state \("united states"\), which an update may lose/);
			expect(await account.changes()).toEqual([]);
			const { error: none } = await account.work(parametersOf(targets('Germany')), rows);
			expect(none).toBeUndefined();
			expect(await account.changes()).toHaveLength(1);
		},
	);

	test.each([
		[10, 60_000],
		[11, 120_000],
	])('a creation with addresses for %d countries may take %d ms', async (count, milliseconds) => {
		await account.has(dialect);
		const limit = jest.spyOn(AbortSignal, 'timeout');
		const location = [...Array(count).keys()].map((at) => `Country ${at}`);
		const linkFields = { custom: 'own', geotarget: { values: [{ location, link: visitors }] } };
		const { error } = await account.work({ ...createLink, linkFields }, [asRow]);
		expect(error).toBeUndefined();
		expect(limit).toHaveBeenCalledWith(milliseconds);
		limit.mockRestore();
		const [{ location: there }] = await account.sandbox.links();
		expect(Object.keys(there as IDataObject)).toHaveLength(count);
	});

	test('a sheet reads the links of rows that name an address, and updates those that differ', async () => {
		const device = { iphone: 'https://example.com/ios' };
		const asTheySay: Record<string, string> = { germany: visitors, france: visitors, japan };
		await account.has(dialect, {
			links: rowsOf(6).map(({ alias, url: longurl }, at) => ({
				alias,
				longurl,
				location: at === 0 ? { spain: visitors } : asTheySay,
				device,
			})),
			deviations: { linkUpdate: 'resets' },
		});
		const rows = rowsOf(6).map((row, at) => (at < 3 ? { ...row, visitors, japan } : row));
		const sheet = upsertOf({}, targets(['GERMANY', 'france']));
		const first = await account.work(sheet, rows);
		expect(first.error).toBeUndefined();
		expect(actions(first)).toEqual(['updated', ...Array<string>(5).fill('unchanged')]);
		expect(first.items[0].json.changes).toEqual({
			location: { from: { spain: { all: visitors } }, to: asTheySay },
		});
		expect(await account.changes()).toHaveLength(1);
		expect((await account.sandbox.requests()).filter(({ path }) => /^\/api\/url\/\d+$/.test(path))).toHaveLength(3);
		for (const link of await account.sandbox.links()) {
			expect(link).toMatchObject({ location: asTheySay, device });
		}
		await account.sandbox.clearRequests();
		expect(actions(await account.work(sheet, rows))).toEqual(Array<string>(6).fill('unchanged'));
		expect(await account.changes()).toEqual([]);
		expect((await account.sandbox.requests()).length).toBe(1 + 3);
	});
});
