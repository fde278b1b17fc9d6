import { existsSync, readFileSync, rmSync } from 'fs';
import { join } from 'path';
import type { N8n, N8nOptions } from '../test/n8n/host';
import { until } from '../test/n8n/host/until';

/** What is measured within n8n's process: see probe.cjs. */
export class Probe {
	private readonly path: string;

	/** @param folder where n8n writes what it finds */
	constructor(folder: string) {
		this.path = join(folder, 'awake');
	}

	/** Options for an n8n that can be asked. */
	get options(): Pick<N8nOptions, 'nodeArguments' | 'env'> {
		return {
			nodeArguments: ['--require', join(__dirname, 'probe.cjs')],
			env: { BENCH_PROBE: this.path },
		};
	}

	/** Asks an n8n that was started with these options. */
	async ask<T>(n8n: N8n): Promise<T> {
		rmSync(this.path, { force: true });
		process.kill(n8n.process.pid, 'SIGUSR2');
		await until(`n8n writes ${this.path}`, () => existsSync(this.path), { pauseMs: 50 });
		return JSON.parse(readFileSync(this.path, 'utf8')) as T;
	}
}
