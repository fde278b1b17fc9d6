import type { IExecuteSingleFunctions } from 'n8n-workflow';

/**
 * Reads a parameter of the item, expressions resolved.
 *
 * @param name top-level parameter name
 * @returns undefined if the node has no such parameter, or does not show it
 */
export function readParameter(context: IExecuteSingleFunctions, name: string): unknown {
	return savedParameter(context, name) === undefined ? undefined : context.getNodeParameter(name, undefined);
}

/** A parameter as saved, with its expressions; undefined if it was not changed. */
export function savedParameter(context: IExecuteSingleFunctions, name: string): unknown {
	return context.getNode().parameters[name];
}

/** Whether a saved value is an expression, or holds one. */
export function holdsExpression(saved: unknown): boolean {
	if (typeof saved === 'string') return saved.startsWith('=');
	return typeof saved === 'object' && saved !== null && Object.values(saved).some(holdsExpression);
}
