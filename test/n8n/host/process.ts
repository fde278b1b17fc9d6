import { type ChildProcess, spawn } from 'child_process';
import { once } from 'events';
import {
	appendFileSync,
	closeSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from 'fs';
import { type AddressInfo, createServer } from 'net';
import { tmpdir } from 'os';
import { join } from 'path';
import { setTimeout as delay } from 'timers/promises';
import type { Installation } from './installation';

/** A graceful stop of n8n takes about a second; what takes longer is killed. */
const STOP_TIMEOUT_MS = 60_000;
const START_TIMEOUT_MS = 600_000;
const START_POLL_MS = 100;
const LOG_TAIL_LINES = 40;
const DIE_WITH_PARENT = join(__dirname, 'die-with-parent.cjs');

/** The memory of n8n's process in bytes, read from /proc (Linux only). */
interface Usage {
	/** Resident memory now. */
	rssBytes: number;
	/** The most resident memory since the start or since the last `resetPeakMemory`. */
	peakRssBytes: number;
}

export interface ProcessOptions {
	/** n8n's N8N_USER_FOLDER, kept; by default a new temporary folder that `end` removes. */
	userFolder?: string;
	/** The only folder that workflows may read and write; default: `files` in the user folder. */
	filesFolder?: string;
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

/** n8n's process on a folder of its own, started as often as one likes, in a process group that never outlives this process. */
export class N8nProcess {
	readonly userFolder: string;

	readonly filesFolder: string;

	/** Takes what n8n writes to its standard output and error, over all starts. */
	readonly logFile: string;

	private child: ChildProcess | undefined;

	private ended: Promise<void> = Promise.resolve();

	hasEnded = true;

	private readonly isTemporary: boolean;

	private readonly removeTemporaryFolder = (): void => {
		if (this.isTemporary) rmSync(this.userFolder, { recursive: true, force: true });
	};

	/**
	 * @param installation the n8n to run
	 * @param command n8n's own command and its arguments, such as `['start']` or `['worker']`
	 */
	constructor(
		readonly installation: Installation,
		private readonly command: string[],
		options: ProcessOptions = {},
	) {
		this.isTemporary = options.userFolder === undefined;
		this.userFolder = realpathSync(options.userFolder ?? mkdtempSync(join(tmpdir(), 'link-management-n8n-')));
		this.filesFolder = options.filesFolder ?? join(this.userFolder, 'files');
		this.logFile = join(this.userFolder, 'n8n.log');
		mkdirSync(this.filesFolder, { recursive: true });
		writeFileSync(this.logFile, '');
		process.once('exit', this.removeTemporaryFolder);
	}

	/**
	 * Starts it and waits until it is ready for work. It has nothing of the caller's own n8n settings, and calls none of n8n's own
	 * services.
	 *
	 * @param env what else it has in its environment
	 * @throws {Error} with the end of its log when it ends meanwhile, or takes too long
	 */
	async start(env: Record<string, string>, isReady: () => Promise<boolean>): Promise<void> {
		const { installation, command, userFolder, filesFolder } = this;
		const log = openSync(this.logFile, 'a');
		const child = spawn(installation.node, ['--require', DIE_WITH_PARENT, installation.bin, ...command], {
			cwd: installation.folder,
			env: {
				PATH: process.env.PATH,
				HOME: process.env.HOME,
				N8N_USER_FOLDER: userFolder,
				N8N_DIAGNOSTICS_ENABLED: 'false',
				N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
				N8N_TEMPLATES_ENABLED: 'false',
				N8N_PERSONALIZATION_ENABLED: 'false',
				N8N_HIRING_BANNER_ENABLED: 'false',
				N8N_RUNNERS_BROKER_PORT: String(await freePort()),
				N8N_RESTRICT_FILE_ACCESS_TO: filesFolder,
				N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
				EXECUTIONS_DATA_PRUNE: 'false',
				...env,
				DIE_WITH_PARENT: 'true',
			},
			stdio: ['pipe', log, log],
			detached: true,
		});
		closeSync(log);
		this.child = child;
		this.hasEnded = false;
		child.stdin?.on('error', () => {});
		this.ended = new Promise((resolve) => {
			const end = (): void => {
				this.hasEnded = true;
				resolve();
			};
			child.once('error', ({ message }) => {
				appendFileSync(this.logFile, `${message}\n`);
				end();
			});
			child.once('close', end);
		});
		await this.untilReady(isReady);
	}

	private async untilReady(isReady: () => Promise<boolean>): Promise<void> {
		const deadline = Date.now() + START_TIMEOUT_MS;
		for (;;) {
			const { hasEnded } = this;
			if (await isReady()) return;
			if (hasEnded) throw new Error(`n8n ended while it was starting:\n${this.logTail}`);
			if (Date.now() > deadline)
				throw new Error(`n8n was not ready after ${START_TIMEOUT_MS / 1000} s:\n${this.logTail}`);
			await delay(START_POLL_MS);
		}
	}

	get pid(): number {
		if (this.child?.pid === undefined) throw new Error('n8n is not running.');
		return this.child.pid;
	}

	get logs(): string {
		return readFileSync(this.logFile, 'utf8');
	}

	get logTail(): string {
		return this.logs.trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
	}

	/** Resolves when the process has ended, for whatever reason. */
	async waitForEnd(): Promise<void> {
		await this.ended;
	}

	/** Asks n8n to end (SIGTERM), and kills it when it doesn't within 15 seconds. */
	async stop(): Promise<void> {
		if (!this.hasEnded) this.child?.kill('SIGTERM');
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

	/** Stops it for good, and removes its folder if it was a temporary one. */
	async end(): Promise<void> {
		await this.stop();
		process.removeListener('exit', this.removeTemporaryFolder);
		this.removeTemporaryFolder();
	}

	/** Linux only. */
	usage(): Usage {
		const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
		const bytes = (name: string): number =>
			Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024;
		return {
			rssBytes: bytes('VmRSS'),
			peakRssBytes: bytes('VmHWM'),
		};
	}

	/** Lets `usage().peakRssBytes` count from now on. Linux only. */
	resetPeakMemory(): void {
		writeFileSync(`/proc/${this.pid}/clear_refs`, '5');
	}

	private signalGroup(signal: NodeJS.Signals): void {
		if (this.child?.pid === undefined) return;
		try {
			process.kill(-this.child.pid, signal);
		} catch (error) {
			// ESRCH: the group is gone, which is what was wanted.
			if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
		}
	}
}
