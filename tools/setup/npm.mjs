/**
 * Runs npm with visible progress and failures in plain words. Node's own modules only: it runs before anything is installed.
 */
import { spawn } from 'node:child_process';

const HEARTBEAT_MS = 10_000;
const NETWORK_FAILURE =
	/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR)\b/;
const TAIL_LINES = 15;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs npm. While it runs, a line a while tells on standard error that it is alive.
 *
 * @param {string[]} args npm's arguments
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, title: string }} options `title` says what is going on
 * @returns {Promise<void>}
 * @throws {Error} with the reason: no network, or the last lines that npm printed
 */
export function runNpm(args, { cwd, env = process.env, title }) {
	return new Promise((resolve, reject) => {
		const startedAt = Date.now();
		const seconds = () => Math.round((Date.now() - startedAt) / 1000);
		console.error(`${title} …`);
		const heartbeat = setInterval(() => console.error(`${title} … ${seconds()} s`), HEARTBEAT_MS);
		// A group of its own, so that an interruption ends compilers and other grandchildren too.
		// The log level is set because an outer `npm run --silent` hands its own down, and npm would fail without a word.
		const child = spawn('npm', [...args, '--loglevel=warn'], {
			cwd,
			env,
			stdio: ['ignore', 'pipe', 'pipe'],
			detached: true,
		});
		let interrupted = false;
		const interrupt = () => {
			interrupted = true;
			// npm goes on after a SIGTERM. What it leaves half-done, the next run finds and does again.
			if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
		};
		SIGNALS.forEach((signal) => process.on(signal, interrupt));
		const settle = (failure) => {
			clearInterval(heartbeat);
			SIGNALS.forEach((signal) => process.removeListener(signal, interrupt));
			if (failure === undefined) resolve();
			else reject(new Error(`${title}: ${failure}`));
		};
		let everything = '';
		for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (everything += chunk));
		child.on('error', (error) => settle(`could not start npm: ${error.message}`));
		child.on('close', (code, signal) => {
			if (interrupted) return settle('interrupted.');
			if (code === 0) {
				console.error(`${title}: done in ${seconds()} s`);
				return settle();
			}
			const network = NETWORK_FAILURE.exec(everything);
			const tail = everything.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
			settle(
				network
					? `the npm registry can't be reached (${network[1]}). Check the network or the proxy settings, then run the same command again.`
					: `failed (${signal ?? `exit code ${code}`}).\n${tail}`,
			);
		});
	});
}
