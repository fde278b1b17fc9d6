import type { IExecuteFunctions, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { pause } from '../rateLimit/cancellation';
import { execute, readItem, type ItemOperation } from './execute';
import { readBatching } from './requestOptions';

/** The engine's context of one item of a run. */
function contextOf(run: IExecuteFunctions, item: INodeExecutionData, index: number): IExecuteSingleFunctions {
	const ofItem: Partial<IExecuteSingleFunctions> = {
		getItemIndex: () => index,
		getInputData: () => item,
		getNodeParameter: (name: string, fallback?: unknown) => run.getNodeParameter(name, index, fallback) as object,
		getCredentials: async <T extends object>(type: string) => await run.getCredentials<T>(type, index),
	};
	return Object.assign(Object.create(run) as IExecuteSingleFunctions, ofItem);
}

function isUsable(context: IExecuteSingleFunctions, operation: ItemOperation): boolean {
	try {
		readItem(context, operation);
		return true;
	} catch {
		return false;
	}
}

/**
 * An operation over all items of a run, as the engine calls it.
 *
 * Its routing would do as well, and does where the node is an agent's tool. But it evaluates every expression among the parameters
 * twice for each item, which for a spreadsheet is more than half of the whole time.
 */
export function runOperation(operation: ItemOperation): (this: IExecuteFunctions) => Promise<INodeExecutionData[][]> {
	return async function () {
		const contexts = this.getInputData().map((item, index) => contextOf(this, item, index));
		const started: Array<Promise<INodeExecutionData[]>> = [];
		const batching = contexts.length > 1 ? readBatching(contexts[0]) : undefined;
		// One that can't be used ends the run before anything is sent: then there is nothing to wait for.
		const isSpread =
			this.continueOnFail() || (batching !== undefined && contexts.every((one) => isUsable(one, operation)));
		for (const [index, context] of contexts.entries()) {
			if (batching !== undefined && isSpread && index > 0 && index % batching.size === 0) {
				// When the user stops the execution, the rest comes at once, and stops by itself.
				await pause(batching.interval, this.getExecutionCancelSignal()).catch(() => undefined);
			}
			started.push(execute(context, operation));
		}
		const ended = await Promise.allSettled(started);
		for (const end of ended) if (end.status === 'rejected') throw end.reason;
		return [ended.flatMap((end) => (end.status === 'fulfilled' ? end.value : []))];
	};
}
