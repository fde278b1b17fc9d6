import { NodeConnectionTypes, type IExecuteSingleFunctions } from 'n8n-workflow';

/**
 * An object that is the same for all tries of one run of the node, and for no other run: the execution data, which n8n makes once
 * and hands to each try of Retry On Fail. Where an AI agent calls the node within its own execution, that is the agent's: then the
 * call's own input is taken, for an agent may make several calls of a tool at once (read in n8n-core 2.0.2 and 2.41.1).
 */
export function runOf(context: IExecuteSingleFunctions): object {
	const execution = context.getExecuteData();
	const isOfAgent = execution.node.name !== context.getNode().name;
	return isOfAgent ? context.getInputData(0, NodeConnectionTypes.AiTool).json : execution;
}

/**
 * An object that lasts as long as the execution and is the same for all its nodes and all rounds of a loop: the signal that ends
 * it. n8n has one for each execution, and nothing else holds it (read in n8n-core 2.0.2 and 2.41.1).
 *
 * @returns undefined where n8n gives none
 */
export function executionOf(context: IExecuteSingleFunctions): object | undefined {
	return context.getExecutionCancelSignal();
}

/**
 * Whether the node is a tool: then a model gives the values, and reads what comes of them. n8n makes a twin of each node that is
 * usable as a tool, and gives it the node's type with "Tool" behind it (read in n8n-core 2.0.2 and 2.41.1).
 */
export function isTool(context: Pick<IExecuteSingleFunctions, 'getNode'>): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** What is kept for objects of n8n's (an execution, a signal), each as long as n8n holds it. */
const kept = new WeakMap<object, Map<string, unknown>>();

/** What is kept for an object under a key; made by the one that asks first. @param holder lives as long as what is kept for it */
export function keptFor<T>(holder: object, key: string, make: () => T): T {
	const values = kept.get(holder) ?? new Map<string, unknown>();
	kept.set(holder, values);
	if (!values.has(key)) values.set(key, make());
	return values.get(key) as T;
}
