/** How long (ms) a fact holds by default: services change. */
const HOUR = 60 * 60_000;
/** Most facts that are kept of a service; the oldest is dropped. */
export const MOST_FACTS = 500;

/** What was learned of a service from its answers, besides its rate limit. */
export class Learned {
	/** The oldest comes first. */
	private readonly facts = new Map<string, { value: unknown; until: number }>();

	/**
	 * @param now the local time in ms
	 * @param most facts that are kept
	 */
	constructor(
		private readonly now: () => number,
		private readonly most = MOST_FACTS,
	) {}

	/** @returns undefined if the fact is unknown or has expired */
	recall<T>(fact: string): T | undefined {
		const known = this.facts.get(fact);
		return known !== undefined && this.now() < known.until ? (known.value as T) : undefined;
	}

	remember(fact: string, value: unknown, forMs = HOUR): void {
		this.facts.delete(fact);
		this.facts.set(fact, { value, until: this.now() + forMs });
		const [oldest] = this.facts.keys();
		if (this.facts.size > this.most) this.facts.delete(oldest);
	}

	/** One fact, by its name. */
	fact<T>(name: string) {
		return {
			recall: () => this.recall<T>(name),
			remember: (value: T, forMs?: number) => this.remember(name, value, forMs),
		};
	}
}
