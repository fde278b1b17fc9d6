import { wholeNumber } from '../service/records';
import { baselineAfterFall, reachedThresholds, type Change, type ServiceRecord } from './changes';
import type { WatchSettings } from './recordSource';
import type { CountState, Fall } from './watchState';

/** How many polls in a row must show a lower count before it is believed: services give odd answers. */
const POLLS_TO_BELIEVE = 3;

/** The last reported count or baseline of each record, and the changes to report. */
export class Ledger {
	readonly changes: Change[] = [];
	readonly counts: Map<number, number>;
	private readonly falls: Map<number, Fall>;

	constructor(
		private readonly settings: WatchSettings,
		{ counts, falls }: Pick<CountState, 'counts' | 'falls'>,
	) {
		this.counts = new Map(byId(counts));
		this.falls = new Map(byId(falls));
	}

	/** The count of a record. Null is 0 for a record that has never shown a number, and no answer for any other. */
	private countOf(id: number, record: ServiceRecord): number | undefined {
		const count = record[this.settings.countField];
		return count === null && !this.counts.get(id) ? 0 : wholeNumber(count, 0);
	}

	/**
	 * Compares the count of a record with the last one.
	 *
	 * @param wasThere whether an unknown record existed before: then this count is its baseline; otherwise it began at zero
	 */
	compare(id: number, record: ServiceRecord, wasThere: boolean): void {
		const count = this.countOf(id, record);
		if (count === undefined) return;
		const previous = this.counts.get(id) ?? (wasThere ? count : 0);
		const from = this.baselineOf(id, previous, count);
		if (from === undefined) return;
		const isPending = !this.report(record, from, count);
		this.counts.set(id, isPending ? from : count);
	}

	forget(id: number): void {
		this.counts.delete(id);
		this.falls.delete(id);
	}

	/** The state for the next poll. */
	write(): Pick<CountState, 'counts' | 'falls'> {
		return { counts: Object.fromEntries(this.counts), falls: Object.fromEntries(this.falls) };
	}

	/** Reports a count. @returns whether it was reported, and is the next baseline */
	private report(record: ServiceRecord, previous: number, count: number): boolean {
		const { question } = this.settings;
		if (question.kind === 'grown') {
			if (count - previous < question.minimumIncrease) return false;
			this.changes.push({ record, previous, count });
		}
		if (question.kind === 'reached') {
			for (const threshold of reachedThresholds(previous, count, question.threshold, question.mode)) {
				this.changes.push({ record, previous, count, threshold });
			}
		}
		return true;
	}

	/** The baseline of a count; undefined while a fall is not believed yet. */
	private baselineOf(id: number, previous: number, count: number): number | undefined {
		const [lowest, polls] = this.falls.get(id) ?? [count, 0];
		this.falls.delete(id);
		if (count >= previous) return previous;
		const fall: Fall = [Math.min(lowest, count), polls + 1];
		if (fall[1] >= POLLS_TO_BELIEVE) return baselineAfterFall(previous, fall[0]);
		this.falls.set(id, fall);
		return undefined;
	}
}

function byId<Value>(entries: Readonly<Record<string, Value>>): Array<[number, Value]> {
	return Object.entries(entries).map(([id, value]) => [Number(id), value]);
}
