import { NodeOperationError, type ICredentialTestFunctions, type IHttpRequestOptions } from 'n8n-workflow';

import { StoppedError } from './stop';

export interface NoAnswer {
	kind: 'unreachable';
	code: string;
	neverSent: boolean;
	/** It would fail in the same way at each try. */
	isPermanent: boolean;
	/** n8n's protection against requests to private addresses keeps it from being sent. */
	isForbidden?: boolean;
}

/** Error codes of requests that never reached the service: nothing was done there. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN']);

/**
 * n8n itself forbids the request, for the domains of the credential or for a private address: it was never sent, and never will be.
 * The beginnings of n8n's own sentences: a host's name may hold any of their words.
 */
const DOMAIN_FORBIDDEN = /^Domain not allowed: /m;
const ADDRESS_FORBIDDEN = /^The request was blocked because /m;

/** What can only be a mistake in code: no line and no service has a part in it. */
const MISTAKES = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * Reads what n8n throws when no answer came: it wraps the system's error once or several times, and keeps its code as the
 * HTTP code, as a property of the cause, or only within its messages (read in n8n-core 2.0.2 and 2.41.1).
 *
 * @returns undefined for errors that are not about the connection
 */
export function noAnswer(error: unknown): NoAnswer | undefined {
	if (error instanceof NodeOperationError || error instanceof StoppedError) return undefined;
	const causes: Array<Record<string, unknown>> = [];
	for (let one = error; typeof one === 'object' && one !== null && causes.length < 6; one = causes.at(-1)?.cause) {
		causes.push(one as Record<string, unknown>);
	}
	const codes = causes.flatMap(({ code, httpCode }) => [code, httpCode]).map(String);
	let code = codes.find((word) => /^[A-Z][A-Z0-9_]+$/.test(word)) ?? '';
	const texts = causes.flatMap(({ message, messages }) => [message, messages].flat());
	const text = texts.map(String).join('\n');
	const isMistake = causes.some((cause) => MISTAKES.some((mistake) => cause instanceof mistake));
	// Node finds these before anything is sent.
	const isOfValue = /^ERR_(?:INVALID|OUT_OF_RANGE|UNESCAPED)/.test(code);
	if (ADDRESS_FORBIDDEN.test(text))
		return { kind: 'unreachable', code: 'FORBIDDEN', neverSent: true, isPermanent: true, isForbidden: true };
	if (DOMAIN_FORBIDDEN.test(text) || (isMistake && (code === '' || isOfValue))) return undefined;
	if (code === '' || code === 'ERR_BAD_REQUEST')
		code = /\b(?:E[A-Z]{4,}|ERR_[A-Z_]+)\b/.exec(text)?.[0] ?? 'ECONNRESET';
	const isPermanent = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|TLS|SSL|EPROTO/.test(code);
	const neverSent = isPermanent || NEVER_SENT.has(code) || /\bconnect E[A-Z]+/.test(text);
	return { kind: 'unreachable', code, neverSent, isPermanent };
}

/**
 * What sends a request in a credential's test, as nodes send theirs: n8n gives such a test its oldest way alone, which has other
 * names for the same things (read in n8n-core 2.0.2 and 2.41.1). It follows no redirect.
 */
export function requestOfTest(context: ICredentialTestFunctions) {
	return async (options: IHttpRequestOptions): Promise<unknown> => {
		const { method, baseURL = '', url, qs, headers, timeout, skipSslCertificateValidation } = options;
		return (await context.helpers.request({
			...{ method, uri: `${baseURL}${url}`, qs, headers, timeout },
			// Where it is named, and not off, the error says nothing of what is wrong with the certificate.
			...(skipSslCertificateValidation === true ? { rejectUnauthorized: false } : {}),
			useStream: true,
			simple: false,
			followRedirect: false,
			followAllRedirects: false,
			resolveWithFullResponse: true,
		})) as unknown;
	};
}
