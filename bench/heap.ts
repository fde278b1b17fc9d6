import { readFileSync, rmSync } from 'fs';
import { join } from 'path';
import type { N8n, N8nOptions } from '../test/n8n/host';
import { appears } from './profile';

/** Options for an n8n whose memory in use can be measured. */
export function weighed(folder: string): Pick<N8nOptions, 'nodeArguments' | 'env'> {
	return {
		nodeArguments: ['--expose-gc', '--require', join(__dirname, 'heap.cjs')],
		env: { BENCH_HEAP: heapPath(folder) },
	};
}

function heapPath(folder: string): string {
	return join(folder, 'heap');
}

/**
 * The bytes that n8n's process has in use, garbage left out.
 *
 * @param n8n started with `weighed(folder)`
 */
export async function bytesInUse(n8n: N8n, folder: string): Promise<number> {
	const path = heapPath(folder);
	rmSync(path, { force: true });
	process.kill(n8n.process.pid, 'SIGUSR2');
	await appears(path);
	return Number(readFileSync(path, 'utf8'));
}
