import fc from 'fast-check';

import { serviceKey } from '../../nodes/LinkManagement/service/connection';
import { MASK, redactionOf } from '../../nodes/LinkManagement/service/redact';
import { readAnswer } from '../../nodes/LinkManagement/service/answer/answer';
import { errorOf, withoutSecrets } from '../../nodes/LinkManagement/service/answer/errors';
import type { Failure } from '../../nodes/LinkManagement/service/answer/failures';

describe('the key', () => {
	test.each([
		['a-key ', 'a-key'],
		['\n\ta-key\r\n', 'a-key'],
		['\u200ba-key\ufeff', 'a-key'],
		['"a-key"', 'a-key'],
		['“a-key”', 'a-key'],
		['Bearer a-key', 'a-key'],
		['Authorization: Bearer "a-key"', 'a-key'],
		['a key', 'a key'],
		['bearer-key', 'bearer-key'],
		[12345, '12345'],
	])('is taken as people paste it: %j', (pasted, key) => {
		expect(serviceKey(pasted)).toBe(key);
	});

	test.each(['a\nkey', 'a\u0000key', 'schlüssel'])(
		'with what no header holds is refused, without being quoted: %j',
		(pasted) => {
			expect(() => serviceKey(pasted)).toThrow(/^The API Key of the credential contains [a-z ]+\. Copy it/);
		},
	);

	test.each([
		[490, /x{490}\*{5}"$/],
		// As many as are read of a message: half of the key would stay.
		[9_990, /^[^k]*x"$/],
	])('is out of a long message, behind %d characters, before it is cut', (before, left) => {
		const asked = { method: 'GET', path: '/api/urls', address: 'https://service.example', isKnown: true };
		const body = { error: 1, message: `${'x'.repeat(before)}secret-key-1234567890` };
		const failure = readAnswer({ statusCode: 400, headers: {}, body }, asked) as Failure;
		const { message } = errorOf({ ...asked, statusCode: 400, failure }, redactionOf('secret-key-1234567890'));
		expect(message.replace('The service says', '')).toMatch(left);
	});
});

test('an error is without the key in all that n8n shows and saves of it', () => {
	const says = (where: string) => `${where}: secret-key-1234567890`;
	const cause = new Error(says('cause'));
	const messages = [says('first'), says('second')];
	const error = Object.assign(new Error(says('message'), { cause }), { description: says('advice'), messages });
	const { message, stack, description, ...shown } = withoutSecrets(error, redactionOf('secret-key-1234567890'));
	expect([message, description, cause.message]).toEqual(['message: *****', 'advice: *****', 'cause: *****']);
	expect(shown.messages).toEqual(['first: *****', 'second: *****']);
	expect(stack).toMatch(/^Error: message: \*{5}\n/);
});

describe('redaction', () => {
	const json = (text: string) => JSON.stringify(text).slice(1, -1);
	const inHex = (sign: string) => `%${sign.charCodeAt(0).toString(16)}`;
	const notations: Array<[string, (key: string) => string]> = [
		['as it is', (key) => key],
		['in small letters, as in hosts', (key) => key.toLowerCase()],
		['in JSON', json],
		['in JSON with slashes escaped', (key) => json(key).replaceAll('/', '\\/')],
		['in a URL', encodeURIComponent],
		['in a URL in small letters', (key) => encodeURIComponent(key).toLowerCase()],
		[
			'in a form',
			(key) =>
				encodeURIComponent(key)
					.replace(/[!'()*~]/g, inHex)
					.replaceAll('%20', '+'),
		],
	];
	const secret = fc
		.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), minLength: 8 })
		.map((text) => text.trim())
		.filter(({ length }) => length >= 8);

	test.each(notations)('takes out the key %s, and the secret of a header out of text', (_name, write) => {
		fc.assert(
			fc.property(secret, (key) => {
				const { text, data } = redactionOf(key);
				// Of backslashes around it, some may stay.
				const masked: unknown = expect.stringMatching(/^\[\\*\*{5}\\*\]$/);
				expect(text(`[${write(key)}]`)).toEqual(masked);
				const [[name, value]] = Object.entries(data({ [`[${write(key)}]`]: [{ deep: `[${write(key)}]` }] }));
				expect([name, value]).toEqual([masked, [{ deep: masked }]]);
				const ofHeader = redactionOf('', { 'X-Pass': key });
				expect(ofHeader.text(`[${write(key)}]`)).toEqual(masked);
				expect(ofHeader.data([key])).toEqual([key]);
			}),
		);
	});

	test('leaves what holds no key the very same value', () => {
		fc.assert(
			fc.property(secret, fc.jsonValue(), (key, value) => {
				fc.pre(!JSON.stringify(value).includes('*****'));
				expect(redactionOf(`${key}-that-stands-nowhere`).data(value)).toBe(value);
			}),
		);
	});

	test.each<[text: string, left: string, key: string, header: string]>([
		['The key is short', 'The key is *****', 'short', ''],
		['The team is called', 'The team is called', 'a-key-of-the-service', 'team'],
		['pass=12345 is blocked', '***** is blocked', 'a-key-of-the-service', 'pass=12345'],
		['https://links.example/spring', 'https://links.example/spring', 'a-key', 'links.example'],
		['Nothing', 'Nothing', '', ''],
	])('of text: %s → %s', (text, left, key, header) => {
		expect(redactionOf(key, { Cookie: header }, 'https://links.example:1080').text(text)).toBe(left);
	});

	test('leaves keys below eight characters in data', () => {
		expect(redactionOf('short').data({ name: 'short' })).toEqual({ name: 'short' });
	});

	test('takes no time for a long run of any character', () => {
		for (const key of ['\\\\\\\\\\\\\\\\', '%25%25%25%25', 'aaaaaaaaaaaaaaaab', '++++++++ ++++']) {
			for (const unit of ['\\', '%25', 'a', ' ', '+']) redactionOf(key).text(unit.repeat(50_000));
		}
	}, 5000);
});

describe('secrets of any length and alphabet', () => {
	const ALPHABETS = ['a', 'ab', '\\', '\\u0041', '%41', '%2', ' +', '"', 'aA', '-_.~', '{":,}', "'`", '0', 'x=; '];
	const drawn = fc
		.tuple(fc.constantFrom(...ALPHABETS), fc.constantFrom(8, 9, 63, 64, 999, 1000), fc.infiniteStream(fc.nat(9)))
		.map(([alphabet, length, places]) => {
			const letters = Array.from({ length: length - 2 }, () => alphabet[places.next().value! % alphabet.length]);
			return `k${letters.join('')}y`;
		});
	const notations = [
		(text: string) => text,
		(text: string) => JSON.stringify(text).slice(1, -1),
		encodeURIComponent,
	] as const;
	const around = fc.constantFrom('', ' ', '\\\\', '%25', 'a', '{"a":"', '; ', '+');

	test('are found at any place of a text, and nothing else is', () => {
		fc.assert(
			fc.property(drawn, around, around, fc.constantFrom(...notations), (secret, before, after, write) => {
				const { text, data } = redactionOf(secret);
				const whole = `${before}${write(secret)}${after}`;
				for (const left of [text(whole), data({ a: whole }).a]) expect(left).toContain(MASK);
				expect(text(`${before}${after}`)).toBe(before + after);
			}),
			{ numRuns: 300 },
		);
	});

	test('take a time in proportion to the text, whatever nearly holds them', () => {
		const least = (work: () => void) => {
			const times = Array.from({ length: 3 }, () => {
				const from = process.cpuUsage();
				work();
				return process.cpuUsage(from).user / 1000;
			});
			return Math.max(20, Math.min(...times));
		};
		for (const unit of ['a', '\\', '%61', '\\u0061', '+']) {
			const { text } = redactionOf(`b${'a'.repeat(998)}c`, { Cookie: `x=${'a'.repeat(7000)}b` });
			const [part, whole] = [50_000, 800_000].map((length) => unit.repeat(length / unit.length));
			// Sixteen times the text: what is quadratic takes 256 times as long.
			expect(least(() => text(whole)) / least(() => text(part))).toBeLessThan(64);
		}
	});
});

test('each value of a Cookie is a secret by itself, in texts alone', () => {
	const { text, data } = redactionOf('the-api-key', { cookie: 'session=0123456789abcdef; lang=en; theme=dark-blue' });
	expect(text('lang en, session 0123456789ABCDEF, dark-blue')).toBe(`lang en, session ${MASK}, ${MASK}`);
	expect(data(['0123456789abcdef'])).toEqual(['0123456789abcdef']);
});
