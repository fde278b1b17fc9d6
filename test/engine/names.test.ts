/** Which campaign or channel is meant by a name. Those of a sheet, test/model draws. */
import type { IDataObject } from 'n8n-workflow';

import { isFailed } from '../failed';
import { DIALECTS } from '../sandbox';
import { actions, CONTINUE, openAccount, type Work } from './account';
import { skippingWaits } from './clock';
import { by } from './host';
import { createLink, rowsOf } from './service';

skippingWaits();

const account = openAccount();

const create = {
	...createLink,
	linkFields: { ...createLink.linkFields, campaign: by('name', '={{ $json.campaign }}') },
};

const rowsIn = (campaigns: string[]) =>
	rowsOf(campaigns.length).map((row, at) => ({ ...row, campaign: campaigns[at] }));

async function campaignsOfRows(count: number): Promise<Array<number | null | undefined>> {
	const links = await account.links();
	return Array.from({ length: count }, (_, at) => links[`row-${at}`]?.campaign);
}

const failures = ({ items }: Work) => items.map(({ json }) => (!isFailed(json) ? undefined : String(json.error)));

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	test.each([1, 40])(
		'Create takes the name that is spelled so, and refuses one that several may mean: %d rows',
		async (count) => {
			const campaigns = [
				{ id: 3, name: 'Spring' },
				{ id: 5, name: 'spring' },
				{ id: 8, name: 'Autumn' },
			];
			await account.has(dialect, { campaigns });
			const names = ['Spring', 'spring', 'SPRING', 'AUTUMN', ...Array<string>(count).fill('spring')];
			const work = await account.work(create, rowsIn(names), 'at once', CONTINUE);
			const isSeveral = expect.stringMatching(/2 campaigns named "SPRING"(?=.*\b3\b)(?=.*\b5\b)/) as unknown;
			expect(failures(work)).toEqual(names.map((name) => (name === 'SPRING' ? isSeveral : undefined)));
			expect(await campaignsOfRows(names.length)).toEqual([3, 5, undefined, 8, ...Array<number>(count).fill(5)]);
		},
	);

	test('a number that is neither a name nor an ID is no campaign, in a dry run and in a run', async () => {
		await account.has(dialect, { campaigns: [{ id: 3, name: 'Spring' }] });
		const rows = rowsIn(['2026', '3']);
		for (const dryRun of [true, false]) {
			const { items } = await account.upsert(rows, { dryRun }, CONTINUE);
			expect(items[0].json.error).toContain('There is no campaign named "2026"');
			expect(items[1].json.action).toBe('created');
		}
		expect(await campaignsOfRows(2)).toEqual([undefined, 3]);
	});

	test.each<[string, IDataObject | IDataObject[]]>([
		['name', { id: 5, name: 'Spring' }],
		['value', { id: 5, value: 'Spring', color: 'red' }],
		['title', [{ id: 5, title: 'Spring' }]],
		['display_value', { id: 5, display_value: 'Spring' }],
	])('what a database shows of a record of its own is read by its words: %s', async (_what, cell) => {
		const campaigns = ['Spring', 'Autumn'].map((name, at) => ({ id: 3 + 2 * at, name }));
		await account.has(dialect, { campaigns });
		const row = { alias: 'row-0', url: 'https://example.com/0', campaign: cell as IDataObject };
		expect(actions(await account.upsert([row]))).toEqual(['created']);
		expect(await campaignsOfRows(1)).toEqual([3]);
	});

	test('500 names that nobody has are told in a short error', async () => {
		const names = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word} ${at}`);
		await account.has(dialect, { campaigns: names('Campaign', 1_000).map((name) => ({ name })) });
		const rows = rowsIn(names('Kampagne', 500));
		const { error } = await account.upsert(rows);
		expect(error?.message).toMatch(/There is no campaign named "Kampagne 0"/);
		expect(error?.message.length).toBeLessThan(1_500);
		expect(await account.changes()).toEqual([]);
	});

	test.each<[string, IDataObject, IDataObject, IDataObject?]>([
		[
			'Assign Link',
			{ resource: 'campaign', operation: 'assignLink', campaignId: by('name', 'spring') },
			{ success: true, campaignId: 3, linkId: 12 },
		],
		[
			'Assign Item',
			{ resource: 'channel', operation: 'assignItem', itemType: 'links', channelId: by('name', 'press') },
			{ success: true, channelId: 4, linkId: 12 },
		],
		[
			'Campaign: Delete',
			{ resource: 'campaign', operation: 'delete', campaignId: by('name', 'spring') },
			{ deleted: true, id: 3 },
			{ name: 'Spring' },
		],
		[
			'Channel: Delete',
			{ resource: 'channel', operation: 'delete', channelId: by('name', 'press') },
			{ deleted: true, id: 4 },
			{ name: 'Press' },
		],
	])(
		'%s puts out the IDs, and what is known of the record, and asks for nothing',
		async (_name, parameters, ids, known = {}) => {
			const link = { id: 12, alias: 'own', longurl: 'https://example.com/own' };
			const here = { links: [link], campaigns: [{ id: 3, name: 'Spring' }], channels: [{ id: 4, name: 'Press' }] };
			const ofLink = 'linkId' in ids;
			await account.has(dialect, here);
			const [{ shorturl }] = await account.sandbox.links();
			const byName = await account.work({ ...parameters, linkId: by('alias', 'own') }, [{}]);
			expect(byName.error).toBeUndefined();
			const whole = { ...ids, ...known, ...(ofLink ? { alias: 'own', shorturl } : {}) };
			expect(byName.items.map(({ json }) => json)).toEqual([{ ...whole, message: expect.any(String) }]);

			await account.has(dialect, here);
			const byId = { campaignId: by('id', '3'), channelId: by('id', '4'), linkId: by('id', '12') };
			const { items } = await account.work({ ...parameters, ...byId }, [{}]);
			expect(items.map(({ json }) => json)).toEqual([{ ...ids, message: expect.any(String) }]);
			expect(await account.sandbox.requests()).toHaveLength(1);
		},
	);

	test('a list that can not be read ends the run with its own reason, which is of no row', async () => {
		await account.has(dialect, { campaigns: [{ name: 'Spring' }] });
		const match = { method: 'GET', path: '/api/campaigns' };
		await account.sandbox.setFaults([{ kind: 'errorEnvelope', status: 403, message: 'Your plan has ended.', match }]);
		const rows = Array.from({ length: 12 }, (_, at) => ({
			url: `https://example.com/${at}`,
			campaign: at < 11 ? 'Spring' : '',
			domain: at === 11 ? 'https://no.example' : '',
		}));
		const { error } = await account.upsert(rows);
		expect(error?.message).toBe('The service says "Your plan has ended"');
		expect(await account.changes()).toEqual([]);
	});

	test('a campaign that is to be changed or deleted has to be there, and the error lists those that are', async () => {
		await account.has(dialect, { campaigns: [{ id: 3, name: 'Spring' }] });
		for (const operation of ['delete', 'update']) {
			const wrong = { resource: 'campaign', operation, campaignId: by('name', 'Sprng'), name: 'Summer' };
			const { error } = await account.work(wrong, [{}]);
			expect(error?.message).toBe('There is no campaign named "Sprng"');
			expect(error?.description).toContain('There are: "Spring".');
		}
		const nameless = {
			resource: 'campaign',
			operation: 'update',
			campaignId: by('id', '3'),
			name: '={{ $json.name }}',
		};
		const { error } = await account.work({ ...nameless, campaignFields: { public: true } }, [{ name: '' }]);
		expect(error?.message).toBe('Name is empty');
		expect(await account.changes()).toEqual([]);
	});

	test('Assign Link: of rows that assign one link, the last one counts', async () => {
		const campaigns = [3, 5].map((id) => ({ id, name: `Campaign ${id}` }));
		await account.has(dialect, { links: [{ id: 12, alias: 'own' }], campaigns });
		// The first answer comes late: a row that does not wait for it is sent before.
		await account.sandbox.setFaults([{ kind: 'latency', ms: 300, match: { method: 'POST' }, times: 1 }]);
		const assign = { resource: 'campaign', operation: 'assignLink', linkId: by('alias', 'own') };
		const rows = campaigns.map(({ name }) => ({ name }));
		const { error } = await account.work({ ...assign, campaignId: by('name', '={{ $json.name }}') }, rows);
		await account.sandbox.clearFaults();
		expect(error).toBeUndefined();
		expect((await account.links()).own.campaign).toBe(5);
	});

	test('three tries keep no reading that has failed', async () => {
		await account.has(dialect, { campaigns: [{ id: 5, name: 'Somebody' }] });
		// A reading is tried four times before it fails.
		await account.sandbox.setFaults([
			{ kind: 'status', status: 500, body: 'html', match: { path: '^/api/campaigns' }, times: 4 },
		]);
		const update = { resource: 'campaign', operation: 'update', campaignId: by('name', 'Somebody'), name: 'Somebody' };
		const campaignFields = { public: true };
		const { items, error } = await account.work({ ...update, campaignFields }, [{}], 'in three tries');
		await account.sandbox.clearFaults();
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(await account.sandbox.records('campaigns')).toMatchObject([{ id: 5, name: 'Somebody', public: true }]);
	});
});
