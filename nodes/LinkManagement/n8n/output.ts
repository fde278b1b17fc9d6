import {
	NodeApiError,
	type IDataObject,
	type IExecuteFunctions,
	type IExecuteSingleFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

/**
 * An error in these very words: n8n puts words of its own in place of a message that holds an error code of the system (read in
 * n8n-workflow 2.0.1 and 2.41.0).
 */
export function errorInWords(node: INode, message: string, details: object = {}): NodeApiError {
	const error = new NodeApiError(node, { message }, { ...details, message });
	error.message = message;
	return error;
}

/**
 * The item of a row that failed, under On Error → Continue, with the row itself. For the separate error output n8n adds the row by
 * itself, and recognises a failure by there being nothing but the error, or, beside other fields, by an error of the item (read in
 * n8n-core 2.0.2 and 2.41.1).
 *
 * @param error what happened, in one text
 * @param done fields that say what was still done
 */
export function itemOfFailure(
	context: IExecuteSingleFunctions,
	error: string,
	shown: Error,
	done?: IDataObject,
): INodeExecutionData {
	const isSeparate = context.getNode().onError === 'continueErrorOutput';
	const json: IDataObject = { error, ...(isSeparate ? {} : context.getInputData().json), ...done };
	json.error = error;
	return isSeparate && done !== undefined ? { json, error: shown as NodeApiError } : { json };
}

/**
 * Shows a sentence above the items of the run. Custom operations can, calls of a tool have no panel to show it in; n8n leaves it out
 * when the run ends with an error (read in n8n-core 2.0.2 and 2.41.1).
 */
export function showHint(context: IExecuteSingleFunctions, message: string): void {
	const { addExecutionHints } = context as unknown as Partial<IExecuteFunctions>;
	addExecutionHints?.call(context, { message, type: 'info', location: 'outputPane' });
}
