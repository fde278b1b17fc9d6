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
	const days = /^Write it as (\S+) or (\S+)\.$/.exec(advice)?.slice(1) ?? [];
	const examples = [...advice.matchAll(/such as (\S+?)[.,]?(?:\s|$)|enter it as ([\d: -]+\d)/g)].map(
		([, one, other]) => one ?? other,
	);
	return [...days, ...examples];
}

const text = fc.string({ unit: fc.constantFrom(...'abcz09 -_./?#:%&=!"\'ü🙂\u00a0'), minLength: 1, maxLength: 24 });
const host = fc.constantFrom('shop.example', 'go.example.com', 'www.example.org');
const date = fc
	.tuple(fc.integer({ min: 1, max: 31 }), fc.integer({ min: 1, max: 13 }), fc.integer({ min: 1999, max: 2040 }))
	.chain(([day, month, year]) => fc.constantFrom('/', '.', '-', ' ').map((sign) => [day, month, year].join(sign)));

test.each<[string, Parser<string>, fc.Arbitrary<string>]>([
	[
		'an alias',
		newAlias,
		fc.oneof(
			text,
			fc.tuple(host, text).map((parts) => parts.join('/')),
		),
	],
	['an alias that names a link', alias, fc.tuple(host, text).map((parts) => `https://${parts.join('/')}`)],
	['a long URL', webUrl, text],
	['a domain', domainUrl, text],
	['a picture', fullUrl, text],
	['a date', expiry, fc.oneof(text, date)],
])('what is suggested for %s is taken', (_what, parser, values) => {
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

test.each([12345678901234567000, '1.23457E+16', -9e15 * 2])('%j is no text: digits are lost', (value) => {
	expect(() => plainText(value)).toThrow('is a number that is too long to be exact');
});
