import { type IExecuteSingleFunctions, NodeConnectionTypes } from 'n8n-workflow';

/**
 * An object that is the same for all tries of one run of the node, and for no other run: the execution data, which n8n gives to each
 * try of Retry On Fail. In an agent's tool that is the agent's: then it is the input of the call, since an agent may make several
 * calls of a tool at once (read in n8n-core 2.0.2 and 2.41.1).
 */
export function runOf(context: IExecuteSingleFunctions): object {
	const execution = context.getExecuteData();
	const isOfAgent = execution.node.name !== context.getNode().name;
	return isOfAgent ? context.getInputData(0, NodeConnectionTypes.AiTool).json : execution;
}

/**
 * An object that is the same for all nodes and all rounds of a loop in one execution: the signal that cancels it. Only the execution
 * holds it (read in n8n-core 2.0.2 and 2.41.1).
 *
 * @returns undefined if n8n gives none
 */
export function executionOf(context: IExecuteSingleFunctions): object | undefined {
	return context.getExecutionCancelSignal();
}

/**
 * Whether the node is a tool: then a model gives the values, and reads the results. n8n adds "Tool" to the type of such a node (read in
 * n8n-core 2.0.2 and 2.41.1).
 */
export function isTool(context: Pick<IExecuteSingleFunctions, 'getNode'>): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** Values that are kept for objects of n8n (an execution, a signal), as long as n8n holds these. */
const kept = new WeakMap<object, Map<string, unknown>>();

/** The value that is kept for an object under a key; made on the first call. @param holder the value lives as long as it */
export function keptFor<T>(holder: object, key: string, make: () => T): T {
	const values = kept.get(holder) ?? new Map<string, unknown>();
	kept.set(holder, values);
	if (!values.has(key)) values.set(key, make());
	return values.get(key) as T;
}
