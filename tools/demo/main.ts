/**
 * The demo: a Data Table and its links are brought in sync by the example workflow, in a real n8n, at the sandbox service. Then the
 * table changes, and runs a second time. See `--help`.
 */
import { readFileSync } from 'fs';
import { join } from 'path';
import { setTimeout as delay } from 'timers/promises';
import { parseArgs } from 'util';
import { DataTable } from '../../test/n8n/dataTable';
import { buildIfStale, type Execution, installation, type N8n, startN8n } from '../../test/n8n/host';
import type { WorkflowJson } from '../../test/n8n/host';
import { PROJECT } from '../../test/n8n/host/installation';
import { type Sandbox, startSandbox } from '../../test/sandbox';

const HELP = `npm run demo [-- options]

  --once              end after the runs instead of leaving the editor open
  --window <seconds>  length of the service's rate-limit window (default 60; the service allows 30 requests in it)
  --port <number>     where the editor opens (default: a free port)
  --help              this text`;

const LIMIT = 30;
const TIMEOUT_MS = 15 * 60_000;
/** How often progress is shown. */
const PROGRESS_MS = 10_000;
/** The columns of the Data Table, as the example workflow names them. */
const COLUMNS = ['long_url', 'alias', 'title', 'description', 'short_url', 'result'];

/** How the table changes before its second night. */
const CHANGED_ROWS = 2;
const NEW_ROW = {
	long_url: 'https://shop.example.com/spring/last-days',
	alias: 'spring-last-days',
	description: 'Last days of spring',
};

/** A row of the Data Table. */
type Row = Record<'long_url' | 'alias' | 'short_url' | 'result', string>;

const say = (line: string): void => console.log(line);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

let interrupted = false;
/** Whether the runs are over and the editor waits for Ctrl-C, which is then a good end. */
let finished = false;

/** What has to be ended, last started first. */
const started: Array<() => Promise<void> | void> = [];

async function endEverything(): Promise<void> {
	for (let end = started.pop(); end !== undefined; end = started.pop()) await end();
}

/** Runs the sheet, and shows how far it is, to its end. */
async function runSheet(n8n: N8n, sandbox: Sandbox, workflowId: string): Promise<Execution> {
	const startedAt = Date.now();
	await sandbox.clearRequests();
	let isOver = false;
	const run = n8n.run(workflowId, TIMEOUT_MS).finally(() => (isOver = true));
	const end = run.catch(() => undefined);
	let before = 0;
	while (!isOver && !interrupted) {
		await Promise.race([end, delay(PROGRESS_MS)]);
		const { requests, created } = await sandbox.stats();
		const links = `${created.links} ${created.links === 1 ? 'link' : 'links'}`;
		const waits = !isOver && requests === before ? ': rate limit reached, the node waits and goes on by itself' : '';
		say(`  ${links} created, ${requests} requests, ${seconds(Date.now() - startedAt)}${waits}`);
		before = requests;
	}
	const execution = await run;
	if (execution.status === 'success') return execution;
	throw new Error(`The workflow ended with "${execution.status}": ${execution.error?.message ?? 'n8n gave no reason'}`);
}

/** The rows that are not as they were before, as a table for a terminal, with their places. */
function shown(rows: Row[]): string {
	const width = Math.max(...rows.map(({ alias }) => alias.length));
	return rows
		.map(({ alias, short_url: shortUrl, result }, index) => {
			if (result === 'unchanged') return '';
			const [, reason] = /^failed: (.*)/s.exec(result) ?? [];
			const outcome = reason === undefined ? `${result.padEnd(9)}  ${shortUrl}` : `FAILED     ${reason}`;
			return `${String(index + 1).padStart(4)}  ${alias.padEnd(width)}  ${outcome}\n`;
		})
		.join('');
}

/** What came of the whole sheet, in a line. */
function summary(rows: Row[], durationMs: number, requests: number): string {
	const counts = ['unchanged', 'updated', 'created', 'failed']
		.map((outcome) => [rows.filter(({ result }) => result.startsWith(outcome)).length, outcome])
		.filter(([count]) => count !== 0)
		.map((count) => count.join(' '));
	return `Done: ${counts.join(', ')}, ${requests} requests in ${seconds(durationMs)}`;
}

/** Brings the sheet and its links in sync, and prints what came of it. */
async function runNight(n8n: N8n, sandbox: Sandbox, workflowId: string, table: DataTable): Promise<void> {
	const execution = await runSheet(n8n, sandbox, workflowId);
	const rows = (await table.rows()) as unknown as Row[];
	say(`\n row\n${shown(rows)}`);
	say(summary(rows, execution.durationMs, (await sandbox.stats()).requests));
}

/** The rows of a CSV file with no line break in a cell. */
function rowsOf(file: string): Array<Record<string, string>> {
	const [titles, ...rows] = readFileSync(file, 'utf8')
		.trimEnd()
		.split('\n')
		.map((line) => [...`,${line}`.matchAll(/,(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain));
	return rows.map((cells) => Object.fromEntries(titles.map((title, at) => [title, cells[at]])));
}

/** Edits the table as its users would from one day to the next: two rows change, one is new, and the failed ones go. */
async function editTable(table: DataTable): Promise<void> {
	const rows = (await table.rows()) as unknown as Row[];
	for (const { alias, long_url: longUrl } of rows.slice(0, CHANGED_ROWS))
		await table.update('alias', alias, { long_url: longUrl.replace('?', '-again?') });
	for (const { result } of rows.filter((row) => row.result.startsWith('failed'))) await table.remove('result', result);
	await table.insert([NEW_ROW]);
}

/** Says each few seconds that something still goes on, until it is over. */
async function withProgress<T>(what: string, work: Promise<T>): Promise<T> {
	const startedAt = Date.now();
	const timer = setInterval(() => say(`  ${what}, ${seconds(Date.now() - startedAt)}`), PROGRESS_MS);
	return await work.finally(() => clearInterval(timer));
}

async function start(windowMs: number, port: number | undefined): Promise<[n8n: N8n, sandbox: Sandbox]> {
	await installation();
	say('Building the package …');
	await buildIfStale();
	const sandbox = await startSandbox({
		dialect: 'field',
		// A service that gives out a long URL's link as if it had just been made hides from a second run what was there.
		deviations: { knownLongUrl: 'new' },
		limit: { requests: LIMIT, windowMs },
	});
	started.push(async () => await sandbox.stop());
	say(`The sandbox service answers at ${sandbox.url}: ${LIMIT} requests per ${windowMs / 1000} s.`);
	say('Starting n8n …');
	// Ctrl-C in mid-run: n8n would wait for the end of the run.
	const env = { N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '1' };
	const n8n = await withProgress('n8n is starting', startN8n({ env, port }));
	started.push(async () => await n8n.stop());
	await n8n.createCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey }, { name: 'Sandbox service' });
	return [n8n, sandbox];
}

async function main(): Promise<void> {
	const { values: options } = parseArgs({
		options: {
			once: { type: 'boolean', default: false },
			window: { type: 'string', default: '60' },
			port: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (options.help) {
		say(HELP);
		return;
	}
	const windowMs = Number(options.window) * 1000;
	if (!(windowMs > 0)) throw new Error(`--window takes a positive number, not "${options.window}".`);
	const port = options.port === undefined ? undefined : Number(options.port);
	if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
		throw new Error(`--port takes the number of a port, not "${options.port}".`);
	say('This takes about three minutes. A first run also downloads n8n, 2.2 GB, which takes some minutes more.');
	const [n8n, sandbox] = await start(windowMs, port);
	const columns = Object.fromEntries(COLUMNS.map((name) => [name, 'string' as const]));
	const table = await DataTable.create(n8n, 'links', columns);
	const rows = rowsOf(join(PROJECT, 'examples', 'links.csv'));
	await table.insert(rows);
	const workflow = JSON.parse(readFileSync(join(PROJECT, 'examples', 'nightly-sheet.json'), 'utf8')) as WorkflowJson;
	for (const { type, parameters } of workflow.nodes)
		if (type.endsWith('.dataTable')) parameters.dataTableId = table.locator;
	const workflowId = await n8n.createWorkflow(workflow);

	say(
		`\nThe first night: creating the links of the ${rows.length} rows of examples/links.csv; four are wrong on purpose.`,
	);
	await runNight(n8n, sandbox, workflowId, table);
	await editTable(table);
	say('\nThe second night: two rows have changed, one is new, and the wrong ones are gone.');
	await runNight(n8n, sandbox, workflowId, table);
	if (options.once)
		return say('\nWithout --once, the editor stays open: run the workflow again there, and change rows.');

	say(`\nThe editor is open at ${n8n.url}/workflow/${workflowId}`);
	say(`Sign in with ${n8n.owner.email} and the password ${n8n.owner.password}`);
	say(
		'Run the workflow again there: every row is unchanged. Then change a row under Data tables → links, and run it again.',
	);
	say('Ctrl-C stops n8n and the sandbox.');
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
