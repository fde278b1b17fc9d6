/** An AI agent in a workflow, with the node as its tools. */
import type { IDataObject, INode, IWorkflowBase } from 'n8n-workflow';

import { NODE_TYPE, start, workflowOf, type Credential, type NodeSettings } from './host';

/** A workflow with an agent that has these tools, and makes these calls. */
export function agentWith(
	credential: Credential,
	tools: Record<string, IDataObject>,
	calls: Array<[string, IDataObject]>,
	settings: NodeSettings = {},
): IWorkflowBase {
	const workflow = workflowOf({}, { credential, rows: [{ calls }] });
	const links = workflow.nodes.find(({ name }) => name === 'Links')!;
	const nodes: INode[] = Object.entries(tools).map(([name, parameters]) => ({
		...links,
		id: name,
		name,
		type: `${NODE_TYPE}Tool`,
		parameters: parameters as INode['parameters'],
		...settings,
	}));
	Object.assign(links, { type: '@n8n/n8n-nodes-langchain.agent', credentials: undefined });
	workflow.nodes.push(...nodes);
	for (const { name } of nodes)
		workflow.connections[name] = { ai_tool: [[{ node: 'Links', type: 'ai_tool', index: 0 }]] };
	return workflow;
}

/** What the agent got for each call, and all that n8n keeps of the execution. */
export async function answersTo(
	workflow: IWorkflowBase,
	credential: Credential,
): Promise<{ answers: IDataObject[]; saved: string }> {
	const run = await start(workflow, credential).finished;
	const { data } = run;
	if (data.resultData.error !== undefined) throw data.resultData.error;
	return {
		answers: (data.resultData.runData.Links[0].data?.main[0] ?? []).map(({ json }) => json),
		saved: JSON.stringify(run),
	};
}
