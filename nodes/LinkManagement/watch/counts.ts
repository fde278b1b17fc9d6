/** Watches counts: of all records, or of chosen ones. */
import { idOf, wholeNumber } from '../service/records';
import { type Change, reachedThreshold, type Reading, type ServiceRecord, type Watch } from './changes';

/** A count below the last one: the lowest since, and the number of readings in a row. */
type Fall = readonly [lowest: number, readings: number];

export interface CountState {
	/** The last reported count, or the first one, of each record. */
	readonly counts: Readonly<Record<string, number>>;
	readonly falls: Readonly<Record<string, Fall>>;
	/** Unknown records with IDs up to this one existed before: their first count is not news. */
	readonly knownUpTo: number;
}

/** How many readings in a row must show a lower count before it is believed: services give odd answers. */
const READINGS_TO_BELIEVE = 3;
/** Most vanished records that stay known, besides as many as exist. */
const MOST_VANISHED = 1000;

/** Entries by their IDs. @param among the only ones that count; undefined: all */
function mapOf<T>(entries: Readonly<Record<string, T>> = {}, among?: ReadonlySet<number>): Map<number, T> {
	const all = Object.entries(entries).map(([id, value]) => [Number(id), value] as const);
	return new Map(all.filter(([id]) => among?.has(id) !== false));
}

/**
 * The count from which the next one is reckoned, when a fall is believed. Below half of the previous count, the statistics were reset:
 * all that they show is new. A smaller fall is a correction, such as removed visits of robots: what is left was reported before.
 */
const baselineAfterFall = (previous: number, lowest: number) => (lowest * 2 < previous ? 0 : lowest);

/**
 * Compares the count of each record with the last one. A record that appears later began at zero, and one that vanishes stays known,
 * since it may return. Chosen records existed when they were chosen: their first count is not news.
 */
export class CountReading implements Reading<CountState> {
	hasMet = false;
	readonly left?: Set<number>;
	private readonly changes: Change[] = [];
	private readonly seen = new Set<number>();
	private readonly shown = new Map<number, number>();
	private readonly counts: Map<number, number>;
	private readonly falls: Map<number, Fall>;
	private readonly knownUpTo: number;

	constructor(
		private readonly watch: Watch,
		since?: CountState,
	) {
		this.left = watch.selected && new Set(watch.selected);
		this.counts = mapOf(since?.counts, this.left);
		this.falls = mapOf(since?.falls, this.left);
		this.knownUpTo = since?.knownUpTo ?? Infinity;
	}

	take(records: readonly ServiceRecord[]): boolean {
		for (const record of records) {
			const id = idOf(record);
			const isWatched = id !== undefined && !this.seen.has(id) && (this.left?.delete(id) ?? true);
			if (isWatched) this.compare(id, record);
		}
		return this.left?.size === 0;
	}

	end(isBaseline: boolean): { changes: Change[]; state: CountState } {
		// Pages shift while they are read: where a reading is the baseline, the list may have had more.
		const wereThere = isBaseline ? this.seen : this.forget();
		const knownUpTo = [...wereThere].reduce((most, id) => Math.max(most, id), isBaseline ? 0 : this.knownUpTo);
		const counts = Object.fromEntries(isBaseline ? this.shown : this.counts);
		const falls = isBaseline ? {} : Object.fromEntries(this.falls);
		return { changes: isBaseline ? [] : this.changes, state: { counts, falls, knownUpTo } };
	}

	private compare(id: number, record: ServiceRecord): void {
		const { counts, knownUpTo, changes, watch } = this;
		const known = counts.get(id);
		this.hasMet ||= known !== undefined;
		const shown = record[watch.countField];
		// Null is 0 for a record that has never shown a number, and no answer for any other.
		const count = shown === null && !known ? 0 : wholeNumber(shown, 0);
		this.seen.add(id);
		if (count === undefined) return;
		this.shown.set(id, count);
		const wasThere = this.left !== undefined || id <= knownUpTo;
		const from = this.baselineOf(id, known ?? (wasThere ? count : 0), count);
		if (from === undefined) return;
		counts.set(id, count);
		const threshold = reachedThreshold(from, count, watch);
		if (threshold !== undefined) changes.push({ record, previous: from, count, threshold });
	}

	/** What a count is compared with; undefined while a fall is not believed yet. */
	private baselineOf(id: number, previous: number, count: number): number | undefined {
		const [lowest, readings] = this.falls.get(id) ?? [count, 0];
		this.falls.delete(id);
		if (count >= previous) return previous;
		const fall: Fall = [Math.min(lowest, count), readings + 1];
		if (fall[1] >= READINGS_TO_BELIEVE) return baselineAfterFall(previous, fall[0]);
		this.falls.set(id, fall);
		return undefined;
	}

	/** Forgets vanished records, if there are too many. @returns their IDs */
	private forget(): number[] {
		const { counts, falls, seen } = this;
		const vanished = [...counts.keys()].filter((id) => !seen.has(id));
		if (seen.size === 0 || vanished.length <= seen.size + MOST_VANISHED) return [];
		for (const id of vanished) [counts, falls].forEach((known) => known.delete(id));
		return vanished;
	}
}
