/** How long (ms) a fact holds by default: services change. */
const HOUR = 60 * 60_000;
/** Most facts that are kept of a service; the oldest is dropped. */
export const MOST_FACTS = 500;

/** What was learned of a service from its answers, besides its rate limit. */
export class Learned {
	/** The oldest comes first. */
	private readonly facts = new Map<string, { value: unknown; until: number }>();

	/** @param now the local time in ms */
	constructor(private readonly now: () => number) {}

	/** One fact, by its name. It is unknown, and undefined, until it is remembered, and when it has expired. */
	fact<T>(name: string) {
		return {
			recall: (): T | undefined => {
				const known = this.facts.get(name);
				return known !== undefined && this.now() < known.until ? (known.value as T) : undefined;
			},
			remember: (value: T, forMs = HOUR): void => {
				this.facts.delete(name);
				this.facts.set(name, { value, until: this.now() + forMs });
				const [oldest] = this.facts.keys();
				if (this.facts.size > MOST_FACTS) this.facts.delete(oldest);
			},
		};
	}
}
