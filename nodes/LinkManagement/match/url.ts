/** Addresses as links are told apart by them: what counts as one address, and where a short link stands. */

import { withoutSlashAtEnd } from '../api/baseUrl';

/**
 * One spelling for all spellings of an address: scheme and host in any case, with or without a slash at the end.
 *
 * @returns undefined for what is no address
 */
export function urlKey(value: unknown): string | undefined {
	try {
		return new URL(String(value)).href.replace(/\/$/, '');
	} catch {
		return undefined;
	}
}

/** Two spellings of one address; see `urlKey`. */
export function isSameUrl(one: unknown, other: unknown): boolean {
	const key = urlKey(one);
	return key !== undefined && key === urlKey(other);
}

/** The host of an address, with its port where it has one, in lower case. A bare host is one as well. */
export function hostOf(value: unknown): string | undefined {
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const text = value.trim();
	try {
		return new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`).host || undefined;
	} catch {
		return undefined;
	}
}

/**
 * The alias of a link: as the record says it, or the last part of its short URL (details don't show the alias by itself; spec,
 * "Short link details").
 */
export function aliasOf(record: Readonly<Record<string, unknown>>): string | undefined {
	const { alias, shorturl } = record;
	if (typeof alias === 'string' && alias !== '') return alias;
	if (typeof alias === 'number') return String(alias);
	if (typeof shorturl !== 'string') return undefined;
	const [bare] = shorturl.split(/[?#]/, 1);
	const address = withoutSlashAtEnd(bare);
	const last = address.slice(address.lastIndexOf('/') + 1);
	if (last === '' || !/^[a-z][a-z0-9+.-]*:\/\/[^/]+\/./i.test(address)) return undefined;
	try {
		return decodeURIComponent(last);
	} catch {
		return last;
	}
}

/**
 * The short URLs that a pasted address may stand for, the likeliest first: a browser hides the scheme and carries a query or a
 * fragment along, and the address of a link's QR code is the short URL with `/qr` behind it.
 *
 * @returns nothing for what is no address with a path
 */
export function shortUrlsIn(pasted: string): string[] {
	const text = pasted.trim();
	const url = (() => {
		try {
			return new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
		} catch {
			return undefined;
		}
	})();
	if (url === undefined || !/^https?:$/.test(url.protocol) || /\s/.test(text)) return [];
	const path = withoutSlashAtEnd(url.pathname);
	if (path === '') return [];
	const short = `${url.protocol}//${url.host}${path}`;
	return /.\/qr$/.test(path) ? [short, short.slice(0, -'/qr'.length)] : [short];
}
