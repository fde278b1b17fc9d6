import { NodeConnectionTypes, type IExecuteSingleFunctions, type IHttpRequestOptions, type INodeExecutionData } from 'n8n-workflow';

import { connect, type Connection } from './connection';
import type { Answer } from './envelope';

/** What became of a change that was sent: the items it gave, or the error that leaves its fate open. */
export type Outcome = { items: INodeExecutionData[] } | { error: Error };

/**
 * One execution of the node over its input items. The engine starts all items at once and knows nothing of what they share;
 * this does: the credential, the turn in the rate limit, whether an item has failed, and which changes were made.
 *
 * n8n's Retry On Fail runs the whole node again with the same items: changes that were made stay made, because their
 * outcome is kept here, by input item.
 */
export class Run {
	/** Items that are being worked on. */
	private active = 0;
	private prepared = new Set<number>();
	private refusedItems = new Set<number>();
	private ending = new AbortController();
	private connection?: Promise<Connection>;
	/** Ends the waits of all items: the user stopped the execution, or an item failed for good. */
	signal: AbortSignal = this.ending.signal;
	private readonly answers = new Map<number, Answer>();
	private readonly outcomes = new WeakMap<object, Map<string, Outcome>>();

	/** An item's parameters were read; called by the engine for each item before any of them is sent. */
	begin(context: IExecuteSingleFunctions, refused: boolean): void {
		const index = context.getItemIndex();
		if (index === 0 && this.active === 0) {
			this.prepared = new Set();
			this.refusedItems = new Set();
			this.ending = new AbortController();
			this.signal = anySignal(this.ending.signal, context.getExecutionCancelSignal());
			this.connection = undefined;
		}
		this.prepared.add(index);
		this.active++;
		if (refused) this.refusedItems.add(index);
	}

	end(): void {
		this.active--;
	}

	get preparedCount(): number {
		return this.prepared.size;
	}

	/** Whether an item is bad input, so that nothing of this run should be sent. */
	get hasRefusedItem(): boolean {
		return this.refusedItems.size > 0;
	}

	/** An item has failed, and n8n is to stop at errors: the items that wait are not sent any more. */
	fail(): void {
		this.ending.abort();
	}

	get hasFailed(): boolean {
		return this.ending.signal.aborted;
	}

	/** The credential, decrypted once for all items. */
	async connect(context: IExecuteSingleFunctions): Promise<Connection> {
		this.connection ??= connect(context);
		return await this.connection;
	}

	/** Keeps an answer's status and headers, which the engine does not hand to the pagination function. */
	hear(index: number, answer: Answer): void {
		this.answers.set(index, answer);
	}

	/**
	 * Takes what was heard for an item.
	 *
	 * @throws Error when nothing was: the operation lacks the step that keeps the response
	 */
	heard(index: number): Answer {
		const answer = this.answers.get(index);
		if (answer === undefined) throw new Error('The operation does not open its envelope');
		this.answers.delete(index);
		return answer;
	}

	/** Notes what became of a change. */
	keep(context: IExecuteSingleFunctions, request: IHttpRequestOptions, outcome: Outcome): void {
		const input = inputOf(context);
		const outcomes = this.outcomes.get(input) ?? new Map<string, Outcome>();
		outcomes.set(fingerprint(context, request), outcome);
		this.outcomes.set(input, outcomes);
	}

	/** What became of this very change in an earlier try. */
	kept(context: IExecuteSingleFunctions, request: IHttpRequestOptions): Outcome | undefined {
		return this.outcomes.get(inputOf(context))?.get(fingerprint(context, request));
	}
}

function fingerprint(context: IExecuteSingleFunctions, { method, url, body }: IHttpRequestOptions): string {
	return JSON.stringify([context.getItemIndex(), method, url, body]);
}

function anySignal(own: AbortSignal, engine: AbortSignal | undefined): AbortSignal {
	return engine === undefined ? own : AbortSignal.any([own, engine]);
}

/** Whether the node is called as a tool by an AI agent: then the engine hands on the execution data of the agent. */
function isTool(context: IExecuteSingleFunctions): boolean {
	return context.getExecuteData().node.name !== context.getNode().name;
}

/** An object that stands for the item's input over all tries: the item, or what the agent calls the tool with. */
function inputOf(context: IExecuteSingleFunctions): object {
	return isTool(context) ? context.getInputData(0, NodeConnectionTypes.AiTool).json : context.getInputData();
}

const runs = new WeakMap<object, Run>();

/** The run that an item belongs to. Each call of a tool is a run of its own: an agent makes several at once. */
export function runOf(context: IExecuteSingleFunctions): Run {
	const key = isTool(context) ? inputOf(context) : context.getExecuteData();
	let run = runs.get(key);
	if (run === undefined) runs.set(key, (run = new Run()));
	return run;
}
