/** What the workflows to import have to be before anybody runs them: made of nodes that n8n has, and clear about what is to set. */
import { type INode, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import { Example, EXAMPLE_FILES } from './example';
import type { WorkflowJson } from './host';
import { sharedN8n } from './host/shared';

const n8n = sharedN8n();
let descriptions: INodeTypeDescription[];

beforeAll(async () => {
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

it.each(EXAMPLE_FILES)('%s fits the nodes of n8n, brings no credentials, and says what is to set', (file) => {
	const { workflow, stickyNote } = new Example(file);
	expect(stickyNote).toMatch(/credential/);
	for (const node of workflow.nodes) {
		const description = descriptionOf(node);
		const known = description.properties.map(({ name }) => name);
		const unknown = Object.keys(node.parameters).filter((name) => !known.includes(name));
		expect({ ...node, unknown }).toEqual({ ...node, unknown: [], credentials: undefined });
		const required = (description.credentials ?? []).filter(
			(credential) =>
				credential.required === true &&
				NodeHelpers.displayParameter(node.parameters, credential, node as INode, description),
		);
		const issues = NodeHelpers.getNodeParametersIssues(description.properties, node as INode, description);
		// What is left to set, the note on the canvas has to name.
		if (issues !== null || (required.length > 0 && !node.type.endsWith('Tool')))
			expect(stickyNote).toMatch(new RegExp(`\\*\\*${node.name}\\*\\*|in every Link Management node`));
	}
});

// n8n 2.0 shows of an error of the Code node what follows the last colon of its first line.
it('what the Code nodes of examples say when they stop is one line without a colon', () => {
	const codes = EXAMPLE_FILES.flatMap((file) => new Example(file).workflow.nodes).flatMap(
		({ parameters: { jsCode } }) => (typeof jsCode === 'string' ? [jsCode] : []),
	);
	const said = codes.flatMap((code) => [...code.matchAll(/new Error\(([`'])(.*)\1\)/g)].map(([, , text]) => text));
	expect(said).toHaveLength(codes.join('').split('new Error').length - 1);
	for (const text of said) expect(text.replace(/\$\{.*?\}/g, '…')).toMatch(/^[^:\\]+\.$/);
});
