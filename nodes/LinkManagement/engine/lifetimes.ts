import { NodeConnectionTypes, type IExecuteSingleFunctions } from 'n8n-workflow';

import { isWithinAgent } from './tool';

/**
 * An object that is the same for all tries of one run of the node, and for no other run: the execution data, which n8n makes once
 * and hands to each try of Retry On Fail (read in n8n-core 2.0.2 and 2.41.1). An agent may make several calls of a tool at once;
 * each has input of its own.
 */
export function runOf(context: IExecuteSingleFunctions): object {
	return isWithinAgent(context) ? context.getInputData(0, NodeConnectionTypes.AiTool).json : context.getExecuteData();
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
