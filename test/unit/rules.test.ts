/** What the rules for values take, and what they refuse; how that reaches the user, test/engine/input.test.ts shows. */
import { DateTime } from 'luxon';

import * as rules from '../../nodes/LinkManagement/fields/rules';
import { required, ValueError, type Rule } from '../../nodes/LinkManagement/run/request';

const every = {
	dateTime: rules.dateTime,
	fieldObject: rules.fieldObject,
	flag: rules.flag,
	hexColor: rules.hexColor,
	id: rules.id,
	idList: rules.idList,
	json: rules.json,
	longUrl: rules.longUrl,
	nameValueRows: rules.nameValueRows,
	oneOf: rules.oneOf('date', 'click'),
	rgbColor: rules.rgbColor,
	rows: rules.rows({ device: rules.text, link: rules.webUrl }, { device: 'Device', link: 'Link' }),
	secret: rules.secret,
	text: rules.text,
	webUrl: rules.webUrl,
};
type Name = keyof typeof every;

const source = { label: 'Field', timezone: 'Europe/Berlin' };

const apply = (name: Name, value: unknown) => every[name](value, source);

/** The message of the error that a value meets. */
function refusal(rule: Rule, value: unknown): string {
	try {
		rule(value, source);
	} catch (error) {
		if (error instanceof ValueError) return error.message;
		throw error;
	}
	throw new Error(`Accepted: ${JSON.stringify(value)}`);
}

test.each(Object.entries(every))('%s sends nothing for an empty cell, and refuses it where required', (_name, rule) => {
	expect(rule(undefined, source)).toBeUndefined();
	expect(refusal(required(rule), undefined)).toBe('is empty');
});

test('an error quotes little of a long value, on one line, and nothing of a secret', () => {
	expect(refusal(every.webUrl, `no\r\n${'x'.repeat(10_000)}`)).toMatch(/^is not a web address: "no x{70,90}…"$/);
	expect(refusal(every.secret, { password: 'hunter2' })).toBe('is not text');
});

const asItIs = (name: Name, ...values: unknown[]): Array<[Name, unknown, unknown]> =>
	values.map((value) => [name, value, value]);

test.each<[Name, entered: unknown, sent: unknown]>([
	...asItIs('text', 'a', '  a  ', 'line\r\nline', ''),
	['text', 42, '42'],
	['text', 0, '0'],
	['text', false, 'false'],
	...asItIs('id', 1, 9007199254740991),
	['id', '12', 12],
	['id', ' 12\r\n', 12],
	...asItIs('flag', true, false),
	['flag', 'TRUE', true],
	['flag', 1, true],
	['flag', 'yes', true],
	['flag', 'no ', false],
	['flag', 0, false],
	...asItIs('longUrl', 'http://example.com'),
	['longUrl', ' www.example.com/page?a=b#c ', 'https://www.example.com/page?a=b#c'],
	['longUrl', 'bücher.example:8080/x', 'https://bücher.example:8080/x'],
	...asItIs('webUrl', 'HTTP://EXAMPLE.com:8080/a?b=c#d', 'https://example.com/ü/%20', 'https://[::1]/'),
	['webUrl', ' https://example.com\r\n', 'https://example.com'],
	...asItIs('oneOf', 'date'),
	['oneOf', ' click ', 'click'],
	['idList', '3,17', [3, 17]],
	['idList', ' 3 , 17 ,', [3, 17]],
	['idList', 5, [5]],
	['idList', [3, '17'], [3, 17]],
	['idList', ' , ', undefined],
	['idList', [], undefined],
	...asItIs('json', { a: 1 }),
	['json', '{"a": [1]}', { a: [1] }],
	['json', '"a"', 'a'],
	// Without a zone: the workflow's, so the figures stay.
	['dateTime', '2030-12-31 23:59', '2030-12-31 23:59:00'],
	['dateTime', ' 2030-12-31 23:59:00.5\r\n', '2030-12-31 23:59:00'],
	// An hour that Berlin's clocks skip.
	['dateTime', '2030-03-31 02:30:00', '2030-03-31 02:30:00'],
	// With a zone: moved to the workflow's.
	['dateTime', '2030-07-01T12:00:00-04:00', '2030-07-01 18:00:00'],
	['dateTime', '2030-07-01 12:00:00 +00:00', '2030-07-01 14:00:00'],
	// A DateTime of another copy of Luxon.
	['dateTime', { toISO: () => '2030-07-01T12:00:00.000Z' }, '2030-07-01 14:00:00'],
])('%s takes %j, and sends %j', (name, entered, sent) => {
	expect(apply(name, entered)).toEqual(sent);
});

const NO_COLORS = ['red', '#12345', '#ggg', 'rgb(256,0,0)', 'rgb(1,2)', 'rgb(1,2,3', 'rgb(1.5,2,3)', {}];

/** A rule, the beginning of its refusal, and what meets it. */
test.each<[Name, RegExp, ...values: unknown[]]>([
	['text', /^is not text/, { a: 1 }, [1], null],
	['id', /^is not an ID: ("|an? )/, 0, -1, 1.5, NaN, Infinity, true, [1], { id: 1 }],
	['id', /^is not an ID: "/, '0', '-3', '+3', '1e3', '012', '1.0', '1 2', '1\n2', '../account', '٣', '9'.repeat(400)],
	['flag', /^is neither true nor false/, 'maybe', 2, {}],
	['longUrl', /^is not a web address/, 'NO', 'a@example.com', 'mailto:a@example.com', '/page', '1.2.3'],
	['longUrl', /^is not a web address/, 'example.com /a', 'localhost:80'],
	['webUrl', /^is not a web address: ("|an? )/, 'example.com', '//example.com', 'ftp://example.com', 42, {}],
	['webUrl', /^is not a web address: "/, 'javascript:alert(1)', 'https:/example.com', 'https://', 'https://?a'],
	['webUrl', /^is not a web address: "/, 'https://exa mple.com', 'https://example.com/a b', 'https:///path'],
	['webUrl', /^is not a web address: "/, 'https://example.com/\r\nHost: evil', 'https://example.com:99999'],
	['oneOf', /^is (".*"|an empty object), which is not one of date, click$/, 'Date', 'clicks', 1, {}],
	['idList', /is not an ID/, '3;17', 'a', ['3,17'], [0], [{ id: 3 }], '3,-1'],
	['dateTime', /^is not a date: ("|an? )/, 'tomorrow', '2030', '12:00', '31.12.2030', 1924991940000, {}],
	['dateTime', /^is not a date: "/, '2030-13-01', '2030-02-30 10:00:00', '2030-12-31 23:59:00 evil'],
	['dateTime', /^is not a date: ("|an? )/, new Date(NaN), DateTime.invalid('test')],
	['json', /^is not valid JSON: /, '{a: 1}', '{"a": 1', 'undefined'],
	['rows', /^is not a list of rows$/, 'a', [1], { values: 'a' }, [null]],
	['fieldObject', /^→ row 1 → Name is empty$/, [{ name: '', value: 'x' }]],
	['hexColor', /is not a color/, ...NO_COLORS],
	['rgbColor', /is not a color/, ...NO_COLORS],
])('%s refuses: %s %j', (name, says, ...values) => {
	for (const value of values) expect(refusal(every[name], value)).toMatch(says);
});

test.each([
	['#1a2B3c', '#1a2b3c', 'rgb(26,43,60)'],
	['1A2B3C', '#1a2b3c', 'rgb(26,43,60)'],
	['#abc', '#aabbcc', 'rgb(170,187,204)'],
	['#1a2b3cff', '#1a2b3c', 'rgb(26,43,60)'],
	['RGB( 26, 43 , 60 )', '#1a2b3c', 'rgb(26,43,60)'],
	['rgba(26, 43, 60, 0.5)', '#1a2b3c', 'rgb(26,43,60)'],
	['000000', '#000000', 'rgb(0,0,0)'],
	[123456, '#123456', 'rgb(18,52,86)'],
])('the color %j is %s, or %s', (value, hex, rgb) => {
	expect(apply('hexColor', value)).toBe(hex);
	expect(apply('rgbColor', value)).toBe(rgb);
});

test('rows are those of a fixed collection, or of an array that an expression gave, without what the service lacks', () => {
	const given = [
		{ device: 'iPhone', link: 'https://example.com/1', more: 1 },
		{ device: ' ', link: null },
		{},
		{ device: 7, link: 'https://example.com/2' },
	];
	const sent = [
		{ device: 'iPhone', link: 'https://example.com/1' },
		{ device: '7', link: 'https://example.com/2' },
	];
	expect(apply('rows', { values: given })).toEqual(sent);
	expect(apply('rows', given)).toEqual(sent);
	expect(apply('rows', { values: [{ device: '', link: '' }] })).toBeUndefined();
	expect(apply('rows', {})).toBeUndefined();
	expect(refusal(every.rows, [sent[0], { device: 'b', link: 'no' }])).toBe('→ row 2 → Link is not a web address: "no"');
});

test('names without a value are left out, and names of the language itself are names like others', () => {
	const given = { values: [{ name: 'a', value: 1 }, { name: 'b', value: '' }, { name: 'c' }, { name: '', value: '' }] };
	expect(apply('nameValueRows', given)).toEqual([{ name: 'a', value: '1' }]);
	const sent = apply('fieldObject', [
		{ name: '__proto__', value: 'x' },
		{ name: 'constructor', value: 'y' },
	]);
	expect(JSON.stringify(sent)).toBe('{"__proto__":"x","constructor":"y"}');
	expect(({} as { x?: string }).x).toBeUndefined();
});
