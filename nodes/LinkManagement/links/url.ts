/** Addresses, as links are told apart by them: the one place that says whether two of them are the same. */

import { decoded, parseUrl, withoutSlashAtEnd } from '../service/baseUrl';

/** Characters that mean the same whether they are percent-encoded or not (RFC 3986, 2.3). */
const UNRESERVED = /^[a-z0-9._~-]$/i;

/** A percent-encoded octet in one spelling (RFC 3986, 6.2.2). */
function octetKey(octet: string): string {
	const character = String.fromCharCode(parseInt(octet.slice(1), 16));
	return UNRESERVED.test(character) ? character : octet.toUpperCase();
}

/**
 * One spelling for all spellings of a long URL that mean the same (RFC 3986, 6.2.2): scheme and host in any case, an empty path or a
 * slash, percent-encoding in any case, and with or without it what needs none. Query and fragment else count to the letter.
 *
 * @returns undefined for what is no address
 */
export function addressKey(value: unknown): string | undefined {
	const href = typeof value === 'string' ? parseUrl(value.trim())?.href : undefined;
	if (href === undefined || !href.includes('%')) return href;
	const plain = href.replace(/%[0-9a-f]{2}/gi, octetKey);
	// Dots that were encoded may be steps of the path.
	return parseUrl(plain)?.href ?? plain;
}

/**
 * The same, and what services make of an address besides: `+` for a space, `&amp;` for an ampersand, characters encoded that need not
 * be. Addresses that are alike may lead to different pages: they name a twin in an error, and decide nothing.
 */
export function looseAddressKey(value: unknown): string | undefined {
	const key = addressKey(typeof value === 'string' ? value.replace(/&amp;/gi, '&') : value);
	return key === undefined ? undefined : decoded(key.replaceAll('+', '%20'));
}

/** The loose keys of the forms in which a service may keep an address: whole, or without its fragment or the slash at its end. */
export function keptKeys(sent: unknown): string[] {
	if (typeof sent !== 'string') return [];
	const [withoutFragment] = sent.split('#', 1);
	const forms = [sent, withoutFragment, ...[sent, withoutFragment].map(withoutSlashAtEnd)];
	return [...new Set(forms.flatMap((form) => looseAddressKey(form) ?? []))];
}

/** Whether a service may have made the one of the other; see `looseAddressKey`. */
export function isLikeAddress(kept: unknown, sent: unknown): boolean {
	const key = looseAddressKey(kept);
	return key !== undefined && keptKeys(sent).includes(key);
}

export function isSameAddress(one: unknown, other: unknown): boolean {
	const key = addressKey(one);
	return key !== undefined && key === addressKey(other);
}

/** An address, also where its scheme was left out. */
function addressIn(value: unknown): URL | undefined {
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	// Aliases may have a space inside. A parser takes line breaks out without a word.
	if (text === '' || /[\t\r\n]/.test(text)) return undefined;
	return parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
}

/** The host of an address, with its port where it has one, in lower case. A bare host is one as well. */
export function hostOf(value: unknown): string | undefined {
	return addressIn(value)?.host || undefined;
}

/**
 * One spelling for all spellings of a short URL: its host and its whole path, whatever the scheme, the query and the fragment.
 *
 * @returns undefined for what is no address with a path
 */
export function shortKey(value: unknown): string | undefined {
	const url = addressIn(value);
	if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
	const path = withoutSlashAtEnd(url.pathname);
	if (path === '') return undefined;
	const parts = path.split('/').map((part) => encodeURIComponent(decoded(part).normalize('NFC')));
	return url.host + parts.join('/');
}

/** An address with parameters added to its query, as far as it has none of their names. @param parameters names and values */
export function withParameters(address: string, parameters: ReadonlyArray<readonly [string, string]>): string {
	const there = parseUrl(address)?.searchParams;
	const missing = parameters.filter(([name]) => there?.has(name) !== true);
	if (missing.length === 0) return address;
	const [base, ...fragment] = address.split('#');
	const query = missing.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
	const sign = !base.includes('?') ? '?' : /[?&]$/.test(base) ? '' : '&';
	return [`${base}${sign}${query}`, ...fragment].join('#');
}

/** Whether two short URLs are the same; see `shortKey`. */
export function isSameShortUrl(one: unknown, other: unknown): boolean {
	const key = shortKey(one);
	return key !== undefined && key === shortKey(other);
}

/**
 * The alias of a link, in one Unicode form: as the record says it, or the last part of its short URL (details don't show the alias by
 * itself; spec, "Short link details").
 */
export function aliasOf({ alias, shorturl }: Readonly<Record<string, unknown>>): string | undefined {
	if (typeof alias === 'string' && alias !== '') return alias.normalize('NFC');
	if (typeof alias === 'number') return String(alias);
	const path = withoutSlashAtEnd(addressIn(shorturl)?.pathname ?? '');
	return path === '' ? undefined : decoded(path.slice(path.lastIndexOf('/') + 1)).normalize('NFC');
}

/** Addresses are written in this way so that nobody follows them by mistake: hxxp://host[.]tld. */
function followable(text: string): string {
	return text
		.trim()
		.replace(/^h[x*]{2}p(?=s?\W)/i, 'http')
		.replace(/[[({](:\/\/|:|\/\/|\/)[\])}]/g, '$1')
		.replace(/\s?[[({](?:\.|dot)[\])}]\s?/gi, '.');
}

/**
 * The short URL that a pasted text is: a browser hides the scheme and carries a query or a fragment along, and reports of abuse
 * take the address apart.
 *
 * @returns undefined for what is no web address with a path
 */
export function shortUrlIn(pasted: string): string | undefined {
	const text = followable(pasted);
	const url = addressIn(text);
	if (url === undefined || shortKey(text) === undefined) return undefined;
	return `${url.origin}${withoutSlashAtEnd(url.pathname)}`;
}
