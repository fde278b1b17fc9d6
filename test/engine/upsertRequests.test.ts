/** What a sheet and an account in step cost in requests, counted at the service, in both dialects, as docs/requests.md says. */
import type { IDataObject, INode } from 'n8n-workflow';

import { page, tableOf } from '../documentation/markdown';
import { fillAccount, sheetRow as row, sheetRows as rows, startSandbox, type Dialect, type Sandbox } from '../sandbox';
import { by, outcomeOf, run, start, workflowOf } from './host';

const KEY = 'sandbox-key';
const ACCOUNT = 10_000;
const PAGE = 100;
const PAGES = ACCOUNT / PAGE;
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ validate: false });
});

afterAll(async () => {
	await sandbox.stop();
});

jest.setTimeout(180_000);

const credential = () => ({ baseUrl: sandbox.url, apiKey: KEY });
const parameters = {
	resource: 'link',
	operation: 'upsert',
	columns: { mappingMode: 'autoMapInputData', value: null },
	options: {},
};

/** An account of 10,000 links in pages of 100, with those of the first `known` rows. */
async function account(dialect: Dialect, known: number): Promise<void> {
	await fillAccount(sandbox, {
		dialect,
		key: KEY,
		links: ACCOUNT,
		page: PAGE,
		known: Array.from({ length: known }, (_, number) => number),
	});
}

/** What a piece of work costs by docs/requests.md. */
function costOnPage(work: string): number {
	const row = tableOf(page('docs/requests.md')).find(([title]) => title.startsWith(work));
	if (row === undefined) throw new Error(`docs/requests.md has no row "${work}"`);
	return Number(row[1]);
}

const requests = async () => (await sandbox.stats()).requests;

/** The actions of a run and how often each was taken. */
function tally(items: Array<{ json: IDataObject }>): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { json } of items) counts[String(json.action)] = (counts[String(json.action)] ?? 0) + 1;
	return counts;
}

describe.each(['document', 'field'] as const)('in the dialect of the %s', (dialect) => {
	test('1,000 rows, 20 of them moved and 30 new, and the same again', async () => {
		await account(dialect, 970);
		const sheet = [
			...rows(950),
			...Array.from({ length: 20 }, (_, at) => row(950 + at, 'moved')),
			...rows(1000).slice(970),
		];
		const first = await run(parameters, { credential: credential(), rows: sheet });
		expect(first.error).toBeUndefined();
		expect(tally(first.items)).toEqual({ unchanged: 950, updated: 20, created: 30 });
		const cost = await requests();
		expect(cost).toBeLessThanOrEqual(PAGES + 30 + 2 * 20 + 3);
		expect(cost).toBe(costOnPage('Link: Create or Update, 1,000 rows'));

		await sandbox.clearRequests();
		const again = await run(parameters, { credential: credential(), rows: sheet });
		expect(tally(again.items)).toEqual({ unchanged: 1000 });
		// 30 links more make one page more.
		const costAgain = await requests();
		expect(costAgain).toBeLessThanOrEqual(PAGES + 1 + 2);
		expect(costAgain).toBe(costOnPage('the same again'));
	});

	test('2 rows are looked up, and the list is never read whole', async () => {
		await account(dialect, 1);
		const { items, error } = await run(parameters, { credential: credential(), rows: [row(0, 'moved'), row(1)] });
		expect(error).toBeUndefined();
		expect(tally(items)).toEqual({ updated: 1, created: 1 });
		const cost = await requests();
		// As many as without a search for each alias, and those.
		expect(cost).toBeLessThanOrEqual(5 + 2);
		expect(cost).toBe(costOnPage('2 rows'));
	});

	test.each([1, 2])(
		'aliases that a thousand others contain: a search, and each domain is asked: %d rows',
		async (count) => {
			await sandbox.reset({
				dialect,
				deviations: { pageCap: PAGE },
				records: { links: 0, domains: 0 },
				limit: { requests: null },
				apiKeys: [KEY],
				validate: false,
			});
			const linkOf = (at: number) => ({ alias: `r${at}`, longurl: `https://example.com/${at}` });
			await sandbox.createRecords({
				links: Array.from({ length: 3_000 }, (_, at) => linkOf(at + 1)),
				domains: ['https://go.example.com', 'https://to.example.com'].map((domain) => ({ domain })),
			});
			await sandbox.clearRequests();
			const sheet = Array.from({ length: count }, (_, at) => linkOf(at + 1)).map(({ alias, longurl }) => ({
				alias,
				url: longurl,
			}));
			const { items, error } = await run(parameters, { credential: credential(), rows: sheet });
			expect(error).toBeUndefined();
			expect(tally(items)).toEqual({ unchanged: count });
			// The list of domains, and for each row a page and a look-up on each of four hosts; two pages more, of the list and of a
			// search, show that pages are smaller than was hoped for. The whole list has 30.
			expect(await requests()).toBeLessThanOrEqual(3 + 1 + count * (1 + 4));
		},
	);

	test('ten batches of one execution read the list once', async () => {
		await account(dialect, 970);
		const workflow = workflowOf(parameters, { credential: credential(), rows: rows(1000) });
		const links = workflow.nodes.find(({ name }) => name === 'Links')!;
		const connections: typeof workflow.connections = {};
		const nodes: INode[] = [workflow.nodes.find(({ name }) => name === 'Start')!];
		const starts: Array<{ node: string; type: 'main'; index: number }> = [];
		for (let batch = 0; batch < 10; batch++) {
			const cut: INode = {
				...nodes[0],
				id: `Cut ${batch}`,
				name: `Cut ${batch}`,
				type: 'test.slice',
				position: [0, 100 * batch],
				parameters: { from: 100 * batch, to: 100 * batch + 100 },
			};
			const node = {
				...links,
				id: `Links ${batch}`,
				name: batch === 9 ? 'Links' : `Links ${batch}`,
				position: cut.position,
			};
			nodes.push(cut, node);
			starts.push({ node: cut.name, type: 'main', index: 0 });
			connections[cut.name] = { main: [[{ node: node.name, type: 'main', index: 0 }]] };
		}
		connections.Start = { main: [starts] };
		const { error, run: execution } = await outcomeOf(start({ ...workflow, nodes, connections }, credential()));
		expect(error).toBeUndefined();
		const done = Object.entries(execution.data.resultData.runData).filter(([name]) => name.startsWith('Links'));
		expect(done).toHaveLength(10);
		const items = done.flatMap(([, [task]]) => task.data?.main[0] ?? []);
		expect(tally(items)).toEqual({ unchanged: 970, created: 30 });
		const cost = await requests();
		expect(cost).toBeLessThanOrEqual(PAGES + 9 * 2 + 30);
		expect(cost).toBe(costOnPage('ten batches'));
	});

	test('the clicks of 1,000 rows', async () => {
		await account(dialect, 1000);
		await sandbox.simulate({
			clicks: [{ id: (await sandbox.links()).find(({ alias }) => alias === 'row-7')!.id, count: 5 }],
		});
		await sandbox.clearRequests();
		const { items, error } = await run(
			{
				resource: 'link',
				operation: 'get',
				linkId: by('shortUrl', '={{ $json.short }}'),
				options: { details: 'totals' },
			},
			{
				credential: credential(),
				rows: (await sandbox.links())
					.filter(({ alias }) => alias.startsWith('row-'))
					.map(({ shorturl }) => ({ short: shorturl })),
			},
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1000);
		expect(items.filter(({ json }) => json.alias === 'row-7').map(({ json }) => json.clicks)).toEqual([5]);
		const cost = await requests();
		expect(cost).toBeLessThanOrEqual(PAGES + 2);
		expect(cost).toBe(costOnPage('Link: Get with Details'));
	});

	test('links into three campaigns by name: one reading of the campaigns', async () => {
		await account(dialect, 0);
		await sandbox.createRecords({ campaigns: ['Spring', 'Summer', 'Autumn'].map((name) => ({ name })) });
		await sandbox.clearRequests();
		const names = ['spring', 'SUMMER', 'Autumn'];
		const { items, error } = await run(
			{
				resource: 'link',
				operation: 'create',
				url: '={{ $json.url }}',
				linkFields: { campaign: by('name', '={{ $json.campaign }}') },
			},
			{
				credential: credential(),
				rows: Array.from({ length: 90 }, (_, at) => ({
					url: `https://example.com/new/${at}`,
					campaign: names[at % 3],
				})),
			},
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(90);
		expect(await requests()).toBe(costOnPage('Link: Create with campaigns by name'));
		const { byOperation } = await sandbox.stats();
		expect(byOperation.campaignGetAll).toBe(1);
	});

	test('rows whose aliases are taken: the list is read once, where the first row shows that the sheet has run before', async () => {
		const links = 1000;
		const known = Array.from({ length: 200 }, (_, number) => number);
		await fillAccount(sandbox, { dialect, key: KEY, links, page: PAGE, known });
		const returning = {
			resource: 'link',
			operation: 'create',
			url: "={{ $json['Long URL'] }}",
			linkFields: { custom: '={{ $json.Alias }}' },
			options: { ifAliasExists: 'returnExisting' },
		};
		const sheet = [...rows(100), row(100, 'moved'), ...rows(203).slice(101)];
		const again = await run(returning, {
			credential: credential(),
			rows: sheet,
			node: { onError: 'continueRegularOutput' },
		});
		expect(again.items.map(({ json }) => json.existing ?? json.error)).toEqual(
			sheet.map((_, at) =>
				at === 100
					? expect.stringContaining('The alias "row-100" belongs to a link with another long URL')
					: at < 200
						? true
						: undefined,
			),
		);
		// The first row, the pages, three new links, and the refusal of one that leads elsewhere.
		expect(await requests()).toBeLessThanOrEqual(2 + links / PAGE + 3 + 3);
		expect((await sandbox.stats()).created.links).toBe(3);

		// Where the list can't be read, each row finds its link by itself.
		await sandbox.setFaults([
			{ kind: 'errorEnvelope', match: { method: 'GET' }, after: dialect === 'field' ? 2 : 1, times: 1 },
		]);
		const unread = await run(returning, { credential: credential(), rows: rows(12) });
		await sandbox.clearFaults();
		expect(unread.error).toBeUndefined();
		expect(unread.items).toHaveLength(12);
		expect(await sandbox.links()).toHaveLength(links + 3);

		// Where the first row is new, nothing is read.
		await sandbox.clearRequests();
		const fresh = Array.from({ length: 50 }, (_, at) => row(1000 + at));
		const first = await run(returning, { credential: credential(), rows: fresh });
		expect(first.error).toBeUndefined();
		expect(await requests()).toBeLessThanOrEqual(50 + 2);
	});

	test('names that nobody has are told in one error before anything is sent, or made, each once', async () => {
		await account(dialect, 0);
		await sandbox.createRecords({ campaigns: [{ name: 'Spring' }] });
		await sandbox.clearRequests();
		const creating = {
			resource: 'link',
			operation: 'create',
			url: '={{ $json.url }}',
			linkFields: { campaign: by('name', '={{ $json.campaign }}') },
		};
		const sheet = ['Sprnig', 'spring', 'Winter', 'winter'].map((campaign, at) => ({
			url: `https://example.com/named/${at}`,
			campaign,
		}));
		const { error } = await run(creating, { credential: credential(), rows: sheet });
		expect(error?.message).toContain('There is no campaign named "Sprnig" (did you mean "Spring"?)');
		expect(error?.message).toContain('"Winter"');
		expect((await sandbox.stats()).created).toMatchObject({ links: 0, campaigns: 0 });

		const made = await run(
			{ ...creating, options: { ifNameMissing: 'create' } },
			{ credential: credential(), rows: sheet },
		);
		expect(made.error).toBeUndefined();
		expect((await sandbox.stats()).created).toMatchObject({ links: 4, campaigns: 2 });
	});
});
