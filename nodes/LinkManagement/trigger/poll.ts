import { createHash } from 'crypto';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { connect, CREDENTIAL } from '../service/connection';
import { toNodeError } from '../service/nodeError';
import { StoppedError } from '../service/stopping';
import {
	openState,
	sealState,
	startWatch,
	type Question,
	type StateFields,
	type Watch,
} from '../watch';
import { Continuity } from './continuity';
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
		return await pollAlone(context, settings, new Continuity(context, key));
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	} finally {
		polling.delete(key);
	}
}

async function pollAlone(
	context: IPollFunctions,
	settings: TriggerSettings,
	continuity: Continuity,
): Promise<INodeExecutionData[][] | null> {
	if (continuity.isOutdated) return null;
	const { event, selected } = settings;
	const { reading, listed } = event;
	const connection = await connect(context);
	const owner = ownerOf(context, settings, connection.address);
	const { fields, question } = begin(context, settings, owner, continuity);
	const watch = startWatch({ question, reading, countField: listed.countField, selected }, fields, continuity.takeMemory());

	const granted = budgetOf(context);
	const atActivation = continuity.isFirst && granted >= POLL_BUDGET;
	const budget = atActivation ? ACTIVATION_BUDGET : granted;
	const deadline = Date.now() + budget;
	const reader = new Reader(context, connection, event, AbortSignal.timeout(budget));
	reader.refusesLargePages = continuity.refusesLargePages;
	if (!(await read(watch, reader, deadline))) return null;

	const { changes, fields: next, memory } = watch.finish();
	const isQuiet = changes.length === 0;
	const { refusesLargePages } = reader;
	continuity.leave(sealState(owner, next), isQuiet, atActivation, { memory, refusesLargePages });
	return isQuiet ? null : [context.helpers.returnJsonArray(changes.map((change) => toItem(event, change)))];
}

/**
 * Reads what the watch wants, as long as there is time.
 *
 * @returns whether anything was read
 */
async function read(watch: Watch, reader: Reader, deadline: number): Promise<boolean> {
	let hasRead = false;
	for (let wanted = watch.next(); wanted !== undefined; wanted = watch.next()) {
		if (hasRead && Date.now() >= deadline) break;
		const wasRead = await readNext(watch, reader, wanted).then(
			() => true,
			(error: unknown) => {
				// Time ran out while the request waited for its turn in the rate limit.
				if (error instanceof StoppedError) return false;
				throw error;
			},
		);
		if (!wasRead) break;
		hasRead = true;
	}
	return hasRead;
}

async function readNext(watch: Watch, reader: Reader, wanted: NonNullable<ReturnType<Watch['next']>>): Promise<void> {
	if ('page' in wanted) watch.readPage(await reader.page(wanted.page, wanted.size));
	else watch.readRecord(wanted.id, await reader.record(wanted.id));
}

/** What the settings and the account are, as a short text: a state belongs to these and no others. */
function ownerOf(context: IPollFunctions, { event, question, selected }: TriggerSettings, address: string): string {
	const credential = context.getNode().credentials?.[CREDENTIAL]?.id ?? '';
	const threshold = question.kind === 'reached' ? [question.threshold, question.mode] : [];
	return createHash('sha256')
		.update(JSON.stringify([event.option.value, selected ?? 'all', threshold, credential, address]))
		.digest('base64')
		.slice(0, 12);
}

/** Where the watch goes on from; `fields` is undefined where it sets a baseline. */
function begin(
	context: IPollFunctions,
	{ question }: TriggerSettings,
	owner: string,
	{ last, isFirst }: Continuity,
): { fields?: StateFields; question: Question } {
	const fields = openState(last, owner);
	const reportsExisting = question.kind === 'created' && question.includeExisting;
	if (typeof fields === 'object') {
		// Turned on by the user, the trigger starts afresh; with existing records wanted, those not yet reported are.
		const startsAfresh = isFirst && context.getActivationMode() === 'activate' && !reportsExisting;
		return startsAfresh ? { question } : { fields, question };
	}
	if (fields === 'none' || fields === 'otherSettings') return { question };
	const { name } = context.getNode();
	const why = fields === 'damaged' ? 'is damaged' : 'was written by another version of this node';
	context.logger.warn(
		`"${name}": the stored state ${why}, so it can't tell what is new. It begins again from what the service shows now; what changed since the last report is not reported.`,
		{ nodeName: name, workflowId: context.getWorkflow().id },
	);
	// Existing records were reported long ago.
	return { question: reportsExisting ? { ...question, includeExisting: false } : question };
}

/** Time that n8n grants a poll (ms); newer versions say so. */
function budgetOf(context: IPollFunctions): number {
	const { getPollBudgetMs } = context as { getPollBudgetMs?: () => number };
	return getPollBudgetMs?.() ?? POLL_BUDGET;
}
