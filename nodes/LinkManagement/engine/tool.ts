import type { IExecuteSingleFunctions } from 'n8n-workflow';

/**
 * Whether the node is a tool: then a model gives the values, and reads what comes of them. n8n makes a twin of each node that is
 * usable as a tool, and gives it the node's type with "Tool" behind it (read in n8n-core 2.0.2 and 2.41.1).
 */
export function isTool(context: IExecuteSingleFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * Whether an AI agent calls the node within its own execution: then the engine hands on the execution data of the agent (read in
 * n8n-core 2.0.2 and 2.41.1). A tool that the engine runs by itself has its own, and is run as any node.
 */
export function isWithinAgent(context: IExecuteSingleFunctions): boolean {
	return context.getExecuteData().node.name !== context.getNode().name;
}
