/** Parsers of addresses and aliases. */
import { addressIn, shortKey } from '../links/url';
import { type Parser } from '../run/request';
import { decoded, parseUrl, withoutSlashAtEnd } from '../service/baseUrl';
import { ValueError } from '../service/answer/errors';
import { LONGEST } from './lengths';
import { plainText, quoted, valueParser, visibleText } from './parsers';

/** A text that starts with a host: labels with dots between them, the last one of letters. */
const STARTS_WITH_HOST = /^(?:[\p{L}\p{N}_][\p{L}\p{N}_-]{0,62}\.){1,10}\p{L}{2,63}(?::\d{1,5})?(?:[/?#\s]|$)/u;

const HOST_LABEL = /^[a-z0-9_-]{1,63}$/;

/** A host that may exist: an IP address, or labels that a resolver accepts, with hyphens and underscores anywhere. */
function canExist(host: string): boolean {
	const labels = host.replace(/\.$/, '').split('.');
	return host.startsWith('[') || (host.length <= 253 && labels.every((label) => HOST_LABEL.test(label)));
}

const TRY = 'Enter a full address such as https://example.com/page, with https:// or http:// at its start.';

/** A mistyped scheme, and the rest. */
const MISTYPED = /^h?t{1,3}p{0,2}(s?)\s?[:;.,]?\s?[/\\]{1,3}(?=[^\s/\\])/i;

/** The address with its mistyped scheme corrected. */
function meant(address: string): string | undefined {
	const rest = address.replace(MISTYPED, '');
	const [, secure = ''] = MISTYPED.exec(address) ?? [];
	return rest === address || !STARTS_WITH_HOST.test(rest)
		? undefined
		: `Did you mean http${secure.toLowerCase()}://${rest}?`;
}

/** Problems of addresses, the most obvious first, and what to do. */
const FAULTS: Array<[pattern: RegExp, what: string, advice: string]> = [
	[/^https?:[^?]*[\s,;|]https?:\/\//i, 'holds two addresses', 'Enter one address. Another one takes a row of its own.'],
	[/^https?:\/*https?:?\/\//i, 'has two schemes', 'Keep one https:// at its start.'],
	[/^https?:.*[\r\n]/i, 'has a line break inside', 'Remove the line break.'],
	[/^https?:.*\s/i, 'has a space inside', 'Remove the space, or write %20 in its place.'],
];

/** Checks an address with a scheme. The URL parser would silently drop line breaks and encode spaces. */
function checkedAddress(address: string, given: unknown, what = 'a web address', advice = TRY): string {
	for (const [pattern, fault, cure] of FAULTS) {
		if (pattern.test(address)) throw new ValueError(`${fault}: ${quoted(given)}`, cure);
	}
	const url = /^https?:\/\/[^\s/]/i.test(address) && !/\p{Cc}/u.test(address) ? parseUrl(address) : undefined;
	if (url === undefined) throw new ValueError(`is not ${what}: ${quoted(given)}`, meant(address) ?? advice);
	if (canExist(url.hostname)) return address;
	throw new ValueError(
		`has a host that can't exist: ${quoted(given)}`,
		'Check the part between https:// and the next slash.',
	);
}

/** The fields that hold an address in an object of a database. */
const ADDRESS = { within: ['url'], longest: LONGEST.address };

/** An http or https URL of a file or app: `image.png` is not a host. */
export const fullUrl: Parser<string> = valueParser(
	(value) => checkedAddress(typeof value === 'string' ? value : '', value),
	ADDRESS,
);

/** A text that starts with a host gets the scheme https. */
function withHttps(value: unknown): string {
	const entered = typeof value === 'string' ? value : '';
	return STARTS_WITH_HOST.test(entered) ? `https://${entered}` : entered;
}

/** An http or https URL. */
export const webUrl: Parser<string> = valueParser((value) => checkedAddress(withHttps(value), value), ADDRESS);

/** The address of a domain. */
export const domainUrl: Parser<string> = valueParser(
	(value) =>
		checkedAddress(withHttps(value), value, 'a domain', 'Enter one such as https://go.example.com, or nothing.'),
	ADDRESS,
);

/** A parser for aliases. @param wrong characters that are not allowed */
function aliasWithout(wrong: RegExp, value: unknown): string {
	const given = plainText(value).normalize('NFC').replace(/^\//, '');
	const [found] = wrong.exec(given) ?? [];
	if (found === undefined) return given;
	// People write short URLs without a scheme.
	const address = found.length > 1 ? given : STARTS_WITH_HOST.test(given) ? `https://${given}` : undefined;
	const path = withoutSlashAtEnd(parseUrl(address ?? '')?.pathname ?? '').split('/');
	const kept = address === undefined ? given : decoded(path[path.length - 1]);
	const suggested = visibleText(
		kept
			.split(/[\s/?#]/)
			.filter(Boolean)
			.join('-'),
	);
	const what = address === undefined ? `has a ${found.trim() || 'space'} inside` : 'is a whole web address';
	const how = address === undefined ? 'Try' : 'Enter only its last part:';
	throw new ValueError(
		`${what}: ${quoted(given)}`,
		suggested ? `${how} "${suggested}".` : 'Enter a name such as spring-sale.',
	);
}

const ALIAS = { longest: LONGEST.alias };

/** The alias of an existing link, which may contain a slash or a space. */
export const alias: Parser<string> = valueParser((value) => aliasWithout(/^[a-z][a-z0-9+.-]*:\/\//i, value), ALIAS);

/** A new alias. */
export const newAlias: Parser<string> = valueParser(
	(value) => aliasWithout(/^[a-z][a-z0-9+.-]*:\/\/|[\s/?#]/i, value),
	ALIAS,
);

export const email: Parser<string> = valueParser((value) => {
	const address = visibleText(value);
	if (/^[^\s@,;:<>]+@[^\s@,;:<>]+\.[^\s@,;:<>.]+$/.test(address)) return address;
	throw new ValueError(`is not an email address: ${quoted(value)}`, 'Enter one address such as hello@example.com.');
});

/** A phone number: also with an extension, in letters, or a code to dial. */
export const phone: Parser<string> = valueParser((value) => {
	const number = visibleText(value).replace(/^tel:/i, '');
	const isDialled = /^[+*#\p{L}\d\s().,;:/\-\u2010-\u2015]+$/u.test(number) && /\d/.test(number);
	if (isDialled && number.replace(/[^\p{L}\d*#]/gu, '').length >= 3) return number;
	throw new ValueError(
		`is not a phone number: ${quoted(value)}`,
		'Enter a number such as +49 30 123456, or a code such as *150*1#.',
	);
});

/** Restores an address that was defanged, such as hxxp://host[.]tld. */
function followable(text: string): string {
	return text
		.trim()
		.replace(/^h[x*]{2}p(?=s?\W)/i, 'http')
		.replace(/[[({](:\/\/|:|\/\/|\/)[\])}]/g, '$1')
		.replace(/\s?[[({](?:\.|dot)[\])}]\s?/gi, '.');
}

/**
 * The short URL in a pasted text: browsers hide the scheme and add a query or fragment, and reports of abuse defang addresses.
 *
 * @returns undefined for anything but a web address with a path
 */
export function shortUrlIn(pasted: string): string | undefined {
	const text = followable(pasted);
	const url = addressIn(text);
	if (url === undefined || shortKey(text) === undefined) return undefined;
	return `${url.origin}${withoutSlashAtEnd(url.pathname)}`;
}
