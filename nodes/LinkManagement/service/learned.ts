/** How long (ms) a fact holds by default: services change. */
const HOUR = 60 * 60_000;

/** A fact about a service: unknown until it is remembered, and when it has expired. */
class Fact<T> {
	private known?: { value: T; until: number };

	recall(): T | undefined {
		return this.known !== undefined && Date.now() < this.known.until ? this.known.value : undefined;
	}

	remember(value: T, forMs = HOUR): void {
		this.known = { value, until: Date.now() + forMs };
	}
}

/** What was learned of a service from its answers, besides its rate limit. */
export class Learned {
	/** It has given this key a proper answer: a later failure is not due to the Base URL. */
	readonly isKnown = new Fact<true>();
	/** It ignores the parameter `short`. */
	readonly ignoresShort = new Fact<true>();
	/** Its lists show more of a link than its details (field notes, "Resources"). */
	readonly listsShowMore = new Fact<boolean>();
	private readonly pageSizes = new Map<string, Fact<number>>();

	/** The size of a list's pages. */
	pageSize(path: string): Fact<number> {
		const size = this.pageSizes.get(path) ?? new Fact<number>();
		this.pageSizes.set(path, size);
		return size;
	}
}
