/** What all triggers together may leave in this process (characters). */
const MOST_CHARACTERS = 8_000_000;

/** What this process remembers of the triggers that poll in it, by a key that tells each from all others of this n8n. */
export class TriggerMemory {
	/** What the last poll left, as text; the trigger that polled last stands last. */
	private readonly texts = new Map<string, string>();
	private readonly polling = new Set<string>();
	private readonly polled = new WeakSet<object>();

	get size(): number {
		return [...this.texts.values()].reduce((sum, { length }) => sum + length, 0);
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
