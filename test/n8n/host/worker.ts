import { installation } from './installation';
import { freePort, N8nProcess } from './process';

/** A worker of the newest n8n in queue mode, on an empty folder. */
export class N8nWorker {
	/** The port on which it says whether it is well. */
	port = 0;

	private constructor(
		readonly process: N8nProcess,
		private readonly env: Record<string, string>,
	) {}

	/**
	 * Starts a worker and waits until it takes work.
	 *
	 * @param command n8n's command and its arguments
	 * @param env what leads to the main's database and queue; QUEUE_HEALTH_CHECK_ACTIVE has to be among it
	 */
	static async start(command: string[], env: Record<string, string>): Promise<N8nWorker> {
		const worker = new N8nWorker(new N8nProcess(await installation(), command), env);
		try {
			await worker.start();
		} catch (error) {
			await worker.process.end();
			throw error;
		}
		return worker;
	}

	/** The IDs of the executions that it took up, in order. */
	get taken(): string[] {
		return [...this.process.logs.matchAll(/Worker started execution (\d+)/g)].map(([, id]) => id);
	}

	/** Starts it again on its folder, after it was ended. */
	async start(): Promise<void> {
		this.port = await freePort();
		const isReady = async () => {
			const answer = await fetch(`http://127.0.0.1:${this.port}/healthz/readiness`).catch(() => undefined);
			return answer?.ok === true;
		};
		await this.process.start({ ...this.env, QUEUE_HEALTH_CHECK_PORT: String(this.port) }, isReady);
	}
}
