import { setTimeout as delay } from 'timers/promises';
import { type N8n, N8nRestError, type WorkflowJson } from '../test/n8n/host';
import { isFinished } from '../test/n8n/host/execution';
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
const PATIENCE_MS = 60_000;
/** What an execution leaves for later, n8n shall have done before the next one is measured. */
const REST_MS = 500;

/** Asks again while n8n, which was busy for seconds on end, takes its own database for lost. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
	const deadline = Date.now() + PATIENCE_MS;
	for (;;) {
		try {
			return await ask();
		} catch (error) {
			if (!(error instanceof N8nRestError && error.status === 503) || Date.now() > deadline) throw error;
		}
		await delay(POLL_MS);
	}
}

/** Waits for the end of the only execution of a workflow, without asking for its data. */
async function end(n8n: N8n, workflowId: string): Promise<void> {
	const deadline = Date.now() + TIMEOUT_MS;
	for (;;) {
		const [summary] = await patiently(async () => await n8n.executionSummaries(workflowId));
		if (summary !== undefined && isFinished(summary.status)) return;
		if (Date.now() > deadline) throw new Error(`The execution did not end within ${TIMEOUT_MS / 1000} s.`);
		await delay(POLL_MS);
	}
}

/** Runs a workflow once. @throws Error when it does not end well */
export async function run(n8n: N8n, workflow: WorkflowJson, { nodes }: Contender): Promise<Run> {
	const id = await n8n.createWorkflow(workflow);
	await delay(REST_MS);
	n8n.process.resetPeakMemory();
	const before = n8n.usage();
	const executionId = await n8n.startRun(id);
	await end(n8n, id);
	const after = n8n.usage();
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
