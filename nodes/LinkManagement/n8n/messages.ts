import {
	NodeApiError,
	type IDataObject,
	type IExecuteFunctions,
	type IExecuteSingleFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

/** What others write, as text in a line: without the characters that control a screen, or turn the direction of what follows. */
export function asPlainText(text: string): string {
	return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, '');
}

/** The same where n8n renders HTML: hints and the descriptions of errors (seen in n8n 2.41.1). */
export function asHtml(text: string): string {
	return asPlainText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The same for several lines; empty ones are left out. */
export function asLines(lines: readonly string[]): string {
	const filled = lines.map((line) => line.trim()).filter((line) => line !== '');
	return filled.map(asHtml).join('<br>');
}

/**
 * The message of an error: text in the output panel, and HTML in the note that pops up beside it (seen in n8n 2.41.1). What would
 * begin a tag has a space of no width behind its bracket, so that both show the same.
 */
export function asMessage(text: string): string {
	return asPlainText(text).replace(/<(?=[a-z/!?])/gi, '<\u200b');
}

/**
 * An error in these very words: n8n puts words of its own in place of a message that holds an error code of the system (read in
 * n8n-workflow 2.0.1 and 2.41.0).
 */
export function errorInWords(node: INode, message: string, details: object = {}): NodeApiError {
	const error = new NodeApiError(node, { message }, { ...details, message });
	error.message = message;
	return error;
}

/** Whether failed items have an output of their own. */
export function hasErrorOutput(context: IExecuteSingleFunctions): boolean {
	return context.getNode().onError === 'continueErrorOutput';
}

/**
 * The item of a row that failed, under On Error → Continue: what happened, then the row itself. For the separate error output n8n
 * puts the row's own fields before the error, and takes an item for a failure if there is nothing but the error in it (read in
 * n8n-core 2.0.2 and 2.41.1).
 *
 * @param failure what is shown first; `error` among it
 */
export function itemOfFailure(
	context: IExecuteSingleFunctions,
	failure: IDataObject,
	hasOwnOutput: boolean,
): INodeExecutionData {
	const row = context.getInputData().json;
	const json = hasOwnOutput ? { error: failure.error } : { ...failure, ...row, ...failure };
	return { json, pairedItem: { item: context.getItemIndex() } };
}

/**
 * Shows a sentence above the items of the run. Custom operations can, calls of a tool have no panel to show it in; n8n leaves it out
 * when the run ends with an error (read in n8n-core 2.0.2 and 2.41.1).
 */
export function showHint(context: IExecuteSingleFunctions, message: string): void {
	const { addExecutionHints } = context as unknown as Partial<IExecuteFunctions>;
	addExecutionHints?.call(context, { message: asHtml(message), type: 'info', location: 'outputPane' });
}
