import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { connect, type Connection } from '../service/connection';
import { toNodeError } from '../service/errors';
import { withEnd } from '../service/withEnd';
import { inSlices, Slices } from '../n8n/slices';
import { StoppedError } from '../n8n/stop';
import { reportsExisting, startPoll, type Reply, type Found, type Poll } from '../watch';
import { Continuity } from './continuity';
import { toItem, type TriggerEvent } from './events';
import { memory } from './memory';
import { Reader } from './reader';
import { refusal, type TriggerSettings } from './settings';

/** Time for one poll (ms) where n8n sets none: what newer versions grant. */
const POLL_BUDGET = 5 * 60_000;
/** Time for the poll at activation (ms): someone waits for it and, when n8n starts, all other workflows do. */
const ACTIVATION_BUDGET = 20_000;
/** How long (ms) n8n may take to read the credential. */
const LONGEST_CONNECTING = 20_000;

/**
 * One poll of an active trigger: reads what there is time for, reports what is new, and leaves the state in the node's
 * static data. Polls of one node never run together in a process: one that comes meanwhile finds nothing to do.
 *
 * @returns the items of an execution, or null when there is nothing to report
 * @throws NodeApiError, NodeOperationError when the service fails; the state is then as it was
 */
export async function poll(context: IPollFunctions, settings: TriggerSettings): Promise<INodeExecutionData[][] | null> {
	const key = `${context.getWorkflow().id}/${context.getNode().id}`;
	let connection: Connection | undefined;
	return await memory.alone(key, async () => {
		try {
			connection = await connectInTime(context);
			return await pollAlone(context, settings, key, connection);
		} catch (error) {
			// The rate limit left no time for a first answer.
			if (error instanceof StoppedError) return null;
			throw toNodeError(context.getNode(), error, connection?.redact);
		}
	});
}

/** Reads the credential. One that is never read, as from a secret store that hangs, must not keep all further polls away. */
async function connectInTime(context: IPollFunctions): Promise<Connection> {
	const late = AbortSignal.timeout(LONGEST_CONNECTING);
	return await withEnd(async () => await connect(context), undefined, late).catch((error: unknown) => {
		if (!late.aborted) throw error;
		throw refusal(
			context,
			`n8n could not read the credential within ${LONGEST_CONNECTING / 1000} seconds`,
			'If the credential takes its values from an external secret store, check that store. The next poll tries again.',
		);
	});
}

async function pollAlone(
	context: IPollFunctions,
	settings: TriggerSettings,
	key: string,
	connection: Connection,
): Promise<INodeExecutionData[][] | null> {
	const { event, question, selected } = settings;
	// Which records are watched is the matter of the state: those that stay go on.
	const settingsId = JSON.stringify([event.value, ...(question.kind === 'reached' ? [question] : [])]);
	const continuity = new Continuity(context, key, connection, settingsId, reportsExisting(question));
	const { isFirst, isOutdated, isOfAnother, fields: last } = continuity;
	if (isOutdated) return null;

	const granted = budgetOf(context);
	const atActivation = isFirst && granted >= POLL_BUDGET;
	const reader = new Reader(context, connection, event, atActivation ? ACTIVATION_BUDGET : granted);
	if (isOfAnother) warnOfOtherAccount(context);
	const started = startPoll(
		{
			// What exists in the other account is not new.
			question: isOfAnother && question.kind === 'created' ? { ...question, includeExisting: false } : question,
			isNewestFirst: event.isNewestFirst,
			countField: event.listed.countField,
			selected,
		},
		last,
	);
	const { changes, fields } = await converse(started, reader);
	checkWatched(context, event, reader, connection);
	const items = await inSlices(changes, (change) => ({ json: connection.redact.data(toItem(event, change)) }));
	const isQuiet = items.length === 0;
	// Last of all: what is left here must not be saved without the items.
	continuity.leave(fields, { isQuiet, atActivation });
	return isQuiet ? null : [items];
}

/**
 * Gives a poll what it asks for, as long as there is time. When time runs out, it keeps what it was given until then.
 *
 * @throws StoppedError when there was no time for anything
 */
async function converse(started: Poll, reader: Reader): Promise<Found> {
	const slices = new Slices();
	let hasRead = false;
	let step = started.next();
	while (!step.done) {
		await slices.turn();
		const isOver = () => hasRead && Date.now() >= reader.deadline;
		const answer: Reply = isOver()
			? { isOver: true }
			: await reader.answer(step.value).catch((error: unknown): Reply => {
					// Time ran out while the request waited for the rate limit, or while the service kept it waiting.
					if (isOver() || (hasRead && error instanceof StoppedError)) return { isOver: true };
					throw error;
				});
		hasRead = true;
		step = started.next(answer);
	}
	await slices.turn();
	return step.value;
}

/** @throws NodeOperationError when no record that was read has a whole number for its ID, and for its count where counts are compared */
function checkWatched(
	context: IPollFunctions,
	{ listed, kind }: TriggerEvent,
	{ met, unwatched }: Reader,
	{ redact }: Connection,
): void {
	if (unwatched.length === 0 || unwatched.length < met) return;
	const { field, value } = unwatched[0];
	// Cut off after the key is out: half a key must not stand either.
	const shown = value === undefined ? 'none' : `such as ${redact.text(JSON.stringify(value)).slice(0, 100)}`;
	const what = kind === 'created' ? `new ${listed.noun}s` : listed.countField;
	throw refusal(
		context,
		`This service can't be watched for ${what}`,
		`"${field}" must be a whole number up to ${Number.MAX_SAFE_INTEGER}, and the service sends ${shown}.`,
	);
}

function warnOfOtherAccount(context: IPollFunctions): void {
	const { name } = context.getNode();
	context.logger.warn(
		`"${name}": the credential now has another key or another Base URL. It starts over from what the service shows now. Changes since the last report are not reported.`,
		{ nodeName: name, workflowId: context.getWorkflow().id },
	);
}

/** Time that n8n grants a poll (ms); newer versions say so. */
function budgetOf(context: IPollFunctions): number {
	const { getPollBudgetMs } = context as { getPollBudgetMs?: () => number };
	return getPollBudgetMs?.() ?? POLL_BUDGET;
}
