/**
 * Polls of n8n's scheduler, each of which ends before a window of the rate limit does, while sheets with the same key run. SHEETS and
 * TRIGGERS set how many there are, ROWS how long each sheet is.
 */
import { setTimeout as delay } from 'timers/promises';

import { startSandbox, type Sandbox } from '../sandbox';
import { LINK_MANAGEMENT, startN8n, workflowOf, type N8n } from './host';
import { credentialOf } from './host/shared';
import { DURABLE } from './cursorModes';
import { pollingWorkflow, reported } from './polling';

const ROWS = Number(process.env.ROWS ?? 120);
const SHEETS = Number(process.env.SHEETS ?? 1);
const TRIGGERS = Number(process.env.TRIGGERS ?? 2);
const LIMIT = 30;
const MINUTE = 60_000;
/** A poll a minute, and the window in which it comes. */
const LATEST = 2.2 * MINUTE;

let n8n: N8n;
let sandbox: Sandbox;

beforeAll(async () => {
	n8n = await startN8n({ env: DURABLE });
	sandbox = await startSandbox({
		dialect: 'field',
		records: { links: 20, qrs: 20 },
		limit: { requests: LIMIT, windowMs: MINUTE },
		validate: false,
	});
	await n8n.createCredential(credentialOf(sandbox));
});

afterAll(async () => {
	await n8n.stop();
	await sandbox.stop();
});

test(
	'each poll has its turn, and the sheets lose nothing by it',
	async () => {
		const everyMinute = { pollTimes: { item: [{ mode: 'everyMinute' }] } };
		const triggers: string[] = [];
		for (let n = 0; n < TRIGGERS; n++) {
			const event = ['qrCodeScanned', 'linkClicked'][n % 2];
			const id = await n8n.createWorkflow(pollingWorkflow({ event, ...everyMinute }));
			await n8n.activate(id);
			triggers.push(id);
		}
		const columns = { mappingMode: 'autoMapInputData', value: null };
		const from = Date.now();
		const runs: string[] = [];
		for (let sheet = 0; sheet < SHEETS; sheet++) {
			const rows = Array.from({ length: ROWS }, (_, at) => ({
				alias: `row-${sheet}-${at}`,
				url: `https://example.com/${sheet}/${at}`,
			}));
			const id = await n8n.createWorkflow(workflowOf({ resource: 'link', operation: 'upsert', columns }, rows));
			runs.push(await n8n.startRun(id));
		}
		const [{ id: code }] = await sandbox.qrs();
		const [{ id: link }] = await sandbox.links();
		let isRunning = true;
		const ended = Promise.all(runs.map(async (run) => await n8n.waitForExecution(run, 50 * MINUTE))).finally(
			() => (isRunning = false),
		);
		/** How long (ms) each visit took to be reported. */
		const delays: number[] = [];
		for (let visits = 1; isRunning && (SHEETS * ROWS) / LIMIT >= visits; visits++) {
			const at = Date.now();
			await sandbox.simulate({ scans: [{ id: code, count: 1 }], clicks: [{ id: link, count: 1 }] });
			await Promise.all(triggers.map(async (id) => await reported(n8n, id, visits)));
			delays.push(Date.now() - at);
			await delay(1_000);
		}
		const executions = await ended;
		const minutes = (Date.now() - from) / MINUTE;
		const seconds = delays.map((ms) => Math.round(ms / 1000)).join(', ');
		process.stderr.write(
			`${SHEETS} × ${ROWS} rows in ${minutes.toFixed(1)} minutes; visits were reported after ${seconds} s\n`,
		);
		for (const execution of executions) expect(execution.items(LINK_MANAGEMENT)).toHaveLength(ROWS);
		expect(delays.length).toBeGreaterThan(1);
		expect(Math.max(...delays)).toBeLessThan(LATEST);
		expect(n8n.process.logs).not.toContain('had no time');
	},
	60 * MINUTE,
);
