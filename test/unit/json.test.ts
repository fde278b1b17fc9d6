/** The answer in a text that holds more than its JSON. */
import { createContext, runInContext } from 'vm';

import fc from 'fast-check';

import { answerIn } from '../../nodes/LinkManagement/service/exchange';

const PAGE = '<!doctype html><html><body><script>var state = {"error":0,"id":3}</script></body></html>';

test.each<[string, unknown]>([
	['{"error":0,"id":3}', { error: 0, id: 3 }],
	['<br />\n<b>Warning</b>: {main} in app.php<br />\n{"error":0,"id":3}', { error: 0, id: 3 }],
	['Notice: {main} {"error":0,"text":"} \\" {"}\n<!-- cached -->', { error: 0, text: '} " {' }],
	['{"a":1} {"error":0}', '{"a":1} {"error":0}'],
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
	const noise = fc.string({ maxLength: 40 }).map((text) => text.replace(/[{}<]/g, '('));
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

/** What is slow to read where reading is worse than linear: strings, braces and escapes without an end, JSON within JSON. */
const PARTS = [
	'\\"',
	'"',
	'\\',
	'{',
	'}',
	'{"a":"',
	'"a":{',
	'[',
	'],',
	'{},',
	'{"error":',
	'{"a":"{\\"b\\":',
	' ',
	'x',
	'/*',
	'<',
];

test('a text is read in a time in proportion to its length, whatever it is made of', () => {
	const parts = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 4 });
	const context = createContext({
		check: () =>
			fc.assert(
				fc.property(parts, parts, (start, again) => {
					const text = start.join('') + again.join('').repeat(1_000_000 / again.join('').length);
					const answer = answerIn(text);
					expect(answer === text || typeof answer === 'object').toBe(true);
				}),
				{ numRuns: 60 },
			),
	});
	// One that is quadratic would take hours, and jest's own limit ends nothing that never waits.
	runInContext('check()', context, { timeout: 120_000 });
});

test('a page of 1,000 links with all that services show of them is taken in', () => {
	const link = Object.fromEntries(
		Array.from({ length: 40 }, (_, at) => [`field${at}`, 'text, with {commas} and [others]']),
	);
	const page = { error: '0', data: { result: 1, urls: Array.from({ length: 1000 }, () => link) } };
	expect(answerIn(JSON.stringify(page))).toEqual(page);
});
