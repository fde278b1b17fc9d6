import { wholeNumber } from '../api/records';
import { baselineAfterFall, multiple, passedThresholds } from './changes';
import type { Change, Question, ServiceRecord } from './changes';
import type { WatchSettings } from './poll';
import { decodeCounts, encodeCounts, type StateFields } from './state';

/** So many polls in a row must show a count below what was reported before the fall is believed: services give odd answers. */
const POLLS_TO_BELIEVE = 3;

/**
 * Thresholds that a record passed since the last poll are told one by one up to this number, and together beyond it; together
 * also once a poll has so many events.
 */
const MOST_EVENTS_OF_A_RECORD = 100;
const MOST_EVENTS_OF_A_POLL = 10_000;

type ThresholdQuestion = Extract<Question, { kind: 'reached' }>;

/** The records known, each with the count reported last (or set as baseline); and what there is to report. */
export class Ledger {
	readonly changes: Change[] = [];
	readonly known: Map<number, number>;
	/** Counts below what was reported: the lowest since, and in how many polls in a row. */
	private readonly fallen: Map<number, number>;
	private readonly fallenPolls: Map<number, number>;
	private isChanged = false;

	/** @param fields what the ledger of the last poll wrote */
	constructor(
		private readonly settings: WatchSettings,
		private readonly fields: StateFields,
	) {
		const counts = (name: string) => decodeCounts(String(fields[name] ?? ''));
		this.known = counts('known');
		this.fallen = counts('fallen');
		this.fallenPolls = counts('fallenPolls');
	}

	countOf(record: ServiceRecord): number | undefined {
		return wholeNumber(record[this.settings.countField], 0);
	}

	/**
	 * Compares a record with what is known of it.
	 *
	 * @param wasThere whether one that is not known was there before, so that its first sight is its baseline; otherwise its
	 * count began at zero
	 */
	compare(id: number, record: ServiceRecord, wasThere: boolean): void {
		const { question } = this.settings;
		const previous = this.known.get(id);
		if (question.kind === 'created') {
			if (previous !== undefined) return;
			if (!wasThere) this.changes.push({ record });
			this.keep(id, 0);
			return;
		}
		const count = this.countOf(record);
		if (count === undefined) return;
		if (previous === undefined && wasThere) {
			this.keep(id, count);
			return;
		}
		const from = this.baselineOf(id, previous ?? 0, count);
		if (from === undefined) return;
		if (question.kind === 'reached') {
			this.reportThresholds({ record, previous: from, count }, question);
		} else if (count - from < question.minimumIncrease || count === from) {
			this.keep(id, from);
			return;
		} else {
			this.changes.push({ record, previous: from, count });
		}
		this.keep(id, count);
	}

	forget(id: number): void {
		if (!this.known.delete(id)) return;
		this.forgetFall(id);
		this.isChanged = true;
	}

	/** What the next poll needs to know. */
	write(): StateFields {
		const { known, fallen, fallenPolls } = this;
		return {
			known: this.isChanged ? encodeCounts(known) : String(this.fields.known ?? ''),
			fallen: encodeCounts(fallen),
			fallenPolls: encodeCounts(fallenPolls),
		};
	}

	/** The count from which growth is reckoned; undefined while a count lies below it and that is not believed yet. */
	private baselineOf(id: number, previous: number, count: number): number | undefined {
		if (count >= previous) {
			this.forgetFall(id);
			return previous;
		}
		const lowest = Math.min(this.fallen.get(id) ?? count, count);
		const polls = (this.fallenPolls.get(id) ?? 0) + 1;
		if (polls < POLLS_TO_BELIEVE) {
			this.fallen.set(id, lowest);
			this.fallenPolls.set(id, polls);
			return undefined;
		}
		this.forgetFall(id);
		return baselineAfterFall(previous, lowest);
	}

	private forgetFall(id: number): void {
		this.fallen.delete(id);
		this.fallenPolls.delete(id);
	}

	private reportThresholds(
		change: Required<Pick<Change, 'record' | 'previous' | 'count'>>,
		of: ThresholdQuestion,
	): void {
		const reached = passedThresholds(change.previous, change.count, of.threshold, of.mode);
		if (reached === undefined) return;
		const { passed, first, last } = reached;
		const most = this.changes.length < MOST_EVENTS_OF_A_POLL ? MOST_EVENTS_OF_A_RECORD : 1;
		if (passed > most) {
			this.changes.push({ ...change, threshold: last, together: { passed, first } });
			return;
		}
		const before = Math.round(first / of.threshold);
		for (let n = 0; n < passed; n++) this.changes.push({ ...change, threshold: multiple(of.threshold, before + n) });
	}

	private keep(id: number, count: number): void {
		if (this.known.get(id) === count) return;
		this.known.set(id, count);
		this.isChanged = true;
	}
}
