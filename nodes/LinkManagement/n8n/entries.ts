import {
	type IDataObject,
	type IExecuteFunctions,
	type IExecutePaginationFunctions,
	type IExecuteSingleFunctions,
	type INode,
	type INodeExecutionData,
	type INodePropertyRouting,
	type IN8nRequestOperations,
	NodeConnectionTypes,
	NodeOperationError,
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
 * Functions by the names of their resource and operation. n8n looks them up by whatever names the node has, such as `constructor` (read
 * in n8n-core 2.0.2 and 2.41.1): so these objects inherit nothing.
 */
export function byOwnNames<T>(entries: Iterable<readonly [name: string, entry: T]>): Record<string, T> {
	return Object.assign(Object.create(null) as Record<string, T>, Object.fromEntries(entries));
}

/**
 * For names of no operation, such as those that a model makes up: n8n falls back to its routing then, with the pagination of the node in
 * the place of that of an operation (read in n8n-core 2.0.2 and 2.41.1).
 *
 * @param names resource → its operations
 */
export function unknownOperation(names: ReadonlyMap<string, readonly string[]>): IN8nRequestOperations {
	return {
		async pagination(this: IExecutePaginationFunctions) {
			const node = this.getNode();
			const { resource, operation } = node.parameters;
			const operations = names.get(String(resource));
			const [what, choices] =
				operations === undefined
					? [`There is no resource "${String(resource)}"`, [...names.keys()]]
					: [`The resource "${String(resource)}" has no operation "${String(operation)}"`, operations];
			throw new NodeOperationError(node, what, { description: `Use one of ${choices.join(', ')}.` });
		},
	};
}

/** Routing of the selector of resources: with it, n8n calls the pagination above where no operation brings one. */
export const PAGINATES: INodePropertyRouting = { send: { paginate: true } };

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
