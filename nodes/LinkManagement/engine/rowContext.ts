import type { IExecuteFunctions, IExecuteSingleFunctions, INode, INodeExecutionData } from 'n8n-workflow';

/**
 * The context of one row, made of the context of the run that n8n gives to a custom operation. Its routing would make one for each
 * row, but evaluates every expression among the parameters twice then, which for a spreadsheet is more than half of the time (read in n8n-core 2.0.2 and 2.41.1).
 *
 * @param node what the run's `getNode` gave: n8n copies the whole node each time that it is asked
 */
export function rowContext(
	run: IExecuteFunctions,
	node: INode,
	item: INodeExecutionData,
	index: number,
): IExecuteSingleFunctions {
	const ofRow: Partial<IExecuteSingleFunctions> = {
		getNode: () => node,
		getItemIndex: () => index,
		getInputData: () => item,
		getNodeParameter: (name: string, fallback?: unknown) => run.getNodeParameter(name, index, fallback) as object,
		getCredentials: async <T extends object>(type: string) => await run.getCredentials<T>(type, index),
	};
	return Object.assign(Object.create(run) as IExecuteSingleFunctions, ofRow);
}
