/**
 * The service's address, as people paste it, made into the {base_url} of the spec ("Link Management API
 * Specification", opening paragraph: every path starts with /api and is appended to {base_url}).
 */

import { CredentialError } from './apiError';

/** Reads a URL; undefined when it is none. In place of URL.canParse, which denies some addresses with umlauts in Node 20. */
export function parseUrl(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

/** An address without the slashes at its end. */
export function withoutSlashAtEnd(address: string): string {
	let end = address.length;
	while (address[end - 1] === '/') end--;
	return address.slice(0, end);
}

/**
 * Normalises a base URL: trailing slashes and a trailing `/api` are dropped, a path prefix is kept.
 *
 * @param input the credential's `baseUrl`, as typed
 * @returns scheme, host, port and path prefix, without a slash at the end
 * @throws CredentialError when it is empty, not a URL, neither http nor https, or holds credentials, a query or a fragment
 */
export function serviceAddress(input: unknown): string {
	const text = typeof input === 'string' ? input.trim() : '';
	if (text === '')
		throw new CredentialError(
			'The credential has no Base URL. Enter the address of your link service, for example https://links.example.com',
		);
	const url = parseUrl(text);
	if (url === undefined) {
		throw new CredentialError(
			'The Base URL of the credential is not a URL. It has to start with https:// or http://, for example https://links.example.com',
		);
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw new CredentialError(
			`The Base URL of the credential starts with ${url.protocol}//, but only https:// and http:// work`,
		);
	}
	if (url.username !== '' || url.password !== '') {
		throw new CredentialError(
			'The Base URL of the credential holds a user name or password. Remove them: the API Key is all the service needs',
		);
	}
	if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
		throw new CredentialError(
			'The Base URL of the credential holds a query (?) or a fragment (#). Enter the address alone, for example https://links.example.com',
		);
	}
	const path = withoutSlashAtEnd(withoutSlashAtEnd(url.pathname).replace(/\/api$/i, ''));
	return `${url.protocol}//${url.host}${path}`;
}

/**
 * Whether a request stays at the service: same scheme, host and port as the base URL.
 * The key is only ever sent where this is true.
 *
 * @param address what `serviceAddress` returned
 * @param target an absolute URL, or a path (which is at the service by definition)
 */
export function isAtService(address: string, target: string): boolean {
	try {
		return new URL(target, address).origin === new URL(address).origin;
	} catch {
		return false;
	}
}
