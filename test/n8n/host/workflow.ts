import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { NODE_TYPE, type WorkflowJson } from './session';

/** The name of the trigger node in workflows made here. */
export const TRIGGER = 'Start';

/** The name of the Link Management node in workflows made here. */
export const LINK_MANAGEMENT = 'Link Management';

/**
 * A workflow of a manual trigger, whose output is pinned, and one node that gets these rows.
 *
 * @param parameters the node's parameters
 * @param rows the JSON of the items that the node gets
 * @param node what else is set on the node: another type, `onError`, `retryOnFail` …
 */
export function workflowOf(
	parameters: INodeParameters,
	rows: IDataObject[] = [{}],
	node: Partial<INode> = {},
): WorkflowJson {
	return {
		nodes: [
			{ name: TRIGGER, type: 'n8n-nodes-base.manualTrigger', parameters: {} },
			{ name: LINK_MANAGEMENT, type: NODE_TYPE, ...node, parameters },
		],
		connections: { [TRIGGER]: { main: [[{ node: LINK_MANAGEMENT, type: 'main', index: 0 }]] } },
		pinData: { [TRIGGER]: rows.map((json) => ({ json })) },
	};
}
