/** Addresses and aliases, as they are given to a link. */
import { parseUrl } from '../service/baseUrl';
import { type Rule } from '../run/request';
import { ValueError } from '../service/errors';
import { quoted, single, spelled, text } from './rules';

/** What is plainly a host, with what may follow it: names with dots between them, the last of letters alone. */
const STARTS_WITH_HOST = /^(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,10}\p{L}{2,63}(?::\d{1,5})?(?:[/?#\s]|$)/u;

const HOST_LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A host that may exist: names of letters, digits and hyphens, or an IP address. */
function canExist(host: string): boolean {
	return (
		host.startsWith('[') ||
		(host.length <= 253 &&
			host
				.replace(/\.$/, '')
				.split('.')
				.every((label) => HOST_LABEL.test(label)))
	);
}

const TRY = 'Enter a full address such as https://example.com/page, with https:// or http:// at its start.';

/** What is wrong with an address, in the order in which people look for it, and what to do. */
const FAULTS: Array<[pattern: RegExp, fault: string, advice: string]> = [
	[/^[^?]*[\s,;|]https?:\/\//i, 'holds two addresses', 'Enter one address. Another one takes a row of its own.'],
	[/^https?:\/*https?:?\/\//i, 'has two schemes', 'Keep one https:// at its start.'],
	[/[\r\n]/, 'has a line break inside', 'Remove the line break.'],
	[/\s/, 'has a space inside', 'Remove the space, or write %20 in its place.'],
];

/** An address with its scheme. Nothing is left to the parser to mend: it drops line breaks and encodes spaces without a word. */
function checkedAddress(address: string, given: unknown): string {
	if (/^https?:/i.test(address)) {
		const found = FAULTS.find(([pattern]) => pattern.test(address));
		if (found !== undefined) throw new ValueError(`${found[1]}: ${quoted(given)}`, found[2]);
	}
	const url = /^https?:\/\/[^\s/]/i.test(address) && !/\p{Cc}/u.test(address) ? parseUrl(address) : undefined;
	if (url === undefined) throw new ValueError(`is not a web address: ${quoted(given)}`, TRY);
	if (canExist(url.hostname)) return address;
	throw new ValueError(
		`has a host that can't exist: ${quoted(given)}`,
		'Check the part between https:// and the next slash.',
	);
}

/** An http or https URL of a file or an app: `image.png` is no host. */
export const fullUrl: Rule = single((value) => checkedAddress(typeof value === 'string' ? spelled(value) : '', value));

/** An http or https URL that people type. What is plainly a host gets its scheme: https. */
export const webUrl: Rule = single((value) => {
	const entered = typeof value === 'string' ? spelled(value) : '';
	return checkedAddress(STARTS_WITH_HOST.test(entered) ? `https://${entered}` : entered, value);
});

/** What an alias can't have, for it stands in an address. */
const NOT_IN_ALIAS: Array<[pattern: RegExp, fault: string]> = [
	[/^[a-z][a-z0-9+.-]*:\/\//i, 'is an address, and no alias'],
	[/\s/, 'has a space inside'],
	[/\//, 'has a slash inside'],
	[/\?/, 'has a question mark inside'],
	[/#/, 'has a # inside'],
];

/** Makes sure that a link can be given an alias. A link that is there may have any. @throws ValueError */
export function mustFitAlias(alias: string): void {
	const found = NOT_IN_ALIAS.find(([pattern]) => pattern.test(alias));
	if (found === undefined) return;
	throw new ValueError(
		`${found[1]}: ${quoted(alias)}`,
		'Enter the last part of the short URL alone, such as spring-sale.',
	);
}

/** An alias that names a link. */
export const alias: Rule = (value, source) => {
	const given = text(value, source);
	return given === undefined ? undefined : spelled(given);
};

/** An alias that a link is to have. */
export const newAlias: Rule = (value, source) => {
	const given = alias(value, source) as string | undefined;
	if (given !== undefined) mustFitAlias(given);
	return given;
};

/** An email address. */
export const email: Rule = single((value) => {
	const address = spelled(value);
	if (/^[^\s@,;:<>]+@[^\s@,;:<>]+\.[^\s@,;:<>.]+$/.test(address)) return address;
	throw new ValueError(`is not an email address: ${quoted(value)}`, 'Enter one address such as hello@example.com.');
});

/** A phone number, as people write it. */
export const phone: Rule = single((value) => {
	const number = spelled(value);
	if (/^\+?[\d\s()./-]+$/.test(number) && number.replace(/\D/g, '').length >= 3) return number;
	throw new ValueError(`is not a phone number: ${quoted(value)}`, 'Enter digits, such as +49 30 123456.');
});
