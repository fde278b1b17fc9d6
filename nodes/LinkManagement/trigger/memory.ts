import type { IPollFunctions } from 'n8n-workflow';

import { grantedTime } from '../n8n/polls';
import type { Reading, WatchState } from '../watch';
import type { Remembered } from './continuity';
import type { WatchedRecords } from './watchedRecords';

/** Most triggers that are remembered. */
export const MOST_TRIGGERS = 500;

/** What this process remembers of a trigger. */
export interface PollMemory extends Remembered {
	/** A reading that takes longer than a poll: from which state it has begun, and with which key. */
	unfinished?: { readonly of: string; readonly reading: Reading<WatchState>; readonly records: WatchedRecords };
	/** The poll that is under way. */
	running?: { readonly context: object; readonly superseded: AbortController; readonly end: Promise<unknown> };
}

/** What this process remembers of its triggers, by a key of each. */
export class TriggerMemory {
	/** The trigger that polled last comes last. */
	private readonly triggers = new Map<string, PollMemory>();
	/** The contexts of polls: n8n makes one for each activation, and one for each poll of its scheduler. */
	readonly contexts = new WeakSet<object>();

	/**
	 * Runs a poll, unless one of the same trigger is under way: two at once would report twice, or lose a report. If this one is of an
	 * activation, because the workflow was saved meanwhile, the other ends without a report, and this one follows.
	 *
	 * @param poll gets a signal that fires when a later activation takes over
	 */
	async runExclusively<Result>(
		key: string,
		context: IPollFunctions,
		poll: (remembered: PollMemory, superseded: AbortSignal) => Promise<Result>,
	): Promise<Result | null> {
		const remembered = this.recall(key);
		const { running } = remembered;
		if (running !== undefined) {
			if (running.context === context || grantedTime(context) !== undefined) return null;
			running.superseded.abort();
			await running.end;
			if (remembered.running !== undefined) return null;
		}
		const superseded = new AbortController();
		const polling = poll(remembered, superseded.signal).finally(() => (remembered.running = undefined));
		remembered.running = { context, superseded, end: polling.catch(() => undefined) };
		return await polling;
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
