import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

/**
 * Shows a sentence above the items of the run. Custom operations can, calls of a tool have no panel to show it in; n8n leaves it out
 * when the run ends with an error (read in n8n-core 2.0.2 and 2.41.1).
 */
export function showHint(context: IExecuteSingleFunctions, message: string): void {
	const { addExecutionHints } = context as unknown as Partial<IExecuteFunctions>;
	addExecutionHints?.call(context, { message, type: 'info', location: 'outputPane' });
}
