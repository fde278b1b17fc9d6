import { NodeConnectionTypes, type IExecuteSingleFunctions, type INodeExecutionData } from 'n8n-workflow';

import { StoppedError, whenStopped } from '../rateLimit/cancellation';

/**
 * Whether an AI agent calls the node within its own execution: then the engine hands on the execution data of the agent. A tool that
 * the engine runs by itself has its own.
 */
function isWithinAgent(context: IExecuteSingleFunctions): boolean {
	return context.getExecuteData().node.name !== context.getNode().name;
}

/** How many items the engine hands to the node. */
function itemCount(context: IExecuteSingleFunctions): number {
	const { node, data } = context.getExecuteData();
	if (isWithinAgent(context) || node.executeOnce === true) return 1;
	return data.main?.[0]?.length ?? 1;
}

/**
 * One try of a run: the engine starts all items, each once, and waits for all of them. (Retry On Fail makes several tries.)
 */
export class Try {
	private readonly arrived = new Set<number>();
	private readonly refused = new Set<number>();
	private readonly changed = new Set<number>();
	private readonly ending = new AbortController();
	private active = 0;
	private gathering: Array<() => void> = [];
	private itemsBefore: Promise<unknown> = Promise.resolve();
	private announceEnd: () => void = () => undefined;
	/** Settles when every item has come and has ended. Never, when the engine gives up before it has started them all. */
	readonly ended: Promise<void>;
	/** Ends the waits of all items: the user stopped the execution, or an item failed for good. */
	readonly signal: AbortSignal;

	constructor(
		/** Items that the engine is to start. */
		readonly size: number,
		stopped: AbortSignal | undefined,
	) {
		this.ended = new Promise((resolve) => {
			this.announceEnd = resolve;
		});
		const own = this.ending.signal;
		this.signal = stopped === undefined ? own : AbortSignal.any([own, stopped]);
	}

	has(index: number): boolean {
		return this.arrived.has(index);
	}

	enter(index: number): void {
		this.arrived.add(index);
		this.active++;
	}

	leave(): void {
		this.active--;
		if (this.active === 0 && this.hasAll) this.announceEnd();
		this.releaseGathered();
	}

	/**
	 * Does something that every item needs, for one item after another: so rows are sent in their order. Thousands of credentials
	 * asked for at once would keep n8n's database from all others who ask it meanwhile, its own health check included.
	 */
	async inTurn<T>(work: () => Promise<T>): Promise<T> {
		const turn = this.itemsBefore.then(async () => {
			if (this.signal.aborted) throw new StoppedError();
			return await work();
		});
		this.itemsBefore = turn.catch(() => undefined);
		return await turn;
	}

	/**
	 * Waits until every item that is under way waits here too, or has ended: what the items ask for together is known then. The
	 * engine starts all items in one go, or with Batching those of one batch.
	 *
	 * @throws StoppedError when the try ends before
	 */
	async gathered(): Promise<void> {
		if (this.signal.aborted) throw new StoppedError();
		await new Promise<void>((resolve, reject) => {
			const unwatch = whenStopped(this.signal, () => reject(new StoppedError()));
			this.gathering.push(() => {
				unwatch();
				resolve();
			});
			this.releaseGathered();
		});
	}

	private releaseGathered(): void {
		if (this.gathering.length < this.active) return;
		const waiting = this.gathering;
		this.gathering = [];
		for (const release of waiting) release();
	}

	/** An item is bad input, so that no item of this try may be sent. */
	refuse(index: number): void {
		this.refused.add(index);
	}

	/** An item has failed, and n8n is to stop at errors: the items that wait are not sent any more. */
	fail(): void {
		this.ending.abort();
	}

	/** A change that was made, in this try or in one before. */
	noteChange(index: number): void {
		this.changed.add(index);
	}

	/** Indexes of the items whose change was made, in rising order. */
	get changedItems(): number[] {
		return [...this.changed].sort((a, b) => a - b);
	}

	get hasAll(): boolean {
		return this.arrived.size >= this.size;
	}

	get hasRefused(): boolean {
		return this.refused.size > 0;
	}

	get hasFailed(): boolean {
		return this.ending.signal.aborted;
	}
}

/**
 * One execution of the node over its input items, with all tries of Retry On Fail. The engine starts all items at once and
 * knows nothing of what they share; this does.
 *
 * A change is made once for each item, however often it is tried: what became of it is known by its item, not by its content,
 * which may be another one at each try (an expression with `$now`).
 */
export class Run {
	private current?: Try;
	private readonly changes = new Map<number, Promise<INodeExecutionData[]>>();
	private readonly common = new Map<unknown, unknown>();

	/** The try that an item belongs to: an item that comes again begins a new one. */
	enter(context: IExecuteSingleFunctions): Try {
		const index = context.getItemIndex();
		if (this.current === undefined || this.current.has(index)) {
			this.current = new Try(itemCount(context), context.getExecutionCancelSignal());
		}
		this.current.enter(index);
		return this.current;
	}

	/**
	 * Makes the change of an item, or joins the one that an earlier try has made or is making.
	 *
	 * @param mayRepeat whether a failure left nothing done, so that the next try makes the change
	 */
	async changeOnce(
		index: number,
		make: () => Promise<INodeExecutionData[]>,
		mayRepeat: (error: unknown) => boolean,
	): Promise<INodeExecutionData[]> {
		const earlier = this.changes.get(index);
		if (earlier !== undefined) return await earlier;
		const change = make();
		this.changes.set(index, change);
		return await change.catch((error: unknown) => {
			if (mayRepeat(error)) this.changes.delete(index);
			throw error;
		});
	}

	/** What the items of a run have in common; made by the one that asks first. */
	share<T>(key: unknown, make: () => T): T {
		if (!this.common.has(key)) this.common.set(key, make());
		return this.common.get(key) as T;
	}
}

const runs = new WeakMap<object, Run>();

/** The run that an item belongs to. Each call of a tool is a run of its own: an agent makes several at once. */
export function runOf(context: IExecuteSingleFunctions): Run {
	const key = isWithinAgent(context)
		? context.getInputData(0, NodeConnectionTypes.AiTool).json
		: context.getExecuteData();
	let run = runs.get(key);
	if (run === undefined) runs.set(key, (run = new Run()));
	return run;
}
