/**
 * The demo: reads a spreadsheet, creates its short links through the Link Management node inside a real n8n,
 * against the sandbox service, and prints what came of each row; then the sheet changes, and runs a second time. See `--help`.
 */
import { readFileSync } from 'fs';
import { join, resolve } from 'path';
import { setTimeout as delay } from 'timers/promises';
import { parseArgs } from 'util';
import {
	buildIfStale,
	type Execution,
	freePort,
	installation,
	isTaken,
	type N8n,
	startN8n,
	type WorkflowJson,
} from '../../test/n8n/host';
import { PROJECT } from '../../test/n8n/host/installation';
import { type Sandbox, startSandbox } from '../../test/sandbox';
import { DemoFolder } from './folder';
import { idleTime, isFailed, nextNight, type ResultRow, summary, table } from './report';

const HELP = `npm run demo [-- options]

  --once              end after the runs instead of leaving the editor open
  --port <number>     n8n's port (default 5678, or a free one if that is taken)
  --window <seconds>  length of the service's rate-limit window (default 60; the service allows 30 requests in it)
  --folder <path>     where the demo keeps its data (default .demo)
  --help              this text`;

const LIMIT = 30;
const USUAL_PORT = 5678;
const TIMEOUT_MS = 15 * 60_000;
const PROGRESS_MS = 500;
/** Where the output is not a terminal, a progress line is printed this often. */
const PLAIN_PROGRESS_MS = 10_000;
/** Without a request for so long, the run is waiting for the service's next window. */
const QUIET_MS = 1_000;
/** What a terminal takes as: nothing to the right of here. */
const ERASE_LINE_END = '\u001b[K';
/** The campaigns that the spreadsheet names by ID. */
const CAMPAIGNS = ['Spring', 'Summer', 'Autumn', 'Winter', 'Partner shops'].map((name, index) => ({
	id: 101 + index,
	name,
}));
/** The folder that the example workflow names, which n8n's Docker image has. */
const EXAMPLE_FOLDER = '/home/node/.n8n-files';

const say = (line: string): void => console.log(line);

let interrupted = false;
/** Whether the run is over and the editor waits for Ctrl-C, which is then a good end. */
let finished = false;

/** What has to be ended, last started first. */
const started: Array<() => Promise<void> | void> = [];

async function endEverything(): Promise<void> {
	for (let end = started.pop(); end !== undefined; end = started.pop()) await end();
}

function positiveNumber(name: string, text: string): number {
	const value = Number(text);
	if (!Number.isFinite(value) || value <= 0) throw new Error(`--${name} takes a positive number, not "${text}".`);
	return value;
}

async function choosePort(wanted: string | undefined): Promise<number> {
	const port = wanted === undefined ? USUAL_PORT : positiveNumber('port', wanted);
	if (!(await isTaken(port))) return port;
	const taken = `Port ${port} is in use by another program`;
	if (wanted !== undefined) throw new Error(`${taken}. Name another one with --port, or leave the option out.`);
	const free = await freePort();
	say(`${taken}; n8n takes ${free} instead.`);
	return free;
}

/** The example workflow, reading and writing in the demo's folder. */
function exampleWorkflow(folder: DemoFolder, name: string): WorkflowJson {
	const text = readFileSync(join(PROJECT, 'examples', name), 'utf8');
	const quoted = JSON.stringify(folder.files).slice(1, -1);
	return JSON.parse(text.replaceAll(EXAMPLE_FOLDER, quoted)) as WorkflowJson;
}

/** Runs the sheet, and shows how far it is until it ends. */
async function runSheet(n8n: N8n, sandbox: Sandbox, workflowId: string, rows: number): Promise<Execution> {
	const { isTTY } = process.stdout;
	const startedAt = Date.now();
	let isOver = false;
	const run = n8n.run(workflowId, TIMEOUT_MS).finally(() => (isOver = true));
	const end = run.catch(() => undefined);
	for (let shownAt = 0; !isOver && !interrupted; await Promise.race([end, delay(PROGRESS_MS)])) {
		if (Date.now() - shownAt < (isTTY ? PROGRESS_MS : PLAIN_PROGRESS_MS)) continue;
		shownAt = Date.now();
		const { requests, created, lastRequestAt } = await sandbox.stats();
		const isWaiting = lastRequestAt !== null && shownAt - lastRequestAt > QUIET_MS;
		const left = rows - created.links;
		const wait = isWaiting ? `, waiting for the service to take requests again (${left} rows left)` : '';
		const line = `  ${created.links} of ${rows} links created, ${requests} requests, ${Math.round((shownAt - startedAt) / 1000)} s${wait}`;
		process.stdout.write(isTTY ? `\r${line}${ERASE_LINE_END}` : `${line}\n`);
	}
	if (isTTY) process.stdout.write('\n');
	return await run;
}

function expectSuccess({ status, error }: Execution): void {
	if (status === 'success') return;
	throw new Error(`The workflow ended with the status "${status}": ${error?.message ?? 'n8n gave no reason'}`);
}

/** The sheet changes, and runs again as it would every night. @returns the workflow's ID */
async function runNextNight(n8n: N8n, sandbox: Sandbox, folder: DemoFolder, wrong: number[]): Promise<string> {
	folder.editSheet(wrong);
	say('\nThe next night, after two rows were changed, one was added, and the wrong ones were taken out:');
	const workflowId = await n8n.createWorkflow(exampleWorkflow(folder, 'nightly-sheet.json'));
	await sandbox.clearRequests();
	const execution = await n8n.run(workflowId, TIMEOUT_MS);
	expectSuccess(execution);
	const actions = execution.json('Create or update links').map(({ action }) => String(action));
	const requests = await sandbox.requests();
	say(nextNight(actions, execution.durationMs, requests.length));
	say(`Result:  ${folder.inStep}`);
	return workflowId;
}

async function main(): Promise<void> {
	const { values: options } = parseArgs({
		options: {
			once: { type: 'boolean', default: false },
			port: { type: 'string' },
			window: { type: 'string', default: '60' },
			folder: { type: 'string', default: join(PROJECT, '.demo') },
			help: { type: 'boolean', default: false },
		},
	});
	if (options.help) {
		say(HELP);
		return;
	}
	const windowMs = positiveNumber('window', options.window) * 1000;
	const folder = DemoFolder.take(resolve(options.folder), say);
	started.push(() => folder.release());
	const port = await choosePort(options.port);

	await installation();
	say('Building the package …');
	await buildIfStale();

	const sandbox = await startSandbox({
		dialect: 'field',
		// A service that gives out a long URL's link as if it had just been made hides from a second run what was there.
		deviations: { knownLongUrl: 'new' },
		records: { campaigns: 0 },
		limit: { requests: LIMIT, windowMs },
	});
	started.push(async () => await sandbox.stop());
	await sandbox.createRecords({ campaigns: CAMPAIGNS });
	say(`The sandbox service answers at ${sandbox.url}: ${LIMIT} requests per ${windowMs / 1000} s.`);
	say('It answers as deployed services do: see "npm run sandbox -- --list".');

	say('Starting n8n …');
	const n8n = await startN8n({
		userFolder: folder.n8n,
		filesFolder: folder.files,
		port,
		// Ctrl-C in mid-run: n8n would wait for the end of the run.
		env: { N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '1' },
	});
	started.push(async () => await n8n.stop());
	folder.announce(n8n.url);
	await n8n.createCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey }, { name: 'Sandbox service' });
	const workflowId = await n8n.createWorkflow(exampleWorkflow(folder, 'bulk-links-from-spreadsheet.json'));

	const rowCount = readFileSync(folder.sheet, 'utf8').trimEnd().split('\n').length - 1;
	say(`Creating the ${rowCount} short links of examples/links.csv; three of its rows are wrong on purpose.`);
	const execution = await runSheet(n8n, sandbox, workflowId, rowCount);
	expectSuccess(execution);
	const rows = execution.json('Results') as unknown as ResultRow[];
	const requests = await sandbox.requests();
	say(`\n${table(rows)}\n`);
	say(
		summary({
			rows,
			durationMs: execution.durationMs,
			waitedMs: idleTime(requests),
			requests: requests.length,
			refused: requests.filter(({ refused }) => refused).length,
		}),
	);
	say(`Result:  ${folder.result}`);
	const wrong = rows.flatMap(({ result }, index) => (isFailed(result) ? [index] : []));
	const nightlyId = await runNextNight(n8n, sandbox, folder, wrong);
	if (options.once) return;

	say(`\nThe editor is open at ${n8n.url}/workflow/${nightlyId}`);
	say(`Sign in with ${n8n.owner.email} and the password ${n8n.owner.password}`);
	say('Run the workflow again there: nothing is new, and no link is made twice. Ctrl-C stops n8n and the sandbox.');
	finished = true;
	await n8n.process.waitForEnd();
	throw new Error(`n8n ended by itself. The end of its log:\n${n8n.process.logTail}`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		if (interrupted) return;
		interrupted = true;
		say('\nStopping n8n and the sandbox …');
		void endEverything().finally(() => process.exit(finished ? 0 : signal === 'SIGINT' ? 130 : 143));
	});
}

void main()
	.catch((error: unknown) => {
		if (interrupted) return;
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	})
	.then(async () => {
		if (!interrupted) await endEverything();
	});
