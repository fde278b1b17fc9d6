import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { connect, type Connection } from '../service/connection';
import { toNodeError } from '../service/errors';
import { inSlices, Slices } from '../n8n/slices';
import { StoppedError } from '../n8n/stop';
import {
	fingerprint,
	reportsExisting,
	sealState,
	startPoll,
	type Answer,
	type Found,
	type Owner,
	type Poll,
} from '../watch';
import { Continuity, memory, type Survival } from './continuity';
import { toItem, type TriggerEvent } from './events';
import { Reader } from './reader';
import { refusal, type TriggerSettings } from './settings';

/** Time for one poll (ms) where n8n sets none: what newer versions grant. */
const POLL_BUDGET = 5 * 60_000;
/** Time for the poll at activation (ms): someone waits for it and, when n8n starts, all other workflows do. */
const ACTIVATION_BUDGET = 20_000;

/**
 * One poll of an active trigger: reads what there is time for, reports what is new, and leaves the state in the node's
 * static data. Polls of one node never run together in a process: one that comes meanwhile finds nothing to do.
 *
 * @returns the items of an execution, or null when there is nothing to report
 * @throws NodeApiError, NodeOperationError when the service fails; the state is then as it was
 */
export async function poll(context: IPollFunctions, settings: TriggerSettings): Promise<INodeExecutionData[][] | null> {
	const key = `${context.getWorkflow().id}/${context.getNode().id}`;
	return await memory
		.alone(key, async () => await pollAlone(context, settings, key))
		.catch((error: unknown) => {
			// The rate limit left no time for a first answer.
			if (error instanceof StoppedError) return null;
			throw toNodeError(context.getNode(), error);
		});
}

async function pollAlone(
	context: IPollFunctions,
	settings: TriggerSettings,
	key: string,
): Promise<INodeExecutionData[][] | null> {
	const { event, question, selected } = settings;
	// Which records are watched is the matter of the state: those that stay go on.
	const settingsId = fingerprint([event.value, question.kind === 'reached' ? question : '']);
	const continuity = new Continuity(context, key, settingsId, reportsExisting(question));
	const { survival } = continuity;
	if (survival.survives === 'older') return null;

	const granted = budgetOf(context);
	const atActivation = continuity.situation.isFirst && granted >= POLL_BUDGET;
	const connection = await connect(context);
	const reader = new Reader(context, connection, event, atActivation ? ACTIVATION_BUDGET : granted);
	const owner = await ownerOf(connection, key, settingsId, survival, reader);
	const state = survival.survives === 'state' && survival.state.account === owner.account ? survival.state : undefined;
	const started = startPoll(
		{
			question: state === undefined ? baselineOf(context, settings, survival) : question,
			order: event.order,
			countField: event.listed.countField,
			selected,
		},
		state?.fields,
	);
	const { changes, fields } = await converse(started, reader);
	checkWatched(context, event, reader);
	const items = await inSlices(changes, (change) => ({ json: connection.redact.data(toItem(event, change)) }));
	const isQuiet = items.length === 0;
	// Last of all: what is left here must not be saved without the items.
	continuity.leave({ state: sealState(owner, fields), isQuiet, atActivation });
	return isQuiet ? null : [items];
}

/**
 * Whose the state is that this poll leaves. The account is read only when the way to it is new: at the first poll, and after a
 * change of the key or the address.
 */
async function ownerOf(
	{ address, apiKey }: Connection,
	key: string,
	settings: string,
	survival: Exclude<Survival, { survives: 'older' }>,
	reader: Reader,
): Promise<Owner> {
	// Of a key it holds far too little to find it out.
	const access = fingerprint([key, address, apiKey]);
	const known: Owner | undefined = survival.survives === 'state' ? survival.state : survival.owner;
	if (known?.access === access) return { settings, access, account: known.account };
	const account = await reader.account();
	return { settings, access, account: account === undefined ? access : fingerprint(account) };
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
		const answer: Answer = isOver()
			? { isOver: true }
			: await reader.answer(step.value).catch((error: unknown): Answer => {
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

/** What is asked where there is no state to go on from. Existing records of an account that was watched were reported long ago. */
function baselineOf(
	context: IPollFunctions,
	settings: TriggerSettings,
	survival: Survival,
): TriggerSettings['question'] {
	const { question } = settings;
	const why = survival.survives === 'nothing' ? survival.why : 'otherAccount';
	if (why === 'first' || why === 'turnedOn' || why === 'otherSettings') return question;
	warn(context, WARNINGS[why]);
	return reportsExisting(question) ? { kind: 'created', includeExisting: false } : question;
}

/** @throws NodeOperationError when no record that was read has a whole number for its ID, and for its count where counts are compared */
function checkWatched(context: IPollFunctions, { listed, kind }: TriggerEvent, { met, unwatched }: Reader): void {
	if (unwatched.length === 0 || unwatched.length < met) return;
	const { field, value } = unwatched[0];
	const shown = value === undefined ? 'none' : `such as ${JSON.stringify(value).slice(0, 100)}`;
	const what = kind === 'created' ? `new ${listed.noun}s` : listed.countField;
	throw refusal(
		context,
		`This service can't be watched for ${what}`,
		`"${field}" must be a whole number up to ${Number.MAX_SAFE_INTEGER}, and the service sends ${shown}.`,
	);
}

function warn(context: IPollFunctions, what: string): void {
	const { name } = context.getNode();
	context.logger.warn(`"${name}": ${what}`, { nodeName: name, workflowId: context.getWorkflow().id });
}

const BEGINS_AGAIN =
	'It begins again from what the service shows now; what changed since the last report is not reported.';
const WARNINGS = {
	damaged: `the stored state is damaged or of another version, so it can't tell what is new. ${BEGINS_AGAIN}`,
	otherAccount: `the credential leads to another account than before. ${BEGINS_AGAIN}`,
};

/** Time that n8n grants a poll (ms); newer versions say so. */
function budgetOf(context: IPollFunctions): number {
	const { getPollBudgetMs } = context as { getPollBudgetMs?: () => number };
	return getPollBudgetMs?.() ?? POLL_BUDGET;
}
