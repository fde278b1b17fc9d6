/** Parsers of addresses and aliases. */
import { addressIn, NOT_IN_NEW_ALIAS, shortKey, withPlainAmpersands } from '../links/url';
import { type Parser } from '../run/request';
import { parseUrl, withoutSlashAtEnd } from '../service/baseUrl';
import { ValueError } from '../service/answer/errors';
import { LONGEST, parserOf, plainText, quoted, valueParser, visibleText } from './parsers';

/** A text that starts with a host: labels with dots between them, the last one of letters. */
const STARTS_WITH_HOST = /^(?:[\p{L}\p{N}_][\p{L}\p{N}_-]{0,62}\.){1,10}\p{L}{2,63}(?::\d{1,5})?(?:[/?#\s]|$)/u;

const TRY = 'Enter a full address such as https://example.com/page, with https:// or http:// at its start.';

/** Problems of addresses, the most obvious first, and what to do. */
const FAULTS: Array<[pattern: RegExp, what: string, advice: string]> = [
	[/^https?:[^?]*[\s,;|]https?:\/\//i, 'holds two addresses', 'Enter one address. Another one takes a row of its own.'],
	[/^https?:\/*https?:?\/\//i, 'has two schemes', 'Keep one https:// at its start.'],
	[/^https?:.*[\r\n]/i, 'has a line break inside', 'Remove the line break.'],
	[
		/^https?:\/\/[^/?#]*(?:\.\.|[,;!$*'"()])/i,
		"has a host that can't exist",
		'Check the part between https:// and the next slash.',
	],
	[/^https?:.*\s/i, 'has a space inside', 'Remove the space, or write %20 in its place.'],
];

/** Checks an address with a scheme. The URL parser would silently drop line breaks and encode spaces. */
function checkedAddress(address: string, given: unknown, what = 'a web address', advice = TRY): string {
	for (const [pattern, fault, cure] of FAULTS) {
		if (pattern.test(address)) throw new ValueError(`${fault}: ${quoted(given)}`, cure);
	}
	const url = /^https?:\/\/[^\s/]/i.test(address) && !/\p{Cc}/u.test(address) ? parseUrl(address) : undefined;
	if (url !== undefined) return address;
	throw new ValueError(`is not ${what}: ${quoted(given)}`, advice);
}

/** An address in angle brackets, as mails and chats write it; a label may follow it. */
const IN_BRACKETS = /^<([^<>|]+)(?:\|[^<>]*)?>$/;

/** The address that a text stands for: chats and web pages put signs around it and in it. */
function asCopied(text: string): string {
	return withPlainAmpersands(visibleText(text).replace(IN_BRACKETS, '$1').trim());
}

/** A text that starts with a host gets the scheme https. */
const withHttps = (entered: string) => (STARTS_WITH_HOST.test(entered) ? `https://${entered}` : entered);

/** Makes a parser of http and https URLs. */
const addressParser = (complete: (entered: string) => string, what?: string, advice?: string): Parser<string> =>
	valueParser((value) => checkedAddress(typeof value === 'string' ? complete(value) : '', value, what, advice), {
		word: 'url',
		clean: asCopied,
		longest: LONGEST.address,
	});

/** The address of a file or app: `image.png` is not a host. */
export const fullUrl = addressParser((entered) => entered);
export const webUrl = addressParser(withHttps);
export const domainUrl = addressParser(withHttps, 'a domain', 'Enter one such as https://go.example.com, or nothing.');

/** An alias. @param wrong what it must not hold */
function aliasWithout(wrong: RegExp, value: unknown): string {
	const given = plainText(value).normalize('NFC').replace(/^\//, '');
	const [found] = wrong.exec(given) ?? [];
	if (found === undefined) return given;
	const isAddress = found.length > 1 || STARTS_WITH_HOST.test(given);
	throw new ValueError(
		`${isAddress ? 'is a whole web address' : `has a ${found.trim() || 'space'} inside`}: ${quoted(given)}`,
		'Enter only the last part of the short URL, such as spring-sale.',
	);
}

const ALIAS = { longest: LONGEST.alias };

const WHOLE_ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/** The alias of an existing link, which may contain a slash or a space. */
export const alias: Parser<string> = valueParser((value) => aliasWithout(WHOLE_ADDRESS, value), ALIAS);

/** A new alias. */
export const newAlias: Parser<string> = valueParser(
	(value) => aliasWithout(new RegExp(`${WHOLE_ADDRESS.source}|${NOT_IN_NEW_ALIAS.source}`, 'i'), value),
	ALIAS,
);

const EMAIL = /^[^\s@,;:<>]+@[^\s@,;:<>]+\.[^\s@,;:<>.]+$/;

export const email = parserOf(
	(value) => EMAIL.exec(visibleText(value))?.[0],
	'is not an email address',
	'Enter one address such as hello@example.com.',
);

/** A phone number: also with an extension, in letters, or a code to dial; at least three signs that are dialled. */
const PHONE = /^(?:tel:)?((?=.*\d)(?=(?:[^\p{L}\d*#]*[\p{L}\d*#]){3})[+*#\p{L}\d\s().,;:/\-\u2010-\u2015]+)$/iu;

export const phone = parserOf(
	(value) => PHONE.exec(visibleText(value))?.[1],
	'is not a phone number',
	'Enter a number such as +49 30 123456, or a code such as *150*1#.',
);

/** Restores an address that was defanged, such as hxxp://host[.]tld. */
function followable(text: string): string {
	return asCopied(text)
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
