/** What an update of a link leaves as it is, also at a service that resets what an update leaves out. */
import { NodeHelpers, type INodeProperties } from 'n8n-workflow';

import { DIALECTS } from '../sandbox';
import { actions, CONTINUE, openAccount, upsertOf, WAYS } from './account';
import { by, linkManagement } from './host';

const account = openAccount();

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	const states = { 'united states': { california: 'https://example.com/ca', texas: 'https://example.com/tx' } };

	test.each(WAYS)('targets by state are not lost to a new title, %s', async (way) => {
		for (const operation of ['upsert', 'update']) {
			await account.has(dialect, {
				links: [
					{ alias: 'by-state', longurl: 'https://example.com/1', location: states },
					{ alias: 'plain', longurl: 'https://example.com/2', location: { germany: 'https://example.com/de' } },
				],
				deviations: { linkUpdate: 'resets', shortLinksElsewhere: false },
			});
			const update = {
				resource: 'link',
				operation: 'update',
				linkId: by('shortUrl', `=${account.sandbox.url}/{{ $json.alias }}`),
				linkFields: { metatitle: '={{ $json.title }}' },
			};
			const rows = ['by-state', 'plain'].map((alias) => ({ alias, title: 'New title' }));
			const work = await account.work(operation === 'upsert' ? upsertOf() : update, rows, way, CONTINUE);
			const links = await account.links();
			expect(links['by-state'].location).toEqual(states);
			expect(String(work.items[0].json.error)).toMatch(/state/);
			expect(links.plain).toMatchObject({ title: 'New title', location: { germany: 'https://example.com/de' } });
		}
	});

	test.each(WAYS)('a row that names no target leaves those that are there, %s', async (way) => {
		const kept = {
			location: { germany: 'https://example.com/de', france: 'https://example.com/fr' },
			device: { iphone: 'https://example.com/ios' },
			expiry: '2031-01-01 00:00:00',
		};
		const links = [1, 2, 3].map((at) => ({ alias: `row-${at}`, longurl: `https://example.com/${at}`, ...kept }));
		await account.has(dialect, { links, deviations: { linkUpdate: 'resets' } });
		const rows = links.map(({ alias }) => ({ alias, description: 'New' }));
		expect(actions(await account.work(upsertOf(), rows, way))).toEqual(rows.map(() => 'updated'));
		for (const link of await account.sandbox.links()) expect(link).toMatchObject({ description: 'New', ...kept });
	});
});

test.each(['upsert', 'update'])(
	'what no service shows, and an update may so lose, is said beside the operation %s',
	(operation) => {
		const values = { resource: 'link', operation, columns: { mappingMode: 'autoMapInputData' } };
		const shown = linkManagement.description.properties.filter((property) =>
			NodeHelpers.displayParameter(values, property, null, linkManagement.description),
		);
		const texts: string[] = [];
		const collect = (property: Partial<INodeProperties>): void => {
			texts.push(String(property.displayName ?? ''), String(property.description ?? ''));
			for (const option of property.options ?? []) collect(option as Partial<INodeProperties>);
		};
		shown.filter(({ name }) => name !== 'operation' && name !== 'resource').forEach(collect);
		const choices = shown.find(({ name }) => name === 'operation')?.options as Array<{
			value: string;
			description: string;
		}>;
		texts.push(choices.find(({ value }) => value === operation)?.description ?? '');
		expect(
			texts.some((text) => /password/i.test(text) && /pixels/i.test(text) && /reset|lose|lost|gone/i.test(text)),
		).toBe(true);
	},
);
