import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { mapYielding } from '../n8n/slices';
import { budgetOf, isSavedWithReports, saveCursor, staticDataOf } from '../n8n/polls';
import { StoppedError } from '../n8n/stop';
import { withConnection, type Connection } from '../service/connection';
import { ApiError } from '../service/errors';
import { accountFingerprint } from '../service/services';
import { beginReading, isPending, reportsExisting, type Found, type Reading } from '../watch';
import { stateAfter, startOf, type Remembered, type StoredState } from './continuity';
import { toItem } from './events';
import { logOf } from './log';
import { memory } from './memory';
import { PollReader } from './pollReader';
import type { TriggerSettings } from './settings';

/** Time for the poll at activation (ms): somebody waits for it, or all workflows do when n8n starts. */
const ACTIVATION_BUDGET = 20_000;

/**
 * One poll of an active trigger: reads what there is time for, reports changes, and leaves the state in the node's static data. Polls of
 * one node never overlap in a process.
 *
 * @returns the items of an execution, or null when there is nothing to report
 * @throws NodeApiError, NodeOperationError when the service fails; the state is unchanged then
 */
export async function poll(context: IPollFunctions, settings: TriggerSettings): Promise<INodeExecutionData[][] | null> {
	// By the node's name: two nodes of a workflow may have the same ID.
	const key = `${context.getWorkflow().id}/${context.getNode().name}`;
	const polling = async (superseded: AbortSignal) =>
		await withConnection(context, async (connection) => {
			return await pollAlone(context, settings, { key, connection, superseded });
		});
	return await memory.runExclusively(key, context, polling);
}

/** Reads on, in the time of this poll. @param keep called if the next poll can still go on */
async function readOn(
	reading: Reading,
	reader: PollReader,
	keep: () => void,
): Promise<Found | 'unanswered' | undefined> {
	return await reading.read(reader).catch((error: unknown) => {
		const isOfTime = error instanceof StoppedError;
		if (isOfTime || (error instanceof ApiError && error.isTransient)) keep();
		// The rate limit left no time for a first answer.
		if (isOfTime) return 'unanswered';
		throw error;
	});
}

async function pollAlone(
	context: IPollFunctions,
	{ event, question, selected }: TriggerSettings,
	{ key, connection, superseded }: { key: string; connection: Connection; superseded: AbortSignal },
): Promise<INodeExecutionData[][] | null> {
	const { id } = context.getNode();
	const data = staticDataOf(context, ({ node }) => node === id);
	const remembered = JSON.parse(memory.recall(key) ?? '{}') as Remembered;
	// The first poll after an activation; n8n's scheduler makes a context for each poll.
	const isFirst = !memory.polled.has(context);
	const mode = context.getActivationMode();
	const known = {
		// n8n watches its data for changes: a copy is read many times faster.
		stored: JSON.parse(JSON.stringify(data.state ?? null)) as StoredState | null,
		remembered,
		// The selected records are part of the state: those that stay selected keep their counts.
		settings: JSON.stringify([event.value, ...(question.kind === 'reached' ? [question] : [])]),
		isOfAccount: (account: string) => accountFingerprint(connection, account) === account,
		isTurnedOn: isFirst && mode === 'activate' && !reportsExisting(question),
	};
	const start = startOf(known, Date.now());
	if (start === 'wait') return null;

	const log = logOf(context);
	const isActivation = isFirst && !(mode === 'update' && remembered.hadOwnContext === true);
	const budget = Math.min(budgetOf(context), isActivation ? ACTIVATION_BUDGET : Infinity);
	const signal = AbortSignal.any([AbortSignal.timeout(budget), superseded]);
	const reader = new PollReader(context, connection, event, { signal, deadline: Date.now() + budget });
	const watched = { question, isNewestFirst: event.isNewestFirst, countField: event.listed.countField, selected };
	const goesOnFrom = (state?: StoredState) => JSON.stringify([state?.step, state?.account, watched]);
	const keep = (state?: StoredState) => memory.keepReading(key, goesOnFrom(state), reading);
	const begun = start.reason === 'itGoesOn' ? memory.takeReading(key, goesOnFrom(start.state)) : undefined;
	const reading = begun ?? beginReading(watched, start.from);
	const found = await readOn(reading, reader, () => begun && keep(start.state));
	if (superseded.aborted) return null;
	if (found === 'unanswered') {
		if (remembered.isUnanswered !== true) log.isUnanswered();
		memory.remember(key, JSON.stringify({ ...remembered, isUnanswered: true }));
		return null;
	}
	reader.refuseUnwatchable();
	const { changes, fields } = found ?? { changes: [], fields: reading.unfinished };
	const items = await mapYielding(changes, (change) => ({ json: connection.redact.data(toItem(event, change)) }));
	if (superseded.aborted) return null;

	log.begins(start.reason);
	const hasBegun = isActivation || start.reason !== 'itGoesOn';
	const isCut = (found === undefined && fields.isBaseline) || isPending(start.from.fields);
	if (hasBegun && isCut) log.isUnfinished(event.listed.noun, isSavedWithReports(data));
	const isQuiet = items.length === 0;
	const account = accountFingerprint(connection, start.state?.account);
	const left = stateAfter(known, start, { fields, account, isQuiet, now: Date.now() });
	// Last: this must not be saved without the items.
	memory.polled.add(context);
	memory.remember(key, JSON.stringify({ ...left.remembered, hadOwnContext: isFirst }));
	if (found === undefined) keep(left.state);
	Object.assign(data, { node: id, state: left.state });
	if (isQuiet && isFirst) await saveCursor(context);
	return isQuiet ? null : [items];
}
