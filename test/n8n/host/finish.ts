import './prepare';

/** Stops the n8n that the tests of a run shared. */
export default async function finish(): Promise<void> {
	await globalThis.n8nOfThisRun?.stop();
}
