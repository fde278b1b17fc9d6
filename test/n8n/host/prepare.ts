import { appendFileSync } from 'fs';
import { join } from 'path';
import { type N8n, startN8n } from '.';
import { SHARED_N8N, type SharedN8n } from './shared';

declare global {
	/** From jest's global setup to its global teardown; the tests themselves don't see it. */
	var n8nOfThisRun: N8n | undefined;
}

/** Starts the one n8n that the tests of a run share, with the package inside, and hands it to the workers. */
export default async function prepare(): Promise<void> {
	const logs: { file?: string; early: string } = { early: '' };
	const n8n = await startN8n({
		version: process.env.N8N_VERSION,
		log: (text) => {
			if (logs.file === undefined) logs.early += text;
			else appendFileSync(logs.file, text);
		},
	});
	logs.file = join(n8n.userFolder, 'n8n.log');
	appendFileSync(logs.file, logs.early);
	const shared: SharedN8n = { url: n8n.url, owner: n8n.owner, filesFolder: n8n.filesFolder, logFile: logs.file };
	process.env[SHARED_N8N] = JSON.stringify(shared);
	globalThis.n8nOfThisRun = n8n;
}
