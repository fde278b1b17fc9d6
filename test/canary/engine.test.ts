/**
 * What the package leans on in n8n beyond its documented interface (nodes/LinkManagement/n8n), in each version that is
 * supported. A failure says what n8n has changed, and what would break.
 */
import { spawnSync } from 'child_process';

import { PollContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type IExecuteFunctions,
	type IExecuteSingleFunctions,
	type INode,
	type INodeExecutionData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { errorInWords, showHint } from '../../nodes/LinkManagement/n8n/messages';
import { allInputItems } from '../../nodes/LinkManagement/n8n/entries';
import { executionOf, runOf } from '../../nodes/LinkManagement/n8n/lifetimes';
import { rowContext } from '../../nodes/LinkManagement/n8n/entries';
import { grantedTime, isSavedWithReports } from '../../nodes/LinkManagement/n8n/polls';
import { agentWith, answersTo } from '../engine/agent';
import { called, outcomeOf, probe, probing, start, workflowOf, type NodeSettings, type Outcome } from '../engine/host';

const credential = { baseUrl: 'https://links.example', apiKey: 'a-key-1234' };
const ROWS = [{ row: 1 }, { row: 2 }, { row: 3 }];

/** A workflow whose node, and another behind it, are probes. */
function probes(node: NodeSettings = {}): IWorkflowBase {
	const workflow = workflowOf({ resource: 'probe', operation: 'run' }, { credential, rows: ROWS, node });
	const links = workflow.nodes.find(({ name }) => name === 'Links')!;
	Object.assign(links, { type: 'test.probe', credentials: undefined });
	const done = workflow.nodes.find(({ name }) => name === 'Done')!;
	Object.assign(done, { type: 'test.probe', parameters: links.parameters });
	return workflow;
}

/** Runs the probes. */
async function probeWith(run: typeof probe.run, node?: NodeSettings): Promise<Outcome> {
	probe.run = run;
	return await outcomeOf(start(probes(node), credential));
}

/** The context of a run's first row. */
function firstRow(context: IExecuteFunctions): IExecuteSingleFunctions {
	return rowContext(context, context.getNode(), 0);
}

/** A failure shows the sentence. */
function expectOf(holds: boolean, otherwise: string): void {
	expect(holds ? 'as before' : otherwise).toBe('as before');
}

const retry: NodeSettings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

test('custom operations', async () => {
	const calls: Array<[name: string, items: number]> = [];
	const { error } = await probeWith(async function () {
		calls.push([this.getNode().name, this.getInputData().length]);
		return await Promise.resolve([this.getInputData()]);
	});
	expectOf(
		error === undefined && JSON.stringify(calls) === '[["Links",3],["Done",3]]',
		'n8n does not call customOperations once with all items any more: each row would be a run of its own, planned by itself.',
	);
});

test('the identity of execution data', async () => {
	const runs: object[] = [];
	await probeWith(async function () {
		runs.push(runOf(firstRow(this)));
		if (runs.length === 1) throw new Error('Try again');
		return await Promise.resolve([this.getInputData()]);
	}, retry);
	expectOf(
		runs[0] === runs[1],
		'n8n makes new execution data for each try of Retry On Fail: a retried run would make its links again.',
	);
	expectOf(
		runs.length === 3 && runs[2] !== runs[0],
		'n8n hands the same execution data to different nodes: the second would take the rows of the first for its own, and do nothing.',
	);
});

test('the items that came in with one', async () => {
	let beside: readonly object[] = [];
	await probeWith(async function () {
		beside = allInputItems(firstRow(this));
		return await Promise.resolve([this.getInputData()]);
	});
	expectOf(
		JSON.stringify(beside) === JSON.stringify(ROWS),
		'n8n does not show a row the others: a blank row of a file would be an error.',
	);
});

test('the signal that ends an execution', async () => {
	const seen: Array<object | undefined> = [];
	const remember: typeof probe.run = async function () {
		seen.push(executionOf(firstRow(this)));
		return await Promise.resolve([this.getInputData()]);
	};
	await probeWith(remember);
	expectOf(
		seen[0] !== undefined && seen[0] === seen[1],
		'n8n gives each node a cancel signal of its own: what one node changes, the next would not know.',
	);
	await probeWith(remember);
	expectOf(
		seen[2] !== seen[0],
		'n8n shares the cancel signal between executions: one would take for the account what another has seen of it.',
	);
});

test('Stop', async () => {
	let isStopped = false;
	probe.run = async function () {
		const signal = this.getExecutionCancelSignal();
		await new Promise<void>((resolve) => {
			signal?.addEventListener('abort', () => resolve(), { once: true });
			execution.stop();
		});
		isStopped = signal?.aborted === true;
		return [[]];
	};
	const execution = start(probes(), credential);
	await execution.finished.catch(() => undefined);
	expectOf(
		isStopped,
		'n8n does not fire the cancel signal on Stop any more: a stopped run would go on sending its rows.',
	);
});

test('the hint of a run', async () => {
	const { run } = await probeWith(async function () {
		showHint(firstRow(this), 'Three rows');
		return await Promise.resolve([this.getInputData()]);
	});
	expectOf(
		JSON.stringify(run.data.resultData.runData.Links).includes('Three rows'),
		'n8n does not keep the hints of custom operations any more: nobody would see what a run has done.',
	);
});

describe('the shape of a failed item', () => {
	const give = (items: INodeExecutionData[]): typeof probe.run =>
		async function () {
			return await Promise.resolve([this.getNode().name === 'Links' ? items : this.getInputData()]);
		};
	const pairedItem = { item: 0 };

	test('on the error output', async () => {
		const whole = { json: { id: 2, error: 'a column' }, pairedItem };
		const { items, failed } = await probeWith(give([{ json: { error: 'Why' }, pairedItem }, whole]), {
			onError: 'continueErrorOutput',
		});
		expectOf(
			failed.length === 1 && items.length === 1,
			'n8n tells failed items from others in another way: failed rows would leave by the wrong output.',
		);
		expectOf(
			failed[0].json.row === 1,
			'n8n does not add the input to an item of the error output any more: failed rows could not be found again.',
		);
	});
});

test('calls by an agent', async () => {
	const contexts: IExecuteSingleFunctions[] = [];
	called.run = async (rows) => {
		expect(rows).toHaveLength(1);
		contexts.push(...rows);
		if (contexts.length === 1) throw new Error('Try again');
		return await Promise.resolve([{ json: { row: contexts.length } }]);
	};
	const workflow = agentWith(credential, { ask: { resource: 'probe', operation: 'call' } }, [['ask', {}]], retry);
	workflow.nodes.find(({ name }) => name === 'ask')!.type = 'test.callTool';
	for (let times = 0; times < 2; times++) await answersTo(workflow, credential);
	expectOf(
		contexts.length === 3,
		'n8n does not call paging functions for the calls of a tool any more, or tries them again in another way: an agent would get the bare answer of the service.',
	);
	const [first, again, other] = contexts.map(runOf);
	expectOf(
		first === again,
		'n8n makes new input for each try of a call: a call that is tried again would make its link twice.',
	);
	expectOf(
		other !== first,
		'n8n hands the same input to two calls: the second would take the first for its own, and do nothing.',
	);
});

/** The n8n around the engine, where there is one: among the fast tests, the oldest engine comes by itself. */
const whole = process.env.N8N_FOLDER;

const toolName = () => {
	const script = `
		const convert = () => {
			try {
				return require('n8n/dist/tool-generation');
			} catch {
				return require('n8n/dist/load-nodes-and-credentials').LoadNodesAndCredentials.prototype;
			}
		};
		const description = { name: 'links', displayName: 'Links', codex: {}, properties: [] };
		process.stdout.write('name: ' + convert().convertNodeToAiTool({ description }).description.name + '\\n');
		process.exit();`;
	const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: whole, encoding: 'utf8' });
	expectOf(
		/^name: linksTool$/m.test(stdout),
		`n8n names the twin of a node that is a tool in another way: answers to a model would be those to people. ${stdout}${stderr}`,
	);
};

if (whole !== undefined) test("a tool's name", toolName);

/** What a poll of a node gets from n8n. */
function polled(node: INode, staticData: IDataObject): { context: PollContext; workflow: Workflow } {
	const { connections } = probes();
	const nodeTypes = { getByName: () => probing, getByNameAndVersion: () => probing, getKnownTypes: () => ({}) };
	const workflow = new Workflow({ id: 'w1', nodes: [node], connections, active: true, nodeTypes, staticData });
	const data = { credentialsHelper: {} } as IWorkflowExecuteAdditionalData;
	return { context: new PollContext(workflow, node, data, 'trigger', 'update'), workflow };
}

test('static data that n8n saves with a report', () => {
	const [node] = probes().nodes;
	const { workflow } = polled(node, {});
	expectOf(
		isSavedWithReports(workflow.getStaticData('node', node)),
		'n8n marks the static data that it saves in another way: a restart would lose the first reading of a trigger that was not over at its activation.',
	);
});

test('the cursor of a poll', () => {
	const [node] = probes().nodes;
	const { context } = polled(node, {});
	// Older versions have neither.
	expectOf(
		'__commitCursor' in context === 'getPollBudgetMs' in context,
		'n8n saves the cursor of a poll in another way: with durable cursors, the trigger would lose what happens between an activation and the next poll where n8n is killed.',
	);
});

test('the time of a poll by a timer', () => {
	const [node] = probes().nodes;
	expectOf(
		grantedTime(polled(node, {}).context) === undefined,
		'n8n grants a time to other polls than those of its scheduler: the trigger would take the first poll of an activation for one of these.',
	);
});

test('an error that holds the code of the system', () => {
	const message = 'The service refused the connection (ECONNREFUSED)';
	const error = errorInWords({ name: 'Links' } as never, message);
	expectOf(
		error.message === message,
		'n8n does not let the message of an error be set any more: people would read words of n8n in place of ours.',
	);
});
