import { createHash } from 'crypto';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { connect, type Connection } from '../api/connection';
import { toNodeError } from '../api/nodeError';
import { StoppedError } from '../rateLimit/cancellation';
import { sealState, startPoll, type Answer, type Outcome, type Owner, type Poll, type Wanted } from '../watch';
import { Continuity, type Survival } from './continuity';
import { toItem } from './events';
import { Reader } from './reader';
import type { TriggerSettings } from './settings';

/** Time for one poll (ms) where n8n sets none: what newer versions grant. */
const POLL_BUDGET = 5 * 60_000;
/** Time for the poll at activation (ms): someone waits for it and, when n8n starts, all other workflows do. */
const ACTIVATION_BUDGET = 20_000;

const polling = new Set<string>();

/**
 * One poll of an active trigger: reads what there is time for, reports what is new, and leaves the state in the node's
 * static data. Polls of one node never run together in a process: one that comes meanwhile finds nothing to do.
 *
 * @returns the items of an execution, or null when there is nothing to report
 * @throws NodeApiError, NodeOperationError when the service fails; the state is then as it was
 */
export async function poll(context: IPollFunctions, settings: TriggerSettings): Promise<INodeExecutionData[][] | null> {
	const key = `${context.getWorkflow().id}/${context.getNode().id}`;
	if (polling.has(key)) return null;
	polling.add(key);
	try {
		return await pollAlone(context, settings, key);
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	} finally {
		polling.delete(key);
	}
}

async function pollAlone(
	context: IPollFunctions,
	settings: TriggerSettings,
	key: string,
): Promise<INodeExecutionData[][] | null> {
	const { event, question, selected } = settings;
	const settingsId = shortHash([event.option.value, selected ?? 'all', question.kind === 'reached' ? question : '']);
	const continuity = new Continuity(context, key, settingsId, reportsExisting(settings));
	const { survival } = continuity;
	if (survival.survives === 'older') return null;

	const granted = budgetOf(context);
	const atActivation = continuity.isFirst && granted >= POLL_BUDGET;
	const budget = atActivation ? ACTIVATION_BUDGET : granted;
	const deadline = Date.now() + budget;
	const connection = await connect(context);
	const reader = new Reader(context, connection, event, AbortSignal.timeout(budget), deadline);
	const owner = await ownerOf(connection, key, settingsId, survival, reader);
	if (owner === undefined) return null;
	const state = survival.survives === 'state' && survival.state.account === owner.account ? survival.state : undefined;
	const started = startPoll(
		{
			question: state === undefined ? baselineOf(context, settings, survival) : question,
			reading: event.reading,
			countField: event.listed.countField,
			selected,
		},
		state?.fields,
		state && continuity.takeSeen(state),
	);
	const outcome = await converse(started, reader, deadline);
	if (outcome === undefined) return null;

	const { changes, fields, seen } = outcome;
	const isQuiet = changes.length === 0;
	continuity.leave({ state: sealState(owner, fields), isQuiet, atActivation }, seen);
	return isQuiet ? null : [context.helpers.returnJsonArray(changes.map((change) => toItem(event, change)))];
}

/**
 * Whose the state is that this poll leaves. The account is read only when the way to it is new: at the first poll, and after a
 * change of the key or the address.
 *
 * @returns undefined when there was no time for it
 */
async function ownerOf(
	{ address, apiKey }: Connection,
	key: string,
	settings: string,
	survival: Survival,
	reader: Reader,
): Promise<Owner | undefined> {
	// Too short to find out the key by trying.
	const access = shortHash([key, address, apiKey]).slice(0, 6);
	const known: Owner | undefined =
		survival.survives === 'state' ? survival.state : survival.survives === 'nothing' ? survival.owner : undefined;
	if (known?.access === access) return { settings, access, account: known.account };
	return await reader.account().then(
		(account) => ({ settings, access, account: account === undefined ? access : shortHash(account) }),
		(error: unknown) => {
			if (!(error instanceof StoppedError)) throw error;
			return undefined;
		},
	);
}

/**
 * Gives a poll what it asks for, as long as there is time. When time runs out, it keeps what it was given until then.
 *
 * @returns undefined when nothing was read
 */
async function converse(started: Poll, reader: Reader, deadline: number): Promise<Outcome | undefined> {
	let hasRead = false;
	let step = started.next();
	while (!step.done) {
		const isOver = () => hasRead && Date.now() >= deadline;
		const answer = isOver()
			? 'stop'
			: await answerTo(step.value, reader).catch((error: unknown): Answer => {
					// Time ran out while the request waited for the rate limit, or while the service kept it waiting.
					if (error instanceof StoppedError || isOver()) return 'stop';
					throw error;
				});
		if (answer === 'stop' && !hasRead) return undefined;
		hasRead = true;
		step = started.next(answer);
	}
	return hasRead ? step.value : undefined;
}

async function answerTo(wanted: Wanted, reader: Reader): Promise<Answer> {
	if ('page' in wanted) return { listing: await reader.page(wanted.page, wanted.size) };
	return { record: await reader.record(wanted.id) };
}

function reportsExisting({ question }: TriggerSettings): boolean {
	return question.kind === 'created' && question.includeExisting;
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
	const { name } = context.getNode();
	context.logger.warn(`"${name}": ${WARNINGS[why]}`, { nodeName: name, workflowId: context.getWorkflow().id });
	return reportsExisting(settings) ? { kind: 'created', includeExisting: false } : question;
}

const BEGINS_AGAIN =
	'It begins again from what the service shows now; what changed since the last report is not reported.';
const WARNINGS = {
	damaged: `the stored state is damaged, so it can't tell what is new. ${BEGINS_AGAIN}`,
	otherVersion: `the stored state was written by another version of this node, so it can't tell what is new. ${BEGINS_AGAIN}`,
	otherAccount: `the credential leads to another account than before. ${BEGINS_AGAIN}`,
};

function shortHash(content: unknown): string {
	return createHash('sha256').update(JSON.stringify(content)).digest('base64').slice(0, 12);
}

/** Time that n8n grants a poll (ms); newer versions say so. */
function budgetOf(context: IPollFunctions): number {
	const { getPollBudgetMs } = context as { getPollBudgetMs?: () => number };
	return getPollBudgetMs?.() ?? POLL_BUDGET;
}
