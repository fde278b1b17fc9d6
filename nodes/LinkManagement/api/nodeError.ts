import { NodeOperationError, type INode } from 'n8n-workflow';

import { CredentialError, ApiError } from './apiError';
import type { Redaction } from './redact';
import { errorInWords, type Shown } from '../engine/failure';

/** An error without the secrets of the credential, in all that n8n shows and saves of it. */
export function withoutSecrets<E extends Error>(error: E, redact: Redaction): E {
	const texts = error as {
		message: string;
		stack?: string;
		description?: unknown;
		messages?: unknown;
		cause?: unknown;
	};
	for (const name of ['message', 'stack', 'description', 'messages'] as const) {
		const value = texts[name];
		if (typeof value === 'string') texts[name] = redact.text(value);
		else if (Array.isArray(value)) texts.messages = value.map((entry) => redact.text(String(entry)));
	}
	if (texts.cause instanceof Error && texts.cause !== error) withoutSecrets(texts.cause, redact);
	return error;
}

/**
 * An error of the service door as n8n shows it, for triggers and dropdowns.
 *
 * @param redact of the credential, where that was read
 */
export function toNodeError(node: INode, error: unknown, redact?: Redaction): Error {
	const shown =
		error instanceof CredentialError
			? new NodeOperationError(node, error.message)
			: error instanceof ApiError
				? errorInWords(node, { message: error.message, ...detailsOf(error) })
				: (error as Error);
	return redact === undefined ? shown : withoutSecrets(shown, redact);
}

/** What n8n shows of an error besides its message. */
export function detailsOf(error: unknown): Omit<Shown, 'message'> {
	if (!(error instanceof ApiError)) return {};
	const { advice, statusCode } = error;
	return { description: advice, ...(statusCode === undefined ? {} : { httpCode: String(statusCode) }) };
}
