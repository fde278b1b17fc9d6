import { NodeOperationError } from 'n8n-workflow';

import { ApiError, CredentialError } from './apiError';

/** Error codes of requests that never reached the service: nothing was done there. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN']);

/** Why no answer came. */
export interface ConnectionFailure {
	code: string;
	/** The request never reached the service. */
	neverSent: boolean;
	/** It would fail in the same way at each try. */
	lasting: boolean;
}

/**
 * n8n itself forbids the request (allowed domains of the credential, blocked addresses): it was never sent, and never will be.
 * The beginnings of n8n's own sentences: a host's name may hold any of their words.
 */
const FORBIDDEN = /^(Domain not allowed: |The request was blocked because )/m;

/** What can only be a mistake in code: no line and no service has a part in it. */
const MISTAKES = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * Reads what n8n throws when no answer came: it wraps the system's error once or several times, and keeps its code as the
 * HTTP code, as a property of the cause, or only within its messages.
 *
 * @returns undefined for errors that are not about the connection
 */
export function connectionFailure(error: unknown): ConnectionFailure | undefined {
	if (error instanceof NodeOperationError || error instanceof CredentialError || error instanceof ApiError)
		return undefined;
	const texts: string[] = [];
	let code = '';
	let connecting = false;
	let isMistake = false;
	let current: unknown = error;
	for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth++) {
		const { code: own, httpCode, syscall, cause, message, messages } = current as Record<string, unknown>;
		if (code === '') code = [own, httpCode].map(String).find((word) => /^[A-Z][A-Z0-9_]+$/.test(word)) ?? '';
		connecting ||= syscall === 'connect';
		texts.push(...[message, messages].flat().map(String));
		isMistake ||= MISTAKES.some((mistake) => current instanceof mistake);
		current = cause;
	}
	const text = texts.join('\n');
	if (FORBIDDEN.test(text) || (isMistake && code === '')) return undefined;
	if (code === '' || code === 'ERR_BAD_REQUEST')
		code = /\b(?:E[A-Z]{4,}|ERR_[A-Z_]+)\b/.exec(text)?.[0] ?? 'ECONNRESET';
	const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|TLS|SSL|EPROTO/.test(code);
	return {
		code,
		neverSent: certificate || NEVER_SENT.has(code) || connecting || /\bconnect E[A-Z]+/.test(text),
		lasting: certificate,
	};
}

/** A connection failure in plain words. */
export function unreachable({ code, lasting }: ConnectionFailure): ApiError {
	if (lasting) {
		return new ApiError(
			'unreachable',
			`No secure connection to the service could be made (${code})`,
			'Check the Base URL in the credential and the certificate of the service. For a service of your own with a self-signed certificate, turn on Request Options → Ignore SSL Issues.',
		);
	}
	const reason =
		code === 'ECONNREFUSED'
			? 'refused the connection'
			: code === 'ENOTFOUND' || code === 'EAI_AGAIN'
				? 'was not found: there is no host of that name'
				: code === 'ETIMEDOUT' || code === 'ECONNABORTED'
					? 'did not answer in time'
					: 'broke off the connection';
	return new ApiError(
		'unreachable',
		`The service ${reason}`,
		`(${code}) Check the Base URL in the credential, and whether the service is up and can be reached from n8n.`,
	);
}
