import { type ChildProcess, fork } from 'child_process';
import { once } from 'events';
import { cpSync, mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { setTimeout as delay } from 'timers/promises';
import { type N8n, type N8nOptions, packPackage, startN8n, unpackPackage } from '../test/n8n/host';
import { controlOf, type SandboxControl, type SandboxState } from '../test/sandbox';
import type { ServiceAnswer } from './service';

/** A sandbox in a process of its own. */
export interface Service extends SandboxControl {
	readonly apiKey: string;
}

/** Waits until a service is asked for nothing any more for so long (ms): a poll is over. */
export async function atRest(service: Service, quietMs: number): Promise<void> {
	for (let last = -1; ;) {
		const { requests } = await service.stats();
		if (requests === last) return;
		last = requests;
		await delay(quietMs);
	}
}

/** What a scenario works with: n8n, the service, and how often to measure. Everything it starts ends with the scenario. */
export class Bench {
	private readonly ends: Array<() => Promise<void> | void> = [];

	private tarball: string | undefined;

	/** The n8n that was started last. */
	private latest: N8n | undefined;

	constructor(
		/** How often each figure is measured. */
		readonly runs: number,
		/** A smoke run: the smallest sizes, to see that everything works. Its figures mean nothing. */
		readonly quick: boolean,
		readonly say: (line: string) => void,
	) {}

	/** Starts the service in a process of its own. */
	async startService(state: SandboxState = {}): Promise<Service> {
		const child: ChildProcess = fork(join(__dirname, 'service.ts'), { execArgv: ['--import', 'tsx'] });
		this.ends.push(async () => {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const ended = once(child, 'exit');
			child.kill('SIGKILL');
			await ended;
		});
		child.send(state);
		const answer = await Promise.race([
			once(child, 'message').then(([message]) => message as ServiceAnswer),
			once(child, 'exit').then(() => {
				throw new Error('The service ended while it was starting.');
			}),
		]);
		return Object.assign(controlOf(answer.url), { apiKey: answer.apiKey });
	}

	/** Starts an n8n that has the package. */
	async startN8n(options: N8nOptions = {}): Promise<N8n> {
		const userFolder = this.temporaryFolder();
		// Packed once, so that all n8ns of a scenario have the same, whatever changes meanwhile.
		this.tarball ??= await packPackage(this.temporaryFolder());
		await unpackPackage(this.tarball, userFolder);
		cpSync(join(__dirname, 'bareNode'), join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-bare'), {
			recursive: true,
		});
		const n8n = await startN8n({ ...options, userFolder, package: false });
		this.ends.push(async () => await n8n.stop());
		this.latest = n8n;
		return n8n;
	}

	/**
	 * Does something in an n8n that was started for it, so that its memory knows nothing of what was done before. A smoke run
	 * saves the time that takes.
	 */
	async inNewN8n<T>(work: (n8n: N8n) => Promise<T>): Promise<T> {
		if (this.quick && this.latest !== undefined) return await work(this.latest);
		const n8n = await this.startN8n();
		try {
			return await work(n8n);
		} finally {
			if (!this.quick) await n8n.stop();
		}
	}

	/** Contenders take turns, round by round. @returns what was measured of each, in their order */
	async turns<C, T>(contenders: C[], measure: (contender: C, round: number) => Promise<T>): Promise<Map<C, T[]>> {
		const all = new Map<C, T[]>(contenders.map((contender) => [contender, []]));
		for (let round = 0; round < this.runs; round++)
			for (const [contender, measured] of all) measured.push(await measure(contender, round));
		return all;
	}

	/** A folder that is there until the end. */
	temporaryFolder(): string {
		const folder = mkdtempSync(join(tmpdir(), 'link-management-bench-'));
		this.ends.push(() => rmSync(folder, { recursive: true, force: true }));
		return folder;
	}

	/** Ends everything that was started, last first. */
	async end(): Promise<void> {
		for (let end = this.ends.pop(); end !== undefined; end = this.ends.pop()) await end();
	}
}
