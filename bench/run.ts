import { setTimeout as delay } from 'timers/promises';
import { type N8n, N8nRestError, type WorkflowJson } from '../test/n8n/host';
import { isFinished } from '../test/n8n/host/execution';
import { until } from '../test/n8n/host/until';
import type { Contender } from './contenders';

/** One execution of a contender. */
export interface Run {
	/** What n8n notes for the contender's nodes, together. */
	nodeSeconds: number;
	/** CPU time of the n8n process for the whole execution, saving included. */
	cpuSeconds: number;
	/** How far the process's memory rose above where it was. */
	peakBytes: number;
	/** Items that the last node put out. */
	items: number;
}

const TIMEOUT_MS = 15 * 60_000;
const POLL_MS = 200;
/** What an execution leaves for later, n8n shall have done before the next one is measured. */
const REST_MS = 500;

/** Asks again while n8n, which was busy for seconds on end, takes its own database for lost. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
	const { answer } = await until(
		'an answer of n8n',
		async () => {
			try {
				return { answer: await ask() };
			} catch (error) {
				if (error instanceof N8nRestError && error.status === 503) return undefined;
				throw error;
			}
		},
		{ pauseMs: POLL_MS },
	);
	return answer;
}

/** Runs a workflow once. @throws Error when it does not end well */
export async function run(n8n: N8n, workflow: WorkflowJson, { nodes }: Contender): Promise<Run> {
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
		nodeSeconds: times.reduce((sum, time) => sum + time, 0) / 1000,
		cpuSeconds: after.cpuSeconds - before.cpuSeconds,
		peakBytes: after.peakRssBytes - before.rssBytes,
		items: execution.items(nodes[nodes.length - 1].name).length,
	};
}
