/** A request that waits. A retry goes ahead of its caller's other requests. */
export interface Queued {
	readonly caller: object;
	readonly isRetry?: boolean;
}

/** A queue that takes turns between callers: round robin over them, first in first out within each. It knows neither time nor rate limits. */
export class FairQueue<T extends Queued> {
	/** The entries of each caller. The caller whose turn is next comes first. */
	private readonly lanes = new Map<object, T[]>();

	get size(): number {
		let size = 0;
		for (const lane of this.lanes.values()) size += lane.length;
		return size;
	}

	add(entry: T): void {
		const lane = this.lanes.get(entry.caller) ?? [];
		this.lanes.set(entry.caller, lane);
		const behind = entry.isRetry ? lane.findIndex(({ isRetry }) => !isRetry) : -1;
		lane.splice(behind < 0 ? lane.length : behind, 0, entry);
	}

	/** Removes and returns the next entry that may go. */
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

	/** Removes an entry, if it is there. */
	remove(entry: T): void {
		const lane = this.lanes.get(entry.caller) ?? [];
		const at = lane.indexOf(entry);
		if (at >= 0) lane.splice(at, 1);
		if (lane.length === 0) this.lanes.delete(entry.caller);
	}

	/** All entries, in no particular order. Entries may be removed meanwhile. */
	[Symbol.iterator](): Iterator<T> {
		return [...this.lanes.values()].flat().values();
	}
}
