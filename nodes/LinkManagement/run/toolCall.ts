import { keptFor } from '../n8n/lifetimes';
import type { SendOptions } from '../service/serviceClient';

/** How long (ms) a tool's call takes at most: clients of models give up after a minute. */
const LONGEST_CALL = 45_000;
/** The time (ms) that is left for the last answer of a service that is down. */
const LAST_ANSWER = 3_000;

/**
 * How a tool's call sends its requests: all of them in 45 seconds, those of its tries by Retry On Fail as well.
 *
 * @param tries the same object for all tries of the call
 * @param stopped fires when the run ends before
 * @param failsFast does not wait for the rate limit
 */
export function optionsOfCall(tries: object, stopped: AbortSignal, failsFast: boolean): Partial<SendOptions> {
	const call = keptFor(tries, 'call', () => ({ deadline: Date.now() + LONGEST_CALL, changes: [] as string[] }));
	const left = Math.max(0, call.deadline - Date.now());
	return {
		call,
		deadline: call.deadline,
		patience: Math.max(0, left - LAST_ANSWER),
		signal: AbortSignal.any([stopped, AbortSignal.timeout(left)]),
		ifLimited: failsFast ? 'failFast' : 'tool',
	};
}
