/** The credential can't be used. The message never quotes what was entered: it may hold a secret. */
export class CredentialError extends Error {}

/** Parses a URL; undefined when it is invalid. (URL.canParse rejects some addresses with umlauts in Node 20.) */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** A part of an address, percent-decoded where that is possible. */
export function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

export function withoutSlashAtEnd(address: string): string {
	let end = address.length;
	while (address[end - 1] === '/') end--;
	return address.slice(0, end);
}

/** Hosts of this machine and of private networks, as a parsed URL writes them: names, IPv4, IPv6 (IANA, special-purpose addresses). */
const PRIVATE = [
	/^(?:[^.:]+|.*\.(?:local|localhost|internal))$/i,
	/^(?:0|10|127|22[4-9]|2[3-5]\d)(?:\.\d+){3}$/,
	/^(?:169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|198\.1[89])(?:\.\d+){2}$/,
	/^(?:100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|192\.0\.0)(?:\.\d+){1,2}$/,
	/^\[(?![23][\da-f]{3}:)/i,
];

/** Whether a host is private as it is written. Names that lead to private addresses are n8n's own protection: they can't be looked up here. */
export function isPrivate(host: string): boolean {
	return PRIVATE.some((pattern) => pattern.test(host.replace(/\.$/, '')));
}

/** Adds https to an address that has no scheme. "mailto:x" and "https:host" are not addresses; "host:8080" is one. */
function withScheme(text: string): string {
	const isPlain = /^(?:[^\s/?#:@]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?#]|$)/i.test(text);
	return isPlain && /^[^/?#]*[.\]]|^localhost\b/i.test(text) ? `https://${text}` : text;
}

const ENTER = 'Enter only the address of your link service, for example https://links.example.com';

/** First parts of the paths of pages for users of a service, also below a language (field notes, "In front of the service"). */
const PAGES =
	/^(?:api|user|login|sign-?in|register|sign-?up|dashboard|developers?|docs|admin|account|settings|(?:ar|bg|cs|da|de|el|en|es|et|fa|fi|fr|he|hi|hr|hu|id|it|ja|ko|lt|lv|ms|nl|no|pl|pt|ro|ru|sk|sl|sr|sv|th|tr|uk|vi|zh)(?:[-_][a-z]{2,4})?)$/i;

/** The path of a service in what people paste from their browser: without the pages below it. */
function folderIn(path: string): string {
	const parts = path.split('/').filter((part) => part !== '');
	const page = parts.findIndex((part) => PAGES.test(part));
	return ['', ...(page === -1 ? parts : parts.slice(0, page))].join('/');
}

/** The base URL of what was entered: with a scheme and its path prefix, without slashes, `/api` and pages for users at the end. */
export function serviceAddress(input: unknown): string {
	const text = typeof input === 'string' ? input.trim() : '';
	const whole = withScheme(text);
	const url = parseUrl(whole);
	if (text === '') throw new CredentialError(`The credential has no Base URL. ${ENTER}`);
	if (url === undefined || !/^https?:\/\/[^/]/i.test(whole))
		throw new CredentialError(`The Base URL is not a web address that begins with https:// or http://. ${ENTER}`);
	if (url.username !== '' || url.password !== '' || /[?#]/.test(text))
		throw new CredentialError(`The Base URL contains a user name, a password, a ? or a #. ${ENTER}`);
	return `${url.protocol}//${url.host}${folderIn(url.pathname)}`;
}

/** An absolute address, without characters that one URL parser skips and another takes for a slash. */
const PLAIN = /^https?:\/\/[^\s\\@/?#]+(?:[/?#][^\s\\]*)?$/i;
/** A path: it has one slash, since two begin a host. */
const PATH = /^\/(?![/\\])[^\s\\]*$/;

/**
 * Whether a request stays at the service: same scheme, host and port as the base URL. The key is only sent if it does.
 * Only a plain address, or a path below `base`, is accepted: n8n's HTTP client may parse anything else differently.
 */
export function isAtService(address: string, target: string, base?: string): boolean {
	const whole = PATH.test(target) ? base : target;
	return whole !== undefined && PLAIN.test(whole) && parseUrl(whole)?.origin === parseUrl(address)?.origin;
}
