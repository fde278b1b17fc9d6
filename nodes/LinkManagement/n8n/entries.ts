import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

/** Runs an operation over rows, each of which has a context of its own. */
export type RunRows = (contexts: IExecuteSingleFunctions[]) => Promise<INodeExecutionData[]>;

/**
 * What n8n calls with all items of a run, in place of its own routing: a function of `customOperations`, which it looks for before
 * anything else (read in n8n-core 2.0.2 and 2.41.1).
 */
export function customOperation(runRows: RunRows): (this: IExecuteFunctions) => Promise<INodeExecutionData[][]> {
	return async function () {
		const node = this.getNode();
		return [await runRows(this.getInputData().map((_item, index) => rowContext(this, node, index)))];
	};
}

/**
 * What n8n calls for each call of the node as an agent's tool, which goes through its routing: a function in place of its paging
 * gets the row's context (read in n8n-core 2.0.2 and 2.41.1).
 */
export function toolRouting(request: INodePropertyRouting['request'], runRows: RunRows): INodePropertyRouting {
	return {
		request,
		send: { paginate: true },
		operations: {
			async pagination(this: IExecutePaginationFunctions) {
				return await runRows([this]);
			},
		},
	};
}

/**
 * The context of one row, made of the context of the run that n8n gives to a custom operation. Its routing would make one for each
 * row, but evaluates every expression among the parameters twice then, which for a spreadsheet is more than half of the time (read
 * in n8n-core 2.0.2 and 2.41.1).
 *
 * @param node what the run's `getNode` gave: n8n copies the whole node each time that it is asked
 */
export function rowContext(run: IExecuteFunctions, node: INode, index: number): IExecuteSingleFunctions {
	const item = run.getInputData()[index];
	const ofRow: Partial<IExecuteSingleFunctions> = {
		getNode: () => node,
		getItemIndex: () => index,
		getInputData: () => item,
		getNodeParameter: (name: string, fallback?: unknown) => run.getNodeParameter(name, index, fallback) as object,
		getCredentials: async <T extends object>(type: string) => await run.getCredentials<T>(type, index),
	};
	return Object.assign(Object.create(run) as IExecuteSingleFunctions, ofRow);
}
