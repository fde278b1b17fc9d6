import type { N8n } from '../test/n8n/host';
import { until } from '../test/n8n/host/until';
import { pollingWorkflow, reportedBy } from '../test/n8n/polling';
import { atRest, type Bench, type Service } from './bench';
import { useKey } from './contenders';
import { atMost, type Check, type Findings, type Scenario } from './scenario';
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
/** What the largest account's full pass may cost, its requests included. */
const MOST_CPU_SECONDS = 4;
const MOST_STATE_MEGABYTES = 2;

/** One pass over all QR codes. */
interface Pass {
	requests: number;
	cpuSeconds: number;
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

class Trigger {
	/** Accounts' numbers of QR codes, smallest first. */
	private readonly sizes: number[];

	private readonly links: number;

	private service!: Service;

	private n8n!: N8n;

	constructor(private readonly bench: Bench) {
		this.sizes = bench.quick ? [200, 2000] : [1000, 10_000, 100_000];
		this.links = bench.quick ? 500 : 10_000;
	}

	async run(): Promise<Findings> {
		const { bench } = this;
		this.service = await bench.startService({
			records: { links: this.links },
			limit: { requests: null },
			validate: false,
			deviations: { pageCap: PAGE_SIZE },
		});
		const { url, apiKey } = this.service;
		this.n8n = await bench.startN8n(url);
		await useKey(this.n8n, url, apiKey);
		const links = await this.linkPolls();
		bench.say(`${this.links} links: requests ${JSON.stringify(links)}`);
		const accounts: Account[] = [];
		for (const qrCodes of this.sizes) accounts.push(await this.account(qrCodes));
		return this.findings(links, accounts);
	}

	private async linkPolls(): Promise<LinkPolls> {
		const { n8n, service } = this;
		const workflow = await n8n.createWorkflow(pollingWorkflow({ event: 'linkCreated' }, 3));
		await service.clearRequests();
		await n8n.activate(workflow);
		// The first poll also asks whose account it is.
		await this.polls(1);
		const firstPages = (await service.requests()).map(({ query }) => query.page === '1');
		const second = firstPages.indexOf(true, firstPages.indexOf(true) + 1);
		const atActivation = second < 0 ? firstPages.length : second;
		// n8n may have polled in between; what is counted is a poll from its first page to the next one's.
		const nothingNew = (await this.polls(4))[2];
		await service.clearRequests();
		await service.createRecords({ links: NEW_LINKS });
		const someNew = Math.max(...(await this.polls(4)));
		await n8n.waitForExecutions(workflow, 1);
		const items = await this.reported(workflow);
		if (items !== NEW_LINKS) throw new Error(`${items} of ${NEW_LINKS} new links were reported.`);
		await n8n.deactivate(workflow);
		return { atActivation, nothingNew, someNew };
	}

	private async account(qrCodes: number): Promise<Account> {
		const { n8n, service } = this;
		await service.reset({ records: { qrs: qrCodes } });
		const workflow = await n8n.createWorkflow(pollingWorkflow({ event: 'qrCodeScanned' }, EVERY_SECONDS));
		await n8n.activate(workflow);
		// The baseline may take several polls.
		while ((await service.stats()).requests < qrCodes / PAGE_SIZE) await atRest(service, IDLE_MS);
		await atRest(service, IDLE_MS);
		const scanned = (await service.qrs()).map(({ id }) => id).filter((_, index) => index % SCANNED_OF === 0);
		const passes: Pass[] = [];
		let before = await this.reported(workflow);
		// The first pass warms up, and does not count.
		for (let round = 0; round <= this.bench.runs; round++) {
			await service.clearRequests();
			await service.simulate({ scans: scanned.map((id) => ({ id, count: 1 })) });
			const { cpuSeconds: used } = n8n.process.usage();
			await this.polls(1);
			await atRest(service, IDLE_MS);
			const pass = { cpuSeconds: n8n.process.usage().cpuSeconds - used, requests: Math.max(...(await this.polls(1))) };
			const reported = await this.reported(workflow);
			if (reported - before !== scanned.length)
				throw new Error(`${reported - before} instead of ${scanned.length} codes were reported.`);
			before = reported;
			if (round > 0) passes.push(pass);
			this.bench.say(`${qrCodes} QR codes: ${pass.requests} requests, ${pass.cpuSeconds.toFixed(2)} s of CPU`);
		}
		const { staticData } = await n8n.rest<{ staticData: unknown }>('GET', `/rest/workflows/${workflow}`);
		await n8n.deactivate(workflow);
		return { qrCodes, passes, stateBytes: JSON.stringify(staticData).length };
	}

	/** How many items the executions of a workflow were started with. */
	private async reported(workflow: string): Promise<number> {
		const executions = await this.n8n.executions(workflow);
		return executions.reduce((sum, execution) => sum + reportedBy(execution).length, 0);
	}

	/** The requests of each poll so far, once there are so many polls. */
	private async polls(count: number): Promise<number[]> {
		const look = async () => {
			const polls: number[] = [];
			for (const { query } of await this.service.requests()) {
				if (query.page === '1') polls.push(0);
				if (polls.length > 0) polls[polls.length - 1]++;
			}
			return polls.length >= count && polls;
		};
		return await until(`${count} polls`, look, { timeoutMs: TIMEOUT_MS, pauseMs: POLL_MS });
	}

	private checks({ nothingNew, atActivation, someNew }: LinkPolls, accounts: Account[]): Check[] {
		const exact = { exact: true };
		const links = `${this.links} links: requests`;
		const [smaller, { qrCodes, passes, stateBytes }] = accounts.slice(-2);
		const cpu = spread(passes.map(({ cpuSeconds }) => cpuSeconds));
		const cpuGrowth = cpu.median / median(smaller.passes.map(({ cpuSeconds }) => cpuSeconds));
		const factor = qrCodes / smaller.qrCodes;
		const growth = `of ${factor} times as many QR codes (${qrCodes} ÷ ${smaller.qrCodes})`;
		const megabytes = { digits: 2, unit: ' MB', exact: true };
		return [
			...accounts.map((account) => {
				const requests = median(account.passes.map((pass) => pass.requests));
				return atMost(
					`${account.qrCodes} QR codes: requests for a full pass`,
					account.qrCodes / PAGE_SIZE,
					requests,
					exact,
				);
			}),
			atMost(`${qrCodes} QR codes: seconds of CPU`, MOST_CPU_SECONDS, cpu, { digits: 2 }),
			atMost(`${qrCodes} QR codes: size of the stored state`, MOST_STATE_MEGABYTES, stateBytes / MEGABYTE, megabytes),
			atMost(`stored state ${growth}`, factor, stateBytes / smaller.stateBytes, { digits: 1, exact: true }),
			atMost(`CPU time ${growth}`, factor, cpuGrowth, { digits: 1 }),
			atMost(`${links} when nothing is new`, 1, nothingNew, exact),
			atMost(`${links} at activation, one of which asks whose account it is`, 2, atActivation, exact),
			atMost(`${links} when ${NEW_LINKS} are new`, 2, someNew, exact),
		];
	}

	private findings(links: LinkPolls, accounts: Account[]): Findings {
		return {
			title: 'The trigger: what a poll costs',
			introduction: [
				`The service grants pages of at most ${PAGE_SIZE} records and limits no rate. n8n polls active workflows; CPU time is that of n8n’s process, ` +
					`from before a poll until the execution that came of it was saved. Between two passes, one in ${SCANNED_OF} of the QR codes was scanned.`,
			],
			checks: this.checks(links, accounts),
			tables: [
				{
					title: 'A full pass by the size of the account',
					columns: ['QR codes', 'requests', 'seconds of CPU', 'bytes of state', 'for each code'],
					rows: accounts.map(({ qrCodes, passes, stateBytes }) => [
						qrCodes,
						median(passes.map(({ requests }) => requests)),
						withRange(spread(passes.map(({ cpuSeconds }) => cpuSeconds))),
						stateBytes,
						(stateBytes / qrCodes).toFixed(1),
					]),
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
