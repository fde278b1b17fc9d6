/** Compares the addresses of links. */

import { decoded, parseUrl, withoutSlashAtEnd } from '../service/baseUrl';

/** An ampersand as web pages, feeds and chats write it. */
const AMPERSAND = /&(?:amp|#0?38|#x26);/gi;

/** An address with its ampersands as they are meant. */
export function withPlainAmpersands(address: string): string {
	return address.replace(AMPERSAND, '&');
}

/** A key of a long URL, equal for all spellings that a browser reads as the same (WHATWG URL). @returns undefined for an invalid address */
export function addressKey(value: unknown): string | undefined {
	return typeof value === 'string' ? parseUrl(value.trim())?.href : undefined;
}

/**
 * A key of a long URL, equal also for the ways in which services change it: `+` for a space, `&amp;` for an ampersand, needless
 * encoding. Similar addresses may lead to different pages: they only serve to name a link in an error.
 */
export function looseAddressKey(value: unknown): string | undefined {
	const key = addressKey(typeof value === 'string' ? withPlainAmpersands(value) : value);
	return key === undefined ? undefined : decoded(key.replaceAll('+', '%20'));
}

/** The loose keys of the forms in which a service may keep an address: whole, or without its fragment or final slash. */
export function keysKeptBy(sent: unknown): string[] {
	if (typeof sent !== 'string') return [];
	const [withoutFragment] = sent.split('#', 1);
	const forms = [sent, withoutFragment, ...[sent, withoutFragment].map(withoutSlashAtEnd)];
	return [...new Set(forms.flatMap((form) => looseAddressKey(form) ?? []))];
}

/** Whether a service may have changed one address into the other; see `looseAddressKey`. */
export function isSimilarAddress(kept: unknown, sent: unknown): boolean {
	const key = looseAddressKey(kept);
	return key !== undefined && keysKeptBy(sent).includes(key);
}

export function isSameAddress(one: unknown, other: unknown): boolean {
	const key = addressKey(one);
	return key !== undefined && key === addressKey(other);
}

export function addressIn(value: unknown): URL | undefined {
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	// Aliases may contain a space. The URL parser silently removes line breaks.
	if (text === '' || /[\t\r\n]/.test(text)) return undefined;
	return parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
}

/** The host of an address, with its port if it has one, in lower case. A bare host is accepted too. */
export function hostOf(value: unknown): string | undefined {
	return addressIn(value)?.host || undefined;
}

/**
 * A key of a short URL: its host and its whole path, without scheme, query and fragment.
 *
 * @returns undefined for anything but an address with a path
 */
export function shortKey(value: unknown): string | undefined {
	const url = addressIn(value);
	if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
	const path = withoutSlashAtEnd(url.pathname);
	if (path === '') return undefined;
	const parts = path.split('/').map((part) => encodeURIComponent(decoded(part).normalize('NFC')));
	return url.host + parts.join('/');
}

export function isSameShortUrl(one: unknown, other: unknown): boolean {
	const key = shortKey(one);
	return key !== undefined && key === shortKey(other);
}

/** What no new alias holds: it would be another path, or it is a sign with which spreadsheets keep a text from being a number: `="00123"`. */
export const NOT_IN_NEW_ALIAS = /[\s/?#]|^[="']/;

/** The part of a short URL after the address below which its host has links, in Unicode's NFC; it may hold a slash. */
export function aliasBelow(base: string | undefined, shortUrl: unknown): string | undefined {
	const path = withoutSlashAtEnd(addressIn(shortUrl)?.pathname ?? '');
	const above = withoutSlashAtEnd(addressIn(base)?.pathname ?? '');
	const isBelow = path.startsWith(`${above}/`) && path.length > above.length + 1;
	return isBelow ? decoded(path.slice(above.length + 1)).normalize('NFC') : undefined;
}

/** The alias of a link: as its record says, or the whole path of its short URL. */
export function aliasOf({ alias, shorturl }: Readonly<Record<string, unknown>>): string | undefined {
	if (typeof alias === 'string' && alias !== '') return alias.normalize('NFC');
	return typeof alias === 'number' ? String(alias) : aliasBelow(undefined, shorturl);
}
