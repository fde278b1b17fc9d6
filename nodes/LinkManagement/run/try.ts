import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { executionOf, isTool, keptFor, runOf } from '../n8n/lifetimes';
import { Memory } from './memory';

/** One try of a run: its rows, and what they have in common. (Retry On Fail makes several tries.) */
export class Run {
	/** What is kept over the tries. */
	readonly memory: Memory;
	/** What is kept for all rounds of a loop over the node. Calls of an agent's tool are runs of their own. */
	readonly rounds: Memory;
	/** What is done when this try has ended; what it returns is shown above the items. */
	readonly endings: Array<() => string | undefined> = [];
	/** Ends the waits of all rows: the user stopped the execution, or a row failed for good. */
	readonly signal: AbortSignal;
	/** A row that fails keeps none of the others from being done. */
	readonly continues: boolean;
	private readonly ending = new AbortController();

	constructor(
		context: IExecuteSingleFunctions,
		/** How many rows there are. */
		readonly size: number,
	) {
		this.memory = keptFor(runOf(context), Memory);
		const execution = isTool(context) ? undefined : executionOf(context);
		const ofNode = () => new Memory();
		this.rounds =
			execution === undefined
				? this.memory
				: keptFor(execution, Memory).share(`rounds of ${context.getNode().name}`, ofNode);
		this.continues = context.continueOnFail();
		const stopped = context.getExecutionCancelSignal();
		const own = this.ending.signal;
		this.signal = stopped === undefined ? own : AbortSignal.any([own, stopped]);
	}

	/** No further row is sent: one has failed for good. */
	end(): void {
		this.ending.abort();
	}
}
