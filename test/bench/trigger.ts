import { setTimeout as delay } from 'timers/promises';
import { CREDENTIAL_TYPE, type N8n, type WorkflowJson } from '../n8n/host';
import { pollingWorkflow, reportedBy } from '../n8n/polling';
import type { Bench, Service } from './bench';
import { useKey } from './contenders';
import { FLOOR_TRIGGER_TYPE } from './peers';
import { AREAS, profile, profiled, type TimeByArea } from './profile';
import type { Findings, Scenario } from './scenario';
import { median, spread, withRange } from './statistics';

const PAGE_SIZE = 100;
/** How often the trigger polls: longer than a pass takes, so that passes don't overlap. */
const EVERY_SECONDS = 30;
/** QR codes that are scanned between two passes, one in so many. */
const SCANNED_OF = 200;
const NEW_LINKS = 5;
/** No request for so long: a poll is over, and n8n has saved what came of it. */
const IDLE_MS = 3000;
const POLL_MS = 250;
const TIMEOUT_MS = 5 * 60_000;

/** One pass over all QR codes. */
interface Pass {
	requests: number;
	time: TimeByArea;
}

/** The requests that polls of a workflow sent. */
interface LinkPolls {
	atActivation: number;
	nothingNew: number;
	someNew: number;
}

class Trigger {
	private readonly qrCodes: number;

	private readonly links: number;

	private readonly pages: number;

	constructor(private readonly bench: Bench) {
		this.qrCodes = bench.quick ? 2000 : 100_000;
		this.links = bench.quick ? 500 : 10_000;
		this.pages = this.qrCodes / PAGE_SIZE;
	}

	async run(): Promise<Findings> {
		const { bench } = this;
		const service = await bench.startService({ records: { links: this.links, qrs: this.qrCodes }, limit: { requests: null }, validate: false, pageCap: PAGE_SIZE });
		const folder = bench.temporaryFolder();
		const n8n = await bench.startN8n(service.url, profiled(folder));
		await useKey(n8n, service.url, service.apiKey);
		const links = await this.linkPolls(n8n, service);
		bench.say(`${this.links} links: requests ${JSON.stringify(links)}`);
		const ours = pollingWorkflow({ event: 'qrCodeScanned' }, EVERY_SECONDS);
		const { passes, stateBytes } = await this.passes(n8n, service, folder, ours);
		const floor = pollingWorkflow({}, EVERY_SECONDS);
		floor.nodes[0] = { ...floor.nodes[0], type: FLOOR_TRIGGER_TYPE, credentials: { [CREDENTIAL_TYPE]: { id: '', name: '' } } };
		const bare = await this.passes(n8n, service, folder, floor);
		return this.findings(links, passes, bare.passes, stateBytes);
	}

	private async linkPolls(n8n: N8n, service: Service): Promise<LinkPolls> {
		const workflow = await n8n.createWorkflow(pollingWorkflow({ event: 'linkCreated' }, 3));
		await service.clearRequests();
		await n8n.activate(workflow);
		const atActivation = (await this.polls(service, 1))[0];
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

	private async passes(n8n: N8n, service: Service, folder: string, polling: WorkflowJson): Promise<{ passes: Pass[]; stateBytes: number }> {
		const workflow = await n8n.createWorkflow(polling);
		await service.clearRequests();
		await n8n.activate(workflow);
		const codes = (await service.qrs()).map(({ id }) => id);
		const scanned = codes.filter((_, index) => index % SCANNED_OF === 0);
		// The baseline may take several polls.
		while ((await service.stats()).requests < this.pages) await this.idle(service);
		await this.idle(service);
		const passes: Pass[] = [];
		let before = await this.reported(n8n, workflow);
		// The first pass warms up, and does not count.
		for (let round = 0; round <= this.bench.runs; round++) {
			await service.clearRequests();
			await service.simulate({ scans: scanned.map((id) => ({ id, count: 1 })) });
			const time = await profile(n8n, folder, async () => {
				await this.polls(service, 1);
				await this.idle(service);
			});
			const requests = Math.max(...(await this.polls(service, 1)));
			const reported = await this.reported(n8n, workflow);
			if (reported - before !== scanned.length) throw new Error(`${reported - before} instead of ${scanned.length} codes were reported.`);
			before = reported;
			if (round > 0) passes.push({ requests, time });
			this.bench.say(`${this.qrCodes} QR codes: ${requests} requests, CPU ${AREAS.map((area) => `${area} ${time[area].toFixed(2)} s`).join(', ')}`);
		}
		const { staticData } = await n8n.rest<{ staticData: unknown }>('GET', `/rest/workflows/${workflow}`);
		await n8n.deactivate(workflow);
		return { passes, stateBytes: JSON.stringify(staticData).length };
	}

	/** How many items the executions of a workflow were started with. */
	private async reported(n8n: N8n, workflow: string): Promise<number> {
		const executions = await n8n.executions(workflow);
		return executions.reduce((sum, execution) => sum + reportedBy(execution).length, 0);
	}

	/** Waits until no poll is under way. */
	private async idle(service: Service): Promise<void> {
		for (let last = -1; ; ) {
			const { requests } = await service.stats();
			if (requests === last) return;
			last = requests;
			await delay(IDLE_MS);
		}
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

	private findings(links: LinkPolls, passes: Pass[], bare: Pass[], stateBytes: number): Findings {
		const requests = median(passes.map((pass) => pass.requests));
		const whole = ({ time }: Pass): number => AREAS.reduce((sum, area) => sum + time[area], 0);
		const least = median(bare.map(whole));
		const besides = spread(passes.map((pass) => whole(pass) - least));
		const megabytes = stateBytes / 2 ** 20;
		return {
			title: 'The trigger: what a poll costs',
			introduction: [
				`The service grants pages of at most ${PAGE_SIZE} records and limits no rate. n8n polls active workflows; CPU time is taken from profiles of its main thread, ` +
					`from before a poll until the execution that came of it was saved. Between two passes, one in ${SCANNED_OF} of the ${this.qrCodes} QR codes was scanned.`,
			],
			checks: [
				{ promise: `${this.qrCodes} QR codes: requests for a full pass`, target: `≤ ${this.pages}`, measured: String(requests), met: requests <= this.pages, exact: true },
				{ promise: `${this.qrCodes} QR codes: seconds of CPU besides n8n’s own for the requests`, target: '≤ 2', measured: withRange(besides), met: besides.median <= 2 },
				{
					promise: `${this.qrCodes} QR codes: size of the stored state`,
					target: '≤ 2 MB',
					measured: `${megabytes.toFixed(2)} MB (${(stateBytes / this.qrCodes).toFixed(1)} bytes each)`,
					met: megabytes <= 2,
					exact: true,
				},
				{ promise: `${this.links} links: requests when nothing is new`, target: '1', measured: String(links.nothingNew), met: links.nothingNew === 1, exact: true },
				{ promise: `${this.links} links: requests at activation`, target: '1', measured: String(links.atActivation), met: links.atActivation === 1, exact: true },
				{ promise: `${this.links} links: requests when ${NEW_LINKS} are new`, target: '≤ 2', measured: String(links.someNew), met: links.someNew <= 2, exact: true },
			],
			tables: [
				{
					title: `CPU time of a pass over ${this.qrCodes} QR codes, seconds`,
					columns: ['', 'Link Management Trigger', 'the bare requests'],
					rows: [
						...AREAS.map((area) => [area, ...[passes, bare].map((of) => withRange(spread(of.map(({ time }) => time[area]))))]),
						['in all', ...[passes, bare].map((of) => withRange(spread(of.map(whole))))],
					],
				},
			],
			charts: [],
			notes: [
				'Beside it, the least that a polling trigger of any kind costs: one that asks n8n for the same pages with the same credential, looks at nothing, ' +
					'and starts the workflow with as many records. Most of that goes into the credential: n8n decrypts it and resolves its expressions for each request that it authenticates.',
			],
		};
	}
}

export const run: Scenario['run'] = async (bench) => await new Trigger(bench).run();
