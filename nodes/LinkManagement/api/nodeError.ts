import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';

import { CredentialError, ApiError } from './apiError';

/** An error of the service door as n8n shows it, for triggers and dropdowns. */
export function toNodeError(node: INode, error: unknown): Error {
	if (error instanceof CredentialError) return new NodeOperationError(node, error.message);
	if (error instanceof ApiError) {
		return new NodeApiError(node, { message: error.message } as JsonObject, {
			message: error.message,
			description: error.advice,
			...(error.statusCode === undefined ? {} : { httpCode: String(error.statusCode) }),
		});
	}
	return error as Error;
}
