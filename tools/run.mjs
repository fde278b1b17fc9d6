/**
 * What the scripts of package.json are run by: makes the development dependencies match package-lock.json, so that every
 * command works on a fresh clone, then runs the rest of the line. Node's own modules only.
 *
 * `node tools/run.mjs <program> [arguments]`: a TypeScript file of the project's, or a program of node_modules/.bin.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeMatch } from './setup/dependencies.mjs';

const PROJECT = join(dirname(fileURLToPath(import.meta.url)), '..');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const [program, ...args] = process.argv.slice(2);

function start() {
	return program.endsWith('.ts')
		? spawn(process.execPath, ['--import', 'tsx', program, ...args], { stdio: 'inherit' })
		: spawn(join(PROJECT, 'node_modules', '.bin', program), args, { stdio: 'inherit' });
}

try {
	await makeMatch(PROJECT);
	if (program !== undefined) {
		const child = start();
		// Whoever ends this command means the one that it runs. Of Ctrl-C, a terminal tells both by itself.
		for (const signal of SIGNALS)
			process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
		process.exitCode = await new Promise((resolve, reject) => {
			child.on('error', reject);
			child.on('exit', (code) => resolve(code ?? 1));
		});
	}
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
}
