import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { TRIGGER_TYPE, type Execution, type N8nSession, type WorkflowJson } from './host';
import { until } from './host/until';

/** The name of the trigger in workflows made here. */
export const POLLING = 'When something happens';

const SECONDS = 60;

/**
 * A workflow of the trigger and a node that does nothing.
 *
 * @param parameters the trigger's parameters, without its poll times
 * @param everySeconds how often it polls; n8n offers no less than a minute at a time, but any number of times
 */
export function pollingWorkflow(parameters: INodeParameters, everySeconds = 3): WorkflowJson {
	const item: INodeParameters[] = [];
	for (let second = 0; second < SECONDS; second += everySeconds)
		item.push({ mode: 'custom', cronExpression: `${second} * * * * *` });
	return {
		nodes: [
			{ id: 'trigger', name: POLLING, type: TRIGGER_TYPE, parameters: { pollTimes: { item }, ...parameters } },
			{ id: 'after', name: 'Do nothing', type: 'n8n-nodes-base.noOp', parameters: {} },
		],
		connections: { [POLLING]: { main: [[{ node: 'Do nothing', type: 'main', index: 0 }]] } },
	};
}

/**
 * The items with which the trigger started an execution; also where n8n was killed before the first node was through.
 *
 * @param name the trigger's name
 */
export function reportedBy(execution: Execution, name = POLLING): IDataObject[] {
	const run = execution.runData[name]?.[0]?.data?.main?.[0];
	const waiting = execution.data.executionData?.nodeExecutionStack.find(({ node }) => node.name === name)?.data
		.main?.[0];
	return (run ?? waiting ?? []).map(({ json }) => json);
}

/** Waits for so many items with which a workflow's executions were started. @param names those that the trigger has had */
export async function reported(
	n8n: N8nSession,
	workflowId: string,
	count = 0,
	names = [POLLING],
): Promise<IDataObject[]> {
	return await until(`${count} items`, async () => {
		const executions = await n8n.executions(workflowId);
		const items = executions.flatMap((execution) => names.flatMap((name) => reportedBy(execution, name)));
		return items.length >= count && items;
	});
}
