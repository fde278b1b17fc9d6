/** A mapping by hand, as the editor opens it: it warns where the columns that are stored are not those of the node. */
import type { ILoadOptionsFunctions, INodeParameters, ResourceMapperField } from 'n8n-workflow';
import type { Locator } from 'playwright-core';

import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { type Editor, openEditor } from './editor';

/** The editor asks here for the columns that a node offers. */
const OFFERED = '/resource-mapper-fields';
/** What the editor knows, it has drawn after this time. */
const DRAWN_MS = 1000;

let editor: Editor;

openEditor({}, (opened) => ({ editor } = opened));

async function columnsOfNode(): Promise<ResourceMapperField[]> {
	const { getLinkColumns } = new LinkManagement().methods.resourceMapping;
	const context = { getCurrentNodeParameter: () => undefined };
	return (await getLinkColumns.call(context as unknown as ILoadOptionsFunctions)).fields;
}

/** Opens a node with stored columns, and waits until n8n has compared them with those that the node offers. */
async function warningAbout(schema: ResourceMapperField[]): Promise<Locator> {
	const value = { url: 'https://example.com/page', custom: 'page' };
	const columns = { mappingMode: 'defineBelow', value, matchingColumns: [], schema } as unknown as INodeParameters;
	const compared = editor.page.waitForResponse((response) => response.url().endsWith(OFFERED));
	const { parameters } = await editor.openNodeWith({ resource: 'link', operation: 'upsert', columns });
	await compared;
	await parameters.getByText('Long URL').first().waitFor();
	return parameters.locator('[class*="staleDataWarning"]');
}

it('one column less, and the editor warns', async () => {
	const columns = await columnsOfNode();
	await (await warningAbout(columns.slice(0, -1))).waitFor();
});

it('with the columns that the node offers, it does not', async () => {
	const warning = await warningAbout(await columnsOfNode());
	await editor.page.waitForTimeout(DRAWN_MS);
	expect(await warning.count()).toBe(0);
});
