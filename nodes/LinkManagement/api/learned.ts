interface Fact {
	value: unknown;
	/** Local time in ms. */
	until: number;
}

/** So many facts are kept of a service at most; the oldest goes. */
export const MOST_FACTS = 500;

/**
 * What the answers of a service have taught besides its rate limit: how large its pages may be, what it ignores. Each fact holds
 * for a time of its own and is then asked for again, however often it was used or repeated meanwhile: services change.
 */
export class Learned {
	/** The oldest stands first. */
	private readonly facts = new Map<string, Fact>();

	/** @param now the local time in ms */
	constructor(private readonly now: () => number) {}

	/**
	 * @param fact its name; what is known of one list has the list's path in it
	 * @returns what was remembered last, undefined when nothing is known, or no longer
	 */
	recall<T>(fact: string): T | undefined {
		const known = this.facts.get(fact);
		return known !== undefined && this.now() < known.until ? (known.value as T) : undefined;
	}

	/**
	 * Remembers a fact in place of what was known. One that still holds ends when it would have ended; who disproves it forgets it.
	 *
	 * @param forMs how long it holds, from when it was first learned
	 */
	remember(fact: string, value: unknown, forMs: number): void {
		const now = this.now();
		const known = this.facts.get(fact);
		const until = known !== undefined && now < known.until ? known.until : now + forMs;
		this.facts.delete(fact);
		this.facts.set(fact, { value, until });
		for (const [oldest, { until: end }] of this.facts) {
			if (end <= now || this.facts.size > MOST_FACTS) this.facts.delete(oldest);
		}
	}

	forget(fact: string): void {
		this.facts.delete(fact);
	}
}
