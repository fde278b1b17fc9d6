/**
 * What sheets, operations and polls cost in requests is counted at the service, in both dialects, and compared with the page. `npm run
 * docs` writes it again.
 */
import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { resources } from '../../nodes/LinkManagement/resources';
import { actions, CONTINUE, openAccount, upsertOf, type Work } from '../engine/account';
import { agentWith, answersTo } from '../engine/agent';
import { skipWaits } from '../engine/clock';
import { by, itemsOf } from '../engine/host';
import { TriggerHost } from '../engine/pollHost';
import {
	DIALECTS,
	fillAccount,
	formatMoment,
	sheetRow,
	sheetRows,
	type CreatedRecords,
	type Dialect,
	type Sandbox,
} from '../sandbox';
import { freshSandbox } from '../sandbox/fresh';
import { EVENTS, OPERATIONS, outputOf, prepareAccount } from './examples';
import { expectPart, page } from './markdown';

const PAGE = 100;
const ITEMS = 100;
const LINKS = 1000;

let sandbox: Sandbox;

freshSandbox({ validate: false, limit: { requests: null } }, (started) => (sandbox = started));

jest.setTimeout(900_000);

let accounts = 0;
let apiKey: string;

const credential = () => ({ baseUrl: sandbox.url, apiKey });
const requests = async () => (await sandbox.stats()).requests;

/** Counts the requests of something in an account of its own, in both dialects. @returns one number, or the two where they differ */
async function counted(work: (dialect: Dialect) => Promise<unknown>): Promise<string> {
	const counts: number[] = [];
	for (const dialect of DIALECTS) {
		await work(dialect);
		counts.push(await requests());
	}
	return [...new Set(counts)].sort((one, other) => one - other).join(' or ');
}

/** An account without domains, of links and QR codes in pages of 100, in which the oldest link was clicked, once; of which the node knows nothing. */
async function fill(
	dialect: Dialect,
	{ links = 0, qrs = 0 }: { links?: number; qrs?: number },
): Promise<CreatedRecords> {
	apiKey = `key-${++accounts}`;
	await sandbox.reset({
		dialect,
		apiKeys: [apiKey],
		deviations: { pageCap: PAGE, sharedDomains: 0 },
		limit: { requests: null },
		records: { links: 0, qrs: 0, campaigns: 0, domains: 0 },
	});
	const date = (at: number) => formatMoment(Date.UTC(2020, 0, 1, 0, at));
	return await sandbox.createRecords({
		links: Array.from({ length: links }, (_, at) => ({
			alias: `link-${at}`,
			longurl: `https://example.com/${at}`,
			date: date(at),
		})),
		qrs: Array.from({ length: qrs }, (_, at) => ({ scans: 0, date: date(at) })),
		campaigns: [{ name: 'Spring' }],
	});
}

const account = openAccount();

const link = (operation: string, more: IDataObject): IDataObject => ({ resource: 'link', operation, ...more });
const totals = { options: { details: 'totals' } };

/** How often each action was taken in a run, which went well. */
function tally(work: Work): Record<string, number> {
	expect(work.error).toBeUndefined();
	const counts: Record<string, number> = {};
	for (const action of actions(work)) counts[String(action)] = (counts[String(action)] ?? 0) + 1;
	return counts;
}

const SHEET = sheetRows(1000).map((row, at) => (at >= 950 && at < 970 ? sheetRow(at, 'moved') : row));
const theirs = Array.from({ length: 9 }, (_, at) => ({ alias: `theirs-${at}`, url: `https://example.com/${at}` }));

/** Work on a sheet in a large account: the rows whose links are there, what is done, and what the requests are for. */
const SHEETS: Array<[says: string, known: number, work: () => Promise<void>, madeOf: string]> = [
	[
		'Link: Create or Update, 1,000 rows: 950 as they are, 20 moved, 30 new',
		970,
		async () => expect(tally(await account.upsert(SHEET))).toEqual({ unchanged: 950, updated: 20, created: 30 }),
		'100 pages, 1 to try larger pages, 2 for each changed link, 1 for each new one',
	],
	[
		'the same again, nothing new',
		970,
		async () => {
			await account.upsert(SHEET);
			await account.sandbox.clearRequests();
			expect(tally(await account.upsert(SHEET))).toEqual({ unchanged: 1000 });
		},
		'the pages of 10,030 links',
	],
	[
		'2 rows, one changed, one new',
		1,
		async () =>
			expect(tally(await account.upsert([sheetRow(0, 'moved'), sheetRow(1)]))).toEqual({ updated: 1, created: 1 }),
		'1 page, the domains, a look-up of each alias, a change for each; a page of a search where lists alone show campaigns',
	],
	[
		'9 rows whose aliases other users of the service have',
		0,
		async () => {
			await account.sandbox.configure({ deviations: { aliasOfOthers: true } });
			for (const { json } of (await account.upsert(theirs, {}, CONTINUE)).items) expect(json.error).toMatch(/taken/);
		},
		'1 page, the domains; for each row a look-up, its creation, which is refused',
	],
	[
		'ten rounds of a loop, 100 rows each, 30 rows new',
		970,
		async () => {
			const work = await account.loop(upsertOf(), sheetRows(1000), {}, undefined, 100);
			expect(tally(work)).toEqual({ unchanged: 970, created: 30 });
		},
		'the list for each round, 1 to try larger pages, 1 for each new link. One run of 1,000 rows takes 131',
	],
	[
		'Link: Get with Details → Totals, 1,000 links by short URL',
		1000,
		async () => {
			const { id, shorturl } = (await account.sandbox.links()).find(({ alias }) => alias === 'row-7')!;
			await account.sandbox.simulate({ clicks: [{ id, count: 5 }] });
			await account.sandbox.clearRequests();
			const linkId = by('shortUrl', `=${shorturl.replace('row-7', '{{ $json.Alias }}')}`);
			const { items } = await account.work(link('get', { linkId, ...totals }), sheetRows(1000));
			expect(items).toHaveLength(1000);
			expect(items[7].json).toMatchObject({ alias: 'row-7', clicks: 5 });
		},
		'the pages',
	],
	[
		'Link: Create with campaigns by name, 90 rows, three campaigns',
		0,
		async () => {
			const campaigns = ['a', 'b', 'c'].map((name) => ({ name }));
			await account.sandbox.createRecords({ campaigns });
			await account.sandbox.clearRequests();
			const linkFields = { campaign: by('name', '={{ $json.campaign }}') };
			const rows = sheetRows(90).map((row, at) => ({ ...row, campaign: campaigns[at % 3].name }));
			const work = await account.work(link('create', { url: "={{ $json['Long URL'] }}", linkFields }), rows);
			expect(work.items).toHaveLength(90);
		},
		'the list of campaigns once',
	],
];

test('the cost of sheets in an account of 10,000 links', async () => {
	// Large pages are for services that are quick, on a machine that is busy as well.
	skipWaits(0.01);
	const rows: string[] = [];
	for (const [says, known, work, madeOf] of SHEETS) {
		const counts = new Set<number>();
		for (const dialect of DIALECTS) {
			await account.has(dialect);
			const { apiKey: key } = account.credential;
			const oldest = Array.from(Array(known).keys());
			await fillAccount(account.sandbox, { dialect, key, links: 10_000, page: PAGE, known: oldest });
			await work();
			counts.add((await account.sandbox.stats()).requests);
		}
		rows.push(`| ${says} | ${[...counts].sort((one, other) => one - other).join(' or ')} | ${madeOf} |\n`);
	}
	jest.restoreAllMocks();
	expectPart('sheetCosts', `| work | requests | made of |\n| --- | --- | --- |\n${rows.join('')}`);
});

test('the cost of each operation for one item', async () => {
	const byCost = new Map<string, string[]>();
	for (const resource of resources) {
		const operations = new Map<string, string[]>();
		for (const operation of [...resource.operations].sort((one, other) => one.name.localeCompare(other.name))) {
			const name = `${resource.value}:${operation.value}`;
			const cost = await counted(async (dialect) => await outputOf(sandbox, name, dialect));
			operations.set(cost, [...(operations.get(cost) ?? []), operation.name]);
		}
		for (const [cost, names] of operations)
			byCost.set(cost, [...(byCost.get(cost) ?? []), `${resource.name}: ${names.join(', ')}`]);
	}
	expect(byCost.get('1')!.length).toBe(resources.length);
	const rows = [...byCost]
		.filter(([cost]) => cost !== '1')
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([cost, names]) => `| ${cost} | ${names.join('; ')} |\n`);
	expectPart('operationCosts', `| requests | operations |\n| --- | --- |\n${rows.join('')}| 1 | all others |\n`);
});

const byId = { linkId: by('id', '={{ $json.id }}') };
const byUrl = { linkId: by('shortUrl', '={{ $json.short }}') };
const described = { linkFields: { description: 'Sale' } };
const spring = by('name', 'spring');
const upsert = (url: string, custom: string) =>
	link('upsert', { columns: { mappingMode: 'defineBelow', value: { url, custom } } });

/** What users choose that costs more, or less: as the page says it, and the parameters. */
const CHOICES: Array<[says: string, parameters: IDataObject]> = [
	['Link: Get, By Short URL', link('get', byUrl)],
	['Link: Get, By Short URL, Details → Totals', link('get', { ...byUrl, ...totals })],
	['Link: Get, By ID, Details → Totals', link('get', { ...byId, ...totals })],
	['Link: Update, By ID', link('update', { ...byId, ...described })],
	['Link: Update, By Short URL', link('update', { ...byUrl, ...described })],
	['Link: Delete, By Short URL', link('delete', byUrl)],
	[
		'Campaign: Assign Link, campaign By Name, link By Short URL',
		{ resource: 'campaign', operation: 'assignLink', campaignId: spring, ...byUrl },
	],
	['Link: Create, campaign By Name', link('create', { url: '={{ $json.fresh }}', linkFields: { campaign: spring } })],
	['Link: Create or Update, nothing new', upsert('={{ $json.url }}', '={{ $json.alias }}')],
	['Link: Create or Update, each changed', upsert('={{ $json.fresh }}', '={{ $json.alias }}')],
	['Link: Create or Update, each new', upsert('={{ $json.fresh }}', '=new-{{ $json.alias }}')],
];

test('the cost of what can be chosen, for one item and for many', async () => {
	const rows: string[] = [];
	for (const [says, parameters] of CHOICES) {
		const costs: string[] = [];
		for (const items of [1, ITEMS]) {
			const work = async (dialect: Dialect) => {
				const { links } = await fill(dialect, { links: LINKS });
				const entered = links.slice(0, items).map(({ id, shorturl: short, longurl: url, alias }) => {
					return { id, short, url, alias, fresh: `https://example.com/fresh/${id}` };
				});
				expect(await itemsOf(parameters, { credential: credential(), rows: entered })).toHaveLength(items);
			};
			costs.push(await counted(work));
		}
		rows.push(`| ${says} | ${costs.join(' | ')} |\n`);
	}
	expectPart('choiceCosts', `| | 1 item | ${ITEMS} items |\n| --- | --- | --- |\n${rows.join('')}`);
});

const trigger = new LinkManagementTrigger().description;
const eventNames = trigger.properties.find(({ name }) => name === 'event')?.options as INodePropertyOptions[];
const THRESHOLD = 5;
const RECORDS = [1000, 3000];
const NEWS = [0, 5, 250];

/** Makes something happen to so many of these links or QR codes, or makes new ones, which an event reports. */
async function happen(event: string, records: Array<{ id: number }>, count: number): Promise<void> {
	const isLink = event.startsWith('link');
	if (event.endsWith('Created')) {
		await sandbox.createRecords(isLink ? { links: count } : { qrs: count });
		return;
	}
	const traffic = records.slice(0, count).map(({ id }) => ({ id, count: THRESHOLD }));
	await sandbox.simulate(isLink ? { clicks: traffic } : { scans: traffic });
}

test('the cost of each poll', async () => {
	const bySame = new Map<string, string[]>();
	const measure = async (says: string, parameters: IDataObject & { event: string }, records: number) => {
		const byDialect: number[][] = [];
		for (const dialect of DIALECTS) {
			const isLink = parameters.event.startsWith('link');
			const { links, qrs } = await fill(dialect, isLink ? { links: records } : { qrs: records });
			const held = isLink ? links : qrs;
			const used = held.slice(-THRESHOLD).map(({ id }, at) => ({ id, count: THRESHOLD - 1 - at }));
			await sandbox.simulate(isLink ? { clicks: used } : { scans: used });
			await sandbox.clearRequests();
			const watched = held.slice(0, 3);
			const selected = parameters.watch === 'selected' ? { linkIds: watched.map(({ id }) => id) } : {};
			const host = new TriggerHost({ credential: credential(), parameters: { ...parameters, ...selected } });
			const costs: number[] = [];
			const note = async () => {
				costs.push(await requests());
				await sandbox.clearRequests();
			};
			await host.activate();
			await note();
			for (const count of NEWS) {
				await happen(parameters.event, held, count);
				const items = await host.poll();
				expect(items).toHaveLength(parameters.watch === 'selected' ? Math.min(count, watched.length) : count);
				await note();
			}
			byDialect.push(costs);
		}
		expect(byDialect[0]).toEqual(byDialect[1]);
		const costs = `${records.toLocaleString('en')} | ${byDialect[0].join(' | ')}`;
		bySame.set(costs, [...(bySame.get(costs) ?? []), says]);
	};
	for (const { value, name } of eventNames) {
		const parameters = { event: String(value), threshold: THRESHOLD, thresholdMode: 'every' };
		for (const records of RECORDS) await measure(name, parameters, records);
		if (value === 'linkClicked')
			await measure(`${name}, Watch → Selected, 3 links`, { ...parameters, watch: 'selected' }, RECORDS[1]);
	}
	const rows = [...bySame].map(([costs, events]) => `| ${events.join(', ')} | ${costs} |\n`);
	expect(eventNames.map(({ value }) => value)).toEqual(EVENTS.map(({ parameters }) => parameters.event));
	expectPart(
		'pollCosts',
		`| event | links or QR codes | at activation | nothing new | ${NEWS[1]} new | ${NEWS[2]} new |\n| --- | --- | --- | --- | --- | --- |\n${rows.join('')}`,
	);
});

test('an answer to a model has as few characters as the page says', async () => {
	const [each, hundred] = [...page('docs/operations.md').matchAll(/([\d,]+) characters/g)].map(([, most]) =>
		Number(most.replace(',', '')),
	);
	const answerOf = async (resource: string, operation: string, parameters: IDataObject) => {
		const tools = { tool: { resource, operation, ...parameters } };
		const { answers } = await answersTo(agentWith(credential(), tools, [['tool', {}]]), credential());
		expect(answers[0].failure).toBeUndefined();
		return String(answers[0].answer).length;
	};
	for (const { operation: name, parameters } of OPERATIONS)
		for (const dialect of DIALECTS) {
			await prepareAccount(sandbox, dialect);
			apiKey = sandbox.apiKey;
			const [resource, operation] = name.split(':');
			expect(await answerOf(resource, operation, parameters)).toBeLessThanOrEqual(each);
		}
	const longest = 'x'.repeat(300);
	await fill('field', { links: 99 });
	await sandbox.createRecords({ links: [{ longurl: `https://example.com/${longest}`, title: longest }] });
	expect(await answerOf('link', 'getAll', { limit: 100 })).toBeLessThanOrEqual(hundred);
});
