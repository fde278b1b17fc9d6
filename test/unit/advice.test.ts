/** What an error advises holds: whoever does what it says comes further. */
import fc from 'fast-check';

import { alias, domainUrl, fullUrl, newAlias, webUrl } from '../../nodes/LinkManagement/fields/addresses';
import { expiry } from '../../nodes/LinkManagement/fields/dates';
import { plainText } from '../../nodes/LinkManagement/fields/parsers';
import type { Parser } from '../../nodes/LinkManagement/run/request';
import { readBy } from '../../nodes/LinkManagement/service/answer/advice';
import { ValueError } from '../../nodes/LinkManagement/service/answer/errors';
import { SEED } from '../seed';

const SOURCE = { timezone: 'Europe/Berlin' };

/** What an error says of a value, or undefined. */
function refusal(parser: Parser<string>, value: unknown): ValueError | undefined {
	try {
		parser(value, SOURCE);
		return undefined;
	} catch (error) {
		if (error instanceof ValueError) return error;
		throw error;
	}
}

/** What the advice suggests to enter. */
function suggested(error: ValueError): string[] {
	const advice = readBy('editor', error.advice);
	const quoted = /^(?:Try|Enter only its last part:) "(.*)"\.$/.exec(advice)?.[1];
	const address = /^Did you mean (\S+)\?$/.exec(advice)?.[1];
	const days = /^Write it as (\S+) or (\S+)\.$/.exec(advice)?.slice(1) ?? [];
	const examples = [...advice.matchAll(/such as (\S+?)[.,]?(?:\s|$)|enter it as ([\d: -]+\d)/g)].map(
		([, one, other]) => one ?? other,
	);
	return [quoted, address, ...days, ...examples].filter((one) => one !== undefined);
}

const text = fc.string({ unit: fc.constantFrom(...'abcz09 -_./?#:%&=!"\'ü🙂\u00a0'), minLength: 1, maxLength: 24 });
const host = fc.constantFrom('shop.example', 'go.example.com', 'www.example.org');
const scheme = fc.constantFrom(
	'htp://',
	'https//',
	'htps://',
	'http//:',
	'ttps://',
	'https:/',
	'https;//',
	'HTTP:\\\\',
	'https:// ',
);
const typed = fc.tuple(scheme, host, fc.constantFrom('', '/', '/spring', '/a?b=c')).map((parts) => parts.join(''));
const date = fc
	.tuple(fc.integer({ min: 1, max: 31 }), fc.integer({ min: 1, max: 13 }), fc.integer({ min: 1999, max: 2040 }))
	.chain(([day, month, year]) => fc.constantFrom('/', '.', '-', ' ').map((sign) => [day, month, year].join(sign)));

test.each<[string, Parser<string>, fc.Arbitrary<string>]>([
	[
		'an alias',
		newAlias,
		fc.oneof(
			text,
			typed,
			fc.tuple(host, text).map((parts) => parts.join('/')),
		),
	],
	['an alias that names a link', alias, fc.oneof(text, typed)],
	['a long URL', webUrl, fc.oneof(text, typed)],
	['a domain', domainUrl, fc.oneof(text, typed)],
	['a picture', fullUrl, fc.oneof(text, typed)],
	['a date', expiry, fc.oneof(text, date)],
])('of %s: what is suggested is taken', (_what, parser, values) => {
	let followed = 0;
	fc.assert(
		fc.property(values, (value) => {
			const error = refusal(parser, value);
			for (const one of error === undefined ? [] : suggested(error)) {
				followed++;
				expect([value, error?.message, one, refusal(parser, one)?.message]).toEqual([
					value,
					error?.message,
					one,
					undefined,
				]);
			}
		}),
		{ seed: SEED, numRuns: 3000 },
	);
	expect(followed).toBeGreaterThan(100);
});

test.each([
	['https//shop.example/a', 'https://shop.example/a'],
	['htp://shop.example', 'http://shop.example'],
	['HTTPS:/shop.example/x y', undefined],
])('%s is meant for %s', (entered, meant) => {
	const { advice = '' } = refusal(webUrl, entered) ?? {};
	expect(/^Did you mean (.*)\?$/.exec(readBy('editor', advice))?.[1]).toBe(meant);
});

test('a short URL in a column for aliases: only its last part is suggested', () => {
	expect(refusal(newAlias, 'go.example.com/spring-poster')?.advice).toBe('Enter only its last part: "spring-poster".');
});

test.each([12345678901234567000, '1.23457E+16', -9e15 * 2])('%j is no text: digits are lost', (value) => {
	expect(() => plainText(value)).toThrow('is a number that is too long to be exact');
});
