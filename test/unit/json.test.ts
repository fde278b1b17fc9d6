/** The answer in a text that holds more than its JSON. */
import fc from 'fast-check';

import { answerIn } from '../../nodes/LinkManagement/service/json';

const PAGE = '<!doctype html><html><body><script>var state = {"error":0,"id":3}</script></body></html>';

test.each<[string, unknown]>([
	['{"error":0,"id":3}', { error: 0, id: 3 }],
	['<br />\n<b>Warning</b>: {main} in app.php<br />\n{"error":0,"id":3}', { error: 0, id: 3 }],
	['Notice: {"a":{"b":1}} {"error":0,"text":"} \\" {"}\n<!-- {"at":1} -->', { error: 0, text: '} " {' }],
	['[1,2]', [1, 2]],
	['"text"', 'text'],
	['{"error":0,"da', '{"error":0,"da'],
	['{"id":3} {"data":4}', '{"id":3} {"data":4}'],
	[PAGE, PAGE],
	['', ''],
])('of %j it is %j', (text, answer) => {
	expect(answerIn(text)).toEqual(answer);
});

test('whatever stands around an envelope, it is read, as long as that holds none', () => {
	const noise = fc.string({ maxLength: 40 }).map((text) => text.replace(/[{<]/g, '('));
	const envelope = fc.record({
		error: fc.constantFrom<unknown>(0, '0', false),
		data: fc.jsonValue(),
		text: fc.string(),
	});
	fc.assert(
		fc.property(noise, envelope, noise, (before, answer, after) => {
			const text = JSON.stringify(answer);
			expect(answerIn(`${before}${text}${after}`)).toEqual(JSON.parse(text));
		}),
	);
});

test('a large text without an answer takes no longer than a large answer', () => {
	for (const text of ['{'.repeat(2_000_000), '{"a":"'.repeat(300_000), 'x{"error":[['.repeat(300_000)]) {
		expect(answerIn(text)).toBe(text);
	}
});
