import { DateTime } from 'luxon';

import {
	dateTime,
	fieldObject,
	flag,
	hexColor,
	id,
	idList,
	json,
	longUrl,
	nameValueRows,
	oneOf,
	rgbColor,
	rows,
	secret,
	text,
	webUrl,
} from '../../nodes/LinkManagement/fields/rules';
import { required, ValueError, type Rule } from '../../nodes/LinkManagement/run/request';

const source = { label: 'Field', timezone: 'Europe/Berlin' };

function apply(rule: Rule, value: unknown, timezone = source.timezone): unknown {
	return rule(value, { ...source, timezone });
}

/** The error that a value meets. */
function refusal(rule: Rule, value: unknown): ValueError {
	try {
		rule(value, source);
	} catch (error) {
		if (error instanceof ValueError) return error;
		throw error;
	}
	throw new Error(`Accepted: ${JSON.stringify(value)}`);
}

const everyRule: Array<[string, Rule]> = Object.entries({
	dateTime,
	fieldObject,
	flag,
	hexColor,
	id,
	idList,
	json,
	nameValueRows,
	oneOf: oneOf('a'),
	rgbColor,
	rows: rows({ a: text }, { a: 'A' }),
	secret,
	text,
	webUrl,
});

test.each(everyRule)('%s sends nothing for an empty cell, and refuses it where a value is required', (_name, rule) => {
	expect(apply(rule, undefined)).toBeUndefined();
	expect(refusal(required(rule), undefined).message).toBe('is empty');
});

test.each(everyRule)('%s decides about 100,000 characters at once', (_name, rule) => {
	const long = [' ', '/', '1', '-', '#', ',', '(', 'a/', '\r\n', '2030-01-01 '].flatMap((piece) => {
		const repeated = piece.repeat(100_000 / piece.length);
		return [`${repeated}!`, `https://a${repeated}!`, `rgb(${repeated}!`];
	});
	const began = performance.now();
	for (const value of long) {
		try {
			rule(value, source);
		} catch (error) {
			expect(error).toBeInstanceOf(ValueError);
		}
	}
	// A rule that backtracks takes minutes for one of these; the figure only has to lie between the two.
	expect(performance.now() - began).toBeLessThan(5_000);
});

test('an error quotes little of a long value, on one line', () => {
	const { message } = refusal(webUrl, `no\r\n${'x'.repeat(10_000)}`);
	expect(message).toMatch(/^is not a web address: "no x{70,90}…"$/);
});

describe('text', () => {
	test.each([
		['a', 'a'],
		['  a  ', '  a  '],
		['line\r\nline', 'line\r\nline'],
		['', ''],
		[42, '42'],
		[0, '0'],
		[false, 'false'],
	])('%j → %j', (value, sent) => expect(apply(text, value)).toBe(sent));

	test.each([[{ a: 1 }], [[1]], [null]])('not %j', (value) =>
		expect(refusal(text, value).message).toContain('is not text'),
	);

	test('a secret is quoted in no error', () => {
		expect(refusal(secret, { password: 'hunter2' }).message).toBe('is not text');
	});
});

describe('id', () => {
	test.each([
		[1, 1],
		['12', 12],
		[' 12\r\n', 12],
		[9007199254740991, 9007199254740991],
	])('%j → %j', (value, sent) => expect(apply(id, value)).toBe(sent));

	test.each([
		[0],
		[-1],
		[1.5],
		['0'],
		['-3'],
		['+3'],
		['1e3'],
		['012'],
		['1.0'],
		['12a'],
		['1 2'],
		['1\n2'],
		['../account'],
		['1/../2'],
		['٣'],
		['9007199254740993'],
		['9'.repeat(400)],
		[NaN],
		[Infinity],
		[true],
		[[1]],
		[{ id: 1 }],
	])('not %j', (value) => expect(refusal(id, value).message).toMatch(/^is not an ID: ("|an? )/));
});

describe('flag', () => {
	test.each([
		[true, true],
		['TRUE', true],
		[1, true],
		['yes', true],
		[false, false],
		['no ', false],
		[0, false],
	])('%j → %j', (value, sent) => expect(apply(flag, value)).toBe(sent));

	test.each([['maybe'], [2], [{}]])('not %j', (value) =>
		expect(refusal(flag, value).message).toContain('neither true nor false'),
	);
});

describe('longUrl', () => {
	test.each([
		['example.com', 'https://example.com'],
		[' www.example.com/page?a=b#c ', 'https://www.example.com/page?a=b#c'],
		['bücher.example:8080/x', 'https://bücher.example:8080/x'],
		['http://example.com', 'http://example.com'],
	])('%j goes out as %j', (value, sent) => expect(apply(longUrl, value)).toBe(sent));

	test.each([
		['NO'],
		['a@example.com'],
		['mailto:a@example.com'],
		['/page'],
		['1.2.3'],
		['example.com /a'],
		['localhost:80'],
	])('not %j', (value) => expect(refusal(longUrl, value).message).toMatch(/^is not a web address/));
});

describe('webUrl', () => {
	test.each([
		['https://example.com'],
		['HTTP://EXAMPLE.com:8080/a?b=c#d'],
		['https://example.com/ü/%20'],
		['https://[::1]/'],
		['https://xn--bcher-kva.example/'],
	])('%s goes out as it is', (value) => expect(apply(webUrl, value)).toBe(value));

	test('blanks around it are dropped', () =>
		expect(apply(webUrl, ' https://example.com\r\n')).toBe('https://example.com'));

	test.each([
		['example.com'],
		['//example.com'],
		['ftp://example.com'],
		['javascript:alert(1)'],
		['https:/example.com'],
		['https://'],
		['https:///path'],
		['https://exa mple.com'],
		['https://example.com/a b'],
		['https://example.com/\r\nHost: evil'],
		['https://example.com/\u0000'],
		['https://example.com:99999'],
		['https://?a'],
		[42],
		[{ url: 'https://example.com' }],
	])('not %j', (value) => expect(refusal(webUrl, value).message).toMatch(/^is not a web address: ("|an? )/));
});

describe('oneOf', () => {
	const rule = oneOf('date', 'click');

	test('takes a value of the spec', () => expect(apply(rule, ' click ')).toBe('click'));

	test.each([['Date'], ['clicks'], [1], [{}]])('not %j', (value) => {
		expect(refusal(rule, value).message).toMatch(/^is (".*"|an empty object), which is not one of date, click$/);
	});
});

describe('colors', () => {
	test.each([
		['#1a2B3c', '#1a2b3c', 'rgb(26,43,60)'],
		['1A2B3C', '#1a2b3c', 'rgb(26,43,60)'],
		['#abc', '#aabbcc', 'rgb(170,187,204)'],
		['#1a2b3cff', '#1a2b3c', 'rgb(26,43,60)'],
		['rgb(26,43,60)', '#1a2b3c', 'rgb(26,43,60)'],
		['RGB( 26, 43 , 60 )', '#1a2b3c', 'rgb(26,43,60)'],
		['rgba(26, 43, 60, 0.5)', '#1a2b3c', 'rgb(26,43,60)'],
		['rgb(0,0,0)', '#000000', 'rgb(0,0,0)'],
		['000000', '#000000', 'rgb(0,0,0)'],
		[123456, '#123456', 'rgb(18,52,86)'],
	])('%j → %s, %s', (value, hex, rgb) => {
		expect(apply(hexColor, value)).toBe(hex);
		expect(apply(rgbColor, value)).toBe(rgb);
	});

	test.each([
		['red'],
		['#12345'],
		['#ggg'],
		['rgb(256,0,0)'],
		['rgb(1,2)'],
		['rgb(1,2,3'],
		['rgb(-1,2,3)'],
		['rgb(1.5,2,3)'],
		['hsl(1,2%,3%)'],
		[{}],
	])('not %j', (value) => {
		expect(refusal(hexColor, value).message).toContain('is not a color');
		expect(refusal(rgbColor, value).message).toContain('is not a color');
	});
});

describe('idList', () => {
	test.each([
		['3', [3]],
		['3,17', [3, 17]],
		[' 3 , 17 ,', [3, 17]],
		[5, [5]],
		[
			[3, '17'],
			[3, 17],
		],
		[' , ', undefined],
		[[], undefined],
	])('%j → %j', (value, sent) => expect(apply(idList, value)).toEqual(sent));

	test.each([['3;17'], ['a'], [['3,17']], [[0]], [[{ id: 3 }]], ['3,-1']])('not %j', (value) => {
		expect(refusal(idList, value).message).toContain('is not an ID');
	});
});

describe('dateTime', () => {
	test.each([
		// Without a zone: the workflow's, so the figures stay.
		['2030-12-31 23:59:00', '2030-12-31 23:59:00'],
		['2030-12-31T23:59:00', '2030-12-31 23:59:00'],
		['2030-12-31T23:59', '2030-12-31 23:59:00'],
		['2030-12-31 23:59', '2030-12-31 23:59:00'],
		['2030-12-31', '2030-12-31 00:00:00'],
		[' 2030-12-31 23:59:00.5\r\n', '2030-12-31 23:59:00'],
		// An hour that Berlin's clocks skip.
		['2030-03-31 02:30:00', '2030-03-31 02:30:00'],
		// With a zone: moved to the workflow's.
		['2030-12-31T22:59:00Z', '2030-12-31 23:59:00'],
		['2030-07-01T12:00:00.000Z', '2030-07-01 14:00:00'],
		['2030-07-01T12:00:00-04:00', '2030-07-01 18:00:00'],
		['2030-07-01 12:00:00 +00:00', '2030-07-01 14:00:00'],
		[new Date('2030-07-01T12:00:00Z'), '2030-07-01 14:00:00'],
		[DateTime.fromISO('2030-07-01T12:00:00', { zone: 'America/New_York' }), '2030-07-01 18:00:00'],
	])('%j → %s', (value, sent) => expect(apply(dateTime, value)).toBe(sent));

	test('the zone is that of the workflow', () => {
		expect(apply(dateTime, '2030-07-01T12:00:00Z', 'Asia/Tokyo')).toBe('2030-07-01 21:00:00');
		expect(apply(dateTime, '2030-07-01T12:00:00Z', 'America/New_York')).toBe('2030-07-01 08:00:00');
	});

	test('a DateTime of another copy of Luxon is read as well', () => {
		const foreign = { toISO: () => '2030-07-01T12:00:00.000Z' };
		expect(apply(dateTime, foreign)).toBe('2030-07-01 14:00:00');
	});

	test.each([
		['tomorrow'],
		['2030'],
		['12:00'],
		['2030-13-01'],
		['2030-02-30 10:00:00'],
		['2030-12-31 25:00:00'],
		['31.12.2030'],
		['2030-12-31 23:59:00 evil'],
		[1924991940000],
		[new Date(NaN)],
		[DateTime.invalid('test')],
		[{}],
	])('not %j', (value) => expect(refusal(dateTime, value).message).toMatch(/^is not a date: ("|an? )/));
});

describe('json', () => {
	test.each([
		['{"a": [1]}', { a: [1] }],
		['[1, 2]', [1, 2]],
		['"a"', 'a'],
		[{ a: 1 }, { a: 1 }],
	])('%j → %j', (value, sent) => expect(apply(json, value)).toEqual(sent));

	test.each([['{a: 1}'], ['{"a": 1'], ['undefined']])('not %j', (value) => {
		expect(refusal(json, value).message).toMatch(/^is not valid JSON: /);
	});
});

describe('rows', () => {
	const rule = rows({ device: text, link: webUrl }, { device: 'Device', link: 'Link' });

	test('of a fixed collection, or of an array that an expression gave', () => {
		const given = [
			{ device: 'iPhone', link: 'https://example.com/1' },
			{ device: 7, link: 'https://example.com/2' },
		];
		const sent = [
			{ device: 'iPhone', link: 'https://example.com/1' },
			{ device: '7', link: 'https://example.com/2' },
		];
		expect(apply(rule, { values: given })).toEqual(sent);
		expect(apply(rule, given)).toEqual(sent);
	});

	test('fields that the service does not have are not sent', () => {
		expect(apply(rule, [{ device: 'a', link: 'https://example.com', more: 1 }])).toEqual([
			{ device: 'a', link: 'https://example.com' },
		]);
	});

	test('empty rows are left out', () => {
		expect(apply(rule, [{}, { device: ' ', link: null }, { device: 'a', link: 'https://example.com' }])).toHaveLength(
			1,
		);
		expect(apply(rule, { values: [{ device: '', link: '' }] })).toBeUndefined();
		expect(apply(rule, {})).toBeUndefined();
	});

	test('an error names the row and the field', () => {
		expect(
			refusal(rule, [
				{ device: 'a', link: 'https://example.com' },
				{ device: 'b', link: 'no' },
			]).message,
		).toBe('→ row 2 → Link is not a web address: "no"');
		expect(refusal(rule, [{ device: 'a', link: '' }]).message).toBe('→ row 1 → Link is empty');
		expect(refusal(rule, [{ link: 'https://example.com' }]).message).toBe('→ row 1 → Device is empty');
	});

	test.each([['a'], [[1]], [{ values: 'a' }], [[null]]])('not %j', (value) => {
		expect(refusal(rule, value).message).toBe('is not a list of rows');
	});
});

describe('names and values', () => {
	test('those without a value are left out', () => {
		const given = {
			values: [{ name: 'a', value: 1 }, { name: 'b', value: '' }, { name: 'c' }, { name: '', value: '' }],
		};
		expect(apply(nameValueRows, given)).toEqual([{ name: 'a', value: '1' }]);
		expect(apply(fieldObject, given)).toEqual({ a: '1' });
	});

	test('a value without a name is refused', () => {
		expect(refusal(fieldObject, [{ name: '', value: 'x' }]).message).toBe('→ row 1 → Name is empty');
	});

	test('one object takes each name once', () => {
		expect(
			refusal(fieldObject, [
				{ name: 'a', value: 1 },
				{ name: 'a ', value: 2 },
			]).message,
		).toBe('has the name "a" more than once');
	});

	test('names of the language itself are names like others', () => {
		const sent = apply(fieldObject, [
			{ name: '__proto__', value: 'x' },
			{ name: 'constructor', value: 'y' },
		]);
		expect(JSON.stringify(sent)).toBe('{"__proto__":"x","constructor":"y"}');
		expect(({} as { x?: string }).x).toBeUndefined();
	});
});
