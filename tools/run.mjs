/**
 * What the scripts of package.json are run by: makes the development dependencies match package-lock.json, so that every
 * command works on a fresh clone, then runs the rest of the line. Costs a few milliseconds when they already do. Node's own
 * modules only.
 *
 * `node tools/run.mjs <program> [arguments]`: a TypeScript file of the project's, or a program of node_modules/.bin.
 * `node tools/run.mjs <folder>`: that folder's dependencies alone, by its own package-lock.json, such as those of tools/lint.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNpm } from './setup/npm.mjs';

const OLDEST_NODE = [20, 19];
const PROJECT = join(dirname(fileURLToPath(import.meta.url)), '..');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Tells whether node_modules holds what the lock file names. npm writes node_modules/.package-lock.json last,
 * so an interrupted installation has none.
 */
function upToDate(folder) {
	const installedPath = join(folder, 'node_modules', '.package-lock.json');
	if (!existsSync(installedPath)) return false;
	const [wanted, installed] = [join(folder, 'package-lock.json'), installedPath].map(
		(path) => JSON.parse(readFileSync(path, 'utf8')).packages,
	);
	return Object.entries(wanted).every(
		([path, entry]) =>
			path === '' || entry.optional || entry.devOptional || entry.peer || installed[path]?.version === entry.version,
	);
}

/** Installs what the lock file of a folder of the project names, unless it is there. */
async function install(folder) {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))
		throw new Error(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is Node ${process.versions.node}.`);
	const cwd = join(PROJECT, folder);
	if (upToDate(cwd)) return;
	const title = `Installing the development dependencies${folder && ` of ${folder}`}`;
	await runNpm(['ci', '--no-audit', '--no-fund'], { cwd, title });
}

/** Runs a program until its end. @returns its exit code */
async function run(program, args) {
	const [command, ...before] = program.endsWith('.ts')
		? [process.execPath, '--import', 'tsx', program]
		: [join(PROJECT, 'node_modules', '.bin', program)];
	const child = spawn(command, [...before, ...args], { stdio: 'inherit' });
	// Whoever ends this command means the one that it runs. Of Ctrl-C, a terminal tells both by itself.
	for (const signal of SIGNALS)
		process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
	return await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', (code) => resolve(code ?? 1));
	});
}

const [program, ...args] = process.argv.slice(2);
const folder = existsSync(join(PROJECT, program, 'package-lock.json')) ? program : '';
try {
	await install(folder);
	if (folder === '') process.exitCode = await run(program, args);
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
}
