import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { baseEnvironment } from './environment';
import { type Installation, installation, installPackage, PACKAGE_NAME } from './installation';
import { freePort, N8nProcess, type Usage } from './process';
import { N8nSession, type Owner } from './session';

export { Execution, type ExecutionSummary, type SavedError } from './execution';
export { buildIfStale, type Installation, installation, packPackage, unpackPackage } from './installation';
export { inARow, LINK_MANAGEMENT, rowsNode, workflowOf } from './workflow';
export { freePort, N8nProcess, type Usage } from './process';
export { N8nWorker } from './worker';
export {
	CREDENTIAL_TYPE,
	type DropdownRequest,
	N8nRestError,
	N8nSession,
	NODE_TYPE,
	type Owner,
	type RunOptions,
	TRIGGER_TYPE,
	type WorkflowJson,
} from './session';

/** Known to everybody: this n8n answers on the loopback address alone. */
const OWNER: Owner = { email: 'owner@example.com', password: 'Links-for-all-1' };

export interface N8nOptions {
	/** An exact n8n version; by default the newest that the project is tested with. */
	version?: string;
	/** n8n's N8N_USER_FOLDER, kept; by default a new temporary folder that `stop` removes. */
	userFolder?: string;
	/** Whether this project's package is packed and put into the folder (default), or what is in the folder stays as it is. */
	package?: boolean;
	/** The only folder that workflows may read and write; default: `files` in the user folder. */
	filesFolder?: string;
	/** Environment variables besides the harness's own, which they override. */
	env?: Record<string, string>;
	/** Default: a free port. */
	port?: number;
	/** Options for Node itself, such as `--cpu-prof`. */
	nodeArguments?: string[];
	/** Takes n8n's output as it comes. */
	log?: (text: string) => void;
}

/**
 * Installs n8n if need be, puts the package into it, starts it, and signs in as its owner.
 *
 * @throws {Error} with the end of n8n's log when it does not come up, or when the given port is taken
 */
export async function startN8n(options: N8nOptions = {}): Promise<N8n> {
	const userFolder = realpathSync(options.userFolder ?? mkdtempSync(join(tmpdir(), 'link-management-n8n-')));
	const n8n = new N8n(await installation(options.version), userFolder, options.port ?? (await freePort()), options);
	try {
		if (options.package !== false) await installPackage(userFolder);
		await n8n.start();
	} catch (error) {
		await n8n.stop();
		throw error;
	}
	return n8n;
}

/** A real n8n whose process belongs to this one. */
export class N8n extends N8nSession {
	/** The only folder that workflows may read and write. */
	readonly filesFolder: string;

	private running: N8nProcess | undefined;

	/** The logs of processes that ran here before a restart. */
	private earlierLogs = '';

	private readonly removeTemporaryFolder = (): void => {
		if (this.options.userFolder === undefined) rmSync(this.userFolder, { recursive: true, force: true });
	};

	constructor(
		readonly installation: Installation,
		readonly userFolder: string,
		readonly port: number,
		private readonly options: N8nOptions,
	) {
		super(`http://127.0.0.1:${port}`, OWNER);
		this.filesFolder = options.filesFolder ?? join(userFolder, 'files');
		process.once('exit', this.removeTemporaryFolder);
	}

	/** The running process. */
	get process(): N8nProcess {
		if (this.running === undefined) throw new Error('n8n is not running.');
		return this.running;
	}

	/** Everything that n8n has written, over all restarts. */
	get logs(): string {
		return this.earlierLogs + (this.running?.logs ?? '');
	}

	/** Memory and CPU time of the n8n process. Linux only. */
	usage(): Usage {
		return this.process.usage();
	}

	/** Starts the process, waits until it is ready, and signs in. */
	async start(): Promise<void> {
		mkdirSync(this.filesFolder, { recursive: true });
		this.running = new N8nProcess(
			this.installation,
			['start'],
			{
				...baseEnvironment(this.userFolder, this.filesFolder, await freePort()),
				N8N_PORT: String(this.port),
				N8N_LISTEN_ADDRESS: '127.0.0.1',
				N8N_HOST: '127.0.0.1',
				N8N_EDITOR_BASE_URL: this.url,
				N8N_SECURE_COOKIE: 'false',
				...this.options.env,
			},
			this.options.nodeArguments,
			this.options.log,
		);
		await this.process.untilReady('n8n', async () => await this.isReady());
		const loadFailure = new RegExp(`Failed to load package "${PACKAGE_NAME}"\\n.*`).exec(this.process.logs);
		if (loadFailure !== null) throw new Error(`n8n: ${loadFailure[0]}`);
		await this.signIn();
	}

	/**
	 * Stops n8n and starts it again on the same folder and port.
	 *
	 * @param options.kill whether it is killed at once, as a crash would, instead of being asked to stop
	 */
	async restart({ kill = false } = {}): Promise<void> {
		await (kill ? this.process.kill() : this.process.stop());
		this.earlierLogs = this.logs;
		this.running = undefined;
		await this.start();
	}

	/** Stops n8n and removes its folder if it was a temporary one. */
	async stop(): Promise<void> {
		await this.running?.stop();
		process.removeListener('exit', this.removeTemporaryFolder);
		this.removeTemporaryFolder();
	}

	private async isReady(): Promise<boolean> {
		if (this.process.exit !== undefined && this.process.logs.includes('already in use'))
			throw new Error(`Port ${this.port} is in use by another program.`);
		return (await this.answers('/healthz/readiness')) && (await this.answers('/rest/settings'));
	}

	private async answers(path: string): Promise<boolean> {
		try {
			return (await this.http.get(path)).status === 200;
		} catch {
			return false;
		}
	}
}
