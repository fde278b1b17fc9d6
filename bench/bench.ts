import { fork } from 'child_process';
import { once } from 'events';
import { cpSync, mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { setTimeout as delay } from 'timers/promises';
import { type N8n, N8nRestError, packPackage, startN8n, unpackPackage, type WorkflowJson } from '../test/n8n/host';
import { isFinished } from '../test/n8n/host/execution';
import { until } from '../test/n8n/host/until';
import { controlOf, type SandboxControl, type SandboxState } from '../test/sandbox';
import type { Contender } from './contenders';
import type { ServiceAnswer } from './service';
import { withRange } from './statistics';

/** A line of the document: our figure beside that of what people would use instead. */
export interface Line {
	/** What was done, and what the figure is. */
	work: string;
	ours: string;
	instead: string;
	theirs: string;
	/** Ours ÷ theirs, where there is one. */
	ratio?: string;
}

/** Measures one kind of work. @throws Error when work was not done, or was done twice */
export type Scenario = (bench: Bench) => Promise<Line[]>;

/** A sandbox in a process of its own. */
export interface Service extends SandboxControl {
	readonly apiKey: string;
}

/** One execution of a contender. */
export interface Run {
	/** What n8n notes for the contender's nodes, together. */
	seconds: number;
	/** How far the memory of n8n's process rose, in megabytes. */
	megabytes: number;
	/** Items that the last node put out. */
	items: number;
}

const TIMEOUT_MS = 15 * 60_000;
const POLL_MS = 200;
/** What an execution leaves for later, n8n shall have done before the next one is measured. */
const REST_MS = 500;

/** What a scenario works with. Everything that it starts ends with the scenario. */
export class Bench {
	private readonly ends: Array<() => Promise<void> | void> = [];

	private tarball: string | undefined;

	constructor(
		/** How often each figure is measured. */
		readonly runs: number,
		readonly say: (line: string) => void,
	) {}

	/** Starts the service in a process of its own. */
	async startService(state: SandboxState = {}): Promise<Service> {
		const child = fork(join(__dirname, 'service.ts'), { execArgv: ['--import', 'tsx'] });
		this.ends.push(() => void child.kill('SIGKILL'));
		child.send(state);
		const started = once(child, 'message').then(([message]) => message as ServiceAnswer);
		const ended = once(child, 'exit').then(() => {
			throw new Error('The service ended while it was starting.');
		});
		const { url, apiKey } = await Promise.race([started, ended]);
		return Object.assign(controlOf(url), { apiKey });
	}

	/** Starts an n8n that has the package, and the bare node. */
	async startN8n(): Promise<N8n> {
		const userFolder = this.temporaryFolder();
		// Packed once, so that all n8ns of a scenario have the same, whatever changes meanwhile.
		this.tarball ??= await packPackage(this.temporaryFolder());
		await unpackPackage(this.tarball, userFolder);
		const bare = join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-bare');
		cpSync(join(__dirname, 'bareNode'), bare, { recursive: true });
		const n8n = await startN8n({ userFolder, package: false });
		this.ends.push(async () => await n8n.stop());
		return n8n;
	}

	/** Contenders take turns, round by round. @returns what was measured of each, in their order */
	async turns<T>(
		contenders: Contender[],
		measure: (contender: Contender, round: number) => Promise<T>,
	): Promise<T[][]> {
		const all = contenders.map((): T[] => []);
		for (let round = 0; round < this.runs; round++)
			for (const [at, contender] of contenders.entries()) all[at].push(await measure(contender, round));
		return all;
	}

	/**
	 * Ours and another do the same in turns, each time in an n8n that has just been started.
	 *
	 * @param work its name
	 * @param measure does it, after a smaller piece of it
	 * @param figures what is compared; default: seconds
	 */
	async compare(
		work: string,
		contenders: [ours: Contender, other: Contender],
		measure: (n8n: N8n, contender: Contender) => Promise<Run>,
		figures: Array<'seconds' | 'megabytes'> = ['seconds'],
	): Promise<Line[]> {
		const [mine, theirs] = await this.turns(contenders, async (contender) => {
			const n8n = await this.startN8n();
			const one = await measure(n8n, contender);
			await n8n.stop();
			this.say(`${work}, ${contender.name}: ${one.seconds.toFixed(2)} s, ${one.megabytes.toFixed(0)} MB`);
			return one;
		});
		return figures.map((figure) => {
			const digits = figure === 'seconds' ? 2 : 0;
			const [ours, others] = [mine, theirs].map((runs) => runs.map((run) => run[figure]));
			return {
				work: `${work}: ${figure}`,
				ours: withRange(ours, digits),
				instead: contenders[1].name,
				theirs: withRange(others, digits),
				ratio: withRange(ours.map((value, round) => value / others[round])),
			};
		});
	}

	/** Ends everything that was started, last first. */
	async end(): Promise<void> {
		for (let end = this.ends.pop(); end !== undefined; end = this.ends.pop()) await end();
	}

	private temporaryFolder(): string {
		const folder = mkdtempSync(join(tmpdir(), 'link-management-bench-'));
		this.ends.push(() => rmSync(folder, { recursive: true, force: true }));
		return folder;
	}
}

/** Runs a workflow once. @throws Error when it does not end well */
export async function measured(n8n: N8n, workflow: WorkflowJson, { nodes }: Contender): Promise<Run> {
	const id = await n8n.createWorkflow(workflow);
	await delay(REST_MS);
	n8n.process.resetPeakMemory();
	const before = n8n.process.usage();
	const executionId = await n8n.startRun(id);
	const hasEnded = async () => {
		const [summary] = await patiently(async () => await n8n.executionSummaries(id));
		return summary !== undefined && isFinished(summary.status);
	};
	await until('the execution ends', hasEnded, { timeoutMs: TIMEOUT_MS, pauseMs: POLL_MS });
	const after = n8n.process.usage();
	const execution = await patiently(async () => await n8n.execution(executionId));
	if (execution.status !== 'success')
		throw new Error(`${workflow.name}: ${execution.error?.message ?? execution.status}`);
	await patiently(async () => await n8n.deleteWorkflow(id));
	const times = nodes.flatMap(({ name }) => execution.runData[name].map(({ executionTime }) => executionTime));
	return {
		seconds: times.reduce((sum, time) => sum + time, 0) / 1000,
		megabytes: (after.peakRssBytes - before.rssBytes) / 2 ** 20,
		items: execution.items(nodes[nodes.length - 1].name).length,
	};
}

/** Asks again while n8n, which was busy for seconds on end, takes its own database for lost. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
	const answered = async () => {
		try {
			return { answer: await ask() };
		} catch (error) {
			if (error instanceof N8nRestError && error.status === 503) return undefined;
			throw error;
		}
	};
	return (await until('an answer of n8n', answered, { pauseMs: POLL_MS })).answer;
}
