import { sleep, type IPollFunctions } from 'n8n-workflow';

/** What all triggers together may leave in this process (characters). */
const MOST_CHARACTERS = 8_000_000;

/** How long (ms) a poll that is under way may take to end: an answer is on its way, and somebody waits for the activation. */
const LONGEST_END = 20_000;

type Context = Pick<IPollFunctions, 'getActivationMode'>;

/** A poll that is under way. */
interface Turn {
	readonly context: Context;
	readonly superseded: AbortController;
	readonly end: Promise<unknown>;
}

/** What this process remembers of the triggers that poll in it, by a key that tells each from all others of this n8n. */
export class TriggerMemory {
	/** What the last poll left, as text; the trigger that polled last stands last. */
	private readonly texts = new Map<string, string>();
	private readonly turns = new Map<string, Turn>();
	/** The contexts in which a poll has left something: n8n makes one anew for each activation, or for each poll. */
	readonly polled = new WeakSet<object>();

	get size(): number {
		return [...this.texts.values()].reduce((sum, { length }) => sum + length, 0);
	}

	/**
	 * Does a poll, unless one of the same trigger is under way: then there is nothing to do. But where that one is of an activation that
	 * is over, because the workflow was saved meanwhile, it ends without a report, and this one comes after it.
	 *
	 * @param poll gets the signal that says so
	 */
	async inTurn<Result>(
		key: string,
		context: Context,
		poll: (superseded: AbortSignal) => Promise<Result>,
	): Promise<Result | null> {
		const other = this.turns.get(key);
		if (other !== undefined) {
			if (other.context === context || this.mayBeScheduled(other.context, context)) return null;
			other.superseded.abort();
			await Promise.race([other.end, sleep(LONGEST_END)]);
			if (this.turns.has(key)) return null;
		}
		const superseded = new AbortController();
		const polling = poll(superseded.signal).finally(() => this.turns.delete(key));
		this.turns.set(key, { context, superseded, end: polling.catch(() => undefined) });
		return await polling;
	}

	/** n8n polls one activation in one context. Its scheduler makes a context for each poll, which it takes for one of an edit. */
	private mayBeScheduled(first: Context, second: Context): boolean {
		return !this.polled.has(first) && [first, second].every((one) => one.getActivationMode() === 'update');
	}

	recall(key: string): string | undefined {
		return this.texts.get(key);
	}

	/** Takes a text in place of the last one. What is beyond the bound goes then, the oldest first; this one always stays. */
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
