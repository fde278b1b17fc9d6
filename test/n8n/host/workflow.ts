import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { NODE_TYPE, type WorkflowJson } from './session';

/** The name of the trigger node in workflows made here. */
const TRIGGER = 'Start';

/** The name of the Link Management node in workflows made here. */
export const LINK_MANAGEMENT = 'Link Management';

type NodeJson = WorkflowJson['nodes'][number];

/** A workflow of a manual trigger and these nodes, one after the other. */
export function inARow(...nodes: NodeJson[]): WorkflowJson {
	const all = [{ name: TRIGGER, type: 'n8n-nodes-base.manualTrigger', parameters: {} }, ...nodes];
	return {
		nodes: all,
		connections: Object.fromEntries(
			nodes.map(({ name }, at) => [all[at].name, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
		),
	};
}

/** A node that gives rows. */
export function rowsNode(rows: IDataObject[]): NodeJson {
	const jsCode = `return ${JSON.stringify(rows.map((json) => ({ json })))}`;
	return { name: 'Rows', type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
}

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
		...inARow({ name: LINK_MANAGEMENT, type: NODE_TYPE, ...node, parameters }),
		pinData: { [TRIGGER]: rows.map((json) => ({ json })) },
	};
}
