import { setTimeout as delay } from 'timers/promises';
import type { N8n } from '../test/n8n/host';
import { pollingWorkflow } from '../test/n8n/polling';
import { fillAccount } from '../test/sandbox';
import { type Job, jobs, NOTHING, WARM_UP } from './awakeJobs';
import { atRest, type Bench, type Service } from './bench';
import { type Contender, useKey, workflowOf } from './contenders';
import { Probe } from './probe';
import { run as runOnce } from './run';
import type { Findings, Scenario } from './scenario';
import { MEGABYTE, type Spread, spread, withRange } from './statistics';

/** So long (ms of CPU time) may a node hold n8n up. */
const LONGEST = 100;
const MOST_MEGABYTES = 600;
const PAGE = 1000;
/** How often (ms) n8n is asked whether it is well, after its last answer. */
const ASK_EVERY_MS = 20;
/** How often (s) the trigger polls, and how long (ms) no request comes when a poll is over. */
const POLL_EVERY = 10;
const IDLE_MS = 1500;

/** How long (ms) n8n was held up, and how far its memory rose (MB). */
interface Held {
	/** The longest stretch within a node, or a poll: CPU time. */
	cpu: number;
	/** The longest delay of the event loop, and that which 99 of 100 keep below. */
	longest: number;
	p99: number;
	/** The longest wait for an answer of /healthz. */
	health: number;
	megabytes?: number;
}

class Awake {
	private readonly probe: Probe;
	private service!: Service;
	private shared?: Promise<N8n>;

	constructor(private readonly bench: Bench) {
		this.probe = new Probe('awake', bench.temporaryFolder());
	}

	async run(): Promise<Findings> {
		const { bench } = this;
		this.service = await bench.startService({ validate: false, limit: { requests: null } });
		const held = new Map<string, Map<string, Held[]>>();
		for (const job of jobs(bench.quick)) held.set(job.name, await this.rounds(job));
		const codes = bench.quick ? 2000 : 100_000;
		held.set(`a poll over ${codes.toLocaleString('en')} QR codes`, await this.polls(codes));
		return this.findings(held);
	}

	/** In an n8n that has run a row before; where its memory is weighed, in one that was started for that. */
	private async rounds(job: Job): Promise<Map<string, Held[]>> {
		const { bench, service } = this;
		const held = new Map<string, Held[]>();
		for (let round = 0; round < bench.runs; round++) {
			for (const contender of job.contenders(service.url)) {
				const n8n = job.isWeighed ? await this.start() : await (this.shared ??= this.start());
				const one = await this.work(n8n, job, contender);
				if (job.isWeighed) await n8n.stop();
				bench.say(
					`${job.name}, ${contender.name}: ${one.cpu.toFixed(0)} ms of CPU, ${one.longest.toFixed(0)} ms in all`,
				);
				held.set(contender.name, [...(held.get(contender.name) ?? []), one]);
			}
		}
		return held;
	}

	private async start(): Promise<N8n> {
		const { bench, service } = this;
		const n8n = await bench.startN8n(service.url, this.probe.options);
		await useKey(n8n, service.url, service.apiKey);
		await runOnce(n8n, workflowOf(WARM_UP.contender, WARM_UP.rows), WARM_UP.contender);
		return n8n;
	}

	private async work(n8n: N8n, job: Job, contender: Contender): Promise<Held> {
		const { service } = this;
		const { links, campaigns = 0, items = job.rows.length } = job;
		const others = items === job.rows.length ? job.rows : Array.from({ length: items }, () => ({}));
		const rows = contender === NOTHING ? others : job.rows;
		const known = links === 0 ? [] : Array.from({ length: Math.ceil(job.rows.length / 2) }, (_, number) => number);
		await fillAccount(service, { dialect: 'document', key: service.apiKey, links, page: PAGE, known });
		await service.seedRecords({ campaigns });
		const { done, ...held } = await this.held(
			n8n,
			async () => await runOnce(n8n, workflowOf(contender, rows), contender),
		);
		if (done.items !== items) throw new Error(`${contender.name} put out ${done.items} items, not ${items}.`);
		return job.isWeighed ? { ...held, megabytes: done.peakBytes / MEGABYTE } : held;
	}

	/** A pass of the active trigger over all QR codes, some of which were scanned. */
	private async polls(codes: number): Promise<Map<string, Held[]>> {
		const { bench, service } = this;
		await service.reset({ records: { qrs: codes }, deviations: { pageCap: PAGE } });
		const n8n = await (this.shared ??= this.start());
		const workflow = await n8n.createWorkflow(pollingWorkflow({ event: 'qrCodeScanned' }, POLL_EVERY));
		await n8n.activate(workflow);
		while ((await service.stats()).requests < codes / PAGE) await atRest(service, IDLE_MS);
		const all: Held[] = [];
		for (let round = 0; round < bench.runs; round++) {
			await service.simulate({ scans: (await service.qrs()).slice(0, 500).map(({ id }) => ({ id, count: 1 })) });
			await service.clearRequests();
			const pass = async () => {
				while ((await service.stats()).requests < codes / PAGE) await atRest(service, IDLE_MS);
			};
			const { done: _done, ...held } = await this.held(n8n, pass);
			bench.say(`A poll: ${held.cpu.toFixed(0)} ms of CPU, ${held.longest.toFixed(0)} ms in all`);
			all.push(held);
		}
		await n8n.deactivate(workflow);
		return new Map([['Link Management Trigger', all]]);
	}

	private async held<T>(n8n: N8n, work: () => Promise<T>): Promise<Held & { done: T }> {
		await this.read(n8n);
		const isOver = new AbortController();
		const health = this.longestAnswer(n8n, isOver.signal);
		const done = await work();
		isOver.abort();
		return { ...(await this.read(n8n)), health: await health, done };
	}

	/** How long n8n takes at the longest to say that it is well. */
	private async longestAnswer(n8n: N8n, end: AbortSignal): Promise<number> {
		let longest = 0;
		while (!end.aborted) {
			const begin = performance.now();
			// A connection that n8n has closed meanwhile is no answer, and a wait all the same.
			await fetch(`${n8n.url}/healthz`)
				.then(async (response) => await response.arrayBuffer())
				.catch(() => undefined);
			longest = Math.max(longest, performance.now() - begin);
			await delay(ASK_EVERY_MS);
		}
		return longest;
	}

	/** How long the event loop was held up since this was asked last. */
	private async read(n8n: N8n): Promise<Pick<Held, 'cpu' | 'longest' | 'p99'>> {
		return await this.probe.ask(n8n);
	}

	private findings(all: Map<string, Map<string, Held[]>>): Findings {
		const figure = (runs: Held[], name: keyof Held): Spread | undefined => {
			const figures = runs.flatMap((one) => one[name] ?? []);
			return figures.length === 0 ? undefined : spread(figures);
		};
		const ofJobs = [...all].map(([name, held]) => ({ name, held: [...held], mine: [...held.values()][0] }));
		return {
			title: 'n8n stays awake',
			introduction: [
				'For how long nobody else had a turn in n8n while a workflow ran: for so long, the editor, webhooks and other workflows wait. Within a node, from when n8n begins it to ' +
					'when it has ended, a stretch is measured in CPU time of n8n’s main thread, which tells the same on a busy machine. The longest delays of the event loop, by the ' +
					'histogram of Node.js, and the longest wait for /healthz, asked every 20 ms, are those of the whole execution: what n8n takes to begin it and to save it is in them, ' +
					'as the same items through a No Operation node show.',
				'Half of the rows’ links are there, where there are any. Sheets with plain rows are gone through in dry runs, so that requests are few; the 1,000 rows with targets are made and updated.',
			],
			checks: ofJobs.flatMap(({ name, held, mine }) => {
				const cpu = figure(mine, 'cpu')!;
				const [peak, nothing] = [figure(mine, 'megabytes'), figure(held[held.length - 1][1], 'megabytes')];
				const beyond = (peak?.median ?? 0) - (nothing?.median ?? 0);
				const stretch = {
					promise: `${name}: longest stretch within the node, ms of CPU`,
					target: `≤ ${LONGEST}`,
					measured: withRange(cpu, 0),
					met: cpu.median <= LONGEST,
				};
				const memory = {
					promise: `${name}: peak memory beyond No Operation’s, MB`,
					target: `≤ ${MOST_MEGABYTES}`,
					measured: beyond.toFixed(0),
					met: beyond <= MOST_MEGABYTES,
				};
				return peak === undefined ? [stretch] : [stretch, memory];
			}),
			tables: ofJobs.map(({ name, held }) => ({
				title: name,
				columns: [
					'',
					'longest stretch within the node, ms of CPU',
					'longest delay, ms',
					'99 of 100 delays, ms',
					'longest wait for /healthz, ms',
					'peak memory, MB',
				],
				rows: held.map(([contender, runs]) => [
					contender,
					...(['cpu', 'longest', 'p99', 'health', 'megabytes'] as const).map((column) => {
						const figures = figure(runs, column);
						return figures === undefined ? '' : withRange(figures, 0);
					}),
				]),
			})),
			charts: [],
			notes: [],
		};
	}
}

export const run: Scenario['run'] = async (bench) => await new Awake(bench).run();
