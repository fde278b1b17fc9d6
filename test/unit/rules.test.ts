/** What the rules for values take, and what they refuse; how that reaches the user, test/engine/input.test.ts shows. */
import { DateTime } from 'luxon';

import * as rules from '../../nodes/LinkManagement/fields/rules';
import { required, ValueError, type Rule } from '../../nodes/LinkManagement/run/request';

const {
	dateTime,
	fieldObject,
	flag,
	hexColor,
	id,
	idList,
	json,
	longUrl,
	nameValueRows,
	rgbColor,
	secret,
	text,
	webUrl,
} = rules;
const oneOf = rules.oneOf('date', 'click');
const rows = rules.rows({ device: text, link: webUrl }, { device: 'Device', link: 'Link' });

const source = { label: 'Field', timezone: 'Europe/Berlin' };

function apply(rule: Rule, value: unknown, timezone = source.timezone): unknown {
	return rule(value, { ...source, timezone });
}

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

const everyRule: Array<[string, Rule]> = Object.entries({
	...{ dateTime, fieldObject, flag, hexColor, id, idList, json, longUrl, nameValueRows, oneOf, rgbColor, rows, secret },
	...{ text, webUrl },
});

test.each(everyRule)('%s sends nothing for an empty cell, and refuses it where a value is required', (_name, rule) => {
	expect(apply(rule, undefined)).toBeUndefined();
	expect(refusal(required(rule), undefined)).toBe('is empty');
});

test('an error quotes little of a long value, on one line, and nothing of a secret', () => {
	expect(refusal(webUrl, `no\r\n${'x'.repeat(10_000)}`)).toMatch(/^is not a web address: "no x{70,90}…"$/);
	expect(refusal(secret, { password: 'hunter2' })).toBe('is not text');
});

/** A rule, what it takes as it is, and what it changes: what is entered → what is sent. */
const taken: Array<[string, Rule, same: unknown[], changed?: Array<[unknown, unknown]>]> = [
	[
		'text',
		text,
		['a', '  a  ', 'line\r\nline', ''],
		[
			[42, '42'],
			[0, '0'],
			[false, 'false'],
		],
	],
	[
		'id',
		id,
		[1, 9007199254740991],
		[
			['12', 12],
			[' 12\r\n', 12],
		],
	],
	[
		'flag',
		flag,
		[true, false],
		[
			['TRUE', true],
			[1, true],
			['yes', true],
			['no ', false],
			[0, false],
		],
	],
	[
		'longUrl',
		longUrl,
		['http://example.com'],
		[
			[' www.example.com/page?a=b#c ', 'https://www.example.com/page?a=b#c'],
			['bücher.example:8080/x', 'https://bücher.example:8080/x'],
		],
	],
	[
		'webUrl',
		webUrl,
		['HTTP://EXAMPLE.com:8080/a?b=c#d', 'https://example.com/ü/%20', 'https://[::1]/'],
		[[' https://example.com\r\n', 'https://example.com']],
	],
	['oneOf', oneOf, ['date'], [[' click ', 'click']]],
	[
		'idList',
		idList,
		[],
		[
			['3,17', [3, 17]],
			[' 3 , 17 ,', [3, 17]],
			[5, [5]],
			[
				[3, '17'],
				[3, 17],
			],
			[' , ', undefined],
			[[], undefined],
		],
	],
	[
		'json',
		json,
		[{ a: 1 }],
		[
			['{"a": [1]}', { a: [1] }],
			['"a"', 'a'],
		],
	],
];

test.each(taken)('%s takes what it means', (_name, rule, same, changed = []) => {
	for (const [value, sent] of [...same.map((value) => [value, value]), ...changed])
		expect([value, apply(rule, value)]).toEqual([value, sent]);
});

/** A rule, the beginning of its refusal, and what meets it. */
const refused: Array<[string, Rule, RegExp, unknown[]]> = [
	['text', text, /^is not text/, [{ a: 1 }, [1], null]],
	['id', id, /^is not an ID: ("|an? )/, [0, -1, 1.5, NaN, Infinity, true, [1], { id: 1 }]],
	[
		'id',
		id,
		/^is not an ID: "/,
		['0', '-3', '+3', '1e3', '012', '1.0', '1 2', '1\n2', '../account', '٣', '9'.repeat(400)],
	],
	['flag', flag, /^is neither true nor false/, ['maybe', 2, {}]],
	['longUrl', longUrl, /^is not a web address/, ['NO', 'a@example.com', 'mailto:a@example.com', '/page', '1.2.3']],
	['longUrl', longUrl, /^is not a web address/, ['example.com /a', 'localhost:80']],
	['webUrl', webUrl, /^is not a web address: ("|an? )/, ['example.com', '//example.com', 'ftp://example.com', 42, {}]],
	[
		'webUrl',
		webUrl,
		/^is not a web address: "/,
		['javascript:alert(1)', 'https:/example.com', 'https://', 'https://?a'],
	],
	['webUrl', webUrl, /^is not a web address: "/, ['https://exa mple.com', 'https://example.com/a b', 'https:///path']],
	['webUrl', webUrl, /^is not a web address: "/, ['https://example.com/\r\nHost: evil', 'https://example.com:99999']],
	['oneOf', oneOf, /^is (".*"|an empty object), which is not one of date, click$/, ['Date', 'clicks', 1, {}]],
	['idList', idList, /is not an ID/, ['3;17', 'a', ['3,17'], [0], [{ id: 3 }], '3,-1']],
	['dateTime', dateTime, /^is not a date: ("|an? )/, ['tomorrow', '2030', '12:00', '31.12.2030', 1924991940000, {}]],
	['dateTime', dateTime, /^is not a date: "/, ['2030-13-01', '2030-02-30 10:00:00', '2030-12-31 23:59:00 evil']],
	['dateTime', dateTime, /^is not a date: ("|an? )/, [new Date(NaN), DateTime.invalid('test')]],
	['json', json, /^is not valid JSON: /, ['{a: 1}', '{"a": 1', 'undefined']],
	['rows', rows, /^is not a list of rows$/, ['a', [1], { values: 'a' }, [null]]],
	['fieldObject', fieldObject, /^→ row 1 → Name is empty$/, [[{ name: '', value: 'x' }]]],
];

test.each(refused)('%s refuses: %s %j', (_name, rule, says, values) => {
	for (const value of values) expect(refusal(rule, value)).toMatch(says);
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
	expect(apply(hexColor, value)).toBe(hex);
	expect(apply(rgbColor, value)).toBe(rgb);
});

test('what is no color is none in either notation', () => {
	for (const value of ['red', '#12345', '#ggg', 'rgb(256,0,0)', 'rgb(1,2)', 'rgb(1,2,3', 'rgb(1.5,2,3)', {}]) {
		expect(refusal(hexColor, value)).toContain('is not a color');
		expect(refusal(rgbColor, value)).toContain('is not a color');
	}
});

test.each([
	// Without a zone: the workflow's, so the figures stay.
	['2030-12-31T23:59:00', '2030-12-31 23:59:00'],
	['2030-12-31 23:59', '2030-12-31 23:59:00'],
	['2030-12-31', '2030-12-31 00:00:00'],
	[' 2030-12-31 23:59:00.5\r\n', '2030-12-31 23:59:00'],
	// An hour that Berlin's clocks skip.
	['2030-03-31 02:30:00', '2030-03-31 02:30:00'],
	// With a zone: moved to the workflow's.
	['2030-12-31T22:59:00Z', '2030-12-31 23:59:00'],
	['2030-07-01T12:00:00-04:00', '2030-07-01 18:00:00'],
	['2030-07-01 12:00:00 +00:00', '2030-07-01 14:00:00'],
	[new Date('2030-07-01T12:00:00Z'), '2030-07-01 14:00:00'],
	[DateTime.fromISO('2030-07-01T12:00:00', { zone: 'America/New_York' }), '2030-07-01 18:00:00'],
	// A DateTime of another copy of Luxon.
	[{ toISO: () => '2030-07-01T12:00:00.000Z' }, '2030-07-01 14:00:00'],
])('the date %j is %s', (value, sent) => expect(apply(dateTime, value)).toBe(sent));

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
	expect(apply(rows, { values: given })).toEqual(sent);
	expect(apply(rows, given)).toEqual(sent);
	expect(apply(rows, { values: [{ device: '', link: '' }] })).toBeUndefined();
	expect(apply(rows, {})).toBeUndefined();
	expect(refusal(rows, [sent[0], { device: 'b', link: 'no' }])).toBe('→ row 2 → Link is not a web address: "no"');
});

test('names without a value are left out, and names of the language itself are names like others', () => {
	const given = { values: [{ name: 'a', value: 1 }, { name: 'b', value: '' }, { name: 'c' }, { name: '', value: '' }] };
	expect(apply(nameValueRows, given)).toEqual([{ name: 'a', value: '1' }]);
	const sent = apply(fieldObject, [
		{ name: '__proto__', value: 'x' },
		{ name: 'constructor', value: 'y' },
	]);
	expect(JSON.stringify(sent)).toBe('{"__proto__":"x","constructor":"y"}');
	expect(({} as { x?: string }).x).toBeUndefined();
});
