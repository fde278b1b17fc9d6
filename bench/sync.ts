import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'timers/promises';
import type { N8n } from '../test/n8n/host';
import { killAndStart } from '../test/n8n/killing';
import {
	compare,
	type Dialect,
	DIALECTS,
	fillAccount,
	type InStep,
	type Sheet,
	sheetOfToday,
	sheetRow,
	sheetRows,
	type StoredLink,
} from '../test/sandbox';
import type { Bench, Service } from './bench';
import { type Contender, ourSheet, sheetByHand, useKey, workflowOf } from './contenders';
import { Probe } from './probe';
import type { Findings, Scenario, Table } from './scenario';
import { runScript } from './script';
import { MEGABYTE } from './statistics';

/** The service's limit: requests a minute. */
const PER_MINUTE = 30;
const TIMEOUT_MS = 5 * 60_000;
/** What a known link may cost while it is known, and what may be left of it (bytes). */
const MOST_PER_LINK = (60 * MEGABYTE) / 100_000;
const MOST_LEFT = (5 * MEGABYTE) / 100_000;
/** Links that are made at a time in the account whose links are remembered. */
const AT_ONCE = 2500;

interface Sizes {
	links: number;
	page: number;
	rows: number;
	/** Links that are known at once, where memory is measured, and the time (s) that the run stands still for that. */
	remembered: number;
	standstill: number;
	dialects: readonly Dialect[];
}

const FULL: Sizes = {
	links: 10_000,
	page: 100,
	rows: 1000,
	remembered: 100_000,
	standstill: 20,
	dialects: DIALECTS,
};
const SMOKE: Sizes = {
	links: 500,
	page: 50,
	rows: 100,
	remembered: 5000,
	standstill: 4,
	dialects: ['field'],
};

/** What a piece of work cost, and what came of it. */
interface Cost {
	work: string;
	dialect: Dialect;
	rows: number;
	done: number;
	twice: number;
	requests: number;
	/** The pages of the account's links, one request for a new link, two for a changed one. */
	ideal: number;
	goal: number;
}

/** What a contender did with the same sheet. */
interface Comparison extends InStep {
	name: string;
	dialect: Dialect;
	rows: number;
	requests: number;
}

interface Memory {
	links: number;
	/** Bytes above what n8n had in use before. */
	during: number;
	afterwards: number;
}

const NAMES: Record<Dialect, string> = { document: 'as documented', field: 'as deployed services answer' };

const count = (value: number): string => value.toLocaleString('en');
const minutes = (requests: number): string => (requests / PER_MINUTE).toFixed(1);
const numbers = (length: number): number[] => Array.from({ length }, (_value, number) => number);

/** Links as campaigns have them, with long addresses, titles and notes. */
function describedLinks(first: number, length: number): Array<Partial<StoredLink>> {
	return numbers(length).map((number) => ({
		alias: `campaign-${first + number}`,
		longurl: `https://www.example.com/shop/products/${first + number}/a-product-with-a-name?utm_source=newsletter&utm_medium=email&utm_campaign=spring`,
		title: `A product with a name of average length, number ${first + number}`,
		description: 'A note that somebody wrote about the link',
	}));
}

class Sync {
	private readonly sizes: Sizes;

	private service!: Service;

	private n8n!: N8n;

	constructor(private readonly bench: Bench) {
		this.sizes = bench.quick ? SMOKE : FULL;
	}

	async run(): Promise<Findings> {
		const { bench } = this;
		this.service = await bench.startService({ limit: { requests: null } });
		const probe = new Probe('heap', bench.temporaryFolder());
		this.n8n = await bench.startN8n(this.service.url, probe.options);
		await useKey(this.n8n, this.service.url, this.service.apiKey);
		const costs: Cost[] = [];
		const comparisons: Comparison[] = [];
		for (const dialect of this.sizes.dialects) {
			const sheet = sheetOfToday(this.sizes.rows);
			const compared = await this.sideBySide(dialect, sheet);
			comparisons.push(...compared);
			costs.push(...this.todaysCosts(dialect, sheet, compared));
			costs.push(await this.killed(dialect));
		}
		const memory = await this.memory(probe);
		return this.findings(costs, comparisons, memory);
	}

	private get pages(): number {
		return this.sizes.links / this.sizes.page;
	}

	private async fill(dialect: Dialect, known: number[], links = this.sizes.links): Promise<void> {
		await fillAccount(this.service, { dialect, key: this.service.apiKey, links, page: this.sizes.page, known });
	}

	/** Runs a contender over rows. @returns the requests that it took */
	private async requestsOf(contender: Contender, rows: IDataObject[]): Promise<number> {
		await this.service.clearRequests();
		const { status, error } = await this.n8n.runWorkflow(
			{ ...workflowOf(contender, rows), settings: { executionOrder: 'v1' } },
			{ timeoutMs: TIMEOUT_MS },
		);
		if (status !== 'success') throw new Error(`${contender.name}: ${error?.message ?? status}`);
		return (await this.service.stats()).requests;
	}

	private async inStep(sheet: Pick<Sheet, 'rows' | 'known'>): Promise<InStep> {
		return compare(sheet, await this.service.links());
	}

	private note(cost: Cost): Cost {
		const { work, dialect, requests, goal, done, rows, twice } = cost;
		this.bench.say(`${dialect}, ${work}: ${requests} requests (goal ${goal}), ${done} of ${rows}, ${twice} twice`);
		return cost;
	}

	/** What our node did with a sheet of which some rows are new and some have changed, and again when nothing has. */
	private todaysCosts(dialect: Dialect, sheet: Sheet, [first, again]: Comparison[]): Cost[] {
		const { sizes, pages } = this;
		const { rows, known, moved } = sheet;
		const fresh = rows.length - known.length;
		const ideal = pages + fresh + 2 * moved;
		const pagesNow = Math.ceil((sizes.links + fresh) / sizes.page);
		return [
			this.note({
				...first,
				work: `${count(rows.length)} rows: ${known.length - moved} as they are, ${moved} moved, ${fresh} new`,
				dialect,
				ideal,
				goal: ideal + 3,
			}),
			this.note({ ...again, work: 'the same again, nothing new', dialect, ideal: pagesNow, goal: pagesNow + 2 }),
		];
	}

	/** n8n is killed when half of the links are made, started again, and the workflow run again. */
	private async killed(dialect: Dialect): Promise<Cost> {
		const { sizes, service, n8n } = this;
		await this.fill(dialect, [], sizes.links);
		const rows = sheetRows(sizes.rows);
		const id = await n8n.createWorkflow(workflowOf(ourSheet(), rows));
		await n8n.startRun(id);
		for (;;) {
			if ((await service.stats()).created.links >= sizes.rows / 2) break;
			await delay(5);
		}
		await killAndStart(n8n);
		const made = (await service.stats()).created.links;
		const pages = Math.ceil((sizes.links + made) / sizes.page);
		await service.clearRequests();
		const { status, error } = await n8n.run(id, { timeoutMs: TIMEOUT_MS });
		if (status !== 'success') throw new Error(`After the kill: ${error?.message ?? status}`);
		const ideal = pages + sizes.rows - made;
		return this.note({
			work: `${count(sizes.rows)} new rows, n8n killed when half of them were done, run again`,
			dialect,
			rows: sizes.rows,
			requests: (await service.stats()).requests,
			...(await this.inStep({ rows, known: [] })),
			ideal,
			goal: ideal + 3,
		});
	}

	/** The same sheet and the same account, twice, by several means. Ours come first. */
	private async sideBySide(dialect: Dialect, sheet: Sheet): Promise<Comparison[]> {
		const { sizes, service } = this;
		const contenders = [
			ourSheet(),
			sheetByHand(service.url, sizes.page, true),
			sheetByHand(service.url, sizes.page, false),
		].map((contender) => ({
			name: contender.name,
			work: async () => await this.requestsOf(contender, sheet.rows),
		}));
		contenders.push({
			name: 'A script: the list by pages, then a request for each row',
			work: async () => {
				await service.clearRequests();
				await runScript(service.url, service.apiKey, sheet.rows, sizes.page);
				return (await service.stats()).requests;
			},
		});
		const comparisons: Comparison[] = [];
		for (const { name, work } of contenders) {
			await this.fill(dialect, sheet.known);
			for (const suffix of ['', '; the same again']) {
				const requests = await work();
				const one = { name: `${name}${suffix}`, dialect, rows: sizes.rows, requests, ...(await this.inStep(sheet)) };
				this.bench.say(
					`${dialect}, ${one.name}: ${requests} requests, ${one.done} of ${one.rows}, ${one.twice} twice, ${one.spoilt} spoilt`,
				);
				comparisons.push(one);
			}
		}
		return comparisons;
	}

	/** What n8n has in use while a run knows an account's links, and when it has ended. */
	private async memory(probe: Probe): Promise<Memory> {
		const { sizes, service, n8n } = this;
		const contender = ourSheet({ matchOn: 'url', dryRun: true });
		const waiting: Contender = {
			...contender,
			nodes: [
				...contender.nodes,
				{
					name: 'Wait',
					type: 'n8n-nodes-base.wait',
					typeVersion: 1.1,
					parameters: { resume: 'timeInterval', amount: sizes.standstill, unit: 'seconds' },
				},
			],
		};
		// A smaller account first: what is loaded and kept at a first run is no matter of links.
		await this.fill('document', [0], sizes.links);
		await this.requestsOf(contender, [sheetRow(0)]);
		await this.fill('document', [0], 1);
		for (let first = 1; first < sizes.remembered; first += AT_ONCE)
			await service.createRecords({ links: describedLinks(first, Math.min(AT_ONCE, sizes.remembered - first)) });
		await service.clearRequests();
		const before = await probe.ask<number>(n8n);
		const id = await n8n.createWorkflow(workflowOf(waiting, [sheetRow(0)]));
		const executionId = await n8n.startRun(id);
		const pages = sizes.remembered / sizes.page;
		while ((await service.stats()).requests < pages) await delay(100);
		await delay(2000);
		const during = (await probe.ask<number>(n8n)) - before;
		const { status } = await n8n.waitForExecution(executionId, TIMEOUT_MS);
		if (status !== 'success') throw new Error(`The run that remembers ended with the status ${status}.`);
		await delay(2000);
		const afterwards = (await probe.ask<number>(n8n)) - before;
		this.bench.say(
			`${sizes.remembered} links known: ${(during / MEGABYTE).toFixed(1)} MB, afterwards ${(afterwards / MEGABYTE).toFixed(1)} MB`,
		);
		return { links: sizes.remembered, during, afterwards };
	}

	private findings(costs: Cost[], comparisons: Comparison[], memory: Memory): Findings {
		const { sizes } = this;
		const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;
		const sideBySide = sizes.dialects.map((dialect): Table => ({
			title: `Side by side, twice each: ${NAMES[dialect]}`,
			columns: [
				'',
				'rows done',
				'links twice',
				'links that lost their expiry',
				'requests',
				`minutes at ${PER_MINUTE} a minute`,
			],
			rows: comparisons
				.filter((one) => one.dialect === dialect)
				.map(({ name, done, rows, twice, spoilt, requests }) => [
					name,
					`${done} of ${rows}`,
					String(twice),
					String(spoilt),
					String(requests),
					minutes(requests),
				]),
		}));
		return {
			title: 'A sheet and its links, in step: what it costs in requests',
			runs: 1,
			introduction: [
				`Create or Update over a sheet of ${count(sizes.rows)} rows, in an account of ${count(sizes.links)} links that the service shows in pages of ${sizes.page}. ` +
					'Requests are counted at the service, by its document and as deployed services answer; they are the same at each run, so that one is enough. ' +
					'“Ideal” is the pages of the account’s links, one request for a new link and two for a changed one: it is read and its other fields are sent ' +
					'along, for some services reset what an update leaves out.',
				`No rate is limited here: the minutes are computed from the requests, at ${PER_MINUTE} a minute, with nothing refused. What a limit does to each of the contenders, “Pacing” shows.`,
			],
			checks: [
				...costs.map(({ work, dialect, rows, done, twice, requests, goal }) => ({
					promise: `${work}, ${NAMES[dialect]}`,
					target: `≤ ${goal} requests, ${rows} of ${rows}, 0 twice`,
					measured: `${requests} requests, ${done} of ${rows}, ${twice} twice`,
					met: requests <= goal && done === rows && twice === 0,
					exact: true,
				})),
				{
					promise: `${count(memory.links)} links known: memory of n8n while a run needs them`,
					target: `≤ ${megabytes(MOST_PER_LINK * memory.links)}`,
					measured: megabytes(memory.during),
					met: memory.during <= MOST_PER_LINK * memory.links,
					exact: !this.bench.quick,
				},
				{
					promise: `${count(memory.links)} links known: memory that is left when the run has ended`,
					target: `≤ ${megabytes(MOST_LEFT * memory.links)}`,
					measured: megabytes(memory.afterwards),
					met: memory.afterwards <= MOST_LEFT * memory.links,
					exact: !this.bench.quick,
				},
			],
			tables: [
				{
					title: 'Requests beside the ideal',
					columns: ['', ...sizes.dialects.flatMap((dialect) => [NAMES[dialect], 'ideal', 'minutes'])],
					rows: [...new Set(costs.map(({ work }) => work))].map((work) => [
						work,
						...costs
							.filter((cost) => cost.work === work)
							.flatMap(({ requests, ideal }) => [String(requests), String(ideal), minutes(requests)]),
					]),
				},
				...sideBySide,
			],
			charts: [],
			notes: [
				'By hand: HTTP Request with its pagination, Split Out, Merge, two Filters, and HTTP Requests with batching; seven nodes, or eight with a ' +
					'reading before the update. Each of them is set as well as it can be. Left to itself, the update takes one request less for each changed link, and ' +
					'at services that reset what an update leaves out it costs these links their expiry, their targets and their notes; reading first takes as ' +
					'many requests as Link Management. Their pauses, which nobody measures here, are set by hand, and know nothing of each other, of other ' +
					'workflows on the key, or of a refusal that comes as HTTP 200.',
				'The script is what users of these services were seen to write: 100 links a page, one request for each row, two seconds after each.',
				'Memory is what n8n’s process has in use after its garbage was collected, above what it had before the run: while a run stands still ' +
					'that has read the whole list, of links with long addresses, titles and notes, and when it has ended.',
			],
		};
	}
}

export const run: Scenario['run'] = async (bench) => await new Sync(bench).run();
