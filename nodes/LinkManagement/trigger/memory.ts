interface Entry<Value> {
	value: Value;
	/** In bytes, roughly. */
	size: number;
	/** When it was kept (ms). */
	at: number;
}

/** What the values kept for all nodes may take together (bytes, roughly), and how long one is kept after a poll (ms). */
const MOST_BYTES = 8_000_000;
const LONGEST = 8 * 24 * 60 * 60_000;

/** What this process remembers of the triggers that poll in it, by a key that tells each from all others of this n8n. */
export class TriggerMemory<Value> {
	private readonly kept = new Map<string, Entry<Value>>();
	private readonly polling = new Set<string>();
	private readonly polled = new WeakSet<object>();

	/** All that is kept takes so much together (bytes, roughly). */
	get size(): number {
		return [...this.kept.values()].reduce((sum, { size }) => sum + size, 0);
	}

	/** How many nodes something is kept for. */
	get count(): number {
		return this.kept.size;
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

	get(key: string): Value | undefined {
		return this.kept.get(key)?.value;
	}

	/**
	 * Keeps a value in place of the last one. What is over the bounds goes then, the oldest first; this one always stays.
	 *
	 * @param size in bytes, roughly
	 * @param now the time (ms)
	 */
	keep(key: string, value: Value, size: number, now: number): void {
		this.kept.delete(key);
		this.kept.set(key, { value, size, at: now });
		for (const [oldest, { at }] of this.kept) {
			if (oldest === key || (this.size <= MOST_BYTES && now - at <= LONGEST)) return;
			this.kept.delete(oldest);
		}
	}
}
