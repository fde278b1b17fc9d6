import {
	type IDataObject,
	type IExecuteFunctions,
	type IExecuteSingleFunctions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';

/** Longest text (characters) of an error, an advice or a hint, and of what stands in quotes in it. */
const LONGEST_SHOWN = 2000;
const LONGEST_QUOTED = 500;

function cutTo(text: string, longest: number): string {
	return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/**
 * Text from outside on one line: of a length to read, without control characters, and those that change the direction of text. It is
 * without secrets already, since half of one would not be found.
 */
export function asPlainText(text: string): string {
	const parts = text.split('"').map((part, at) => (at % 2 === 1 ? cutTo(part, LONGEST_QUOTED) : part));
	return cutTo(parts.join('"'), LONGEST_SHOWN)
		.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
		.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, '');
}

/** A text as HTML, which n8n renders in hints and the descriptions of errors (seen in n8n 2.41.1). */
export function asHtml(text: string): string {
	return asPlainText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Several lines as HTML; empty ones are left out. */
export function asLines(lines: readonly string[]): string {
	const filled = lines.map((line) => line.trim()).filter((line) => line !== '');
	return filled.map(asHtml).join('<br>');
}

/**
 * The message of an error: n8n shows it as text in the output panel, and as HTML in the toast (seen in n8n 2.41.1). A zero-width space
 * after the bracket of a tag makes both show the same.
 */
export function asMessage(text: string): string {
	return asPlainText(text).replace(/<(?=[a-z/!?])/gi, '<\u200b');
}

/**
 * An error with exactly this message: n8n replaces messages that hold a system error code (read in n8n-workflow 2.0.1 and 2.41.0).
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
 * The item of a failed row, under On Error → Continue: what happened, then the row itself. For the separate error output, n8n adds the
 * row's own fields, and only takes an item for a failure if it holds nothing but the error (read in n8n-core 2.0.2 and 2.41.1).
 *
 * @param failure the first fields of the item, including `error`
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
 * Shows a sentence above the items of the run. Calls of a tool have no panel for it, and n8n leaves it out when the run fails (read in
 * n8n-core 2.0.2 and 2.41.1).
 */
export function showHint(context: IExecuteSingleFunctions, message: string): void {
	const { addExecutionHints } = context as unknown as Partial<IExecuteFunctions>;
	addExecutionHints?.call(context, { message: asHtml(message), type: 'info', location: 'outputPane' });
}
