/** The notes of the workflows to import stand beside their nodes, not upon them. */
import type { INodeParameters } from 'n8n-workflow';

import { Example, EXAMPLE_FILES } from '../n8n/example';

/** What a node takes on the canvas, with its name below it. */
const NODE = { width: 130, height: 140 };

it.each(EXAMPLE_FILES)('the note of %s covers no node', (file) => {
	const example = new Example(file);
	const { parameters, position } = example.node('What to set');
	const { width, height } = parameters as INodeParameters & { width: number; height: number };
	const [left, top] = position!;
	const covered = example.workflow.nodes.filter(
		({ type, position: [x, y] = [0, 0] }) =>
			!type.endsWith('stickyNote') &&
			x < left + width &&
			x + NODE.width > left &&
			y < top + height &&
			y + NODE.height > top,
	);
	expect(covered.map(({ name }) => name)).toEqual([]);
});
