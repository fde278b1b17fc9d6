import { installation, installPackage, PACKAGE_NAME } from './installation';
import { freePort, N8nProcess, type ProcessOptions } from './process';
import { N8nSession, type Owner } from './session';

export { Execution } from './execution';
export { buildIfStale, type Installation, installation, packPackage, unpackPackage } from './installation';
export { inARow, LINK_MANAGEMENT, rowsNode, workflowOf } from './workflow';
export { freePort } from './process';
export { N8nWorker } from './worker';
export {
	CREDENTIAL_TYPE,
	type DropdownRequest,
	N8nRestError,
	N8nSession,
	NODE_TYPE,
	TRIGGER_TYPE,
	type WorkflowJson,
} from './session';

/** Known to everybody: this n8n answers on the loopback address alone. */
const OWNER: Owner = { email: 'owner@example.com', password: 'Links-for-all-1' };

interface N8nOptions extends ProcessOptions {
	/** An exact n8n version; by default the newest that the project is tested with. */
	version?: string;
	/** Whether this project's package is packed and put into the folder (default), or what is in the folder stays as it is. */
	package?: boolean;
	/** Environment variables besides the harness's own, which they override. */
	env?: Record<string, string>;
	/** Default: a free port. */
	port?: number;
}

/**
 * Installs n8n if need be, puts the package into it, starts it, and signs in as its owner.
 *
 * @throws {Error} with the end of n8n's log when it does not come up, or when the given port is taken
 */
export async function startN8n(options: N8nOptions = {}): Promise<N8n> {
	const n8nProcess = new N8nProcess(await installation(options.version), ['start'], options);
	const n8n = new N8n(n8nProcess, options.port ?? (await freePort()), options.env);
	try {
		if (options.package !== false) await installPackage(n8nProcess.userFolder);
		await n8n.start();
	} catch (error) {
		await n8n.stop();
		throw error;
	}
	return n8n;
}

/** A real n8n whose process belongs to this one. */
export class N8n extends N8nSession {
	constructor(
		readonly process: N8nProcess,
		readonly port: number,
		/** Settings of n8n, from its next start on. */
		public env: Record<string, string> = {},
	) {
		super(`http://127.0.0.1:${port}`, OWNER);
	}

	/** Starts the process, waits until it is ready, and signs in. */
	async start(): Promise<void> {
		const env = {
			N8N_PORT: String(this.port),
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_HOST: '127.0.0.1',
			N8N_EDITOR_BASE_URL: this.url,
			N8N_SECURE_COOKIE: 'false',
			...this.env,
		};
		await this.process.start(env, async () => await this.isReady());
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
		await this.start();
	}

	/** Stops n8n and removes its folder if it was a temporary one. */
	async stop(): Promise<void> {
		await this.process.end();
	}

	private async isReady(): Promise<boolean> {
		if (this.process.hasEnded && this.process.logs.includes('already in use'))
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
