/** What is done is a link: rows that once ended up on another one, or came to something else in another order or number. */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS } from '../sandbox';
import { actions, CONTINUE, openAccount, upsertOf } from './account';
import { by } from './host';

const account = openAccount();

const GO = 'https://go.example.com';
const shop = (path: string | number) => `https://shop.example.com/${path}`;
/** The short URL of an alias of the account. */
const shortOf = async (alias: string) => (await account.sandbox.links()).find((one) => one.alias === alias)!.shorturl;
const bodies = async () =>
	(await account.sandbox.requests()).filter(({ method }) => method !== 'GET').map(({ body }) => body as IDataObject);

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	test('Create: a service that gives a long URL the link it has drops no alias, and the rows behind go on', async () => {
		await account.has(dialect, {
			links: ['old', 'newer'].map((alias, at) => ({ alias, longurl: shop(1 + 10 * at) })),
			deviations: { knownLongUrl: 'returned' },
		});
		const creation = { resource: 'link', operation: 'create', url: '={{ $json.url }}' };
		const linkFields = { custom: '={{ $json.alias }}' };
		const parameters = { ...creation, linkFields };
		const rows = [1, 2, 3].map((at) => ({ url: shop(at), alias: `new-${at}` }));
		const { items } = await account.work(parameters, rows, 'at once', CONTINUE);
		expect(items[0].json.error).toContain('whose alias is not "new-1"');
		expect(Object.keys(await account.links())).toEqual(['old', 'newer', 'new-2', 'new-3']);
	});

	test('of rows that say different things of one link, the order does not decide which link another row means', async () => {
		const links = [
			{ alias: 'old', longurl: shop(1) },
			{ alias: 'Spring', longurl: shop(1), domain: GO },
		];
		await account.has(dialect, { links, domains: [GO] });
		const shorturl = await shortOf('old');
		const rows = [
			{ alias: 'Spring', url: shop(2) },
			{ shorturl, alias: 'Spring', url: shop(2) },
			{ shorturl, alias: 'r1', url: shop(3) },
		];
		for (const some of [rows, [...rows].reverse()]) {
			const { items } = await account.upsert(some, {}, CONTINUE);
			const said = items.map(({ json }) => String(json.error)).sort();
			expect(said[0]).toContain('belongs to more than one link');
			for (const error of said.slice(1)) expect(error).toContain('with different values');
		}
		expect(await account.changes()).toEqual([]);
	});

	test('a row with an alias that another row gives a link is refused with it, wherever a row stands with the old alias', async () => {
		await account.has(dialect, { links: [{ alias: 'old', longurl: shop(1) }] });
		const rows = [
			{ shorturl: await shortOf('old'), alias: 'new', url: shop(2) },
			{ alias: 'old', url: shop(3) },
			{ alias: 'new', url: shop(3) },
		];
		const isGivenTwice = /^The alias "new" is given to another link, too/;
		const errors = [isGivenTwice, /^The alias "old" belongs to .*, which gets another one from/, isGivenTwice];
		for (const order of ['012', '021', '102', '120', '201', '210'].map((places) => Array.from(places, Number))) {
			const { items } = await account.upsert(
				order.map((at) => rows[at]),
				{},
				CONTINUE,
			);
			for (const [place, at] of order.entries()) expect(items[place].json.error).toMatch(errors[at]);
		}
		expect(await account.changes()).toEqual([]);
	});

	test('of two rows with an alias that another row gives a link, the one that leads there means it, wherever it stands', async () => {
		const rows = async () => [
			{ shorturl: await shortOf('old'), alias: 'new', url: shop(2) },
			{ alias: 'new', url: shop(2) },
			{ alias: 'new', url: shop(3) },
		];
		for (const order of [
			[0, 1, 2],
			[2, 1, 0],
		]) {
			await account.has(dialect, {
				links: [
					{ alias: 'old', longurl: shop(1), domain: GO },
					{ alias: 'other', longurl: shop(9) },
				],
				domains: [GO],
				deviations: { aliasUnique: 'domain', knownLongUrl: 'new', shortLinksElsewhere: false },
			});
			const sheet = await rows();
			const done = actions(await account.upsert(order.map((at) => sheet[at])));
			expect(done.filter((action) => action === 'created')).toHaveLength(1);
			expect(done[order.indexOf(2)]).toBe('created');
			const links = await account.links();
			expect([links[account.short('new', GO)].longurl, links.new.longurl]).toEqual([shop(2), shop(3)]);
		}
	});

	test('a link without an alias of its own that somebody deletes, or moves, is made again', async () => {
		await account.has(dialect, { others: 5, deviations: { knownLongUrl: 'new' } });
		const rows = [{ url: shop('made'), alias: '' }];
		const made = async () => {
			const { items } = await account.upsert(rows);
			expect(items[0].json.action).toBe('created');
			return Number(items[0].json.id);
		};
		await account.sandbox.deleteRecords({ links: [await made()] });
		const id = await made();
		const linkId = by('id', id);
		const linkFields = { url: shop('moved') };
		await account.work({ resource: 'link', operation: 'update', linkId, linkFields }, [{}]);
		expect(await made()).not.toBe(id);
	});

	test('a link that another row moves meanwhile is not taken for a new one whose creation nobody confirms', async () => {
		const links = [{ alias: 'spring', longurl: shop(1) }];
		const deviations = { aliasDropped: true, aliasKept: 'lowered', knownLongUrl: 'new', createReply: 'bare' } as const;
		await account.has(dialect, { links, deviations });
		const rows = [
			{ shorturl: await shortOf('spring'), url: shop(2), title: 'Old' },
			{ alias: 'Spring', url: shop(2), title: 'New' },
		];
		const { items } = await account.work(upsertOf(), rows, 'at once', CONTINUE);
		expect(items[0].json.action).toBe('updated');
		expect(items[1].json.error).toContain('may have been created anyway');
	});

	test('what a failed row says is sent with no other row', async () => {
		const links = [{ alias: 'old', longurl: shop(1) }];
		await account.has(dialect, { links, deviations: { knownLongUrl: 'returned' } });
		const rows = [
			{ alias: 'mine', url: shop(1), password: 'of-mine' },
			{ alias: 'old', title: 'New' },
		];
		const [first, second] = (await account.upsert(rows, {}, CONTINUE)).items;
		expect(first.json.error).toContain('whose alias is not "mine"');
		expect(second.json.action).toBe('updated');
		expect((await bodies()).filter(({ password }) => password === 'of-mine')).toHaveLength(1);
		expect((await account.links()).old.unseen.password).toBeUndefined();
	});

	test('each round of a loop sees what others have done', async () => {
		const links = Array.from({ length: 30 }, (_, at) => ({ alias: `row-${at}`, longurl: shop(at) }));
		await account.has(dialect, { links, others: 200, deviations: { knownLongUrl: 'new' } });
		const rows = Array.from({ length: 36 }, (_, at) => ({ alias: `row-${at}`, url: shop(at) }));
		const others = async (round: number) => {
			if (round !== 1) return;
			await account.sandbox.deleteRecords({ links: [await account.idOf('row-20')] });
			await account.sandbox.createRecords({ links: [{ alias: 'row-30', longurl: shop(30) }] });
		};
		const work = await account.loop(upsertOf(), rows, {}, others, 12);
		expect(actions(work)).toEqual(rows.map((_, at) => (at === 20 || at > 30 ? 'created' : 'unchanged')));
		expect(await account.sandbox.links()).toHaveLength(236);
	});

	test('rows of one link are one update and one deletion, however they name it', async () => {
		await account.has(dialect, { links: [{ alias: 'a', longurl: shop(1) }], others: 5 });
		const id = await account.idOf('a');
		const rows = [{ title: 'New' }, { description: 'A note' }, { title: 'New' }];
		const update = {
			resource: 'link',
			operation: 'update',
			linkId: by('alias', 'a'),
			linkFields: { metatitle: '={{ $json.title }}', description: '={{ $json.description }}' },
		};
		const { items } = await account.work(update, rows);
		expect(items.map(({ json }) => Object.keys(json.changes as IDataObject))).toEqual([
			['title', 'description'],
			[],
			[],
		]);
		expect(await account.changes()).toEqual([`PUT /api/url/${id}/update`]);
		const wrong = await account.work(update, [{ title: 'One' }, { title: 'Two' }], 'at once', CONTINUE);
		for (const { json } of wrong.items) expect(json.error).toContain('with different values: Meta Title');
		const remove = { resource: 'link', operation: 'delete', linkId: by('alias', 'a') };
		const gone = await account.work(remove, [{}, {}]);
		expect(gone.items.map(({ json }) => json)).toMatchObject([
			{ deleted: true, id, alias: 'a' },
			{ deleted: true, id, alias: 'a' },
		]);
		expect(await account.changes()).toEqual([`PUT /api/url/${id}/update`, `DELETE /api/url/${id}/delete`]);
	});

	test('rows of one link say the same, where they mean the same: secrets, IDs, targets, spellings of a domain, and empty cells', async () => {
		const links = [{ alias: 'a', longurl: shop(1), domain: GO, description: 'Old' }];
		await account.has(dialect, { links, domains: [GO], deviations: { missing: 'lists' } });
		const link = { alias: 'a', domain: GO, url: shop(1) };
		const says = { password: 'hush', pixels: '7, 8', description: '', target: shop('de') };
		const linkFields = { geotarget: { values: [{ location: 'Germany', link: '={{ $json.target }}' }] } };
		const sheet = upsertOf({ emptyCells: 'clear' }, linkFields);
		const same = [
			{ ...link, ...says },
			{ ...link, ...says, domain: 'https://GO.example.com/', pixels: '7,8' },
		];
		for (const [name, other] of Object.entries({
			Password: { password: 'other' },
			'Pixel Names or IDs': { pixels: '7' },
			Description: { description: 'New' },
			'Geo Targeting': { target: shop('at') },
		})) {
			const { items } = await account.work(sheet, [same[0], { ...same[1], ...other }], 'at once', CONTINUE);
			for (const { json } of items) expect(json.error).toMatch(new RegExp(`with different values: ${name}\\. `));
		}
		expect(await account.changes()).toEqual([]);
	});

	test('an account without links is read once, and nothing is looked up', async () => {
		await account.has(dialect, { domains: [GO] });
		const rows = Array.from({ length: 8 }, (_, at) => ({ alias: `row-${at}`, url: shop(at) }));
		expect(actions(await account.upsert(rows))).toEqual(rows.map(() => 'created'));
		// An empty list is asked for again.
		expect((await account.sandbox.requests()).filter(({ method }) => method === 'GET')).toHaveLength(2);
	});

	test.each(['shorturl', 'full'] as const)(
		'of two new links whose aliases differ in case alone, the second changes nothing of the first, where answers hold %s',
		async (createReply) => {
			await account.has(dialect, { deviations: { aliasKept: 'lowered', createReply, knownLongUrl: 'new' } });
			const rows = [
				{ alias: 'Spring', long_url: shop(1) },
				{ alias: 'spring', long_url: shop(2), title: 'Two' },
			];
			const { items } = await account.upsert(rows, {}, CONTINUE);
			expect(items.map(({ json }) => json.action)).toEqual(['failed', 'failed']);
			expect(items[0].json.error).toMatch(/\/spring.*whose alias is not "Spring"/);
			expect((await account.links()).spring).toMatchObject({ longurl: shop(1) });
			expect((await account.changes()).filter((change) => /PUT/.test(JSON.stringify(change)))).toEqual([]);
		},
	);

	test('Link: Update finds all links before it changes the first, and a refusal names all rows of its link', async () => {
		const links = Array.from({ length: 12 }, (_, at) => ({ alias: `a${at}`, longurl: shop(at) }));
		await account.has(dialect, { links, others: 5 });
		const linkFields = { description: '={{ $json.note }}', metatitle: '={{ $json.title }}' };
		const update = { resource: 'link', operation: 'update', linkId: by('shortUrl', '={{ $json.link }}'), linkFields };
		const own = await shortOf('a0');
		for (const count of [3, 12]) {
			const rows = Array.from({ length: count }, (_, at) => ({ link: own.replace(/a0$/, `a${at}`), note: 'New' }));
			const { error } = await account.work(update, [...rows, { link: own.replace(/a0$/, 'gone'), note: 'New' }]);
			expect(error?.message).toContain('There is no short link with the short URL');
			expect(await account.changes()).toEqual([]);
		}
		await account.sandbox.setFaults([{ kind: 'errorEnvelope', match: { method: 'PUT' } }]);
		const rows = [
			{ link: own, note: 'New' },
			{ link: own, title: 'New' },
		];
		const { items } = await account.work(update, rows, 'at once', CONTINUE);
		await account.sandbox.clearFaults();
		for (const { json } of items) expect(json.error).toContain('It is about row 1 of 2, row 2 of 2');
	});
});
