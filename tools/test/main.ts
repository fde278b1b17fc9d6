/**
 * `npm test`: what proves most in three minutes: the tests without n8n, but for the long ones, with small draws.
 * `npm run test:all`: all of them at full draws, while n8n is installed beside them; then the package, as it is published, in that n8n.
 * Both are the same on the same tree each time.
 * `npm run test:nightly`: what draws anew each time, the rest in n8n, and other versions of it; `SEED=<number>` repeats the draws.
 */
import { spawn } from 'child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { installation, PROJECT } from '../../test/n8n/host/installation';
import { OTHER_N8N } from './versions';

/** A command, and what it shows. */
interface Check {
	title: string;
	command: string[];
	env?: NodeJS.ProcessEnv;
}

interface Result {
	title: string;
	passed: number;
	/** The names of the tests that failed. */
	failed: string[];
	seconds: number;
}

/** What Jest reports of a run. */
interface JestReport {
	numPassedTests: number;
	testResults: Array<{ name: string; status: string; assertionResults: Array<{ fullName: string; status: string }> }>;
}

const JEST = join('node_modules', 'jest', 'bin', 'jest.js');
const N8N_CONFIG = join('test', 'n8n', 'jest.config.js');
const EDITOR_CONFIG = join('test', 'editor', 'jest.config.js');

const reports = mkdtempSync(join(tmpdir(), 'link-management-tests-'));
let running: ReturnType<typeof spawn> | undefined;
const results: Result[] = [];

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}

function jest(title: string, args: string[], env: NodeJS.ProcessEnv = {}, node = process.execPath): Check {
	return { title, command: [node, JEST, ...args], env };
}

/** What came of a check, in a line. */
function lineFor({ title, passed, failed, seconds }: Result): string {
	const failures = failed.length > 0 ? `${failed.length} FAILED, ` : '';
	return `${title}: ${failures}${passed} passed, ${seconds} s`;
}

/** What a report of Jest says; a command without one counts as one test. */
function countIn(report: string, title: string, isGood: boolean): Pick<Result, 'passed' | 'failed'> {
	if (!existsSync(report)) return isGood ? { passed: 1, failed: [] } : { passed: 0, failed: [title] };
	const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as JestReport;
	const failed = testResults.flatMap(({ name, status, assertionResults }) => {
		const names = assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => fullName);
		// A file may fail as a whole.
		return names.length > 0 || status === 'passed' ? names : [name.replace(join(PROJECT, '/'), '')];
	});
	return { passed: numPassedTests, failed: isGood || failed.length > 0 ? failed : [title] };
}

/** Runs a check, and shows what it prints as it comes. */
async function run({ title, command: [program, ...args], env }: Check): Promise<void> {
	const startedAt = Date.now();
	const report = join(reports, `${results.length}.json`);
	if (args[0] === JEST) args.push('--json', '--outputFile', report);
	say(`\n=== ${title} …`);
	const child = spawn(program, args, {
		cwd: PROJECT,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	running = child;
	const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
	running = undefined;
	const seconds = Math.round((Date.now() - startedAt) / 1000);
	const result = { title, ...countIn(report, title, code === 0), seconds };
	results.push(result);
	say(`=== ${lineFor(result)}`);
}

/** Checks that run one after the other. */
type Checks = AsyncGenerator<Check, void, void>;

/** What `npm test` leaves to `npm run test:all`: what takes long, and seldom fails alone. */
const LONG =
	'test/sandbox/|hostile/anyInput|engine/(gates|keyInAnswers|triggerMemory|triggerTime)|model/nights|documentation/requests';
/** The folders whose tests have a configuration of their own (jest.config.js). */
const OF_OTHERS = 'test/(n8n|editor|queue)/';

/** Draws that take a few seconds each. */
const SMALL_DRAWS = {
	LIVES: '40',
	LINKS_RUNS: '15',
	HARM_RUNS: '20',
	BROUGHT_RUNS: '20',
	UPDATES_RUNS: '20',
	SESSION_RUNS: '8',
	ANY_SERVICE: '40',
	HOSTILE: '20',
};

async function* quick(): Checks {
	yield jest(
		'the quick tests',
		['--selectProjects', 'document', '--testPathIgnorePatterns', OF_OTHERS, LONG],
		SMALL_DRAWS,
	);
}

/** All tests without n8n, and what stands for the rest in the newest n8n, which is installed meanwhile. */
async function* all(): Checks {
	const installing = installation();
	// Its failure is reported when its turn comes.
	installing.catch(() => undefined);
	yield jest('the tests without n8n', []);
	await installing;
	yield jest('the package in n8n', ['--config', N8N_CONFIG, '--selectProjects', 'essentials']);
}

/** Other draws, the newest n8n for long, then other versions. */
async function* nightly(): Checks {
	yield jest('other draws', ['test/(life|model|anyService|hostile|unit|engine)/'], {
		PLANS: '60000',
		LIVES: '3000',
		LINKS_RUNS: '500',
		UPDATES_RUNS: '600',
		HARM_RUNS: '600',
		BROUGHT_RUNS: '300',
		SESSION_RUNS: '200',
		NIGHTS_RUNS: '100',
		ANY_SERVICE: '3000',
		HOSTILE: '1500',
	});
	await installation();
	yield jest('the rest in n8n', ['--config', N8N_CONFIG, '--selectProjects', 'others']);
	yield jest('the editor', ['--config', EDITOR_CONFIG]);
	yield jest('queue mode', ['--config', join('test', 'queue', 'jest.config.js')]);
	yield* versions();
}

/** The tests on the engines of other n8n versions, and in them. */
async function* versions(): Checks {
	const config = ['--config', join('tools', 'test', 'jest.config.js'), '--runInBand'];
	// An engine would write the error of each item to the console.
	const engine = (folder: string) => ({ N8N_FOLDER: folder, N8N_LOG_LEVEL: 'silent' });
	const { version, folder, node } = await installation();
	yield jest(`the engine of n8n ${version}`, config, engine(folder), node);
	for (const other of OTHER_N8N) {
		const its = await installation(other);
		yield jest(`the canaries on the engine of n8n ${other}`, [...config, 'test/canary'], engine(its.folder), its.node);
		// What the package promises of every version; the rest of the tests are about the newest n8n.
		const files =
			'n8n/(credential|dropdowns|operations|package|toolCalls|events|exampleFiles|examples|sheetExamples).test';
		yield jest(`n8n ${other}`, ['--config', N8N_CONFIG, files], { N8N_VERSION: other });
		yield jest(`the examples in the editor of n8n ${other}`, ['--config', EDITOR_CONFIG, 'examples'], {
			N8N_VERSION: other,
		});
	}
}

const COMMANDS: Record<string, { says: string; checks: () => Checks; isDrawn?: boolean }> = {
	quick: { says: 'Runs the quick tests (three minutes on two idle cores).', checks: quick },
	all: {
		says:
			'Runs all tests without n8n (four minutes on two idle cores), then the package in a real n8n (two minutes).\n' +
			'The first time, n8n is installed meanwhile (two minutes more): 2.2 GB below ~/.cache/n8n-nodes-link-management.',
		checks: all,
	},
	nightly: {
		says:
			'Runs what `npm run test:all` leaves out: other draws, the rest in n8n, the editor, queue mode, other n8n versions.\n' +
			'About an hour and a half on two idle cores; the first time, three older n8n are installed, 2 GB each.',
		checks: nightly,
		isDrawn: true,
	},
	versions: { says: 'Runs the tests with other n8n versions, which are installed first.', checks: versions },
};

async function main(): Promise<void> {
	const { says, checks, isDrawn = false } = COMMANDS[process.argv[2] ?? 'quick'];
	say(says);
	if (isDrawn) {
		process.env.SEED ??= String(Date.now() % 1_000_000_000);
		say(`The draws of this run: SEED=${process.env.SEED}`);
	}
	const startedAt = Date.now();
	try {
		for await (const check of checks()) await run(check);
	} catch (error) {
		const title = error instanceof Error ? error.message : String(error);
		results.push({ title, passed: 0, failed: [title], seconds: 0 });
	}
	const failed = results.flatMap((result) => result.failed);
	const passed = results.reduce((sum, result) => sum + result.passed, 0);
	say(`\n${[...failed.map((name) => `FAILED: ${name}`), ...results.map(lineFor)].join('\n')}`);
	say(`${Math.round((Date.now() - startedAt) / 1000)} s in all\n\n${passed} passed, ${failed.length} failed`);
	process.exitCode = failed.length > 0 ? 1 : 0;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
	process.once(signal, () => {
		running?.kill(signal);
		process.exit(130);
	});

process.once('exit', () => rmSync(reports, { recursive: true, force: true }));

main().catch((error: unknown) => {
	say(error instanceof Error ? error.message : String(error));
	process.exit(1);
});
