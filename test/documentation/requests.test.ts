/**
 * What operations and polls cost in requests is counted at the service, in both dialects, and compared with the page.
 * `npm run docs` writes it again. What sheets and accounts of many thousands cost, test/engine/upsertRequests.test.ts compares.
 */
import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { resources } from '../../nodes/LinkManagement/resources';
import { agentWith, answersTo } from '../engine/agent';
import { by, itemsOf } from '../engine/host';
import { TriggerHost } from '../engine/pollHost';
import { DIALECTS, formatMoment, type CreatedRecords, type Dialect, type Sandbox } from '../sandbox';
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

const link = (operation: string, more: IDataObject): IDataObject => ({ resource: 'link', operation, ...more });
const byId = { linkId: by('id', '={{ $json.id }}') };
const byUrl = { linkId: by('shortUrl', '={{ $json.short }}') };
const totals = { options: { details: 'totals' } };
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
