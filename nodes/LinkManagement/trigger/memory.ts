/** What all triggers together may leave in this process (in characters), and how long each is kept after a poll (ms). */
const MOST_CHARACTERS = 8_000_000;
const LONGEST = 8 * 24 * 60 * 60_000;

/** What this process remembers of the triggers that poll in it, by a key that tells each from all others of this n8n. */
export class TriggerMemory {
	/** What the last poll left, as text, and when (ms). */
	private readonly kept = new Map<string, { text: string; at: number }>();
	private readonly polling = new Set<string>();
	private readonly polled = new WeakSet<object>();

	/** All that is kept takes so much together (characters). */
	get size(): number {
		return [...this.kept.values()].reduce((sum, { text }) => sum + text.length, 0);
	}

	/** Does a poll of a node, unless one is under way: then there is nothing to do. */
	async alone<Result>(key: string, poll: () => Promise<Result>): Promise<Result | null> {
		if (this.polling.has(key)) return null;
		this.polling.add(key);
		return await poll().finally(() => this.polling.delete(key));
	}

	/** Whether one of these was marked: contexts and stored data, which n8n makes anew for each activation. */
	isMarked(...things: object[]): boolean {
		return things.some((thing) => this.polled.has(thing));
	}

	mark(...things: object[]): void {
		for (const thing of things) this.polled.add(thing);
	}

	get(key: string): string | undefined {
		return this.kept.get(key)?.text;
	}

	/**
	 * Keeps a text in place of the last one. What is over the bounds goes then, the oldest first; this one always stays.
	 *
	 * @param now the time (ms)
	 */
	keep(key: string, text: string, now: number): void {
		this.kept.delete(key);
		this.kept.set(key, { text, at: now });
		for (const [oldest, { at }] of this.kept) {
			if (oldest === key || (this.size <= MOST_CHARACTERS && now - at <= LONGEST)) return;
			this.kept.delete(oldest);
		}
	}
}
