import { keptFor } from '../n8n/lifetimes';
import type { SendOptions } from '../service/serviceClient';

/** How long (ms) a tool's call takes at most: clients of models give up after a minute. */
const LONGEST_CALL = 45_000;
/** The time (ms) that is left for the last answer of a service that is down. */
const LAST_ANSWER = 3_000;

/** Longest text (characters) that a model gets, which is that of a long URL; most entries of a list or object, and deepest levels. */
const LONGEST_VALUE = 8000;
const MOST_PARTS = 300;
const DEEPEST = 5;

/** A value of an item as a model gets it: what services send has no length of its own. */
export function forModel(value: unknown, levels = DEEPEST): unknown {
	if (typeof value === 'string') return value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE - 1)}…` : value;
	if (typeof value !== 'object' || value === null) return value;
	if (levels === 0) return '…';
	if (Array.isArray(value)) return value.slice(0, MOST_PARTS).map((part) => forModel(part, levels - 1));
	const entries = Object.entries(value).slice(0, MOST_PARTS);
	return Object.fromEntries(entries.map(([name, part]) => [name, forModel(part, levels - 1)]));
}

/**
 * How a tool's call sends its requests: all of them in 45 seconds, those of its tries by Retry On Fail as well.
 *
 * @param tries the same object for all tries of the call
 * @param stopped fires when the run ends before
 */
export function optionsOfCall(tries: object, stopped: AbortSignal): Partial<SendOptions> {
	const call = keptFor(tries, 'call', () => ({ deadline: Date.now() + LONGEST_CALL, changes: [] as string[] }));
	const left = Math.max(0, call.deadline - Date.now());
	return {
		call,
		deadline: call.deadline,
		patience: Math.max(0, left - LAST_ANSWER),
		signal: AbortSignal.any([stopped, AbortSignal.timeout(left)]),
		ifLimited: 'tool',
	};
}
