import { type ICredentialTestFunctions, type IHttpRequestOptions, NodeOperationError } from 'n8n-workflow';

import { StoppedError } from './stop';

export interface NoAnswer {
	kind: 'unreachable';
	code: string;
	neverSent: boolean;
	/** Every try would fail the same way. */
	isPermanent: boolean;
	/** n8n blocks requests to private addresses. */
	isForbidden?: boolean;
}

/** Error codes of requests that never reached the service. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN']);

/**
 * How n8n's own messages begin when it blocks a request, for the domains of the credential or for a private address. Only beginnings
 * count, since a host's name may hold any of these words.
 */
const DOMAIN_FORBIDDEN = /^Domain not allowed: /m;
const ADDRESS_FORBIDDEN = /^The request was blocked because /m;

/** Errors that can only be a bug. */
const MISTAKES = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * Reads the error that n8n throws when no answer came: it wraps the system's error, and has its code as the HTTP code, in a cause, or
 * only in a message (read in n8n-core 2.0.2 and 2.41.1).
 *
 * @throws errors that are not about the connection
 */
export function noAnswer(error: unknown): NoAnswer {
	if (error instanceof NodeOperationError || error instanceof StoppedError) throw error;
	const causes: Array<Record<string, unknown>> = [];
	for (let one = error; typeof one === 'object' && one !== null && causes.length < 6; one = causes.at(-1)?.cause) {
		causes.push(one as Record<string, unknown>);
	}
	const codes = causes.flatMap(({ code, httpCode }) => [code, httpCode]).map(String);
	let code = codes.find((word) => /^[A-Z][A-Z0-9_]+$/.test(word)) ?? '';
	const texts = causes.flatMap(({ message, messages }) => [message, messages].flat());
	const text = texts.map(String).join('\n');
	const isMistake = causes.some((cause) => MISTAKES.some((mistake) => cause instanceof mistake));
	// Node throws these before anything is sent.
	const isOfValue = /^ERR_(?:INVALID|OUT_OF_RANGE|UNESCAPED)/.test(code);
	if (ADDRESS_FORBIDDEN.test(text))
		return { kind: 'unreachable', code: 'FORBIDDEN', neverSent: true, isPermanent: true, isForbidden: true };
	if (DOMAIN_FORBIDDEN.test(text) || (isMistake && (code === '' || isOfValue))) throw error;
	if (code === '' || code === 'ERR_BAD_REQUEST')
		code = /\b(?:E[A-Z]{4,}|ERR_[A-Z_]+)\b/.exec(text)?.[0] ?? 'ECONNRESET';
	const isPermanent = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|TLS|SSL|EPROTO/.test(code);
	const neverSent = isPermanent || NEVER_SENT.has(code) || /\bconnect E[A-Z]+/.test(text);
	return { kind: 'unreachable', code, neverSent, isPermanent };
}

/**
 * Sends a request in a credential's test, with the options of `httpRequest`: n8n gives such a test only its oldest helper (read in
 * n8n-core 2.0.2 and 2.41.1). It follows no redirects.
 */
export function requestOfTest(context: ICredentialTestFunctions) {
	return async (options: IHttpRequestOptions): Promise<unknown> => {
		const { method, baseURL = '', url, qs, headers, timeout, skipSslCertificateValidation } = options;
		return (await context.helpers.request({
			...{ method, uri: `${baseURL}${url}`, qs, headers, timeout },
			// If this is set to true, n8n's error does not say what is wrong with the certificate.
			...(skipSslCertificateValidation === true ? { rejectUnauthorized: false } : {}),
			useStream: true,
			simple: false,
			followRedirect: false,
			followAllRedirects: false,
			resolveWithFullResponse: true,
		})) as unknown;
	};
}
