import { createHash } from 'crypto';
import { sleep } from 'n8n-workflow';

import { RateLimiter, type Clock } from './rateLimiter';

const clock: Clock = {
	now: () => Date.now(),
	sleep: async (milliseconds) => await sleep(milliseconds),
	random: () => Math.random(),
};

/** So many limiters are kept at most, but for those in use: an expression may take another key for every item. */
export const MOST_LIMITERS = 500;

/** One limiter for one service and key in this process, whichever node, dropdown or poll asks. The latest used is last. */
const limiters = new Map<string, RateLimiter>();

/**
 * The limiter that all requests to this service with this key share. The table knows the key by its hash alone, and forgets
 * limiters that nobody has used for a while.
 *
 * @param address what `serviceAddress` returned
 */
export function limiterFor(address: string, apiKey: string): RateLimiter {
	const id = createHash('sha256').update(`${address}\n${apiKey}`).digest('hex');
	let limiter = limiters.get(id);
	if (limiter === undefined) {
		forget();
		limiter = new RateLimiter(clock);
	}
	limiters.delete(id);
	limiters.set(id, limiter);
	return limiter;
}

/** Forgets what has not been used for long, and the oldest of too many. */
function forget(): void {
	const now = clock.now();
	for (const [id, limiter] of limiters) {
		if (limiter.isIdle(now) || (limiters.size >= MOST_LIMITERS && !limiter.isBusy)) limiters.delete(id);
	}
}
