/** A request that waits: its caller, and whether it waited before; then it goes ahead of its caller's others. */
export interface Entry {
	readonly caller: object;
	readonly again?: boolean;
}

/**
 * Those who wait for a permit: round robin over the callers, first come first served within one. Knows nothing of time
 * and of rate limits.
 */
export class FairQueue<T extends Entry> {
	/** The entries of each caller; the one whose turn is next stands first. */
	private readonly lanes = new Map<object, T[]>();

	get size(): number {
		let size = 0;
		for (const lane of this.lanes.values()) size += lane.length;
		return size;
	}

	add(entry: T): void {
		const lane = this.lanes.get(entry.caller) ?? [];
		this.lanes.set(entry.caller, lane);
		const behind = entry.again ? lane.findIndex(({ again }) => !again) : -1;
		lane.splice(behind < 0 ? lane.length : behind, 0, entry);
	}

	/** Takes out the entry whose turn it is, among those that may go. */
	next(mayGo: (entry: T) => boolean = () => true): T | undefined {
		for (const [caller, lane] of this.lanes) {
			const [entry] = lane;
			if (!mayGo(entry)) continue;
			this.lanes.delete(caller);
			this.lanes.set(caller, lane);
			this.remove(entry);
			return entry;
		}
		return undefined;
	}

	/** Takes out an entry that no longer waits; one that isn't there does no harm. */
	remove(entry: T): void {
		const lane = this.lanes.get(entry.caller) ?? [];
		const place = lane.indexOf(entry);
		if (place >= 0) lane.splice(place, 1);
		if (lane.length === 0) this.lanes.delete(entry.caller);
	}

	/** All who wait, in no particular order; entries may be removed meanwhile. */
	[Symbol.iterator](): Iterator<T> {
		return [...this.lanes.values()].flat().values();
	}
}
