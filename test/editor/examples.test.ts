/** The workflows to import, as the editor opens them: it marks no node, unless the note on the canvas says what to set there. */
import { inARow, NODE_TYPE } from '../n8n/host';
import { Example, EXAMPLE_FILES } from '../n8n/example';
import { type Editor, openEditor } from './editor';

/** What the editor knows, it has drawn after this time. */
const DRAWN_MS = 1000;

let editor: Editor;

openEditor({}, (opened) => ({ editor } = opened));

/** The nodes that the editor marks, and what it says in notices. */
async function warnings(): Promise<{ marked: string[]; notices: string[] }> {
	const { page } = editor;
	await page.waitForTimeout(DRAWN_MS);
	const nodes = page.getByTestId('canvas-node');
	const marked = await nodes.filter({ has: page.getByTestId('node-issues') }).all();
	const names = await Promise.all(marked.map(async (node) => (await node.getAttribute('data-node-name')) ?? '?'));
	return { marked: names, notices: await page.locator('.el-notification').allInnerTexts() };
}

it('a node without a long URL, and the editor marks it', async () => {
	await editor.openWorkflow(inARow({ name: 'No URL', type: NODE_TYPE, parameters: { url: '' } }));
	expect((await warnings()).marked).toEqual(['No URL']);
});

it.each(EXAMPLE_FILES)('%s opens without a warning', async (file) => {
	const { workflow, stickyNote } = new Example(file);
	await editor.openWorkflow(workflow);
	const { marked, notices } = await warnings();
	expect(notices).toEqual([]);
	expect(marked.filter((name) => !stickyNote.includes(`**${name}**`))).toEqual([]);
	expect(await editor.page.getByTestId('canvas-node').count()).toBeGreaterThanOrEqual(2);
});
