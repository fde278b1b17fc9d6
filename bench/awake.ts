import type { N8n } from '../test/n8n/host';
import { pollingWorkflow } from '../test/n8n/polling';
import { fillAccount } from '../test/sandbox';
import { type Job, jobs, LINKS_MADE, NOTHING, PAGE, WARM_UP } from './awakeJobs';
import { atRest, type Bench, type Service } from './bench';
import { type Contender, useKey, workflowOf } from './contenders';
import { Probe } from './probe';
import { run as runOnce } from './run';
import { atMost, type Findings, type Scenario } from './scenario';
import { MEGABYTE, ratios, type Spread, spread, withRange } from './statistics';

/** So long may a node hold n8n up: in ms of CPU time, and in ms beyond what n8n's own node takes for the same. */
const LONGEST = 100;
const MOST_MEGABYTES = 600;
/** How often (s) the trigger polls, and how long (ms) no request comes when a poll is over. */
const POLL_EVERY = 10;
const IDLE_MS = 1500;

/** How long (ms) n8n was held up, and how far its memory rose (MB). */
interface Held {
	/** The longest stretch within a node, or a poll: CPU time. */
	cpu: number;
	/** The longest delay of the event loop. */
	longest: number;
	megabytes?: number;
}

type Rounds = Map<{ name: string }, Held[]>;

class Awake {
	private readonly probe: Probe;
	private service!: Service;
	private shared?: Promise<N8n>;

	constructor(private readonly bench: Bench) {
		this.probe = new Probe(bench.temporaryFolder());
	}

	async run(): Promise<Findings> {
		const { bench } = this;
		this.service = await bench.startService({ validate: false, limit: { requests: null } });
		const held = new Map<string, Rounds>();
		for (const job of jobs(bench.quick)) held.set(job.name, await this.rounds(job));
		const codes = bench.quick ? 2000 : 100_000;
		held.set(`a poll over ${codes.toLocaleString('en')} QR codes`, await this.polls(codes));
		return this.findings(held);
	}

	/** In an n8n that has run a row before; where its memory is weighed, in one that was started for that. */
	private async rounds(job: Job): Promise<Rounds> {
		const { bench, service } = this;
		return await bench.turns(job.contenders(service.url), async (contender) => {
			const n8n = job.isWeighed ? await this.start() : await (this.shared ??= this.start());
			const one = await this.work(n8n, job, contender);
			if (job.isWeighed) await n8n.stop();
			bench.say(`${job.name}, ${contender.name}: ${one.cpu.toFixed(0)} ms of CPU, ${one.longest.toFixed(0)} ms in all`);
			return one;
		});
	}

	private async start(): Promise<N8n> {
		const { bench, service } = this;
		const n8n = await bench.startN8n(this.probe.options);
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
	private async polls(codes: number): Promise<Rounds> {
		const { bench, service } = this;
		await service.reset({ records: { qrs: codes }, deviations: { pageCap: PAGE } });
		const n8n = await (this.shared ??= this.start());
		const workflow = await n8n.createWorkflow(pollingWorkflow({ event: 'qrCodeScanned' }, POLL_EVERY));
		await n8n.activate(workflow);
		const pass = async () => {
			while ((await service.stats()).requests < codes / PAGE) await atRest(service, IDLE_MS);
		};
		await pass();
		const held = await bench.turns([{ name: 'Link Management Trigger' }], async () => {
			await service.simulate({ scans: (await service.qrs()).slice(0, 500).map(({ id }) => ({ id, count: 1 })) });
			await service.clearRequests();
			const { done: _done, ...one } = await this.held(n8n, pass);
			bench.say(`A poll: ${one.cpu.toFixed(0)} ms of CPU, ${one.longest.toFixed(0)} ms in all`);
			return one;
		});
		await n8n.deactivate(workflow);
		return held;
	}

	/** How long the event loop was held up meanwhile. */
	private async held<T>(n8n: N8n, work: () => Promise<T>): Promise<Held & { done: T }> {
		await this.probe.ask(n8n);
		const done = await work();
		return { ...(await this.probe.ask<Held>(n8n)), done };
	}

	private findings(all: Map<string, Rounds>): Findings {
		const figure = (runs: Held[], name: keyof Held): Spread | undefined => {
			const figures = runs.flatMap((one) => one[name] ?? []);
			return figures.length === 0 ? undefined : spread(figures);
		};
		const columns = {
			cpu: 'longest stretch within the node, ms of CPU',
			longest: 'longest delay, ms',
			megabytes: 'peak memory, MB',
		};
		const findings: Findings = {
			title: 'n8n stays responsive',
			introduction: [
				'How long a running workflow keeps n8n from everything else: for so long, the editor, webhooks and other workflows wait. Stretches within the node, from its start to its ' +
					"end, are measured in CPU time of n8n's main thread, which does not depend on other load. Delays of the event loop, from the histogram of Node.js, are those of the " +
					"whole execution. They include what n8n needs to start and save it, as n8n's own nodes show: No Operation with as many items, or what people would use for the same.",
				"Half of the rows' links exist. Sheets with plain rows run as dry runs, so that requests are few. The 1,000 rows with targets are created and updated.",
			],
			comparisons: [],
			checks: [],
			tables: [],
		};
		for (const [name, held] of all) {
			const [mine, theirs] = [...held.values()];
			const [, other] = [...held.keys()];
			findings.checks.push(atMost(`${name}: ${columns.cpu}`, LONGEST, figure(mine, 'cpu')!));
			if (theirs !== undefined) {
				const beyond = spread(mine.map(({ longest }, round) => longest - theirs[round].longest));
				findings.checks.push(atMost(`${name}: ${columns.longest}, beyond that of ${other.name}`, LONGEST, beyond));
			}
			if (name === LINKS_MADE)
				findings.comparisons.push({
					work: `${name}: ${columns.cpu}`,
					ours: withRange(figure(mine, 'cpu')!, 0),
					instead: other.name,
					theirs: withRange(figure(theirs, 'cpu')!, 0),
					ratio: withRange(
						spread(
							ratios(
								mine.map(({ cpu }) => cpu),
								theirs.map(({ cpu }) => cpu),
							),
						),
					),
				});
			const nothing = [...held.values()].at(-1)!;
			const peaks = [figure(mine, 'megabytes')?.median, figure(nothing, 'megabytes')?.median];
			if (peaks[0] !== undefined && peaks[1] !== undefined)
				findings.checks.push(
					atMost(`${name}: peak memory beyond No Operation's, MB`, MOST_MEGABYTES, peaks[0] - peaks[1]),
				);
			findings.tables.push({
				title: name,
				columns: ['', ...Object.values(columns)],
				rows: [...held].map(([{ name: contender }, runs]) => [
					contender,
					...(Object.keys(columns) as Array<keyof Held>).map((column) => {
						const figures = figure(runs, column);
						return figures === undefined ? '' : withRange(figures, 0);
					}),
				]),
			});
		}
		return findings;
	}
}

export const run: Scenario['run'] = async (bench) => await new Awake(bench).run();
