import type {
	ICredentialDataDecryptedObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	IPollFunctions,
} from 'n8n-workflow';

import { CredentialError, isAtService, serviceAddress } from './baseUrl';
import { toNodeError } from './answer/errors';
import { asFlag } from './records';
import { LONGEST_SECRETS, type Redaction, redactionOf } from './redact';
import { serviceOf } from './services';

export const CREDENTIAL = 'linkManagementApi';

/**
 * A redirect is reported, never followed: n8n would take the key along to a subdomain of the service, at least, and turn a creation
 * into a GET. n8n's two ways to send a request have settings of their own for that (the second one is that of Custom API Call).
 */
const NO_REDIRECT = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
	sendCredentialsOnCrossOriginRedirect: false,
};

/** Settings of every request of the package. */
export const REQUEST_DEFAULTS = {
	headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
	// `readAnswer` reads every HTTP status, and the limiter its headers.
	ignoreHttpStatusErrors: true,
	...NO_REDIRECT,
};

/** A service and key, with the rate limiter and what was learned of the service. */
export interface Connection extends ReturnType<typeof serviceOf> {
	address: string;
	apiKey: string;
	redact: Redaction;
	/** The decrypted credential: n8n authenticates each request with it, and need not decrypt it again. */
	credential: ICredentialDataDecryptedObject;
}

/** The context from which requests are sent: of a node, or of a credential's test. */
export interface RequestContext {
	helpers: Pick<IExecuteSingleFunctions['helpers'], 'httpRequest' | 'httpRequestWithAuthentication'>;
	getExecutionCancelSignal?(): AbortSignal | undefined;
}

/** What people copy along with a key: white space, quotes, and the words before it in a header. */
const BEFORE_KEY = /^(?:[\s\u200b-\u200d\u2060"'`“”„‘’]|authorization:|bearer\s)+/i;
const BEHIND_KEY = /(?<![\s\u200b-\u200d\u2060"'`“”„‘’])[\s\u200b-\u200d\u2060"'`“”„‘’]+$/;

/** A secret as it was entered. @throws CredentialError if it is too long */
function secretOf(input: unknown, label: string, longest: number): string {
	const entered = String(input ?? '');
	if (entered.length <= longest) return entered;
	throw new CredentialError(
		`The ${label} of the credential has more than ${longest} characters. Copy it again, and nothing besides`,
	);
}

/** The API key in what was pasted, as a header can carry it (spec, "Authentication", 1). */
export function serviceKey(input: unknown): string {
	const pasted = secretOf(input, 'API Key', LONGEST_SECRETS.apiKey);
	const key = pasted.replace(BEFORE_KEY, '').replace(BEHIND_KEY, '');
	if (/^[\x20-\x7e]+$/.test(key)) return key;
	throw new CredentialError(
		key === ''
			? 'The credential has no API Key. Copy it from your account settings at the service'
			: 'The API Key of the credential contains a line break or a character that no key has. Copy it again from your account settings at the service',
	);
}

const OWN_HEADERS = /^(?:authorization|connection|content-length|content-type|host|transfer-encoding)$/i;

/** The custom header of the credential; empty where the switch is off. */
export function customHeader(credential: ICredentialDataDecryptedObject): Record<string, string> {
	if (asFlag(credential.header) !== true) return {};
	const name = String(credential.headerName ?? '').trim();
	const value = secretOf(credential.headerValue, 'Header Value', LONGEST_SECRETS.headerValue).trim();
	const isName = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !OWN_HEADERS.test(name);
	if (isName && /^[\x20-\x7e]+$/.test(value)) return { [name]: value };
	throw new CredentialError(
		'The Header Name of the credential is not one that can be set, such as Cookie or User-Agent, or its Header Value is not text in one line. Correct them, or turn Add Custom Header off',
	);
}

/** Settings of requests whose credential trusts any certificate, for both of n8n's ways to send a request. */
export function certificateSettings({ allowUnauthorizedCerts }: ICredentialDataDecryptedObject) {
	return asFlag(allowUnauthorizedCerts) === true
		? { skipSslCertificateValidation: true, rejectUnauthorized: false }
		: {};
}

export function connectionOf(credential: ICredentialDataDecryptedObject): Connection {
	const address = serviceAddress(credential.baseUrl);
	const apiKey = serviceKey(credential.apiKey);
	const header = customHeader(credential);
	const redact = redactionOf(apiKey, header, address);
	return { address, apiKey, redact, credential, ...serviceOf(address, apiKey, ...Object.values(header)) };
}

/** Runs `work` with a connection. @throws the error as n8n shows it, without the secrets of the credential */
export async function withConnection<Result>(
	context: Pick<IPollFunctions, 'getCredentials' | 'getNode'>,
	work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
	let connection: Connection | undefined;
	try {
		connection = connectionOf(await context.getCredentials(CREDENTIAL));
		return await work(connection);
	} catch (error) {
		throw toNodeError(context.getNode(), error, connection?.redact);
	}
}

/** Adds the key (spec, "Authentication", 1) and the custom header to a request to the service itself, and refuses any other. */
export function authenticated(
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	// The HTTP Request node names the address `uri`.
	const { uri } = request as { uri?: string };
	const url = request.url ?? uri ?? '';
	if (!isAtService(serviceAddress(credential.baseUrl), url, request.baseURL)) {
		throw new CredentialError(
			url === ''
				? 'There is no such operation. Choose the resource and the operation of the node again'
				: 'The key of this credential is only sent to the Base URL of the credential. Use that address, or another credential.',
		);
	}
	const own = { ...customHeader(credential), authorization: `Bearer ${serviceKey(credential.apiKey)}` };
	// Of a user's request with this credential: another host would get past the check above, and names count in any case.
	const replaced = ['host', ...Object.keys(own).map((name) => name.toLowerCase())];
	const theirs = Object.entries(request.headers ?? {}).filter(([name]) => !replaced.includes(name.toLowerCase()));
	const headers = { ...Object.fromEntries(theirs), ...own };
	return { ...request, headers, ...certificateSettings(credential), ...NO_REDIRECT };
}
