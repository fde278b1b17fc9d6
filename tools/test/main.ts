/**
 * `npm test`: the fast tests, while n8n is installed beside them; then the package, as it is published, in that n8n.
 * `npm run test:all`: everything else, two checks at a time, with other draws each time; `SEED=<number>` repeats them.
 */
import { spawn } from 'child_process';
import { join } from 'path';
import { buildIfStale, installation, PROJECT } from '../../test/n8n/host/installation';
import { OTHER_N8N } from './versions';

/** A command, and what it shows. */
interface Check {
	title: string;
	command: string[];
	env?: NodeJS.ProcessEnv;
}

interface Result {
	title: string;
	isGood: boolean;
	seconds: number;
}

/** The checks of a lane run one after the other. */
type Lane = AsyncGenerator<Check, void, void>;

const JEST = join('node_modules', 'jest', 'bin', 'jest.js');
const N8N_CONFIG = join('test', 'n8n', 'jest.config.js');

const running = new Set<ReturnType<typeof spawn>>();
const results: Result[] = [];

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}

function jest(title: string, args: string[], env: NodeJS.ProcessEnv = {}, node = process.execPath): Check {
	return { title, command: [node, JEST, ...args], env };
}

/** What came of a check, in a line. */
function lineFor({ title, isGood, seconds }: Result): string {
	return `${title}: ${isGood ? 'passed' : 'FAILED'} in ${seconds} s`;
}

/** Runs a check. What it prints is shown as it comes, or, beside others, as a whole once it is over. */
async function run({ title, command: [program, ...args], env }: Check, isAlone: boolean): Promise<void> {
	const startedAt = Date.now();
	say(`=== ${title} …`);
	const child = spawn(program, args, {
		cwd: PROJECT,
		env: { ...process.env, ...env },
		stdio: ['ignore', isAlone ? 'inherit' : 'pipe', isAlone ? 'inherit' : 'pipe'],
	});
	running.add(child);
	let output = '';
	for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
	const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
	running.delete(child);
	const result = { title, isGood: code === 0, seconds: Math.round((Date.now() - startedAt) / 1000) };
	results.push(result);
	say(`${output}=== ${lineFor(result)}`);
}

async function runLane(lane: Lane, isAlone: boolean): Promise<void> {
	try {
		for await (const check of lane) await run(check, isAlone);
	} catch (error) {
		const title = error instanceof Error ? error.message : String(error);
		results.push({ title, isGood: false, seconds: 0 });
		say(title);
	}
}

/** The fast tests, and what stands for the rest in the newest n8n, which is installed meanwhile. */
async function* essentials(): Lane {
	const installing = installation();
	// Its failure is reported when its turn comes.
	installing.catch(() => undefined);
	yield jest('the fast tests', []);
	await installing;
	yield jest('the package in n8n', ['--config', N8N_CONFIG, '--selectProjects', 'essentials']);
}

/** What takes the newest n8n, for long. */
async function* newest(): Lane {
	await installation();
	yield jest('the rest in n8n', ['--config', N8N_CONFIG, '--selectProjects', 'others']);
	yield jest('the editor', ['--config', join('test', 'editor', 'jest.config.js')]);
	yield jest('queue mode', ['--config', join('test', 'queue', 'jest.config.js')]);
	const soak = [process.execPath, '--import', 'tsx', join('tools', 'soak', 'main.ts'), '5'];
	yield { title: 'killed again and again', command: soak };
}

/** Other draws, then other n8n. */
async function* others(): Lane {
	yield jest('other draws', ['test/(model|anyService|fuzz|unit)/']);
	yield* versions();
}

/** The tests on the engines of other n8n versions, and in them. */
async function* versions(): Lane {
	const config = ['--config', join('tools', 'test', 'jest.config.js'), '--runInBand'];
	// An engine would write the error of each item to the console.
	const engine = (folder: string) => ({ N8N_FOLDER: folder, N8N_LOG_LEVEL: 'silent' });
	const { version, folder, node } = await installation();
	yield jest(`the engine of n8n ${version}`, config, engine(folder), node);
	for (const other of OTHER_N8N) {
		const its = await installation(other);
		yield jest(`the canaries on the engine of n8n ${other}`, [...config, 'test/canary'], engine(its.folder), its.node);
		// What the package promises of every version; the rest of the tests are about the newest n8n.
		const files = 'n8n/(credential|dropdowns|operations|package|toolCalls|events).test';
		yield jest(`n8n ${other}`, ['--config', N8N_CONFIG, files], { N8N_VERSION: other });
	}
}

const COMMANDS: Record<string, { says: string; lanes: () => Lane[]; isDrawn?: boolean }> = {
	essentials: {
		says:
			'Runs the fast tests (4 minutes on two idle cores), then the package in a real n8n (under 2 minutes).\n' +
			'The first time, n8n is installed meanwhile: 2.2 GB below ~/.cache/n8n-nodes-link-management.',
		lanes: () => [essentials()],
	},
	all: {
		says:
			'Runs what `npm test` leaves out: the rest in n8n, the editor, queue mode, kills, other n8n versions.\n' +
			'About 20 minutes on two idle cores; the first time, three older n8n are installed, 2 GB each.',
		lanes: () => [newest(), others()],
		isDrawn: true,
	},
	versions: { says: 'Runs the tests with other n8n versions, which are installed first.', lanes: () => [versions()] },
};

async function main(): Promise<void> {
	const { says, lanes, isDrawn = false } = COMMANDS[process.argv[2] ?? 'essentials'];
	const startedAt = Date.now();
	say(says);
	if (isDrawn) {
		process.env.SEED ??= String(startedAt % 1_000_000_000);
		say(`The draws of this run: SEED=${process.env.SEED}`);
		await buildIfStale();
	}
	const all = lanes();
	await Promise.all(all.map(async (lane) => await runLane(lane, all.length === 1)));
	say(`\n${results.map(lineFor).join('\n')}`);
	process.exitCode = results.every(({ isGood }) => isGood) ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
	process.once(signal, () => {
		running.forEach((child) => child.kill(signal));
		process.exit(130);
	});

main().catch((error: unknown) => {
	say(error instanceof Error ? error.message : String(error));
	process.exit(1);
});
