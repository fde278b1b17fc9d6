import { serviceKey, withoutKey } from '../../nodes/LinkManagement/api/apiKey';
import { errorIn } from '../../nodes/LinkManagement/api/envelope';

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

	test.each(['plain-key-123', 'k/+ "quoted" \\ &key'])('is taken out of text in every notation: %s', (key) => {
		const texts = [
			key,
			JSON.stringify({ key }),
			JSON.stringify(JSON.stringify({ key })),
			`?key=${encodeURIComponent(key)}`,
		];
		for (const text of texts) {
			const rest = withoutKey(`before ${text} after ${text}`, key);
			expect(rest).toMatch(/^before .*\*{5}.* after .*\*{5}/);
			expect(rest).not.toMatch(/key-123|quoted/);
		}
	});

	test('is out before a long message is cut, so that no half of it stays', () => {
		const message = `${'x'.repeat(490)}secret-key-1234567890`;
		expect(
			errorIn({ statusCode: 400, headers: {}, body: { error: 1, message } }, { key: 'secret-key-1234567890' })?.message,
		).toBe(`${'x'.repeat(490)}*****`);
	});

	test('nothing is taken out where there is none', () => {
		expect(withoutKey('text', '')).toBe('text');
	});
});
