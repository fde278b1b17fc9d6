import { type IPollFunctions, sleep } from 'n8n-workflow';

import type { RateLimiter } from '../rateLimit/rateLimiter';
import type { Reading } from '../watch';
import type { Remembered } from './continuity';

/** Most triggers that are remembered. */
export const MOST_TRIGGERS = 500;

/** Longest time (ms) for which an activation waits for the end of an earlier poll. */
const LONGEST_END = 20_000;

type Context = Pick<IPollFunctions, 'getActivationMode'>;

/** A poll that is under way. */
interface RunningPoll {
	readonly context: Context;
	readonly superseded: AbortController;
	readonly end: Promise<unknown>;
}

/** What this process remembers of a trigger. */
export interface PollMemory extends Remembered {
	/** The last poll had a new context. Two in a row mean n8n's scheduler, which makes one for each poll. */
	hadOwnContext?: boolean;
	/** A reading that takes longer than a poll, from where it has begun, and the limiter of the service and key that it reads with. */
	reading?: { readonly of: string; readonly reading: Reading; readonly limiter: RateLimiter };
	/** When the service last answered, since when it has not, when the log last said so, and when a poll last failed of it (ms since 1970). */
	answeredAt?: number;
	silentSince?: number;
	loggedAt?: number;
	failedAt?: number;
}

/** What this process remembers of its triggers, by a key of each. */
export class TriggerMemory {
	/** The trigger that polled last comes last. */
	private readonly triggers = new Map<string, PollMemory>();
	private readonly running = new Map<string, RunningPoll>();
	/** The contexts of polls that were tried, and of those that had an answer: n8n makes a new one for each activation, or for each poll. */
	readonly tried = new WeakSet<object>();
	readonly polled = new WeakSet<object>();

	/**
	 * Runs a poll, unless one of the same trigger is under way. If that one is of an earlier activation, because the workflow was saved
	 * meanwhile, it ends without a report, and this poll follows.
	 *
	 * @param poll gets a signal that fires when a later activation takes over
	 */
	async runExclusively<Result>(
		key: string,
		context: Context,
		poll: (superseded: AbortSignal) => Promise<Result>,
	): Promise<Result | null> {
		const other = this.running.get(key);
		if (other !== undefined) {
			if (other.context === context || this.mayBeScheduled(other.context, context)) return null;
			other.superseded.abort();
			await Promise.race([other.end, sleep(LONGEST_END)]);
			if (this.running.has(key)) return null;
		}
		const superseded = new AbortController();
		const polling = poll(superseded.signal).finally(() => this.running.delete(key));
		this.running.set(key, { context, superseded, end: polling.catch(() => undefined) });
		return await polling;
	}

	/** Whether two contexts may be of n8n's scheduler, which makes one for each poll, with the mode of an edit. */
	private mayBeScheduled(first: Context, second: Context): boolean {
		return !this.polled.has(first) && [first, second].every((one) => one.getActivationMode() === 'update');
	}

	/** What is remembered of a trigger, to be changed in its place. The one that has not polled for longest is forgotten, if there are too many. */
	recall(key: string): PollMemory {
		const remembered = this.triggers.get(key) ?? {};
		this.triggers.delete(key);
		this.triggers.set(key, remembered);
		const [oldest] = this.triggers.keys();
		if (this.triggers.size > MOST_TRIGGERS) this.triggers.delete(oldest);
		return remembered;
	}
}

export const memory = new TriggerMemory();
