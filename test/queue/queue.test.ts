/**
 * n8n in queue mode, as examples/deploy/compose.yaml starts it: one main and two workers that know nothing of each other, with one
 * key. The service's ledger is the judge.
 */
import { execFile } from 'child_process';
import { readFileSync } from 'fs';
import { promisify } from 'util';
import type { Execution } from '../n8n/host';
import { until } from '../n8n/host/until';
import { pollingWorkflow, reportedBy } from '../n8n/polling';
import { REPLACED } from './cluster';
import { cluster, longUrls, openCluster, rowsFor, SheetWorkflow, useNewKey, workerOf } from './sheets';

const run = promisify(execFile);

/** More than one worker runs at once (compose.yaml). */
const SHEETS = 12;
const ROWS_A_SHEET = 30;
const POLL_SECONDS = 5;

openCluster();

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
		triggerId = await cluster.main.createWorkflow(pollingWorkflow({ event: 'linkCreated' }, POLL_SECONDS));
		await cluster.main.activate(triggerId);
		await Promise.all(
			Array.from(
				{ length: SHEETS },
				async (_value, sheet) => await created.start(rowsFor(ROWS_A_SHEET, `sheet-${sheet + 1}`)),
			),
		);
		executions = await created.ended(SHEETS);
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

	it('every row is done, none twice, and both workers had a part', async () => {
		expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'success'));
		expect(new Set(executions.map(({ id }) => workerOf(id)))).toEqual(new Set(cluster.workers));
		const created = await longUrls();
		expect([created.length, new Set(created).size]).toEqual([rows, rows]);
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
});
