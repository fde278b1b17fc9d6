/** The requests of one caller that wait: those that were refused before go ahead of the others. */
interface Lane<T> {
	again: Set<T>;
	first: Set<T>;
}

/**
 * Those who wait for a permit: round robin over the callers, first come first served within one. Knows nothing of time
 * and of rate limits.
 */
export class FairQueue<T extends object> {
	/** The caller whose turn is next stands first. */
	private readonly lanes = new Map<object, Lane<T>>();
	private count = 0;

	/** How many wait. */
	get size(): number {
		return this.count;
	}

	/**
	 * @param caller on whose behalf the entry waits
	 * @param again it waited before: it goes ahead of its caller's own, not of other callers'
	 */
	add(caller: object, entry: T, again = false): void {
		let lane = this.lanes.get(caller);
		if (lane === undefined) this.lanes.set(caller, (lane = { again: new Set(), first: new Set() }));
		lane[again ? 'again' : 'first'].add(entry);
		this.count++;
	}

	/** Takes out the entry whose turn it is. */
	next(): T | undefined {
		for (const [caller, lane] of this.lanes) {
			const [entry] = lane.again.size > 0 ? lane.again : lane.first;
			this.lanes.delete(caller);
			this.lanes.set(caller, lane);
			this.remove(caller, entry);
			return entry;
		}
		return undefined;
	}

	/** Takes out an entry that no longer waits; one that isn't there does no harm. */
	remove(caller: object, entry: T): void {
		const lane = this.lanes.get(caller);
		if (lane === undefined || (!lane.again.delete(entry) && !lane.first.delete(entry))) return;
		this.count--;
		if (lane.again.size + lane.first.size === 0) this.lanes.delete(caller);
	}

	/** All who wait, in no particular order; entries may be removed meanwhile. */
	*[Symbol.iterator](): Generator<T> {
		for (const { again, first } of this.lanes.values()) {
			yield* again;
			yield* first;
		}
	}
}
