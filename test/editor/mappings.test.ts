/** The columns that the workflows to import map by hand, as the editor opens them: it warns where they are not those of the node. */
import type { IDataObject } from 'n8n-workflow';
import type { Locator } from 'playwright-core';

import { Example, EXAMPLE_FILES } from '../n8n/example';
import { type Editor, openEditor } from './editor';

/** The editor asks here for the columns that a node offers. */
const OFFERED = '/resource-mapper-fields';
/** What the editor knows, it has drawn after this time. */
const DRAWN_MS = 1000;

let editor: Editor;

openEditor({}, (opened) => ({ editor } = opened));

/** The columns of a node that are mapped by hand. */
function mappedBy({ type, parameters }: Example['workflow']['nodes'][number]): IDataObject | undefined {
	const columns = parameters.columns as IDataObject | undefined;
	return type.startsWith('n8n-nodes-link-management.') && columns?.value != null ? columns : undefined;
}

const NODES = EXAMPLE_FILES.flatMap((file) =>
	new Example(file).workflow.nodes.filter(mappedBy).map(({ name }): [string, string] => [file, name]),
);

/** Opens the node of an example, and waits until n8n has compared its columns with those that the node offers. */
async function warningOf({ workflow }: Example, name: string): Promise<Locator> {
	await editor.openWorkflow(workflow);
	const compared = editor.page.waitForResponse((response) => response.url().endsWith(OFFERED));
	const { parameters } = await editor.openNode(name);
	await compared;
	await parameters.getByText('Long URL').first().waitFor();
	return parameters.locator('[class*="staleDataWarning"]');
}

it('one column less, and the editor warns', async () => {
	const [file, name] = NODES[0];
	const example = new Example(file);
	const columns = mappedBy(example.node(name))!;
	columns.schema = (columns.schema as IDataObject[]).slice(0, -1);
	await (await warningOf(example, name)).waitFor();
});

it.each(NODES)('%s: the columns of "%s" are those that the node offers', async (file, name) => {
	const warning = await warningOf(new Example(file), name);
	await editor.page.waitForTimeout(DRAWN_MS);
	expect(await warning.count()).toBe(0);
});
