/** What the editor shows of each operation. Which parameters each has, by their names, test/unit/description.test.ts says. */
import { type INode, type INodeProperties, type INodePropertyOptions, NodeHelpers } from 'n8n-workflow';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { type NodeView, openEditor } from './editor';
import { eventually } from './eventually';

const { description } = new LinkManagement();
const NODE = { typeVersion: 1 } as INode;
/** The editor gives a resource mapper's own parts their labels. */
const LABELS: Record<string, string> = { columns: 'Mapping Column Mode' };
/** Fields that are there under their names twice: as what brings the first entry along, and once they are there. */
const REPEATING = { devicetarget: {}, geotarget: {}, languagetarget: {}, parameters: {} };

/** Those of some properties that show in a node with these parameters, and else the defaults. */
function shown(given: Record<string, string>, properties = description.properties): INodeProperties[] {
	const defaults = NodeHelpers.getNodeParameters(description.properties, given, true, false, NODE, description);
	const parameters = { ...defaults, linkFields: REPEATING };
	return properties.filter(
		(property) =>
			property.type !== 'notice' && NodeHelpers.displayParameter(parameters, property, NODE, description, parameters),
	);
}

/** The entries of a selector, by their names in the editor. */
function entries(selector: string, given: Record<string, string> = {}): Array<[name: string, value: string]> {
	return shown(given)
		.filter(({ name }) => name === selector)
		.flatMap(({ options }) => options as INodePropertyOptions[])
		.map(({ name, value }) => [name, String(value)]);
}

let node: NodeView;

openEditor({}, async ({ editor }) => {
	node = await editor.openNodeWith({});
});

function names(choices: Array<[name: string, value: string]>): string[] {
	return [...choices.map(([name]) => name), 'Custom API Call'];
}

describe('the node in the editor', () => {
	it('offers every resource', async () => {
		expect(await node.choices('resource')).toEqual(names(entries('resource')));
	});

	describe.each(entries('resource'))('%s', (name, resource) => {
		const operations = entries('operation', { resource });

		it('offers its operations', async () => {
			await node.choose('resource', name);
			expect(await node.choices('operation')).toEqual(names(operations));
		});

		it.each(operations)('%s shows its own fields and no others', async (operationName, operation) => {
			const fields = shown({ resource, operation });
			await node.choose('operation', operationName);
			await eventually(async () =>
				expect(await node.labels()).toEqual(fields.map((field) => LABELS[field.name] ?? field.displayName)),
			);
			for (const { displayName, options } of fields.filter(({ type }) => type === 'collection')) {
				const offered = shown({ resource, operation }, options as INodeProperties[]);
				expect(await node.additions(displayName)).toEqual(offered.map((field) => field.displayName));
			}
		});
	});
});
