/** The notes of the workflows to import, as they stand on the canvas. */
import { Example, EXAMPLE_FILES } from '../n8n/example';
import { type Editor, openEditor } from './editor';
import { eventually } from './eventually';

let editor: Editor;

openEditor({}, (opened) => ({ editor } = opened));

/** As much of its box as the text of a note may leave empty. */
const MOST_EMPTY = 0.3;

it.each(EXAMPLE_FILES)('the note of %s fills its box and does not overflow it', async (file) => {
	await editor.openWorkflow(new Example(file).workflow);
	const note = editor.page.getByTestId('sticky');
	const last = note.locator(':is(h2, p, ol, ul):last-child').last();
	await eventually(async () => {
		const [box, end] = [await note.boundingBox(), await last.boundingBox()];
		if (box === null || end === null) throw new Error('The note is not drawn yet.');
		const empty = (box.y + box.height - (end.y + end.height)) / box.height;
		expect(empty).toBeGreaterThanOrEqual(0);
		expect(empty).toBeLessThanOrEqual(MOST_EMPTY);
	});
});
