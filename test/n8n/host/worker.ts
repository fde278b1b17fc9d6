import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { baseEnvironment } from './environment';
import { type Installation, installation } from './installation';
import { freePort, N8nProcess } from './process';

export interface WorkerOptions {
	/** n8n's command and its arguments. */
	command: string[];
	/** What leads to the main's database and queue; QUEUE_HEALTH_CHECK_ACTIVE has to be among it. */
	env: Record<string, string>;
}

/** A worker of an n8n in queue mode, whose process and folder belong to this one. */
export class N8nWorker {
	private running: N8nProcess | undefined;

	/** The logs of processes that ran here before a restart. */
	private earlierLogs = '';

	private readonly userFolder = realpathSync(mkdtempSync(join(tmpdir(), 'link-management-worker-')));

	private readonly removeFolder = (): void => rmSync(this.userFolder, { recursive: true, force: true });

	private constructor(
		private readonly installation: Installation,
		private readonly options: WorkerOptions,
	) {
		process.once('exit', this.removeFolder);
	}

	/** Starts a worker of the newest n8n, with an empty folder, and waits until it takes work. */
	static async start(options: WorkerOptions): Promise<N8nWorker> {
		const worker = new N8nWorker(await installation(), options);
		try {
			await worker.start();
		} catch (error) {
			await worker.stop();
			throw error;
		}
		return worker;
	}

	/** The port on which it says whether it is well. */
	port = 0;

	/** The running process. */
	get process(): N8nProcess {
		if (this.running === undefined) throw new Error("n8n's worker is not running.");
		return this.running;
	}

	/** Everything that it has written, over all restarts. */
	get logs(): string {
		return this.earlierLogs + (this.running?.logs ?? '');
	}

	/** The IDs of the executions that it took up, in order. */
	get taken(): string[] {
		return [...this.logs.matchAll(/Worker started execution (\d+)/g)].map(([, id]) => id);
	}

	/** Starts it again on its folder, after `kill`. */
	async start(): Promise<void> {
		this.earlierLogs = this.logs;
		const filesFolder = join(this.userFolder, 'files');
		mkdirSync(filesFolder, { recursive: true });
		this.port = await freePort();
		this.running = new N8nProcess(this.installation, this.options.command, {
			...baseEnvironment(this.userFolder, filesFolder, await freePort()),
			...this.options.env,
			QUEUE_HEALTH_CHECK_PORT: String(this.port),
		});
		await this.running.untilReady("n8n's worker", async () => await isReady(this.port));
	}

	/** Ends it as a crash would (SIGKILL). */
	async kill(): Promise<void> {
		await this.running?.kill();
	}

	/** Ends it and removes its folder. */
	async stop(): Promise<void> {
		await this.running?.stop();
		process.removeListener('exit', this.removeFolder);
		this.removeFolder();
	}
}

async function isReady(port: number): Promise<boolean> {
	try {
		return (await fetch(`http://127.0.0.1:${port}/healthz/readiness`)).ok;
	} catch {
		return false;
	}
}
