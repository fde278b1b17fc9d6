/** What a watch looks at, compares and reports. Pure: no clock, no network, no n8n. */
import { wholeNumber } from '../service/records';

export type ServiceRecord = Record<string, unknown>;

export interface Watch {
	/** `created`: records not seen before. `grown`: a count that rose. `reached`: a count that reached a threshold. */
	readonly kind: 'created' | 'grown' | 'reached';
	/** The count that is looked for: the threshold itself, or each multiple of it. 1 and `every` for a count that rose. */
	readonly threshold: number;
	readonly mode: 'once' | 'every';
	readonly countField: string;
	/** The list is requested with its newest records first. */
	readonly isNewestFirst: boolean;
	/** The IDs of the chosen records; undefined: all are watched. Not for new records. */
	readonly selected?: readonly number[];
}

/** A change of a record. `previous` and `count` are set if the question is about a count. */
export interface Change {
	record: ServiceRecord;
	previous?: number;
	count?: number;
	threshold?: number;
}

/** Goes from the records that a list shows to what has changed since the last reading: in one poll, or several. */
export interface Reading<State> {
	/** It has seen a record that the last state knows. */
	readonly hasMet: boolean;
	/** The chosen records that it has not seen; undefined if all are watched. */
	readonly left?: ReadonlySet<number>;
	/**
	 * @param records that it has not seen
	 * @param total of the list, less what its pages leave out; undefined if the service does not say it
	 * @returns whether the rest of the list need not be read
	 */
	take(records: readonly ServiceRecord[], total?: number): boolean;
	/** @param isBaseline the next reading begins with what this one has seen: nothing is reported */
	end(isBaseline: boolean): { changes: Change[]; state: State };
}

/** The highest threshold above `previous` and up to `count`; undefined if there is none. */
export function reachedThreshold(
	previous: number,
	count: number,
	{ threshold, mode }: Pick<Watch, 'threshold' | 'mode'>,
): number | undefined {
	const [before, highest] = [previous, count].map((reached) =>
		Math.min(mode === 'once' ? 1 : Infinity, Math.floor(reached / threshold)),
	);
	return highest > before ? highest * threshold : undefined;
}

/** What the last change of a record may have been. The earlier count is made up. */
export function sampleOf(record: ServiceRecord, watch: Watch): Change {
	if (watch.kind === 'created') return { record };
	const count = wholeNumber(record[watch.countField], 0) ?? 0;
	const threshold = reachedThreshold(0, count, watch) ?? watch.threshold;
	return { record, previous: Math.max(0, Math.min(count, threshold) - 1), count, threshold };
}
