/**
 * What to do after an error, for its two readers: whoever builds the workflow in n8n's editor, and a model that calls the node as its
 * tool. An advice is one text; a part of it may be for one of them alone.
 */
export type Reader = 'editor' | 'model';

/** The sign around a part for one reader. No text that is shown holds it. */
const SIGNS: Record<Reader, string> = { editor: '\u0001', model: '\u0002' };

function only(reader: Reader, text: string): string {
	return SIGNS[reader] + text + SIGNS[reader];
}

/** A part of an advice about n8n's editor. A model does not get it. */
export function inEditor(text: string): string {
	return only('editor', text);
}

/** A part of an advice about the next call of a tool. */
export function toModel(text: string): string {
	return only('model', text);
}

/** An advice as one of its readers gets it. */
export function readBy(reader: Reader, advice: string): string {
	const other = SIGNS[reader === 'model' ? 'editor' : 'model'];
	const parts = advice.split(other).filter((_part, at) => at % 2 === 0);
	return parts.join('').replaceAll(SIGNS[reader], '').replace(/ {2,}/g, ' ').trim();
}
