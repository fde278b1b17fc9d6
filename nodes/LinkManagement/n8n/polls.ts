import type { IPollFunctions } from 'n8n-workflow';

/** Undocumented members of n8n's contexts. */
interface Undocumented {
	readonly __commitCursor?: () => Promise<void>;
	readonly getPollBudgetMs?: () => number;
}

/** One trigger, for all that is kept of it: n8n keeps its data by the node's name, and two nodes of a workflow may have one ID. */
export function triggerOf(context: IPollFunctions): string {
	return JSON.stringify([context.getWorkflow().id, context.getNode().name]);
}

/** What n8n says of the time (ms) of polls that its scheduler does not start: nobody ends them (read in n8n 2.41.1). */
const WITHOUT_SCHEDULER = 5 * 60_000;

/** The time (ms) that n8n's scheduler grants to a poll; undefined for all others. */
export function grantedTime(context: IPollFunctions): number | undefined {
	const granted = (context as Undocumented).getPollBudgetMs?.();
	return granted === WITHOUT_SCHEDULER ? undefined : granted;
}

/**
 * Whether n8n saves static data only together with a report: then it wraps the data, with a flag for changes (read in n8n-core 2.0.2
 * and 2.41.1). Durable cursors have no such flag.
 */
export function isSavedWithReports(data: object): boolean {
	return '__dataChanged' in data;
}

/**
 * Saves the durable cursor of a poll without a report, if there is one. n8n does so itself after all polls but that of an activation
 * (read in n8n 2.41.1).
 */
export async function saveCursor(context: IPollFunctions): Promise<void> {
	await (context as Undocumented).__commitCursor?.();
}
