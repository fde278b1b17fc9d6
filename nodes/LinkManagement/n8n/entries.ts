import {
	type IDataObject,
	type IExecuteFunctions,
	type IExecutePaginationFunctions,
	type IExecuteSingleFunctions,
	type INode,
	type INodeExecutionData,
	type INodePropertyRouting,
	NodeConnectionTypes,
} from 'n8n-workflow';

/** Runs an operation over rows, each with its own context. */
export type RunRows = (contexts: IExecuteSingleFunctions[]) => Promise<INodeExecutionData[]>;

/**
 * A function of `customOperations`, which n8n calls with all items of a run instead of its own routing (read in n8n-core 2.0.2 and
 * 2.41.1).
 */
export function customOperation(runRows: RunRows): (this: IExecuteFunctions) => Promise<INodeExecutionData[][]> {
	return async function () {
		const node = this.getNode();
		return [await runRows(this.getInputData().map((_item, index) => rowContext(this, node, index)))];
	};
}

/**
 * Routing for a call of the node as an agent's tool: n8n calls a pagination function with the row's context (read in n8n-core 2.0.2
 * and 2.41.1).
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
 * The context of one row, made from the context of the run. n8n's routing would make one for each row, but evaluates every expression
 * twice then, which is more than half of the time of a spreadsheet (read in n8n-core 2.0.2 and 2.41.1).
 *
 * @param node of the run: each `getNode` of n8n copies the whole node
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

/**
 * All input items of the run. The context of a row may show one alone; the execution data has all of them (read in n8n-core 2.0.2 and
 * 2.41.1).
 */
export function allInputItems(context: IExecuteSingleFunctions): readonly IDataObject[] {
	const [items] = context.getExecuteData().data[NodeConnectionTypes.Main] ?? [];
	return items?.map(({ json }) => json) ?? [context.getInputData().json];
}
