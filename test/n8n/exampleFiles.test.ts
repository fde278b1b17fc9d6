/** What the workflows to import have to be before anybody runs them: made of nodes that n8n has, and clear about what is to set. */
import { type INode, type INodeTypeDescription, isResourceLocatorValue, NodeHelpers } from 'n8n-workflow';

import { Example, EXAMPLE_FILES } from './example';
import type { WorkflowJson } from './host';
import { type SharedSession, sharedN8n } from './host/shared';

let n8n: SharedSession;
let descriptions: INodeTypeDescription[];

beforeAll(async () => {
	n8n = await sharedN8n();
	descriptions = JSON.parse(await n8n.fetchText('/types/nodes.json')) as INodeTypeDescription[];
});

function descriptionOf({ name, type, typeVersion = 1 }: WorkflowJson['nodes'][number]): INodeTypeDescription {
	const found = descriptions.find(
		(description) => description.name === type && [description.version].flat().includes(typeVersion),
	);
	if (found === undefined)
		throw new Error(`n8n has no node type ${type} in version ${typeVersion}, which "${name}" needs.`);
	return found;
}

function isUnset(value: unknown): boolean {
	return value === '' || (isResourceLocatorValue(value) && value.value === '');
}

it.each(EXAMPLE_FILES)('%s fits the nodes of n8n', (file) => {
	const { workflow, stickyNote } = new Example(file);
	for (const node of workflow.nodes) {
		const { properties } = descriptionOf(node);
		const known = new Set(properties.map(({ name }) => name));
		expect({ node: node.name, unknown: Object.keys(node.parameters).filter((name) => !known.has(name)) }).toEqual({
			node: node.name,
			unknown: [],
		});
		// What is left to set, the note on the canvas has to name.
		const issues = NodeHelpers.getNodeParametersIssues(properties, node as INode, descriptionOf(node));
		if (issues !== null) expect(stickyNote).toContain(`**${node.name}**`);
	}
});

it.each(
	EXAMPLE_FILES.filter((file) =>
		new Example(file).workflow.nodes.some(({ parameters }) =>
			['url', 'channelId', 'campaignId', 'documentId'].some((name) => isUnset(parameters[name])),
		),
	),
)('%s is not published before somebody has set what stands empty', async (file) => {
	const id = await n8n.createWorkflow(new Example(file).workflow);
	await expect(n8n.activate(id)).rejects.toThrow(/Missing or invalid required parameters/);
});

it.each(EXAMPLE_FILES)('%s says which credentials it needs, and brings none', (file) => {
	const { workflow, stickyNote } = new Example(file);
	for (const node of workflow.nodes) {
		expect(node.credentials).toBeUndefined();
		const required = (descriptionOf(node).credentials ?? []).filter(
			(credential) =>
				credential.required === true &&
				NodeHelpers.displayParameter(node.parameters, credential, node as INode, descriptionOf(node)),
		);
		if (required.length > 0 && !node.type.endsWith('Tool')) expect(stickyNote).toContain(`**${node.name}**`);
	}
	expect(stickyNote).toMatch(/credential/);
});
