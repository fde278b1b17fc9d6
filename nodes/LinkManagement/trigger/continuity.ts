/**
 * Decides from which state a poll goes on. Pure: no clock, no network, no n8n.
 *
 * n8n stores the state of a poll with its report, but not always that of a poll without one, which lasts as long as the process. If
 * several polls are due at once, as after a restart, n8n may give a poll the state from before the last report.
 */
import { isPending, type WatchState } from '../watch';

const VERSION = 4;

/** The state of one trigger, as n8n stores it. */
export interface StoredState {
	readonly version: number;
	readonly settings: string;
	/** Fingerprints of the service's address and of the key. */
	readonly address: string;
	readonly key: string;
	/** The step of the last report, 0 before the first. */
	readonly report: number;
	/** Numbers the states: each new one is higher than all that this process has seen. */
	readonly step: number;
	readonly watch: WatchState;
}

/** What this process remembers of the trigger's states. */
export interface Remembered {
	/** The state that the last poll without a report left. */
	quiet?: StoredState;
	/** The last report: the step of its state, and when n8n got it (ms). */
	report?: { readonly step: number; readonly at: number };
}

/** What a poll knows before it reads anything. */
export interface Known {
	/** The state that n8n has stored, if any. */
	readonly stored: StoredState | null;
	readonly remembered: Remembered;
	readonly settings: string;
	/** Whether stored fingerprints are of the current credential. */
	isOfAddress(address: string): boolean;
	isOfKey(key: string): boolean;
	/** A user has turned the workflow on. */
	readonly isTurnedOn: boolean;
}

/** n8n stores a report within this time (ms), or never; and no poll begins later with a state that n8n read before. */
const COMMIT_TIME = 30_000;

/** Why a poll goes on as it does. `otherKey`: what the service shows tells whether it is one of the same account. */
export type Reason =
	'itGoesOn' | 'otherKey' | 'isFirst' | 'isTurnedOn' | 'otherSettings' | 'otherAddress' | 'otherAccount';

/** Where a poll begins: without a watch, it starts over. */
export interface Start {
	readonly reason: Reason;
	readonly state?: StoredState;
	readonly watch?: WatchState;
}

/** @param now the time (ms) @returns `wait` while n8n may still be storing a report */
export function startOf({ stored, remembered, settings, ...is }: Known, now: number): Start | 'wait' {
	const { quiet, report } = remembered;
	const isBehind = report !== undefined && (stored?.step ?? 0) < report.step;
	if (isBehind && Math.abs(now - report.at) < COMMIT_TIME) return 'wait';
	const isLater = quiet !== undefined && quiet.report === (stored?.report ?? 0) && quiet.step > (stored?.step ?? 0);
	const state = isLater ? quiet : stored;
	if (state?.version !== VERSION) return { reason: 'isFirst' };
	const { watch } = state;
	if (!is.isOfAddress(state.address)) return { reason: 'otherAddress', state };
	if (state.settings !== settings) return { reason: 'otherSettings', state };
	if (is.isTurnedOn) return { reason: 'isTurnedOn', state };
	if (is.isOfKey(state.key)) return { reason: 'itGoesOn', state, watch };
	return watch.newest.length > 0 ? { reason: 'otherKey', state, watch } : { reason: 'otherAccount', state };
}

/** Whether what exists now is the baseline: nothing of it is reported. */
export function isBaseline({ watch }: Pick<Start, 'watch'>): boolean {
	return watch === undefined || isPending(watch);
}

/** What a poll leaves. @param isQuiet it gives n8n nothing to store */
export function stateAfter(
	{ remembered, settings }: Pick<Known, 'remembered' | 'settings'>,
	{ state: last, reason }: Start,
	{ isQuiet, now, ...left }: Pick<StoredState, 'watch' | 'address' | 'key'> & { isQuiet: boolean; now: number },
): { state: StoredState; remembered: Remembered } {
	const isSame = isQuiet && reason === 'itGoesOn' && JSON.stringify(last?.watch) === JSON.stringify(left.watch);
	const before = last ?? { step: 0, report: 0 };
	const step = isSame ? before.step : Math.max(before.step, remembered.report?.step ?? 0) + 1;
	const state = { version: VERSION, settings, report: isQuiet ? before.report : step, step, ...left };
	// n8n may fail to store a report: then the next poll begins where this one did.
	const { quiet, report } = remembered;
	return { state, remembered: isQuiet ? { quiet: state, report } : { quiet, report: { step, at: now } } };
}
