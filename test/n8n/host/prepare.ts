import { type N8n, startN8n } from '.';
import { SHARED_N8N, type SharedN8n } from './shared';

declare global {
	/** From jest's global setup to its global teardown; the tests themselves don't see it. */
	var n8nOfThisRun: N8n | undefined;
}

/** Starts the one n8n that the tests of a run share, with the package inside, and hands it to the workers. */
export default async function prepare(): Promise<void> {
	const n8n = await startN8n({ version: process.env.N8N_VERSION });
	const { filesFolder, logFile } = n8n.process;
	process.env[SHARED_N8N] = JSON.stringify({
		url: n8n.url,
		owner: n8n.owner,
		filesFolder,
		logFile,
	} satisfies SharedN8n);
	globalThis.n8nOfThisRun = n8n;
}
