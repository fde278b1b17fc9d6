/** Who reads what to do after an error: whoever builds the workflow in n8n's editor, or a model that calls the node as its tool. */
export type Reader = 'editor' | 'model';

/** What to do after an error. Where its readers can do different things, each has its own sentences. */
export type Advice = string | Readonly<Record<Reader, string>>;

/** An advice as one of its readers gets it. */
export function readBy(reader: Reader, advice: Advice): string {
	return typeof advice === 'string' ? advice : advice[reader];
}

/** Several sentences as one advice. */
export function together(...parts: Advice[]): Advice {
	const of = (reader: Reader) =>
		parts
			.map((part) => readBy(reader, part).trim())
			.filter(Boolean)
			.join(' ');
	const [editor, model] = [of('editor'), of('model')];
	return editor === model ? editor : { editor, model };
}

/** Sentences about n8n's editor, which a model does not get. */
export function inEditor(editor: string): Advice {
	return { editor, model: '' };
}
