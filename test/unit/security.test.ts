/** Checks of values that people and services send: quick for any text, and right however often they were asked. */
import * as rules from '../../nodes/LinkManagement/fields/rules';
import { serviceAddress } from '../../nodes/LinkManagement/service/address';
import { faultIn } from '../../nodes/LinkManagement/service/envelope';
import { serviceKey, withoutKey } from '../../nodes/LinkManagement/service/key';
import { readRateHeaders } from '../../nodes/LinkManagement/service/rateHeaders';
import { ValueError, type Rule } from '../../nodes/LinkManagement/service/prepare';

const source = { label: 'Value', timezone: 'Europe/Berlin' };

/** Text of 100,000 characters on which an expression that backtracks would take minutes. */
const LONG = [' ', '1', 'a', '/', '.', '#', '-', ',', '\t', '\n', 'rgb(', '1,', '2031-01-01T', 'https://', '../', '%2e', 'é', '\ud83d']
	.flatMap((part) => {
		const text = part.repeat(100_000 / part.length);
		return [text, `${text}!`, `!${text}`, `https://${text}`, `#${text}`, `rgb(${text}`, `2031-01-01 ${text}`];
	})
	.map((text): [string, string] => [`${text.slice(0, 12)}…${text.slice(-2)}`, text]);

const single: Array<[string, Rule]> = [
	['text', rules.text],
	['id', rules.id],
	['flag', rules.flag],
	['webUrl', rules.webUrl],
	['oneOf', rules.oneOf('a', 'b')],
	['hexColor', rules.hexColor],
	['rgbColor', rules.rgbColor],
	['idList', rules.idList],
	['dateTime', rules.dateTime],
	['json', rules.json],
];

// The time limit of a test is what fails here.
test.each(single)('%s is quick for any text', (_name, rule) => {
	for (const [, text] of LONG) {
		try {
			rule(text, source);
		} catch (error) {
			expect(error).toBeInstanceOf(ValueError);
			expect((error as Error).message.length).toBeLessThan(400);
		}
	}
});

test('the base URL, the key, answers and headers are read quickly for any text', () => {
	for (const [, text] of LONG) {
		for (const read of [serviceAddress, serviceKey]) {
			try {
				read(text);
			} catch (error) {
				expect((error as Error).message.length).toBeLessThan(400);
			}
		}
		expect(faultIn({ statusCode: 200, headers: {}, body: text })?.kind).toBe('unreadable');
		expect(faultIn({ statusCode: 400, headers: { location: text }, body: { error: 1, message: text } }, 'a-key')?.message.length).toBeLessThanOrEqual(500);
		readRateHeaders({ 'x-ratelimit-reset': text, 'x-ratelimit-remaining': text, 'retry-after': text, date: text }, 0);
	}
});

test('addresses with umlauts are addresses, however often they are checked', () => {
	for (let times = 0; times < 50_000; times++) {
		if (rules.webUrl('https://münchen.example/ä', source) !== 'https://münchen.example/ä') throw new Error('changed');
	}
	expect(serviceAddress('https://münchen.example/')).toBe('https://xn--mnchen-3ya.example');
});

describe('the key', () => {
	test.each([
		['a-key ', 'a-key'],
		['\n\ta-key\r\n', 'a-key'],
		['a key', 'a key'],
		[12345, '12345'],
	])('loses the white space that was copied along: %j', (pasted, key) => {
		expect(serviceKey(pasted)).toBe(key);
	});

	test.each(['a\nkey', 'a\u0000key', 'schlüssel'])('with what no header holds is refused, without being quoted: %j', (pasted) => {
		expect(() => serviceKey(pasted)).toThrow(/^The API Key of the credential holds [a-z ]+\. Copy it/);
	});

	test.each(['plain-key-123', 'k/+ "quoted" \\ &key'])('is taken out of text in every notation: %s', (key) => {
		const texts = [key, JSON.stringify({ key }), JSON.stringify(JSON.stringify({ key })), `?key=${encodeURIComponent(key)}`];
		for (const text of texts) {
			const rest = withoutKey(`before ${text} after ${text}`, key);
			expect(rest).toMatch(/^before .*\*{5}.* after .*\*{5}/);
			expect(rest).not.toMatch(/key-123|quoted/);
		}
	});

	test('is out before a long message is cut, so that no half of it stays', () => {
		const message = `${'x'.repeat(490)}secret-key-1234567890`;
		expect(faultIn({ statusCode: 400, headers: {}, body: { error: 1, message } }, 'secret-key-1234567890')?.message).toBe(`${'x'.repeat(490)}*****`);
	});

	test('nothing is taken out where there is none', () => {
		expect(withoutKey('text', '')).toBe('text');
	});
});
