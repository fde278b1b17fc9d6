import { createHash } from 'crypto';

import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { grantedTime, isSavedWithReports, saveCursor, triggerOf } from '../n8n/polls';
import { mapYielding, Slices } from '../n8n/slices';
import { StoppedError } from '../n8n/stop';
import { ApiError } from '../service/answer/errors';
import { type Connection, withConnection } from '../service/connection';
import { beginReading, type Reading } from '../watch';
import { latestState, stateAfter, type StoredState } from './continuity';
import { toItem } from './events';
import { memory, type PollMemory } from './memory';
import { PollClient } from './pollClient';
import { readSettings } from './settings';
import { WatchedRecords } from './watchedRecords';

/** Longest time (ms) of a poll: n8n's scheduler grants 36 seconds by default, and may wait for one workflow after the other at its start. */
const LONGEST_POLL = 30_000;

/** Of a stored state: another form starts over. */
const FORM = 5;

const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Tells a key from others, and is too short to recover it. */
const fingerprint = (...texts: string[]) =>
	createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);

/**
 * One poll of an active trigger: reads what there is time for, reports changes, and leaves the state in the node's static data.
 *
 * @returns the items of an execution; null when there is nothing to report
 * @throws NodeApiError, NodeOperationError when the service fails; the state is unchanged then
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await memory.runExclusively(triggerOf(context), context, async (remembered, superseded) =>
		withConnection(context, async (connection) => await pollOnce(context, connection, remembered, superseded)),
	);
}

async function pollOnce(
	context: IPollFunctions,
	connection: Connection,
	remembered: PollMemory,
	superseded: AbortSignal,
): Promise<INodeExecutionData[][] | null> {
	const { event, watch } = readSettings(context);
	const isActivation = !memory.contexts.has(context) && grantedTime(context) === undefined;
	memory.contexts.add(context);
	const data = context.getWorkflowStaticData('node');
	// n8n watches its data for changes: a copy is read many times faster.
	const stored = copyOf((data.state ?? null) as StoredState | null);
	const before = latestState(stored, remembered, Date.now());
	if (before === 'wait') return null;

	const { selected, ...settings } = watch;
	const of = JSON.stringify([FORM, connection.address, event.value, settings, selected === undefined]);
	const key = fingerprint(String(context.getWorkflow().id), connection.apiKey);
	const since = before?.of === of ? before : undefined;
	const client = clientOf(context, connection, since === undefined, superseded);
	const begun = JSON.stringify([of, key, selected, since?.step]);
	if (remembered.unfinished?.of !== begun) {
		const reading = beginReading(watch, since?.watch);
		remembered.unfinished = { of: begun, reading, records: new WatchedRecords(client, event) };
	}
	const { reading, records } = remembered.unfinished;
	const isWhole = await readOn(reading, records, client).catch((error: unknown) => {
		if (!(error instanceof ApiError && error.isTransient)) remembered.unfinished = undefined;
		throw error;
	});
	if (!isWhole && !superseded.aborted) warn(context, event.listed.noun, since === undefined);
	if (!isWhole || superseded.aborted) return null;

	remembered.unfinished = undefined;
	// With another key, the records tell whether it is the same account.
	const isBaseline = since === undefined || (since.key !== key && !reading.hasMet);
	const { changes, state: left } = reading.end(isBaseline);
	const items = await mapYielding(changes, (change) => ({ json: connection.redact.data(toItem(event, change)) }));
	if (superseded.aborted) return null;
	// n8n saves the baseline of an activation; another one would be lost when it stops. An item put in for none would start the workflow.
	const mayBeEmpty = isSavedWithReports(data) && context.getNode().alwaysOutputData !== true;
	const isReport = items.length > 0 || (isBaseline && !isActivation && mayBeEmpty);
	const isSame = since?.key === key && JSON.stringify(since.watch) === JSON.stringify(left);
	if (isSame && !isReport) return null;

	// Last: this must not be saved without the items.
	const state = stateAfter(before, remembered, { of, key, watch: left }, isReport);
	Object.assign(remembered, { last: state }, isReport && { reportedAt: Date.now() });
	Object.assign(data, { state: copyOf(state) });
	if (!isReport) await saveCursor(context);
	return isReport ? [items] : null;
}

function clientOf(context: IPollFunctions, connection: Connection, isAlone: boolean, superseded: AbortSignal) {
	const time = Math.min(LONGEST_POLL, grantedTime(context) ?? LONGEST_POLL);
	const signal = AbortSignal.any([AbortSignal.timeout(time), superseded]);
	const end = { signal, deadline: Date.now() + time };
	return new PollClient(context, connection, { priority: 'polls', reader: triggerOf(context), isAlone, ...end });
}

/**
 * Reads on, in the time of a poll.
 *
 * @returns false if that was not enough: by the clock, or because other work uses up the rate limit
 * @throws ApiError when the service fails, also by not answering at all
 */
async function readOn(reading: Reading<unknown>, records: WatchedRecords, client: PollClient): Promise<boolean> {
	const { signal, deadline } = client.how;
	const slices = new Slices();
	let hasAnswer = false;
	for (let isEnough = false; !isEnough && !records.isOver; hasAnswer = true) {
		await slices.yieldIfDue();
		const isOver = () => hasAnswer && (signal.aborted || Date.now() >= deadline);
		const shown = await records.next(client, reading.left).catch((error: unknown) => {
			const isOfLimit = error instanceof StoppedError || (error instanceof ApiError && error.kind === 'rateLimited');
			if (!isOfLimit && !isOver()) throw error;
		});
		if (shown === undefined) return false;
		isEnough = reading.take(shown, records.total);
	}
	return true;
}

function warn(context: IPollFunctions, noun: string, isFirst: boolean): void {
	const { id = '', name = '' } = context.getWorkflow();
	const node = context.getNode().name;
	const what = isFirst ? `What happens to a ${noun} before it is read is not reported.` : 'Nothing is lost.';
	const why = `had no time to read all ${noun}s: the list is long, or other work uses up the rate limit of its key`;
	context.logger.warn(`"${node}" in workflow "${name}" (${id}) ${why}. The next poll goes on. ${what}`);
}
