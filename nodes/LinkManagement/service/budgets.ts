import { createHash } from 'crypto';
import { sleep } from 'n8n-workflow';

import { Budget, type Clock } from './pacing';

const clock: Clock = {
	now: () => Date.now(),
	sleep: async (milliseconds) => await sleep(milliseconds),
	random: () => Math.random(),
};

/** One budget for one service and key in this process, whichever node, dropdown or poll asks. */
const budgets = new Map<string, Budget>();

/**
 * The budget that all requests to this service with this key share. The table knows the key by its hash alone, and
 * forgets budgets that nobody has used for longer than the longest wait.
 *
 * @param address what `serviceAddress` returned
 */
export function budgetFor(address: string, apiKey: string): Budget {
	const id = createHash('sha256').update(`${address}\n${apiKey}`).digest('hex');
	let budget = budgets.get(id);
	if (budget === undefined) {
		const now = clock.now();
		for (const [other, idle] of budgets) if (idle.isIdle(now)) budgets.delete(other);
		budget = new Budget(clock);
		budgets.set(id, budget);
	}
	return budget;
}
