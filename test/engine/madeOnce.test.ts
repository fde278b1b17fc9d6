/** Each row's link is made once: whatever the service drops, answers or loses, however often the node is tried or run. */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS, type Behaviour } from '../sandbox';
import { Account, actions, CONTINUE, openAccount, TRIES, upsertOf, WAYS } from './account';
import { quickTime } from './clock';
import { by } from './host';
import { createLink, rowsOf } from './service';

quickTime(5);

const account = openAccount();

const GO = 'https://go.example.com';
const POST = { method: 'POST', path: '^/api/url/add' };

const createBy = (options: IDataObject = {}): IDataObject => ({
	...createLink,
	linkFields: { ...createLink.linkFields, domain: '={{ $json.domain }}', metatitle: '={{ $json.title }}' },
	options,
});

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	describe.each<[string, Partial<Behaviour>, IDataObject]>([
		['aliases', { aliasDropped: true }, {}],
		['domains', { domainDropped: true }, { domain: GO, alias: '' }],
	])('at a service that drops %s', (_what, dropped, more) => {
		const deviations = { ...dropped, knownLongUrl: 'new' as const };

		test.each([
			['Create', 1, createBy()],
			['Create', 3, createBy()],
			['Create or Update', 1, upsertOf()],
			['Create or Update', 3, upsertOf()],
		])('three tries of %s over %d rows make each link once', async (_name, count, parameters) => {
			for (const node of [TRIES, { ...TRIES, ...CONTINUE }]) {
				await account.has(dialect, { deviations, domains: [GO] });
				const { items, error } = await account.work(parameters, rowsOf(count, more), 'at once', node);
				const failures = [error?.message, ...items.map(({ json }) => json.error)].filter((said) => said !== undefined);
				expect(String(failures[0])).toMatch(/The service gave the link/);
				const made = (await account.sandbox.links()).map(({ longurl }) => longurl);
				expect(made).toHaveLength(new Set(made).size);
				if (node.onError !== undefined) expect(made).toHaveLength(count);
			}
		});

		test('lost answers make no second link', async () => {
			await account.has(dialect, { deviations, domains: [GO] });
			await account.sandbox.setFaults([{ kind: 'dropAfter', match: POST }]);
			await account.upsert(rowsOf(2, more), {}, CONTINUE);
			await account.sandbox.clearFaults();
			const made = (await account.sandbox.links()).map(({ longurl }) => longurl).sort();
			expect(made).toEqual(['https://example.com/0', 'https://example.com/1']);
		});

		test.each(WAYS)('three nights make each link once, %s', async (way) => {
			await account.has(dialect, { deviations, domains: [GO] });
			for (let night = 0; night < 3; night++) {
				const work = await account.upsert(rowsOf(3, more), {}, CONTINUE, way);
				expect(actions(work)).toEqual(Array(3).fill(expect.stringMatching(/^error: /)));
				expect(await account.sandbox.links()).toHaveLength(3);
			}
		});
	});

	test.each(WAYS)('rows of one address and no alias make one link where the service tells no ID, %s', async (way) => {
		const rows = Array(3).fill({ url: 'https://example.com/one' }) as IDataObject[];
		await account.has(dialect, { deviations: { createReply: 'shorturl', knownLongUrl: 'new' } });
		const planned = await account.upsert(rows, { dryRun: true });
		const done = await account.upsert(rows, {}, {}, way);
		expect(done.error).toBeUndefined();
		expect(actions(planned)).toEqual(['created', 'unchanged', 'unchanged']);
		expect(actions(done)).toEqual(['created', 'unchanged', 'unchanged']);
		expect(await account.sandbox.links()).toHaveLength(1);
	});

	test('a link whose creation got no answer is found below those that the run has made since', async () => {
		const links = ['a', 'b', 'c'].map((alias) => ({ alias, longurl: `https://example.com/${alias}` }));
		await account.has(dialect, { links, deviations: { pageCap: 3 } });
		await account.sandbox.setFaults([{ kind: 'dropAfter', match: POST, times: 1 }]);
		const rows = ['0', ...Array.from({ length: 12 }, (_, at) => String(at + 1)), '0'];
		const urls = rows.map((at) => ({ url: `https://example.com/new/${at}` }));
		const work = await account.upsert(urls, {}, CONTINUE);
		await account.sandbox.clearFaults();
		expect(work.items).toHaveLength(rows.length);
		const made = (await account.sandbox.links()).map(({ longurl }) => longurl).filter((url) => url.includes('/new/'));
		expect(made).toHaveLength(13);
		expect(new Set(made).size).toBe(13);
	});

	test.each([1, 2, 40])(
		'Return Existing Link finds an alias that a thousand others contain: %d rows',
		async (count) => {
			const rows = Array.from({ length: 1_000 }, (_, at) => ({
				alias: `r${at + 1}`,
				url: `https://example.com/${at + 1}`,
			}));
			const links = rows.map(({ alias, url: longurl }) => ({ alias, longurl }));
			await account.has(dialect, {
				links,
				deviations: { shortLinksElsewhere: true, knownLongUrl: 'new', pageCap: 100 },
			});
			const { items, error } = await account.work(createBy({ ifAliasExists: 'returnExisting' }), rows.slice(0, count));
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => [json.alias, json.existing])).toEqual(
				links.slice(0, count).map(({ alias }) => [alias, true]),
			);
			expect(await account.sandbox.links()).toHaveLength(1_000);
			// The pages of the list, and little else.
			expect((await account.sandbox.requests()).length).toBeLessThanOrEqual(20);
		},
	);

	test.each(WAYS)('Return Existing Link by long URL takes what an earlier row has made, %s', async (way) => {
		await account.has(dialect, {
			domains: [GO],
			links: [{ alias: 'old', longurl: 'https://example.com/old' }],
			deviations: { knownLongUrl: 'new' },
		});
		const rows = [
			{ url: 'https://example.com/new', alias: 'first' },
			{ url: 'https://EXAMPLE.com/new', alias: 'second' },
			{ url: 'https://example.com/old' },
			{ url: 'https://example.com/new', domain: GO },
			{ url: 'https://example.com/new' },
		];
		const { items, error } = await account.work(createBy({ ifLongUrlExists: 'returnExisting' }), rows, way);
		expect(error).toBeUndefined();
		const onGo = expect.not.stringMatching(/^(first|old)$/) as string;
		expect(items.map(({ json }) => [json.alias, json.existing])).toEqual([
			['first', undefined],
			['first', true],
			['old', true],
			[onGo, undefined],
			['first', true],
		]);
		expect(await account.sandbox.links()).toHaveLength(3);
	});

	test.each(WAYS)(
		'Let the Service Choose Another makes a link of another alias, once, and leaves the one that has it, %s',
		async (way) => {
			const taken = { alias: 'row-0', longurl: 'https://example.com/taken', description: 'A note' };
			await account.has(dialect, { links: [taken], deviations: { knownLongUrl: 'new' } });
			const { items, error } = await account.work(createBy({ ifAliasExists: 'another' }), rowsOf(3), way);
			expect(error).toBeUndefined();
			const made = (await account.sandbox.links()).filter(({ alias }) => alias !== 'row-0');
			expect(made.map(({ longurl }) => longurl).sort()).toEqual(rowsOf(3).map(({ url }) => url));
			expect(items.map(({ json }) => json.longurl)).toEqual(rowsOf(3).map(({ url }) => url));
			expect(items.map(({ json }) => json.alias)).toEqual([
				made.find(({ longurl }) => longurl === rowsOf(1)[0].url)!.alias,
				'row-1',
				'row-2',
			]);
			expect((await account.links())['row-0']).toMatchObject(taken);
		},
	);

	test('a row makes its link itself where the earlier one with its long URL has failed', async () => {
		await account.has(dialect, { links: [{ alias: 'taken', longurl: 'https://example.com/old' }] });
		const rows = ['taken', 'free', 'later'].map((alias) => ({ url: 'https://example.com/new', alias }));
		const { items } = await account.work(createBy({ ifLongUrlExists: 'returnExisting' }), rows, 'at once', CONTINUE);
		expect(items.map(({ json }) => json.error ?? [json.alias, json.existing])).toEqual([
			expect.any(String),
			['free', undefined],
			['free', true],
		]);
	});

	test.each([
		['Create', 1],
		['Create', 2],
		['Create or Update', 2],
	])(
		"a creation whose answer is lost takes no colleague's link on another domain for its own: %s, %d rows",
		async (name, count) => {
			await account.has(dialect, { domains: [GO], links: [{ alias: 'old', longurl: 'https://example.com/old' }] });
			const theirs = { alias: 'row-0', longurl: 'https://example.com/0', title: 'Theirs', domain: GO };
			const rows = rowsOf(count, { title: 'Mine' });
			await account.sandbox.setFaults([{ kind: 'status', status: 502, body: 'html', match: POST, times: 1 }]);
			if (name === 'Create') await account.sandbox.createRecords({ links: [theirs] });
			else await account.sandbox.setPageHooks([{ collection: 'urls', afterPage: 1, create: { links: [theirs] } }]);
			const parameters = name === 'Create' ? createBy() : upsertOf();
			const { items } = await account.work(parameters, rows, 'at once', CONTINUE);
			await account.sandbox.clearFaults();
			const links = await account.sandbox.links();
			// A row of Create or Update that names no domain means the link with its alias, wherever that stands.
			if (name === 'Create') expect(links.find(({ domain }) => domain === GO)).toMatchObject(theirs);
			const { id, error } = items[0].json;
			if (error === undefined)
				expect(links.find((link) => link.id === id)).toMatchObject({ alias: 'row-0', title: 'Mine' });
			else expect(id).toBeUndefined();
		},
	);

	describe('a look-up that the service fails is no "not there"', () => {
		const failing = (match: { path: string; method?: string }, more = {}) => ({
			kind: 'status' as const,
			status: 500,
			body: 'envelope' as const,
			match: { method: 'GET', ...match },
			...more,
		});

		test('Create or Update by long URL makes no second link, with 1, 2 and 12 rows', async () => {
			const withRows = async (count: number) => {
				const one = new Account();
				await one.open();
				const rows = rowsOf(count).map(({ url }) => ({ url, description: 'New' }));
				await one.has(dialect, {
					links: rowsOf(count).map(({ alias, url: longurl }) => ({ alias, longurl })),
					deviations: { knownLongUrl: 'new' },
				});
				await one.sandbox.setFaults([failing({ path: '^/api/url/' }), failing({ path: '^/api/urls' }, { after: 1 })]);
				const work = await one.upsert(rows, {}, CONTINUE);
				expect(actions(work)).toEqual(rows.map(() => expect.stringMatching(/^error: /)));
				expect((await one.sandbox.stats()).created.links).toBe(0);
				await one.close();
			};
			// At once, for each waits for tries that fail.
			await Promise.all([1, 2, 12].map(withRows));
		});

		test('a deletion whose answer was lost is not taken for done', async () => {
			await account.has(dialect, { links: [{ alias: 'kept', longurl: 'https://example.com/kept' }] });
			const id = String(await account.idOf('kept'));
			await account.sandbox.setFaults([
				{ kind: 'status', status: 502, body: 'html', match: { method: 'DELETE' } },
				failing({ path: '^/api/url' }),
			]);
			const remove = { resource: 'link', operation: 'delete', linkId: by('id', id) };
			const { items } = await account.work(remove, [{}], 'at once', CONTINUE);
			await account.sandbox.clearFaults();
			expect(items[0].json.deleted).toBeUndefined();
			expect(String(items[0].json.error)).not.toBe('undefined');
			expect(await account.sandbox.links()).toHaveLength(1);
		});
	});
});
