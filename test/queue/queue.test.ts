/**
 * n8n in queue mode, as examples/deploy/compose.yaml starts it: one main and two workers that know nothing of each other, with one
 * key. The service's ledger is the judge.
 */
import { execFile } from 'child_process';
import { randomUUID } from 'crypto';
import { readFileSync } from 'fs';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setTimeout as delay } from 'timers/promises';
import { promisify } from 'util';
import { type Limit, seenBy } from '../../bench/trial';
import { type Execution, inARow, LINK_MANAGEMENT, type N8nWorker, NODE_TYPE } from '../n8n/host';
import { until } from '../n8n/host/until';
import { pollingWorkflow, reportedBy } from '../n8n/polling';
import { type Sandbox, startSandbox } from '../sandbox';
import { type Cluster, REPLACED, startCluster } from './cluster';

const run = promisify(execFile);

/** The service's limit, a minute scaled down to three seconds. */
const LIMIT: Limit = { requests: 30, windowMs: 3000 };
const NO_LINKS = { links: 0, qrs: 0 };
const SHEETS = 4;
const ROWS_A_SHEET = 100;
const SHEET_TO_BE_CUT = 90;
/** Links that are there when the worker is killed. */
const CREATED_BEFORE = 40;
const POLL_SECONDS = 5;
/** The account is empty when the trigger is activated: what comes before its second poll is reported by this option alone. */
const CREATED = { event: 'linkCreated', options: { includeExisting: true } };
/** Of all requests of several processes that share a window, so many may be refused at most: those that rush at it have half. */
const MOST_REFUSED = 0.15;
/** A dead worker's hold runs out after 10 s here, is noticed within two looks 5 s apart, and then n8n waits for 30 s. */
const NOTICED_WITHIN_MS = 60_000;
/** A service that has made nothing for so long makes nothing more. */
const AT_REST_MS = 1_000;

let cluster: Cluster;
let sandbox: Sandbox;
let keys = 0;

beforeAll(async () => {
	sandbox = await startSandbox();
	cluster = await startCluster();
}, 900_000);

afterAll(async () => {
	await cluster?.stop();
	await sandbox?.stop();
}, 600_000);

afterEach(async () => {
	expect(await sandbox.violations()).toEqual([]);
});

/** Empties the service and gives n8n a key that is new to it. Workflows created from then on use it. */
async function useNewKey(): Promise<void> {
	const key = `key-${++keys}`;
	await sandbox.reset({ apiKeys: [key], limit: LIMIT, records: NO_LINKS });
	await cluster.main.createCredential({ baseUrl: sandbox.url, apiKey: key });
}

function rowsFor(count: number, sheet: string): IDataObject[] {
	return Array.from({ length: count }, (_value, index) => ({
		url: `https://www.example.com/${sheet}/${index + 1}`,
		alias: `${sheet}-${index + 1}`,
	}));
}

/** An active workflow that creates a link for each row that its webhook is called with. */
class SheetWorkflow {
	private constructor(
		readonly id: string,
		private readonly path: string,
	) {}

	static async publish(more: IDataObject): Promise<SheetWorkflow> {
		const path = randomUUID();
		const { nodes, connections } = inARow(
			{ name: 'Rows', type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'body.rows', options: {} } },
			{
				name: LINK_MANAGEMENT,
				type: NODE_TYPE,
				parameters: { resource: 'link', operation: 'create', url: '={{ $json.url }}', ...more } as INodeParameters,
			},
		);
		nodes[0] = {
			name: nodes[0].name,
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: path,
			parameters: { httpMethod: 'POST', path, responseMode: 'onReceived' },
		};
		const id = await cluster.main.createWorkflow({ nodes, connections });
		await cluster.main.activate(id);
		return new SheetWorkflow(id, path);
	}

	/** Starts an execution; n8n answers as soon as it is in the queue. */
	async start(rows: IDataObject[]): Promise<void> {
		const response = await fetch(`${cluster.main.url}/webhook/${this.path}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify({ rows }),
		});
		expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
	}

	/** Waits until so many executions have ended, good or bad. */
	async ended(count: number, timeoutMs?: number): Promise<Execution[]> {
		return await cluster.main.waitForExecutions(this.id, count, timeoutMs);
	}
}

async function longUrls(): Promise<string[]> {
	return (await sandbox.links()).map(({ longurl }) => longurl).sort();
}

function workerOf(executionId: string): N8nWorker | undefined {
	return cluster.workers.find(({ taken }) => taken.includes(executionId));
}

/** What n8n says that it created: the node's items, whatever became of the execution. */
function reportedLinks(execution: Execution): IDataObject[] {
	return LINK_MANAGEMENT in execution.runData ? execution.json(LINK_MANAGEMENT) : [];
}

it('the processes are those of the compose file, but for the addresses', async () => {
	const { main, worker } = cluster.services;
	const running = [{ service: main, process: cluster.main.process, port: cluster.main.port }];
	for (const { process, port } of cluster.workers) running.push({ service: worker, process, port });
	expect([running.length, worker.deploy?.replicas]).toEqual([3, 2]);
	for (const { service, process, port } of running) {
		const environment = readFileSync(`/proc/${process.pid}/environ`, 'utf8').split('\0');
		const expected = Object.entries(service.environment).filter(([name]) => !REPLACED.includes(name));
		expect(environment).toEqual(expect.arrayContaining(expected.map(([name, value]) => `${name}=${value}`)));
		expect(service.image).toBe(`n8nio/n8n:${cluster.main.process.installation.version}`);
		// The health check, on the process's own port.
		const [how, command, ...args] = service.healthcheck.test;
		expect([how, command]).toEqual(['CMD', 'node']);
		await run(
			global.process.execPath,
			args.map((arg) => arg.replace(':5678', `:${port}`)),
		);
	}
});

describe('sheets on both workers and the trigger on the main, with one key', () => {
	const rows = SHEETS * ROWS_A_SHEET;
	let executions: Execution[];
	let seen: Awaited<ReturnType<typeof seenBy>>;
	let triggerId: string | undefined;

	async function deactivateTrigger(): Promise<void> {
		if (triggerId !== undefined) await cluster.main.deactivate(triggerId);
		triggerId = undefined;
	}

	/** All sheets at once, with a key that nobody knows anything of, while a trigger polls with it. */
	async function round(): Promise<void> {
		await deactivateTrigger();
		await useNewKey();
		const created = await SheetWorkflow.publish({});
		triggerId = await cluster.main.createWorkflow(pollingWorkflow(CREATED, POLL_SECONDS));
		await cluster.main.activate(triggerId);
		await Promise.all(
			Array.from(
				{ length: SHEETS },
				async (_value, sheet) => await created.start(rowsFor(ROWS_A_SHEET, `sheet-${sheet + 1}`)),
			),
		);
		executions = await created.ended(SHEETS);
		seen = await seenBy(sandbox, LIMIT, rows);
		process.stderr.write(
			`${seen.created} of ${rows} rows in ${seen.actualMs} ms, ideal ${seen.idealMs} ms (${(seen.idealMs / seen.actualMs).toFixed(3)}), ` +
				`${seen.requests} requests, ${seen.refused} refused, ${seen.polls} polls\n`,
		);
	}

	beforeAll(async () => {
		// What is loaded and compiled at a first run is so before the figures.
		await useNewKey();
		const first = await SheetWorkflow.publish({});
		for (let sheet = 1; sheet <= SHEETS; sheet++) await first.start(rowsFor(2, `first-${sheet}`));
		await first.ended(SHEETS);
		await round();
	}, 900_000);

	afterAll(deactivateTrigger);

	it('every row is done, none twice, and both workers had a part', () => {
		expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'success'));
		expect(new Set(executions.map(({ id }) => workerOf(id)))).toEqual(new Set(cluster.workers));
		expect(seen).toMatchObject({ created: rows, twice: 0 });
	});

	it('the trigger reports each link once, and what it starts runs on the workers', async () => {
		const id = triggerId ?? '';
		const reported = async () =>
			(await cluster.main.executions(id)).flatMap((execution) =>
				reportedBy(execution).map(({ longurl }) => String(longurl)),
			);
		await until('the trigger reports all links', async () => (await reported()).length >= rows);
		expect((await reported()).sort()).toEqual(await longUrls());
		for (const execution of await cluster.main.executionSummaries(id)) expect(workerOf(execution.id)).toBeDefined();
	});

	// How fast, and how few exactly, the benchmark of pacing measures: here it would depend on the machine's other work.
	it('hardly a request is refused', () => {
		expect(seen.polls).toBeGreaterThan(0);
		expect(seen.refused / seen.requests).toBeLessThanOrEqual(MOST_REFUSED);
	});
});

describe('a worker that ends in the middle of a sheet', () => {
	const rows = rowsFor(SHEET_TO_BE_CUT, 'cut');
	const all = rows.map(({ url }) => String(url)).sort();
	let sheet: SheetWorkflow;
	let cutId: string;
	let victim: N8nWorker;

	beforeEach(async () => {
		await useNewKey();
		sheet = await SheetWorkflow.publish({
			linkFields: { custom: '={{ $json.alias }}' },
			options: { ifAliasExists: 'returnExisting' },
		});
		await sheet.start(rows);
		await until(`${CREATED_BEFORE} links`, async () => (await sandbox.links()).length >= CREATED_BEFORE);
		[{ id: cutId }] = await cluster.main.executionSummaries(sheet.id);
		const worker = workerOf(cutId);
		if (worker === undefined) throw new Error('No worker had the execution.');
		victim = worker;
	});

	/** Runs the sheet again: it has to make up the rest, and to report every row with the link that the service holds. */
	async function runAgain(runsSoFar: number): Promise<Execution> {
		// What was on its way when the worker died, the service still does.
		let before = await longUrls();
		await until('the service at rest', async () => {
			const earlier = before;
			await delay(AT_REST_MS);
			before = await longUrls();
			return before.length === earlier.length;
		});
		expect(before.length).toBeLessThan(rows.length);
		await sheet.start(rows);
		const again = (await sheet.ended(runsSoFar + 1)).find(({ id }) => id !== cutId)!;
		expect(again.status).toBe('success');
		expect(await longUrls()).toEqual(all);
		const held = new Map((await sandbox.links()).map(({ id, longurl }) => [id, longurl]));
		expect(reportedLinks(again).map(({ id }) => held.get(Number(id)))).toEqual(rows.map(({ url }) => url));
		expect(reportedLinks(again).filter(({ existing }) => existing === true)).toHaveLength(before.length);
		return again;
	}

	it('killed, and gone: the other worker makes up the rest, and n8n reports the first run as failed', async () => {
		await victim.process.kill();
		const again = await runAgain(0);
		expect(workerOf(again.id)).not.toBe(victim);

		// n8n gives the execution of a dead worker to nobody.
		await sheet.ended(2, NOTICED_WITHIN_MS);
		const cut = await cluster.main.execution(cutId);
		expect(cut).toMatchObject({ status: 'error', error: { message: expect.stringContaining('will no longer retry') } });
		expect(reportedLinks(cut)).toEqual([]);

		await victim.start();
	});

	it('killed, and started again at once: n8n reports the first run as crashed at the node', async () => {
		await victim.process.kill();
		await victim.start();
		const [cut] = await sheet.ended(1, NOTICED_WITHIN_MS);
		// First n8n learns it from the worker's own journal, then from the queue.
		expect(['crashed', 'error']).toContain(cut.status);
		if (cut.status === 'crashed') expect(cut.runData[LINK_MANAGEMENT]).toMatchObject([{ executionStatus: 'crashed' }]);
		expect(reportedLinks(cut)).toEqual([]);
		await runAgain(1);
	});

	it('asked to stop: it finishes the sheet first', async () => {
		await victim.process.stop();
		const cut = await cluster.main.execution(cutId);
		expect(cut.status).toBe('success');
		expect(reportedLinks(cut)).toHaveLength(rows.length);
		expect(await longUrls()).toEqual(all);
		await victim.start();
	});
});
