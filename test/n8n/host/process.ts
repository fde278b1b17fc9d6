import { type ChildProcess, spawn } from 'child_process';
import { once } from 'events';
import { readFileSync, writeFileSync } from 'fs';
import { type AddressInfo, createServer } from 'net';
import { join } from 'path';
import { setTimeout as delay } from 'timers/promises';
import type { Installation } from './installation';

/** A graceful stop of n8n takes about a second; what takes longer is killed. */
const STOP_TIMEOUT_MS = 15_000;
const START_TIMEOUT_MS = 120_000;
const START_POLL_MS = 100;
const CLOCK_TICKS_PER_SECOND = 100;
const LOG_TAIL_LINES = 40;

/** What the process of an n8n has used so far, read from /proc (Linux only). */
export interface Usage {
	/** Seconds of CPU time, user and system together, of the n8n process itself. */
	cpuSeconds: number;
	/** Resident memory now. */
	rssBytes: number;
	/** The most resident memory since the start or since the last `resetPeakMemory`. */
	peakRssBytes: number;
}

/** @returns a TCP port on 127.0.0.1 that is free at this moment */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

/** One running n8n process, in a process group of its own that never outlives this process. */
export class N8nProcess {
	private readonly child: ChildProcess;

	private readonly chunks: string[] = [];

	private readonly ended: Promise<void>;

	/** How the process ended; undefined while it runs. */
	exit: { code: number | null; signal: NodeJS.Signals | null } | undefined;

	/**
	 * @param installation the n8n to run
	 * @param command n8n's own command and its arguments, such as `['start']` or `['worker']`
	 * @param env the whole environment of the process
	 * @param nodeArguments options for Node itself, such as `--cpu-prof`
	 * @param log takes each chunk of output as it comes
	 */
	constructor(
		installation: Installation,
		command: string[],
		env: NodeJS.ProcessEnv,
		nodeArguments: string[] = [],
		log?: (text: string) => void,
	) {
		this.child = spawn(
			installation.node,
			['--require', join(__dirname, 'die-with-parent.cjs'), ...nodeArguments, installation.bin, ...command],
			{
				cwd: installation.folder,
				env: { ...env, DIE_WITH_PARENT: 'true' },
				stdio: ['pipe', 'pipe', 'pipe'],
				detached: true,
			},
		);
		const collect = (chunk: Buffer): void => {
			const text = chunk.toString();
			this.chunks.push(text);
			log?.(text);
		};
		this.child.stdout?.on('data', collect);
		this.child.stderr?.on('data', collect);
		this.child.stdin?.on('error', () => {});
		this.ended = new Promise((resolve) => {
			this.child.once('error', (error) => {
				this.chunks.push(`${error.message}\n`);
				this.exit = { code: null, signal: null };
				resolve();
			});
			this.child.once('close', (code, signal) => {
				this.exit = { code, signal };
				resolve();
			});
		});
	}

	get pid(): number {
		if (this.child.pid === undefined) throw new Error('The n8n process could not be started.');
		return this.child.pid;
	}

	/** Everything that n8n has written to its standard output and error. */
	get logs(): string {
		return this.chunks.join('');
	}

	get logTail(): string {
		return this.logs.trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
	}

	/**
	 * Waits until it is ready for work.
	 *
	 * @param name what it is called in errors
	 * @throws {Error} with the end of its log when it ends meanwhile, or takes too long
	 */
	async untilReady(name: string, isReady: () => Promise<boolean>): Promise<void> {
		const deadline = Date.now() + START_TIMEOUT_MS;
		for (;;) {
			const hasEnded = this.exit !== undefined;
			if (await isReady()) return;
			if (hasEnded) throw new Error(`${name} ended while it was starting:\n${this.logTail}`);
			if (Date.now() > deadline)
				throw new Error(`${name} was not ready after ${START_TIMEOUT_MS / 1000} s:\n${this.logTail}`);
			await delay(START_POLL_MS);
		}
	}

	/** Resolves when the process has ended, for whatever reason. */
	async waitForEnd(): Promise<void> {
		await this.ended;
	}

	/** Asks n8n to end (SIGTERM), and kills it when it doesn't within 15 seconds. */
	async stop(): Promise<void> {
		if (this.exit === undefined) this.child.kill('SIGTERM');
		const impatience = setTimeout(() => this.signalGroup('SIGKILL'), STOP_TIMEOUT_MS);
		await this.ended;
		clearTimeout(impatience);
		this.signalGroup('SIGKILL');
	}

	/** Ends n8n and everything it started at once (SIGKILL), as a crash or a power cut would. */
	async kill(): Promise<void> {
		this.signalGroup('SIGKILL');
		await this.ended;
	}

	/** Memory and CPU time so far. Linux only. */
	usage(): Usage {
		const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8');
		// The second field is the command's name in brackets and may hold spaces; the rest counts from the state field on.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
		const bytes = (name: string): number =>
			Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024;
		return {
			cpuSeconds: (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND,
			rssBytes: bytes('VmRSS'),
			peakRssBytes: bytes('VmHWM'),
		};
	}

	/** The environment that the process was started with. Linux only. */
	environment(): Record<string, string> {
		const entries = readFileSync(`/proc/${this.pid}/environ`, 'utf8').split('\0').filter(Boolean);
		return Object.fromEntries(
			entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
		);
	}

	/** Lets `usage().peakRssBytes` count from now on. Linux only. */
	resetPeakMemory(): void {
		writeFileSync(`/proc/${this.pid}/clear_refs`, '5');
	}

	private signalGroup(signal: NodeJS.Signals): void {
		if (this.child.pid === undefined) return;
		try {
			process.kill(-this.child.pid, signal);
		} catch (error) {
			// ESRCH: the group is gone, which is what was wanted.
			if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
		}
	}
}
