/**
 * Decides from which state a poll goes on. Pure: no clock, no network, no n8n.
 *
 * n8n stores the state of a poll with its report, but not always that of a poll without one, which lasts as long as the process. If
 * several polls are due at once, as after a restart, n8n may give a poll the state from before the last report.
 */
import type { StartingPoint, StateFields } from '../watch';

const VERSION = 2;

/** The state of one trigger, as n8n stores it. */
export interface StoredState {
	readonly version: number;
	readonly settings: string;
	/** A fingerprint of the service and key. */
	readonly account: string;
	/** The step of the last report, 0 before the first. */
	readonly report: number;
	/** Numbers the states: each new one is higher than all that this process has seen. */
	readonly step: number;
	readonly fields: StateFields;
}

/** What this process remembers of the trigger's polls. */
export interface Remembered {
	/** The state that the last poll without a report left. */
	readonly quiet?: StoredState;
	/** The last report: the step of its state, and when n8n got it (ms). */
	readonly report?: { readonly step: number; readonly at: number };
	/** The last poll had a new context. Two in a row mean n8n's scheduler, which makes one for each poll. */
	readonly hadOwnContext?: boolean;
	/** The last poll got no answer, which is logged. */
	readonly isUnanswered?: boolean;
}

/** What a poll knows before it reads anything. */
export interface Known {
	/** The state that n8n has stored, if any. */
	readonly stored: StoredState | null;
	readonly remembered: Remembered;
	readonly settings: string;
	/** Whether a stored fingerprint is of the current credential. */
	isOfAccount(account: string): boolean;
	/** A user has turned the workflow on, and existing records are not wanted. */
	readonly isTurnedOn: boolean;
}

/** n8n stores a report within this time (ms), or never; and no poll begins later with a state that n8n read before. */
const COMMIT_TIME = 30_000;

/** Why a poll goes on as it does. */
export type Reason = 'itGoesOn' | 'isFirst' | 'isTurnedOn' | 'otherSettings' | 'otherAccount';

/** Where a poll begins. `wait`: n8n may still be storing a report. */
export type Start = 'wait' | { readonly reason: Reason; readonly state?: StoredState; readonly from: StartingPoint };

/** @param now the time (ms) */
export function startOf({ stored, remembered, settings, isTurnedOn, isOfAccount }: Known, now: number): Start {
	const { quiet, report } = remembered;
	const isBehind = report !== undefined && (stored?.step ?? 0) < report.step;
	if (isBehind && Math.abs(now - report.at) < COMMIT_TIME) return 'wait';
	const isLater = quiet !== undefined && quiet.report === (stored?.report ?? 0) && quiet.step > (stored?.step ?? 0);
	const state = isLater ? quiet : stored;
	if (state?.version !== VERSION) return { reason: 'isFirst', from: {} };
	const begin = (reason: Reason, from: StartingPoint): Start => ({ reason, state, from });
	if (!isOfAccount(state.account)) return begin('otherAccount', { isNewBaseline: true });
	if (state.settings !== settings) return begin('otherSettings', {});
	if (isTurnedOn) return begin('isTurnedOn', { fields: state.fields, isNewBaseline: true });
	return begin('itGoesOn', { fields: state.fields });
}

/** What a poll leaves: the state for n8n, and what this process remembers. */
export function stateAfter(
	{ remembered, settings }: Pick<Known, 'remembered' | 'settings'>,
	{ state: last, reason }: Exclude<Start, 'wait'>,
	{ fields, account, isQuiet, now }: { fields: StateFields; account: string; isQuiet: boolean; now: number },
): { state: StoredState; remembered: Remembered } {
	const isSame = isQuiet && reason === 'itGoesOn' && JSON.stringify(last?.fields) === JSON.stringify(fields);
	const before = last ?? { step: 0, report: 0 };
	const step = isSame ? before.step : Math.max(before.step, remembered.report?.step ?? 0) + 1;
	const state = { version: VERSION, settings, account, report: isQuiet ? before.report : step, step, fields };
	// n8n may fail to store a report: then the next poll begins where this one did.
	const left = isQuiet
		? { quiet: state, report: remembered.report }
		: { quiet: remembered.quiet, report: { step, at: now } };
	return { state, remembered: left };
}
