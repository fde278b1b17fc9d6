import { wholeNumber } from '../service/records';
import { baselineAfterFall, reachedThresholds, type Change, type ServiceRecord } from './changes';
import type { WatchSettings } from './recordSource';
import type { CountState, Fall } from './watchState';

/** So many polls in a row must show a count below what was reported before the fall is believed: services give odd answers. */
const POLLS_TO_BELIEVE = 3;

/** The records known, each with the count reported last (or set as baseline); and what there is to report. */
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

	/** The count that a record shows. Null is 0 for one that has never shown a number, and no answer for any other. */
	private countOf(id: number, record: ServiceRecord): number | undefined {
		const count = record[this.settings.countField];
		return count === null && !this.counts.get(id) ? 0 : wholeNumber(count, 0);
	}

	/**
	 * Compares a record with what is known of it.
	 *
	 * @param wasThere whether one that is not known was there before, so that its first sight is its baseline; otherwise its
	 * count began at zero
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

	/** What the next poll needs to know. */
	write(): Pick<CountState, 'counts' | 'falls'> {
		return { counts: Object.fromEntries(this.counts), falls: Object.fromEntries(this.falls) };
	}

	/** Reports what a count has come to. @returns whether it was reported, so that the next growth begins there */
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

	/** The count from which growth is reckoned; undefined while a count lies below it and that is not believed yet. */
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
