/** How a model names records, what deletions show it, what repeats do, and the small lists that it gets. */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS } from '../sandbox';
import { agentWith, answersTo } from './agent';
import { by } from './host';
import { begin, credential, openService, sandbox } from './service';

openService();

const given = (name: string) => `={{ $fromAI('${name}', '', 'string', '') }}`;
const number = (name: string, usual: number) => `={{ $fromAI('${name}', '', 'number', ${usual}) }}`;

const named = (resource: string, operation: string, field: string, more: IDataObject = {}) => ({
	resource,
	operation,
	[field]: by('id', given('record')),
	...more,
});

const TOOLS: Record<string, IDataObject> = {
	create: {
		resource: 'link',
		operation: 'create',
		url: given('url'),
		linkFields: { custom: given('alias'), description: given('description') },
	},
	upsert: { resource: 'link', operation: 'upsert' },
	get: named('link', 'get', 'linkId'),
	update: named('link', 'update', 'linkId', { linkFields: { url: given('url') } }),
	describe: named('link', 'update', 'linkId', {
		linkFields: { description: given('description'), custom: given('alias') },
	}),
	remove: named('link', 'delete', 'linkId'),
	find: {
		resource: 'link',
		operation: 'getAll',
		limit: number('limit', 50),
		page: number('page', 1),
		filters: { q: given('q') },
	},
	codes: { resource: 'qrCode', operation: 'getAll' },
	campaigns: { resource: 'campaign', operation: 'getAll' },
	removeCode: named('qrCode', 'delete', 'qrCodeId'),
	removePixel: named('pixel', 'delete', 'pixelId'),
	removeDomain: named('domain', 'delete', 'domainId'),
	renameCampaign: named('campaign', 'update', 'campaignId', { name: given('title') }),
	removeCampaign: named('campaign', 'delete', 'campaignId'),
	removeChannel: named('channel', 'delete', 'channelId'),
};

/** What a model got for a call: the one item, or the error. */
async function call(tool: string, input: IDataObject = {}): Promise<IDataObject> {
	const service = credential();
	const { answers } = await answersTo(agentWith(service, TOOLS, [[tool, input]], {}), service);
	const [{ answer, failure }] = answers;
	if (answer === undefined) return { error: failure };
	const items = JSON.parse(String(answer)) as IDataObject[];
	expect(items).toHaveLength(1);
	return items[0];
}

const linkTo = async (longurl: string) => (await sandbox.links()).filter((link) => link.longurl === longurl);

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	beforeEach(async () => await begin({ dialect, records: { links: 3, qrs: 2, domains: 0 } }));

	const page = (name: string) => `https://example.com/${name}`;

	/** A link with these fields, and its address. */
	async function link(alias: string, more: IDataObject = {}) {
		const { links } = await sandbox.createRecords({ links: [{ alias, longurl: page(alias), domain: '', ...more }] });
		return links[0];
	}

	test('a creation that is repeated gives the link that is there', async () => {
		const first = await call('create', { url: page('once'), alias: 'once' });
		const again = await call('create', { url: page('once'), alias: 'once', description: 'Later' });
		expect(again).toMatchObject({ id: first.id, shorturl: first.shorturl });
		// Some services answer as if it were new.
		if (dialect === 'document') expect(again.existing).toBe(true);
		const { error } = await call('create', { url: page('other'), alias: 'once' });
		expect(error).toContain(`The alias "once" belongs to a link with another long URL: "${page('once')}"`);
		expect(await linkTo(page('other'))).toEqual([]);
	});

	test('a link is named by its ID, alias, short URL or long URL', async () => {
		const made = await link('spring');
		const { host } = new URL(made.shorturl);
		for (const record of [String(made.id), 'spring', made.shorturl, `${host}/spring`, page('spring')])
			expect(await call('get', { record })).toMatchObject({ id: made.id });
		const root = await link('root', { longurl: 'https://shop.example.com' });
		for (const record of ['https://shop.example.com', 'shop.example.com/'])
			expect(await call('get', { record })).toMatchObject({ id: root.id });
		expect((await call('get', { record: page('nowhere') })).error).toContain('There is no short link with the');
		expect((await call('get', { record: 'nowhere' })).error).toContain(
			'There is no short link with the alias "nowhere"',
		);
	});

	test('a link on a branded domain is found by its short URL without reading the list', async () => {
		await begin({ dialect, records: { links: 200, domains: 1 } });
		const [{ domain }] = await sandbox.records('domains');
		const made = await link('summer', { domain });
		await sandbox.clearRequests();
		expect(await call('get', { record: made.shorturl })).toMatchObject({ id: made.id });
		expect(await sandbox.requests()).toHaveLength(2);
	});

	test('a number that is the ID of one link and the alias of another deletes neither', async () => {
		const one = await link('one');
		const other = await link(String(one.id));
		const { error } = await call('remove', { record: String(one.id) });
		expect(error).toContain(one.shorturl);
		expect(error).toContain(other.shorturl);
		expect(await sandbox.links()).toHaveLength(5);
		const free = await link('4711999');
		expect(await call('remove', { record: '4711999' })).toMatchObject({ deleted: true, id: free.id });
	});

	test.each(['ID', 'alias', 'short URL', 'long URL'])('a deletion by %s shows what went', async (how) => {
		const made = await link('gone', { clicks: 7 });
		const { id, alias, shorturl, longurl } = made;
		const record = { ID: String(id), alias, 'short URL': shorturl, 'long URL': longurl }[how];
		expect(await call('remove', { record })).toMatchObject({ deleted: true, id, alias, shorturl, longurl, clicks: 7 });
		expect((await call('remove', { record })).error).toContain('There is no short link with the');
	});

	test('a deletion that is repeated does not take the address for the long URL of another link', async () => {
		const { shorturl } = await link('gone');
		const other = await link('behind', { longurl: shorturl });
		expect(await call('remove', { record: shorturl })).toMatchObject({ deleted: true, alias: 'gone' });
		expect((await call('remove', { record: shorturl })).error).toContain('There is no short link with the short URL');
		expect((await sandbox.links()).map(({ id }) => id)).toContain(other.id);
	});

	test.each([
		['removeCode', 'qrs'],
		['removePixel', 'pixels'],
		['removeCampaign', 'campaigns'],
		['removeChannel', 'channels'],
	] as const)('%s takes an ID or a name, and shows the name', async (tool, collection) => {
		await sandbox.createRecords({ [collection]: [{ name: 'Blue one' }, { name: 'Red one' }] });
		const all = async () => (await sandbox.records(collection)) as Array<{ id: number; name: string }>;
		const [blue, red] = ['Blue one', 'Red one'].map((name) =>
			all().then((list) => list.find((one) => one.name === name)!),
		);
		const { id } = await red;
		expect(await call(tool, { record: String((await blue).id) })).toMatchObject({ deleted: true, name: 'Blue one' });
		expect(await call(tool, { record: 'red one' })).toMatchObject({ deleted: true, id, name: 'Red one' });
		expect((await all()).filter(({ name }) => name.endsWith(' one'))).toEqual([]);
		expect((await call(tool, { record: 'Green one' })).error).toMatch(/There is no .+ named "Green one"/);
	});

	test('a domain is named by its host', async () => {
		await sandbox.createRecords({ domains: [{ domain: 'https://go.example.com' }] });
		const { deleted, name } = await call('removeDomain', { record: 'go.example.com' });
		expect([deleted, name]).toEqual([true, 'https://go.example.com']);
	});

	test('a number that is the ID of one campaign and the name of another deletes neither', async () => {
		const { campaigns } = await sandbox.createRecords({ campaigns: [{ name: 'Spring' }] });
		await sandbox.createRecords({ campaigns: [{ name: String(campaigns[0].id) }] });
		const before = await sandbox.records('campaigns');
		const { error } = await call('removeCampaign', { record: String(campaigns[0].id) });
		expect(error).toContain('is the ID of one campaign, and the name of another');
		expect(await sandbox.records('campaigns')).toEqual(before);
	});

	test('an empty text is an argument left out', async () => {
		const made = await link('described', { description: 'Old' });
		const change = async (input: IDataObject) => await call('describe', { record: String(made.id), ...input });
		expect((await change({ description: '' })).error).toContain('Pass a field to change');
		expect(await change({ description: '', alias: 'renamed' })).toMatchObject({ success: true });
		expect(await sandbox.links()).toContainEqual(expect.objectContaining({ alias: 'renamed', description: 'Old' }));
	});

	test('a change whose answer was lost may have been made, also where the rate limit leaves no second try', async () => {
		await sandbox.createRecords({ campaigns: [{ name: 'Blue one' }] });
		await sandbox.setLimit({ requests: 2, windowMs: 60_000, begin: 'firstRequest' });
		await sandbox.setFaults([{ kind: 'dropAfter', match: { method: 'PUT' }, times: 1 }]);
		const { error } = await call('renameCampaign', { record: 'Blue one', title: 'Red one' });
		await sandbox.clearFaults();
		await sandbox.setLimit({ requests: null });
		expect(error).toMatch(/may have been made anyway/);
		expect(error).not.toContain('Nothing was sent');
		expect((await sandbox.records('campaigns')).map(({ name }) => name)).toContain('Red one');
	});

	describe('lists', () => {
		beforeEach(async () => await begin({ dialect, records: { links: 120, qrs: 0 } }));

		test('say what is left, page by page, in few characters', async () => {
			const long = await link('long', { longurl: page('x'.repeat(500)), title: 'y'.repeat(300) });
			const first = await call('find', { limit: 100 });
			expect(first).toMatchObject({ total: 121, returned: 100, more: true });
			expect(JSON.stringify(first).length).toBeLessThan(20_000);
			const second = await call('find', { limit: 100, page: 2 });
			expect(second).toMatchObject({ total: 121, returned: 21, more: false });
			const records = [first, second].flatMap((one) => one.records as IDataObject[]);
			expect(new Set(records.map(({ id }) => id))).toEqual(new Set((await sandbox.links()).map(({ id }) => id)));
			expect(Object.keys(records[0])).toEqual(['id', 'shorturl', 'longurl', 'title', 'clicks']);
			expect(records.find(({ id }) => id === long.id)!.shorturl).toBe(long.shorturl);
			expect(await call('find', { page: 9 })).toMatchObject({ total: 121, returned: 0, more: false, records: [] });
			await sandbox.clearRequests();
			await call('find', { limit: 1000 });
			expect(await sandbox.requests()).toHaveLength(1);
		});

		test('that come without figures go on until a page is not full', async () => {
			await begin({ dialect, records: { links: 120, qrs: 0 }, deviations: { figures: 'missing' } });
			const pages = [];
			for (let page = 1; page <= 4; page++) pages.push(await call('find', { limit: 40, page }));
			expect(pages.map(({ returned, more }) => [returned, more])).toEqual([
				[40, true],
				[40, true],
				[40, true],
				[0, false],
			]);
			expect(pages[0]).not.toHaveProperty('total');
			expect(await call('find', { q: 'x', page: 9 })).toMatchObject({ note: 'There are no further links.' });
		});

		test('a keyword finds a link; nothing found is said', async () => {
			const made = await link('flyer', { title: 'Winter sale in Oslo' });
			const found = await call('find', { q: 'sale in Oslo' });
			expect(found).toMatchObject({ total: 1, records: [{ id: made.id }] });
			expect(found).not.toHaveProperty('note');
			expect(await call('find', { q: 'zzyzx' })).toMatchObject({
				returned: 0,
				more: false,
				note: 'No link holds "zzyzx".',
			});
			expect(await call('codes')).toMatchObject({ returned: 0, records: [], note: expect.any(String) });
			expect(await call('campaigns')).toMatchObject({ more: false, records: expect.any(Array) });
		});
	});
});
