/** The trigger's parameters in the editor, as they arrive. */
import { TRIGGER_TYPE } from '../n8n/host';
import { sharedN8n } from '../n8n/host/shared';
import { type Editor, openEditor } from './editor';
import { eventually } from './eventually';

const n8n = sharedN8n();
let editor: Editor;

openEditor({}, (opened) => ({ editor } = opened));

const NAME = 'Link Management Trigger';

/** The parameters as they are saved. */
async function saved(): Promise<Record<string, unknown>> {
	const { nodes } = await n8n.rest<{ nodes: Array<{ parameters: Record<string, unknown> }> }>(
		'GET',
		`/rest/workflows/${editor.workflowId}`,
	);
	return nodes[0].parameters;
}

it('Include Existing arrives on', async () => {
	const parameters = { event: 'linkCreated' };
	await editor.openWorkflow({ nodes: [{ name: NAME, type: TRIGGER_TYPE, parameters }], connections: {} });
	const node = await editor.openNode(NAME);
	await node.add('Options', 'Include Existing');
	if (process.env.LOOK) await editor.page.screenshot({ path: '/tmp/look-trigger.png' });
	await node.close();
	await editor.page.keyboard.press('Control+s');
	const kept = { options: { includeExisting: true } };
	await eventually(async () => expect(await saved()).toMatchObject(kept));
});
