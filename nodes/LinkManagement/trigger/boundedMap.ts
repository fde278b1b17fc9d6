interface Entry<Value> {
	value: Value;
	size: number;
	/** When it was set (ms). */
	at: number;
}

/**
 * Values by key, bounded by their size together and by their age. What is over goes when something is set, the oldest first;
 * what was set last always stays.
 */
export class BoundedMap<Value> {
	private readonly entries = new Map<string, Entry<Value>>();

	private total = 0;

	/**
	 * @param mostSize of all values together, in whatever unit `set` is told
	 * @param longest how long a value stays (ms) after it was set
	 */
	constructor(
		private readonly mostSize: number,
		private readonly longest: number,
	) {}

	get count(): number {
		return this.entries.size;
	}

	get size(): number {
		return this.total;
	}

	get(key: string): Value | undefined {
		return this.entries.get(key)?.value;
	}

	delete(key: string): void {
		this.total -= this.entries.get(key)?.size ?? 0;
		this.entries.delete(key);
	}

	/** @param now the time (ms) */
	set(key: string, value: Value, size: number, now: number): void {
		this.delete(key);
		this.entries.set(key, { value, size, at: now });
		this.total += size;
		for (const [oldest, { at }] of this.entries) {
			if (oldest === key || (this.total <= this.mostSize && now - at <= this.longest)) return;
			this.delete(oldest);
		}
	}
}
