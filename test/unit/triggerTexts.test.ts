/** What n8n's editor says about the trigger before it ever ran. */
import { NodeHelpers, Workflow, type INodeTypes } from 'n8n-workflow';

import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { EVENTS } from '../../nodes/LinkManagement/trigger/events';

const type = new LinkManagementTrigger();
const { description } = type;

it('below the node stands the name of its event', () => {
	const nodeTypes = { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) } as INodeTypes;
	for (const { option } of EVENTS) {
		const node = {
			id: '1',
			name: 'Trigger',
			type: 'trigger',
			typeVersion: 1,
			position: [0, 0] as [number, number],
			parameters: { event: option.value },
		};
		const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
		expect(workflow.expression.getSimpleParameterValue(node, description.subtitle, 'internal', {})).toBe(option.name);
	}
});

it.each([
	[true, { event: 'qrCodeScanned', watch: 'all' }],
	[false, { event: 'qrCodeScanned', watch: 'selected' }],
	[false, { event: 'linkCreated', watch: 'all' }],
])('that polls read the whole list is said where they do: %s for %j', (isSaid, parameters) => {
	const notice = description.properties.find(({ name }) => name === 'wholeListNotice')!;
	expect(NodeHelpers.displayParameter(parameters, notice, { typeVersion: 1 }, description)).toBe(isSaid);
});
