import { sleep, type IPollFunctions } from 'n8n-workflow';

import type { Reading } from '../watch';

/** Most characters that all triggers together leave in this process. */
const MOST_CHARACTERS = 8_000_000;

/** Most readings that are kept: each holds the counts of an account. */
const MOST_READINGS = 50;

/** Longest time (ms) for which an activation waits for the end of an earlier poll. */
const LONGEST_END = 20_000;

type Context = Pick<IPollFunctions, 'getActivationMode'>;

/** A poll that is under way. */
interface RunningPoll {
	readonly context: Context;
	readonly superseded: AbortController;
	readonly end: Promise<unknown>;
}

/** What this process remembers of its triggers, by a key of each. */
export class TriggerMemory {
	/** Key → what the last poll left, as text. The trigger that polled last comes last. */
	private readonly texts = new Map<string, string>();
	private readonly running = new Map<string, RunningPoll>();
	/** Readings that take longer than a poll. The trigger that polled last comes last. */
	private readonly readings = new Map<string, { of: string; reading: Reading }>();
	/** The contexts of earlier polls: n8n makes a new one for each activation, or for each poll. */
	readonly polled = new WeakSet<object>();

	get size(): number {
		return [...this.texts.values()].reduce((sum, { length }) => sum + length, 0);
	}

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

	/** The unfinished reading of a trigger, if it began from this state and these settings. It is not kept any longer. */
	takeReading(key: string, of: string): Reading | undefined {
		const begun = this.readings.get(key);
		this.readings.delete(key);
		return begun?.of === of ? begun.reading : undefined;
	}

	/** Keeps an unfinished reading for the next poll. Without it, that poll begins the reading again. */
	keepReading(key: string, of: string, reading: Reading): void {
		this.readings.set(key, { of, reading });
		const [oldest] = this.readings.keys();
		if (this.readings.size > MOST_READINGS) this.readings.delete(oldest);
	}

	recall(key: string): string | undefined {
		return this.texts.get(key);
	}

	/** Replaces the text of a trigger. If there are too many characters, the oldest texts are dropped; this one stays. */
	remember(key: string, text: string): void {
		this.texts.delete(key);
		this.texts.set(key, text);
		for (const oldest of this.texts.keys()) {
			if (oldest === key || this.size <= MOST_CHARACTERS) return;
			this.texts.delete(oldest);
		}
	}
}

export const memory = new TriggerMemory();
