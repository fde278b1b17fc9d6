/**
 * Decides from which state a poll goes on. Pure: no clock, no network, no n8n.
 *
 * n8n keeps the state of a trigger in one of four ways (read in n8n-core 2.0.2 and n8n 2.41.1):
 *
 * | who polls | a poll gets | n8n saves after a report | and after a poll without one |
 * | --- | --- | --- | --- |
 * | timers of n8n 2.0 | what the last poll of this activation left | the state, beside the execution | nothing |
 * | timers of n8n 2.41 | the same | the same, unless the workflow was saved meanwhile | nothing |
 * | its scheduler | what was saved last | the state, beside the execution | nothing |
 * | its scheduler, with durable cursors | the cursor that was saved last, or the one before | cursor and execution together, or neither | the cursor |
 *
 * n8n also saves what the poll of an activation leaves, but for a durable cursor. The last state lives on in the process, too: with the
 * scheduler, nothing else knows what a poll without a report left.
 */
import type { WatchState } from '../watch';

/** The state of one trigger, as n8n stores it. */
export interface StoredState {
	/** Address, settings and form of the state: with others, a poll starts over. */
	readonly of: string;
	/** Fingerprint of the key. */
	readonly key: string;
	/** Each state has a higher number than all that this process has seen; that of the last report, 0 before the first. */
	readonly step: number;
	readonly report: number;
	readonly watch: WatchState;
}

/** What this process remembers of a trigger. */
export interface Remembered {
	/** The state that the last poll left. */
	last?: StoredState;
	/** When n8n got the last report (ms since 1970). */
	reportedAt?: number;
}

/** n8n stores a report within this time (ms), or never; and no poll begins later with a state that n8n read before. */
const COMMIT_TIME = 30_000;

/**
 * The state that counts: the stored one, or a later one of this process. A report that n8n does not store in time counts as never made.
 *
 * @param now the time (ms since 1970)
 * @returns `wait` while n8n may still be storing a report; null before the first state
 */
export function latestState(
	stored: StoredState | null,
	{ last, reportedAt = -Infinity }: Remembered,
	now: number,
): StoredState | 'wait' | null {
	const { step = 0, report = 0 } = stored ?? {};
	if (last !== undefined && last.report > report && Math.abs(now - reportedAt) < COMMIT_TIME) return 'wait';
	return last?.report === report && last.step > step ? last : stored;
}

/** The state behind another one. @param isReport n8n gets it with a report */
export function stateAfter(
	before: StoredState | null,
	{ last }: Remembered,
	left: Pick<StoredState, 'of' | 'key' | 'watch'>,
	isReport: boolean,
): StoredState {
	const step = Math.max(before?.step ?? 0, last?.step ?? 0) + 1;
	return { ...left, step, report: isReport ? step : (before?.report ?? 0) };
}
