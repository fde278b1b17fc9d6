import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { budgetOf, isSavedWithReports, saveCursor, staticDataOf } from '../n8n/polls';
import { mapYielding } from '../n8n/slices';
import { type Connection, withConnection } from '../service/connection';
import { ApiError, messageOfError } from '../service/answer/errors';
import { fingerprint } from '../service/services';
import { beginReading, type Found, isIncomplete, type Reading, type Watch } from '../watch';
import { isBaseline, type Reason, type Start, startOf, stateAfter, type StoredState } from './continuity';
import { toItem } from './events';
import { logOf, SAID_AGAIN_AFTER } from './log';
import { memory, type PollMemory } from './memory';
import { PollReader } from './pollReader';
import type { TriggerSettings } from './settings';

/** Time for the first try of an activation (ms): somebody waits for it, or all workflows do when n8n starts. */
const ACTIVATION_BUDGET = 20_000;
const UNANSWERED = 'other work with the same key uses up its rate limit';

/** Why the first poll of an activation starts over. */
const OF_ACTIVATIONS: readonly Reason[] = ['isFirst', 'isTurnedOn', 'otherSettings'];

const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/**
 * One poll of an active trigger: reads what there is time for, reports changes, and leaves the state in the node's static data. Polls of
 * one node never overlap in a process.
 *
 * @returns the items of an execution, or null when there is nothing to report; no items where n8n would not save a new baseline otherwise
 * @throws NodeApiError, NodeOperationError when the service fails; the state is unchanged then
 */
export async function poll(context: IPollFunctions, settings: TriggerSettings): Promise<INodeExecutionData[][] | null> {
	// By the node's name: two nodes of a workflow may have the same ID.
	const key = `${context.getWorkflow().id}/${context.getNode().name}`;
	return await memory.runExclusively(key, context, async (superseded) =>
		withConnection(
			context,
			async (connection) => await new Poll(context, settings, connection, memory.recall(key), superseded).run(),
		),
	);
}

class Poll {
	private readonly log: ReturnType<typeof logOf>;
	/** No poll of this context had an answer: n8n makes one for each activation, or for each poll. */
	private readonly isFirst: boolean;
	private readonly isActivation: boolean;
	private readonly end: { signal: AbortSignal; deadline: number };

	constructor(
		private readonly context: IPollFunctions,
		private readonly settings: TriggerSettings,
		private readonly connection: Connection,
		private readonly remembered: PollMemory,
		private readonly superseded: AbortSignal,
	) {
		this.log = logOf(context, remembered);
		this.isFirst = !memory.polled.has(context);
		const isFirstTry = !memory.tried.has(context);
		const isScheduled = context.getActivationMode() === 'update' && remembered.hadOwnContext === true;
		this.isActivation = isFirstTry && !isScheduled;
		memory.tried.add(context);
		remembered.hadOwnContext = isFirstTry;
		const budget = Math.min(budgetOf(context), this.isActivation ? ACTIVATION_BUDGET : Infinity);
		const signal = AbortSignal.any([AbortSignal.timeout(budget), superseded]);
		this.end = { signal, deadline: Date.now() + budget };
	}

	async run(): Promise<INodeExecutionData[][] | null> {
		const { context, connection, remembered, superseded } = this;
		const { event, question } = this.settings;
		const { id } = context.getNode();
		const data = staticDataOf(context, ({ node }) => node === id);
		const known = {
			// n8n watches its data for changes: a copy is read many times faster.
			stored: copyOf((data.state ?? null) as StoredState | null),
			remembered,
			// The selected records are part of the state: those that stay selected keep their counts.
			settings: JSON.stringify([event.value, ...(question.kind === 'reached' ? [question] : [])]),
			isOfAddress: (address: string) => fingerprint([connection.address], address) === address,
			isOfKey: (key: string) => fingerprint([connection.address, connection.apiKey], key) === key,
			isTurnedOn: this.isFirst && context.getActivationMode() === 'activate',
		};
		const begun = startOf(known, Date.now());
		if (begun === 'wait') return null;
		const read = await this.read(begun).catch((error: unknown) => this.failWith(error, begun));
		if (read === undefined) return null;
		const { start, found, reading } = read;
		const { changes, state: watched } = found ?? { changes: [], state: reading.unfinished };
		const items = await mapYielding(changes, (change) => ({ json: connection.redact.data(toItem(event, change)) }));
		if (superseded.aborted) return null;

		const isUndecided = start.reason === 'otherKey' && !reading.isOfAccount;
		if (!isUndecided) this.log.begins(start.reason);
		const isCut = found === undefined && isIncomplete(watched);
		if (isCut && (this.isActivation || start.reason !== 'itGoesOn')) this.log.isUnfinished(event.listed.noun);
		const isQuiet = items.length === 0 && !(found !== undefined && this.wouldBeLost(start, data));
		const { state } = start;
		const left = stateAfter(known, start, {
			watch: watched,
			address: fingerprint([connection.address], state?.address),
			key: isUndecided ? state!.key : fingerprint([connection.address, connection.apiKey], state?.key),
			isQuiet,
			now: Date.now(),
		});
		// Last: this must not be saved without the items.
		memory.polled.add(context);
		Object.assign(remembered, left.remembered);
		remembered.reading =
			found === undefined ? { of: this.goesOnFrom(left.state), reading, limiter: connection.limiter } : undefined;
		Object.assign(data, { node: id, state: copyOf(left.state) });
		if (isQuiet && this.isFirst) await saveCursor(context);
		return isQuiet ? null : [items];
	}

	/**
	 * Reads on, in the time of this poll, and begins again where the service shows another account than the one that is known.
	 *
	 * @returns undefined if there was no time for a first answer
	 */
	private async read(start: Start): Promise<{ start: Start; found?: Found; reading: Reading } | undefined> {
		const { context, connection, settings, remembered, log, end } = this;
		const reader = `${context.getWorkflow().id}/${context.getNode().id}`;
		const how = { priority: 'polls' as const, reader, isAlone: isBaseline(start), ...end };
		const source = new PollReader(context, connection, settings.event, how);
		const { reading: left } = remembered;
		// With another key, it may be another account: what was read is not what is read now.
		const isOwn = left?.limiter === connection.limiter && left.of === this.goesOnFrom(start.state);
		const begun = start.watch && isOwn ? left : undefined;
		const reading = begun?.reading ?? beginReading(watchOf(settings), start.watch);
		const found = await reading.read(source).catch((error: unknown) => {
			if (!(error instanceof ApiError && error.isTransient)) remembered.reading = undefined;
			throw error;
		});
		if (!source.hasAnswer) {
			if (!this.superseded.aborted) log.isSilent(UNANSWERED, !isBaseline(start));
			return undefined;
		}
		log.isAnswered();
		if (start.reason !== 'otherKey' || found === undefined || reading.isOfAccount) return { start, found, reading };
		return await this.read({ ...start, reason: 'otherAccount', watch: undefined });
	}

	/** A reading goes on in the next poll, if that begins where this one has left off. */
	private goesOnFrom(state?: StoredState): string {
		return JSON.stringify([state?.step, state?.address, state?.key, watchOf(this.settings)]);
	}

	/** A refusal that stays fails a poll once in ten minutes: each may start an error workflow. */
	private failWith(error: unknown, start: Start): undefined {
		const { log, remembered, isActivation, connection } = this;
		if (!(error instanceof ApiError)) throw error;
		log.isSilent(messageOfError(error, connection.redact), !isBaseline(start));
		const { failedAt = -Infinity } = remembered;
		const isRefusal = error.affects === 'key' || error.affects === 'endpoint';
		if (isRefusal && !isActivation && Date.now() - failedAt < SAID_AGAIN_AFTER) return undefined;
		if (isRefusal) remembered.failedAt = Date.now();
		throw error;
	}

	/** Whether n8n would lose a new baseline when it stops. It saves that of an activation, and what comes with an execution. */
	private wouldBeLost(start: Start, data: object): boolean {
		const isOfActivation = this.isActivation && OF_ACTIVATIONS.includes(start.reason);
		// An item that n8n puts in for none would start the workflow.
		const mayBeEmpty = this.context.getNode().alwaysOutputData !== true;
		return isBaseline(start) && !isOfActivation && isSavedWithReports(data) && mayBeEmpty;
	}
}

function watchOf({ event, question, selected }: TriggerSettings): Watch {
	const { countField, recordPath } = event.listed;
	const { isNewestFirst } = event;
	return { question, isNewestFirst, countField, selected, hasSingles: recordPath !== undefined };
}
