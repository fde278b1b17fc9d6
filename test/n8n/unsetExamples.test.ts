/** The workflows to import that n8n does not publish as they are: something in them stands empty. (n8n 1 publishes them, and they fail.) */
import { isResourceLocatorValue } from 'n8n-workflow';

import { Example, EXAMPLE_FILES } from './example';
import { sharedN8n } from './host/shared';

const n8n = sharedN8n();

const REQUIRED = ['url', 'channelId', 'campaignId', 'documentId', 'dataTableId'];

function isUnset(value: unknown): boolean {
	return value === '' || (isResourceLocatorValue(value) && value.value === '');
}

const UNSET = EXAMPLE_FILES.filter((file) => {
	const { nodes } = new Example(file).workflow;
	return (
		!nodes.some(({ type }) => type === 'n8n-nodes-base.manualTrigger') &&
		nodes.some(({ parameters }) => REQUIRED.some((name) => isUnset(parameters[name])))
	);
});

it.each(UNSET)('%s is not published before somebody has set what stands empty', async (file) => {
	const id = await n8n.createWorkflow(new Example(file).workflow);
	await expect(n8n.activate(id)).rejects.toThrow(/Missing or invalid required parameters/);
});
