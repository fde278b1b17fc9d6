/** Who calls the node: a workflow, or a model by a tool. */
import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { isTool } from '../n8n/lifetimes';
import type { SendOptions } from '../service/send/serviceClient';

/** How long (ms) a run waits for a service that is down: one of a sheet, or of a single row that somebody may wait for. */
const PATIENCE = { several: 5 * 60_000, single: 30_000 };
/** How long (ms) a tool's call takes at most, all its tries included: clients of models give up after a minute. */
const LONGEST_CALL = 45_000;
/** The time (ms) that is left for the last answer of a service that is down. */
const LAST_ANSWER = 3_000;

/** Longest text (characters) that a model gets, which is that of a long URL; most entries of a list or object, and deepest levels. */
const LONGEST_VALUE = 8000;
const MOST_PARTS = 300;
const DEEPEST_FOR_MODEL = 5;

/** A value of an item as a model gets it: what services send has no length of its own. */
function forModel(value: unknown, levels = DEEPEST_FOR_MODEL): unknown {
	if (typeof value === 'string') return value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE - 1)}…` : value;
	if (typeof value !== 'object' || value === null) return value;
	if (levels === 0) return '…';
	if (Array.isArray(value)) return value.slice(0, MOST_PARTS).map((part) => forModel(part, levels - 1));
	const entries = Object.entries(value).slice(0, MOST_PARTS);
	return Object.fromEntries(entries.map(([name, part]) => [name, forModel(part, levels - 1)]));
}

export interface Caller {
	/** It gives the values, and reads the results. */
	readonly isModel: boolean;
	/** How its requests are sent. @param stopped fires when the run ends before */
	sending(stopped: AbortSignal): Pick<SendOptions, 'signal' | 'deadline' | 'priority' | 'patience'>;
	itemFor(json: IDataObject): IDataObject;
}

/**
 * @param size number of rows of the run
 * @param since when its first try began (ms since 1970)
 */
export function callerOf(context: IExecuteSingleFunctions, size: number, since: number): Caller {
	// Somebody may wait for a single row.
	const priority = size === 1 ? ('people' as const) : ('bulk' as const);
	if (!isTool(context)) {
		const patience = PATIENCE[size === 1 ? 'single' : 'several'];
		return { isModel: false, sending: (signal) => ({ signal, priority, patience }), itemFor: (json) => json };
	}
	const deadline = since + LONGEST_CALL;
	const left = Math.max(0, deadline - Date.now());
	return {
		isModel: true,
		sending: (stopped) => ({
			signal: AbortSignal.any([stopped, AbortSignal.timeout(left)]),
			deadline,
			priority: 'people',
			patience: Math.max(0, left - LAST_ANSWER),
		}),
		itemFor: (json) => forModel(json) as IDataObject,
	};
}
