import { setTimeout as delay } from 'timers/promises';
import type { N8n } from '../test/n8n/host';
import { pollingWorkflow, reportedBy } from '../test/n8n/polling';
import { atRest, type Bench, type Service } from './bench';
import { useKey } from './contenders';
import { Probe } from './probe';
import { AREAS, profile, type TimeByArea } from './profile';
import type { Check, Findings, Scenario } from './scenario';
import { median, MEGABYTE, spread, withRange } from './statistics';

const PAGE_SIZE = 100;
/** How often the trigger polls: longer than a pass takes, and the wait for its end, so that only one is measured. */
const EVERY_SECONDS = 20;
/** QR codes that are scanned between two passes, one in so many. */
const SCANNED_OF = 200;
const NEW_LINKS = 5;
/** No request for so long: a poll is over, and n8n has saved what came of it. */
const IDLE_MS = 3000;
const POLL_MS = 250;
const TIMEOUT_MS = 5 * 60_000;
/** What the largest account's full pass may cost. */
const MOST_CPU_SECONDS = 2;
const MOST_STATE_BYTES = 2 * MEGABYTE;

/** One pass over all QR codes. */
interface Pass {
	requests: number;
	time: TimeByArea;
}

/** The passes over an account, and the state that they leave. */
interface Account {
	qrCodes: number;
	passes: Pass[];
	stateBytes: number;
}

/** The requests that polls of a workflow sent. */
interface LinkPolls {
	atActivation: number;
	nothingNew: number;
	someNew: number;
}

function cpuSeconds({ time }: Pass): number {
	return AREAS.reduce((sum, area) => sum + time[area], 0);
}

function besidesHttp(pass: Pass): number {
	return cpuSeconds(pass) - pass.time.HTTP;
}

class Trigger {
	/** Accounts' numbers of QR codes, smallest first. */
	private readonly sizes: number[];

	private readonly links: number;

	constructor(private readonly bench: Bench) {
		this.sizes = bench.quick ? [200, 2000] : [1000, 10_000, 100_000];
		this.links = bench.quick ? 500 : 10_000;
	}

	async run(): Promise<Findings> {
		const { bench } = this;
		const service = await bench.startService({
			records: { links: this.links },
			limit: { requests: null },
			validate: false,
			deviations: { pageCap: PAGE_SIZE },
		});
		const probe = new Probe('profile', bench.temporaryFolder());
		const n8n = await bench.startN8n(service.url, { ...probe.options, packages: ['own'] });
		await useKey(n8n, service.url, service.apiKey);
		const links = await this.linkPolls(n8n, service);
		bench.say(`${this.links} links: requests ${JSON.stringify(links)}`);
		const accounts: Account[] = [];
		for (const qrCodes of this.sizes) accounts.push(await this.account(n8n, service, probe, qrCodes));
		return this.findings(links, accounts);
	}

	private async linkPolls(n8n: N8n, service: Service): Promise<LinkPolls> {
		const workflow = await n8n.createWorkflow(pollingWorkflow({ event: 'linkCreated' }, 3));
		await service.clearRequests();
		await n8n.activate(workflow);
		// The first poll also asks whose account it is.
		await this.polls(service, 1);
		const firstPages = (await service.requests()).map(({ query }) => query.page === '1');
		const second = firstPages.indexOf(true, firstPages.indexOf(true) + 1);
		const atActivation = second < 0 ? firstPages.length : second;
		// n8n may have polled in between; what is counted is a poll from its first page to the next one's.
		const nothingNew = (await this.polls(service, 4))[2];
		await service.clearRequests();
		await service.createRecords({ links: NEW_LINKS });
		const someNew = Math.max(...(await this.polls(service, 4)));
		const items = (await n8n.waitForExecutions(workflow, 1)).flatMap((execution) => reportedBy(execution));
		if (items.length !== NEW_LINKS) throw new Error(`${items.length} of ${NEW_LINKS} new links were reported.`);
		await n8n.deactivate(workflow);
		return { atActivation, nothingNew, someNew };
	}

	private async account(n8n: N8n, service: Service, probe: Probe, qrCodes: number): Promise<Account> {
		await service.reset({ records: { qrs: qrCodes } });
		const workflow = await n8n.createWorkflow(pollingWorkflow({ event: 'qrCodeScanned' }, EVERY_SECONDS));
		await n8n.activate(workflow);
		// The baseline may take several polls.
		while ((await service.stats()).requests < qrCodes / PAGE_SIZE) await atRest(service, IDLE_MS);
		await atRest(service, IDLE_MS);
		const scanned = (await service.qrs()).map(({ id }) => id).filter((_, index) => index % SCANNED_OF === 0);
		const passes: Pass[] = [];
		let before = await this.reported(n8n, workflow);
		// The first pass warms up, and does not count.
		for (let round = 0; round <= this.bench.runs; round++) {
			await service.clearRequests();
			await service.simulate({ scans: scanned.map((id) => ({ id, count: 1 })) });
			const time = await profile(n8n, probe, async () => {
				await this.polls(service, 1);
				await atRest(service, IDLE_MS);
			});
			const requests = Math.max(...(await this.polls(service, 1)));
			const reported = await this.reported(n8n, workflow);
			if (reported - before !== scanned.length)
				throw new Error(`${reported - before} instead of ${scanned.length} codes were reported.`);
			before = reported;
			const pass = { requests, time };
			if (round > 0) passes.push(pass);
			this.bench.say(
				`${qrCodes} QR codes: ${requests} requests, ${cpuSeconds(pass).toFixed(2)} s of CPU, ${besidesHttp(pass).toFixed(2)} s besides HTTP`,
			);
		}
		const { staticData } = await n8n.rest<{ staticData: unknown }>('GET', `/rest/workflows/${workflow}`);
		await n8n.deactivate(workflow);
		return { qrCodes, passes, stateBytes: JSON.stringify(staticData).length };
	}

	/** How many items the executions of a workflow were started with. */
	private async reported(n8n: N8n, workflow: string): Promise<number> {
		const executions = await n8n.executions(workflow);
		return executions.reduce((sum, execution) => sum + reportedBy(execution).length, 0);
	}

	/** The requests of each poll so far, once there are so many polls. */
	private async polls(service: Service, count: number): Promise<number[]> {
		const deadline = Date.now() + TIMEOUT_MS;
		for (;;) {
			const polls: number[] = [];
			for (const { query } of await service.requests()) {
				if (query.page === '1') polls.push(0);
				if (polls.length > 0) polls[polls.length - 1]++;
			}
			if (polls.length >= count) return polls;
			if (Date.now() > deadline) throw new Error(`${polls.length} of ${count} polls within ${TIMEOUT_MS / 1000} s.`);
			await delay(POLL_MS);
		}
	}

	private findings(links: LinkPolls, accounts: Account[]): Findings {
		const requestsOf = ({ passes }: Account): number => median(passes.map(({ requests }) => requests));
		const figure = ({ passes }: Account, of: (pass: Pass) => number) => spread(passes.map(of));
		const [smaller, largest] = accounts.slice(-2);
		const besides = figure(largest, besidesHttp);
		const factor = largest.qrCodes / smaller.qrCodes;
		const cpuGrowth = figure(largest, cpuSeconds).median / figure(smaller, cpuSeconds).median;
		const stateGrowth = largest.stateBytes / smaller.stateBytes;
		const checks: Check[] = [
			...accounts.map((account): Check => {
				const [requests, pages] = [requestsOf(account), account.qrCodes / PAGE_SIZE];
				return {
					promise: `${account.qrCodes} QR codes: requests for a full pass`,
					target: `≤ ${pages}`,
					measured: String(requests),
					met: requests <= pages,
					exact: true,
				};
			}),
			{
				promise: `${largest.qrCodes} QR codes: seconds of CPU besides HTTP`,
				target: `≤ ${MOST_CPU_SECONDS}`,
				measured: withRange(besides),
				met: besides.median <= MOST_CPU_SECONDS,
			},
			{
				promise: `${largest.qrCodes} QR codes: size of the stored state`,
				target: `≤ ${MOST_STATE_BYTES / MEGABYTE} MB`,
				measured: `${(largest.stateBytes / MEGABYTE).toFixed(2)} MB`,
				met: largest.stateBytes <= MOST_STATE_BYTES,
				exact: true,
			},
			{
				promise: `stored state of ${factor} times as many QR codes (${largest.qrCodes} ÷ ${smaller.qrCodes})`,
				target: `≤ ${factor}, linear`,
				measured: stateGrowth.toFixed(1),
				met: stateGrowth <= factor,
				exact: true,
			},
			{
				promise: `CPU time of ${factor} times as many QR codes (${largest.qrCodes} ÷ ${smaller.qrCodes})`,
				target: `≤ ${factor}, linear`,
				measured: cpuGrowth.toFixed(1),
				met: cpuGrowth <= factor,
			},
			{
				promise: `${this.links} links: requests when nothing is new`,
				target: '1',
				measured: String(links.nothingNew),
				met: links.nothingNew === 1,
				exact: true,
			},
			{
				promise: `${this.links} links: requests at activation, one of which asks whose account it is`,
				target: '2',
				measured: String(links.atActivation),
				met: links.atActivation === 2,
				exact: true,
			},
			{
				promise: `${this.links} links: requests when ${NEW_LINKS} are new`,
				target: '≤ 2',
				measured: String(links.someNew),
				met: links.someNew <= 2,
				exact: true,
			},
		];
		return {
			title: 'The trigger: what a poll costs',
			introduction: [
				`The service grants pages of at most ${PAGE_SIZE} records and limits no rate. n8n polls active workflows; CPU time is taken from profiles of its main thread, ` +
					`from before a poll until the execution that came of it was saved. Between two passes, one in ${SCANNED_OF} of the QR codes was scanned.`,
			],
			checks,
			tables: [
				{
					title: 'A full pass by the size of the account',
					columns: ['QR codes', 'requests', 'seconds of CPU', 'besides HTTP', 'bytes of state', 'for each code'],
					rows: accounts.map((account) => [
						String(account.qrCodes),
						String(requestsOf(account)),
						withRange(figure(account, cpuSeconds)),
						withRange(figure(account, besidesHttp)),
						String(account.stateBytes),
						(account.stateBytes / account.qrCodes).toFixed(1),
					]),
				},
				{
					title: `Where the CPU time of a pass over ${largest.qrCodes} QR codes goes, seconds`,
					columns: ['', 'median (range)'],
					rows: AREAS.map((area) => [area, withRange(figure(largest, ({ time }) => time[area]))]),
				},
			],
			charts: [
				{
					kind: 'lines',
					name: 'growth',
					title: 'A full pass by the size of the account',
					xAxis: 'QR codes',
					yAxis: 'seconds of CPU',
					lines: [
						{
							label: 'in all',
							points: accounts.map((account) => [account.qrCodes, figure(account, cpuSeconds).median]),
						},
						{
							label: 'besides HTTP',
							points: accounts.map((account) => [account.qrCodes, figure(account, besidesHttp).median]),
							dashed: true,
						},
					],
				},
			],
			notes: [
				'The credential is read once for all requests of a poll and handed to n8n with each of them: left to itself, n8n decrypts it and resolves its ' +
					'expressions again for each request that it authenticates.',
			],
		};
	}
}

export const run: Scenario['run'] = async (bench) => await new Trigger(bench).run();
