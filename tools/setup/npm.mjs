/** Runs npm. Node's own modules only: it runs before anything is installed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs npm, which says on standard error how far it is and what goes wrong.
 *
 * @param {string[]} args npm's arguments
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, title: string }} options `title` says what is going on
 */
export async function runNpm(args, { cwd, env = process.env, title }) {
	console.error(`${title} …`);
	// The log level is set because an outer `npm run --silent` hands its own down, and npm would fail without a word.
	const child = spawn('npm', [...args, '--loglevel=error'], { cwd, env, stdio: ['ignore', 2, 2] });
	const [code, signal] = await once(child, 'close');
	if (code !== 0) throw new Error(`${title}: failed (${signal ?? `exit code ${code}`})`);
}
