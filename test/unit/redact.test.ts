import fc from 'fast-check';

import { serviceKey } from '../../nodes/LinkManagement/api/connection';
import { redactionOf } from '../../nodes/LinkManagement/api/redact';
import { errorOf } from '../../nodes/LinkManagement/api/answerError';

describe('the key', () => {
	test.each([
		['a-key ', 'a-key'],
		['\n\ta-key\r\n', 'a-key'],
		['a key', 'a key'],
		[12345, '12345'],
	])('loses the white space that was copied along: %j', (pasted, key) => {
		expect(serviceKey(pasted)).toBe(key);
	});

	test.each(['a\nkey', 'a\u0000key', 'schlüssel'])(
		'with what no header holds is refused, without being quoted: %j',
		(pasted) => {
			expect(() => serviceKey(pasted)).toThrow(/^The API Key of the credential holds [a-z ]+\. Copy it/);
		},
	);

	test('is out before a long message is cut, so that no half of it stays', () => {
		const message = `${'x'.repeat(490)}secret-key-1234567890`;
		const circumstances = { method: 'GET', path: '/api/urls', statusCode: 400, isKnown: true };
		const error = errorOf(
			{ is: 'refused', told: message },
			{ ...circumstances, redact: redactionOf(['secret-key-1234567890']) },
		);
		expect(error.message).toBe(`${'x'.repeat(490)}*****`);
	});

	test('nothing is taken out where there is none', () => {
		expect(redactionOf(['']).text('text')).toBe('text');
	});
});

describe('the notations in which a secret is found', () => {
	const codes = (text: string, write: (code: number) => string) =>
		Array.from(text, (character) => write(character.charCodeAt(0))).join('');
	const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
	const html = (text: string) => text.replace(/[&<>"']/g, (character) => named[character]);
	const json = (text: string) => JSON.stringify(text).slice(1, -1);
	const notations: Array<[string, (key: string) => string]> = [
		['as it is', (key) => key],
		['in capitals', (key) => key.toUpperCase()],
		['in small letters, as in hosts', (key) => key.toLowerCase()],
		['JSON', json],
		['JSON within JSON', (key) => json(json(key))],
		['JSON with slashes escaped', (key) => json(key).replaceAll('/', '\\/')],
		['JSON in numbers', (key) => codes(key, (code) => `\\u${code.toString(16).padStart(4, '0')}`)],
		['a URL', encodeURIComponent],
		['a URL in small letters', (key) => encodeURIComponent(key).toLowerCase()],
		['a URL within a URL', (key) => encodeURIComponent(encodeURIComponent(key))],
		['a form', (key) => new URLSearchParams({ key }).toString().slice('key='.length)],
		['HTML', html],
		['HTML within HTML', (key) => html(html(key))],
		['HTML in numbers', (key) => codes(key, (code) => `&#${code};`)],
		['HTML in hexadecimal numbers', (key) => codes(key, (code) => `&#x${code.toString(16).toUpperCase()};`)],
	];
	const secret = fc
		.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), minLength: 8 })
		.map((text) => text.trim())
		.filter(({ length }) => length >= 8);

	test.each(notations)('%s', (_name, write) => {
		fc.assert(
			fc.property(secret, (key) => {
				const { text, data } = redactionOf([key]);
				expect(text(`[${write(key)}]`)).toBe('[*****]');
				expect(data({ [`[${write(key)}]`]: [{ deep: `[${write(key)}]` }] })).toEqual({
					'[*****]': [{ deep: '[*****]' }],
				});
			}),
		);
	});

	test('base64, wherever in a text it begins', () => {
		fc.assert(
			fc.property(
				secret,
				fc.constantFrom('', 'a', 'ab', 'user:'),
				fc.constantFrom('base64', 'base64url'),
				(...drawn) => {
					const [key, before, encoding] = drawn;
					const encoded = Buffer.from(`${before}${key}!`).toString(encoding as BufferEncoding);
					expect(redactionOf([key]).text(encoded)).toContain('*****');
				},
			),
		);
	});

	test('what holds no secret stays the very same value', () => {
		fc.assert(
			fc.property(secret, fc.jsonValue(), (key, value) => {
				fc.pre(!JSON.stringify(value).includes('*****'));
				const { data } = redactionOf([`${key}-that-stands-nowhere`]);
				expect(data(value)).toBe(value);
			}),
		);
	});

	test('keys below eight characters are taken out of messages, and left in data', () => {
		const { text, data } = redactionOf(['short']);
		expect(text('The key is short')).toBe('The key is *****');
		expect(data({ name: 'short' })).toEqual({ name: 'short' });
	});

	test('a long run of any character takes no time', () => {
		for (const key of ['\\\\\\\\\\\\\\\\', '%25%25%25%25', '&amp;&amp;&amp;', 'aaaaaaaaaaaaaaaab', '++++++++ ++++']) {
			for (const unit of ['\\', '%25', '&amp;', 'a', ' ', '+']) redactionOf([key]).text(unit.repeat(50_000));
		}
	}, 5000);
});
