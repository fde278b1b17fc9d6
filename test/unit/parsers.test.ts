/** What the parsers of values take, and what they refuse; how that reaches the user, test/engine/values.test.ts shows. */
import fc from 'fast-check';
import { DateTime } from 'luxon';

import * as addresses from '../../nodes/LinkManagement/fields/addresses';
import { groupOnce } from '../../nodes/LinkManagement/fields/collections';
import * as colors from '../../nodes/LinkManagement/fields/colors';
import * as dates from '../../nodes/LinkManagement/fields/dates';
import { textField } from '../../nodes/LinkManagement/fields/inputs';
import * as parsers from '../../nodes/LinkManagement/fields/parsers';
import { required, type Parser } from '../../nodes/LinkManagement/run/request';
import { ValueError } from '../../nodes/LinkManagement/service/answer/errors';

const kinds = {
	text: parsers.text,
	secret: parsers.secret,
	switch: parsers.flag,
	choice: parsers.oneOf([
		{ name: 'Newest First', value: 'date' },
		{ name: 'Most Clicked First', value: 'click' },
	]),
	list: parsers.listOf(parsers.id),
	names: parsers.listOf(parsers.text),
	number: parsers.count,
	id: parsers.id,
	date: dates.expiry,
	alias: addresses.newAlias,
	longUrl: addresses.webUrl,
	email: addresses.email,
	phone: addresses.phone,
	hexColor: colors.hexColor,
	rgbColor: colors.rgbColor,
	rows: parsers.rowsOf([textField('Device', 'device'), textField('Link', 'link', { parser: addresses.webUrl })]),
};
type Kind = keyof typeof kinds;

const source = { label: 'Field', timezone: 'Europe/Berlin' };

const apply = (kind: Kind, value: unknown) => kinds[kind](value, source);

/** The message of the error that a value meets. */
function refusal(parser: Parser<unknown>, value: unknown): string {
	try {
		parser(value, source);
	} catch (error) {
		if (error instanceof ValueError) return error.message;
		throw error;
	}
	throw new Error(`Accepted: ${JSON.stringify(value)}`);
}

test.each(Object.entries(kinds))(
	'%s sends nothing for an empty cell, and refuses it where required',
	(_kind, parser) => {
		expect(parser(undefined, source)).toBeUndefined();
		expect(refusal(required<unknown>(parser), undefined)).toBe('is empty');
	},
);

test('an error quotes little of a long value, on one line, and nothing of a secret', () => {
	expect(refusal(kinds.longUrl, `no\r\n${'x'.repeat(1000)}`)).toMatch(/^is not a web address: "no x{70,90}…"$/);
	expect(refusal(kinds.secret, { password: 'hunter2' })).toBe('is not text');
});

const asItIs = (kind: Kind, ...values: unknown[]): Array<[Kind, unknown, unknown]> =>
	values.map((value) => [kind, value, value]);

const EMOJI = '👨\u200d👩\u200d👧';
const NIGHT = '2030-12-31 23:59:59';

test.each<[Kind, entered: unknown, sent: unknown]>([
	...asItIs('text', 'a', 'line\r\nline', EMOJI),
	['text', '\ufeff  a\u00a0b\u200b\u2060\ufeffc \u200b', 'a\u00a0bc'],
	['text', '\u200e\u202a می\u200cخواهم \u202c', 'می\u200cخواهم'],
	['text', 42, '42'],
	['text', 0, '0'],
	['text', false, 'false'],
	['text', ['a'], 'a'],
	['text', '\u200b', undefined],
	...asItIs('secret', ' a\u00a0\u200b ', '#WELCOME2026!', '7E10', '="x"', "'00123", '1234567890123456789012', '#1!'),
	['secret', 'No', undefined],
	...asItIs('id', 1, 9007199254740991),
	['id', ' 12\r\n', 12],
	['id', [12], 12],
	...asItIs('switch', true, false),
	['switch', 'TRUE', true],
	['switch', 1, true],
	['switch', ' True\u200b', true],
	['switch', ['1'], true],
	['switch', '0 ', false],
	['switch', 0, false],
	['switch', 'False', false],
	...asItIs('choice', 'date', 'click'),
	['choice', ' Click ', 'click'],
	['choice', 'newest first', 'date'],
	['choice', ['DATE'], 'date'],
	['list', '3,17', [3, 17]],
	['list', ' 3 , 17 ,', [3, 17]],
	['list', 5, [5]],
	['list', [3, '17\u00a0'], [3, 17]],
	['list', ' , ', undefined],
	['list', [], undefined],
	...asItIs('names', ['Germany', 'Korea, Republic of']),
	['names', ' Germany, France ,', ['Germany', 'France']],
	...asItIs('number', 1, 1000),
	['number', ' 50 ', 50],
	['number', '1,000', 1000],
	...asItIs('alias', 'spring-sale', 'größe', 'a+b', 'a@b,c', 'a%b', EMOJI, 'क्\u200dष', 'می\u200cخواهم'),
	['alias', 'gro\u0308\u00dfe', 'grö\u00dfe'],
	['alias', ' spring\u200b\u00a0', 'spring'],
	['alias', 2024, '2024'],
	['alias', '4E27', '4E27'],
	['alias', '/spring', 'spring'],
	...asItIs('longUrl', 'http://example.com', 'HTTP://EXAMPLE.com:8080/a?b=c#d', 'https://example.com/ü/%20'),
	...asItIs('longUrl', 'https://[::1]/', 'https://web.archive.org/web/2020/https://example.com/', 'https://intranet/x'),
	...asItIs('longUrl', 'https://example.com/?next=a,https://b.example/'),
	['longUrl', ' https://example.com\r\n', 'https://example.com'],
	['longUrl', [{ name: 'a.png', url: 'https://example.com/a.png' }], 'https://example.com/a.png'],
	['text', { url: 'https://example.com/', name: 'Spring' }, 'Spring'],
	['longUrl', ' <https://example.com/?a=1&amp;b=2|A shop & more> ', 'https://example.com/?a=1&b=2'],
	['longUrl', 'https://exam\u200bple.com/\u00a0', 'https://example.com/'],
	...asItIs(
		'longUrl',
		`https://example.com/${EMOJI}?q=می\u200cخواهم`,
		'https://-a.example',
		'https://a-.example/',
		'https://a_b.example',
	),
	['longUrl', 'my_shop-.example.com/a', 'https://my_shop-.example.com/a'],
	['longUrl', ' www.example.com/page?a=b#c ', 'https://www.example.com/page?a=b#c'],
	['longUrl', 'bücher.example:8080/x', 'https://bücher.example:8080/x'],
	['email', ' a@example.com ', 'a@example.com'],
	['phone', ' +49 (30) 123-456/7.8 ', '+49 (30) 123-456/7.8'],
	['phone', 110, '110'],
	...asItIs('phone', '*150*1#', '*#06#', '+1-800-555-0100 ext. 12', '0800 FLOWERS', '+49\u201130\u20111234'),
	['phone', 'tel:+49-30-123456', '+49-30-123456'],
	['date', DateTime.fromISO('2030-07-01T12:00:00Z'), '2030-07-01 14:00:00'],
	// Without a zone: the workflow's, so the figures stay.
	['date', '2030-12-31 23:59', '2030-12-31 23:59:00'],
	['date', ' 2030-12-31 23:59:00.5\r\n', '2030-12-31 23:59:00'],
	['date', '2030-12-31T23:59:00', '2030-12-31 23:59:00'],
	// An hour that Berlin's clocks skip.
	['date', '2030-03-31 02:30:00', '2030-03-31 02:30:00'],
	// With a zone: moved to the workflow's.
	['date', '2030-07-01T12:00:00-04:00', '2030-07-01 18:00:00'],
	['date', '2030-07-01 12:00:00 +00:00', '2030-07-01 14:00:00'],
	['date', '2030-12-31 12:00:00 UTC', '2030-12-31 13:00:00'],
	['date', '2030-12-31 00:00:00 UTC', NIGHT],
	['date', '2030-06-30 12:00:00 America/New_York', '2030-06-30 18:00:00'],
	// A DateTime of another copy of Luxon.
	['date', { toJSON: () => '2030-07-01T12:00:00.000Z' }, '2030-07-01 14:00:00'],
	['date', new Date('2030-07-01T12:00:00Z'), '2030-07-01 14:00:00'],
	// A spreadsheet's: 46387 is the last day of 2026.
	['date', 46387, '2026-12-31 23:59:59'],
	['date', '46387', '2026-12-31 23:59:59'],
	['date', 46387.75, '2026-12-31 18:00:00'],
	// As people write it.
	...[
		...['2030-12-31', '2030/12/31', '31.12.2030', '31/12/2030', '12/31/2030', '31-12-2030'],
		...['31 Dec 2030', '31. December 2030', 'December 31, 2030', 'Dec 31 2030', '31-dec-2030'],
	].map((day): [Kind, unknown, unknown] => ['date', day, NIGHT]),
	['date', '5.5.2030', '2030-05-05 23:59:59'],
	['date', '2030-1-5', '2030-01-05 23:59:59'],
	['date', '31.12.2030 18:30', '2030-12-31 18:30:00'],
	['date', '12/31/2030, 6:30:15\u202fPM', '2030-12-31 18:30:15'],
	['date', '12/31/2030 12:00 am', NIGHT],
	['date', '2030-12-31 00:00:00', '2030-12-31 00:00:00'],
	['date', '31/12-2030', NIGHT],
])('%s: %j is %j', (kind, entered, sent) => {
	expect(apply(kind, entered)).toEqual(sent);
});

const NO_COLORS = [
	'red',
	'#12345',
	'#abc',
	'#gggggg',
	'rgba(1,2,3,0.5)',
	'rgb(256,0,0)',
	'rgb(1,2)',
	'rgb(1,2,3',
	'rgb(1.5,2,3)',
	{},
];
const PASTED = 'https://a.example/ and https://b.example/';

/** A kind, the beginning of its refusal, and what meets it. */
test.each<[Kind, RegExp, ...values: unknown[]]>([
	['text', /^is not text/, { a: 1 }],
	['text', /^takes one value, but has 2: "1", "2"$/, [1, 2], [[1, 2]], [{ value: 1 }, { name: 2 }]],
	['id', /^takes one value, but has 4: "1", "2", "3", …$/, [1, 2, 3, 4]],
	['text', /^takes one value, but has 2: "", ""$/, [[], []]],
	['id', /^is not an ID: ("|an? )/, 0, -1, 1.5, NaN, Infinity, true, { id: 1 }],
	['id', /^is not an ID: "/, '0', '-3', '+3', '1e3', '012', '1.0', '1 2', '1\n2', '../account', '٣', '9'.repeat(400)],
	['switch', /^is neither true nor false/, 'maybe', 'yes', 'No', 2, {}],
	['choice', /^is none of date, click: (".*"|an? .*)$/, 'dates', 'clicks', 1, {}],
	['list', /is not an ID/, '3;17', 'a', ['3,17'], [0], [{ id: 3 }], '3,-1'],
	['names', /^is not text: an object$/, { a: 1, b: 2 }, [{ a: 1 }]],
	['number', /^is not a whole number of at least 1: /, 0, -1, 1.5, 'many', '1.000', true, {}],
	['alias', /^has a space inside: "a b"$/, 'a b', 'a\u00a0b', ' a b '],
	['alias', /^has a [/?#] inside/, 'a/b', 'a/', 'a?b', 'a#b', '//a'],
	['alias', /^has a [='"] inside/, '="00123"', "'00124", '"spring"'],
	['alias', /^is a whole web address: "/, 'https://lnk.example/spring', 'https://lnk.example'],
	['alias', /^is a number that is too long to be exact/, '1.23E+15', 2 ** 60],
	['secret', /^has the sign of a spreadsheet for a wrong/, '#N/A', '#BEZUG!', '#NOM?', '#¡VALOR!', '#DIV/0!'],
	['secret', /^is not text$/, { some: 'object' }],
	['secret', /^says that there is a password, but not which$/, 'Yes', 'true', true],
	['longUrl', /^is not a web address/, 'NO', 'a@example.com', 'mailto:a@example.com', '/page', '1.2.3', 'not a url'],
	['longUrl', /^is not a web address: ("|an? )/, '//example.com', 'ftp://example.com', 42, {}, 'localhost:80'],
	['longUrl', /^is not a web address: "/, 'javascript:alert(1)', 'https:/example.com', 'https://', 'https://?a'],
	['longUrl', /^is not a web address: "/, 'https:///path', 'https://example.com:99999', 'https://a.example\u0000/'],
	['longUrl', /^has a space inside/, 'https://a.example/my file.pdf', 'https://exa mple.com', 'example.com /a'],
	['longUrl', /^has a line break inside/, 'https://example.com/\r\nHost: evil'],
	[
		'longUrl',
		/^holds two addresses/,
		PASTED,
		'https://a.example/,https://b.example/',
		'https://a.example\nhttps://b.example',
	],
	['longUrl', /^has two schemes/, 'http://http://a.example/', 'https://https//a.example', 'https:http://a.example'],
	['longUrl', /^has a host that can't exist/, 'https://.../x', 'https://a..example/', 'https://a,b/', 'https://a"b/'],
	['email', /^is not an email address/, 'a', 'a@b', 'a@b.example, c@d.example', '<a@b.example>', {}],
	['phone', /^is not a phone number/, 'call me', '12', '#', '123@4', '+49 30 <1>', {}],
	['date', /^is not a date: ("|an? )/, 'tomorrow', '2030', 2030, '12:00', 1924991940000, {}, '31.12.30', true],
	['date', /^is not a date: "/, '2030-13-01', '2030-02-30 10:00:00', '2030-12-31 23:59:00 evil', '31.12.2030 25:00'],
	['date', /^is not a date: "/, '31 Marble 2030', '32.12.2030', '12/31/2030 25:00 PM'],
	['date', /^is not a date: an invalid date$/, new Date(NaN), DateTime.invalid('test')],
	['rows', /^is not a list of rows$/, 'a', [1], { values: 'a' }, [null], { a: 1 }, [{ phone: 'iPhone' }]],
	['hexColor', /is not a color/, ...NO_COLORS],
	['rgbColor', /is not a color/, ...NO_COLORS],
])('%s refuses: %s %j', (kind, says, ...values) => {
	for (const value of values) expect(refusal(kinds[kind], value)).toMatch(says);
});

test('a date with two readings is refused with both, and with how to write either', () => {
	for (const written of ['03/04/2027', '3.4.2027', '03-04-2027 10:00']) {
		const read = () => apply('date', written);
		expect(read).toThrow('may be 3 April 2027 or 4 March 2027');
		expect(read).toThrow(expect.objectContaining({ advice: 'Write it as 2027-04-03 or 2027-03-04.' }) as Error);
	}
});

const ERRORS = ['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!'];
const SINGLE = Object.keys(kinds).filter((kind) => kind !== 'rows') as Kind[];

test.each(SINGLE.filter((kind) => kind !== 'secret'))('%s refuses an error of a spreadsheet as such', (kind) => {
	for (const error of ERRORS)
		expect(refusal(kinds[kind], ` ${error} `)).toBe(`has ${error} from the spreadsheet instead of a value`);
});

/** What comes of a value: what is sent, or that it is refused. */
function outcome(kind: Kind, value: unknown): unknown {
	try {
		return { sent: apply(kind, value) };
	} catch (error) {
		expect(error).toBeInstanceOf(ValueError);
		return 'refused';
	}
}

const around = fc.string({
	unit: fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u200b', '\u200d', '\u2060', '\ufeff'),
	maxLength: 4,
});
const entered = fc.oneof(
	fc.constantFrom('true', 'click', '12', 'spring', 'https://example.com/a', '#1a2b3c', '31.12.2030', 'a@example.com'),
	fc.string(),
);

test.each(SINGLE.filter((kind) => kind !== 'secret' && kind !== 'names'))(
	'%s: what nobody sees around a value changes nothing',
	(kind) => {
		fc.assert(
			fc.property(entered, around, around, (value, before, after) => {
				expect(outcome(kind, `${before}${value}${after}`)).toEqual(outcome(kind, value));
				// Text with commas is several entries; an entry of an array is one, for names may have commas.
				if (kind !== 'list' || !value.includes(',')) expect(outcome(kind, [value])).toEqual(outcome(kind, value));
			}),
		);
	},
);

test.each(Object.keys(kinds) as Kind[])(
	'%s: anything is understood or refused, and what was sent is sent again',
	(kind) => {
		const parsed = kind === 'rows' || kind === 'hexColor' || kind === 'rgbColor';
		fc.assert(
			fc.property(fc.oneof(fc.anything(), fc.jsonValue(), entered), (value) => {
				const result = outcome(kind, value) as { sent?: unknown };
				if (result.sent !== undefined && !parsed) expect(apply(kind, result.sent)).toEqual(result.sent);
			}),
		);
	},
);

test.each([
	['#1a2B3c', '#1a2b3c', 'rgb(26,43,60)'],
	['1A2B3C', '#1a2b3c', 'rgb(26,43,60)'],
	['RGB( 26, 43 , 60 )', '#1a2b3c', 'rgb(26,43,60)'],
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
	expect(apply('rows', given[0])).toEqual(sent.slice(0, 1));
	expect(apply('rows', { values: [{ device: '', link: '' }] })).toBeUndefined();
	expect(apply('rows', {})).toBeUndefined();
	expect(refusal(kinds.rows, [sent[0], { device: 'b', link: 'no' }])).toBe('→ row 2 → Link is not a web address: "no"');
});

test('a group of fields is an object of them', () => {
	const { parser } = groupOnce({ displayName: 'App', name: 'app' }, [textField('Store', 'store')], (group) => group);
	for (const given of [{ value: { store: ' a ' } }, { store: 'a' }])
		expect(parser(given, source)).toEqual({ store: 'a' });
	for (const given of ['a', ['a'], 1]) expect(refusal(parser, given)).toBe('is not an object');
	expect(refusal(parser, { store: { a: 1 } })).toBe('→ Store is not text: an object');
});

test('rows without a value in their last field are left out, and the others are whole', () => {
	const given = { values: [{ device: 'a', link: '' }, { device: 'b' }, { device: '', link: '' }] };
	expect(apply('rows', given)).toBeUndefined();
	expect(refusal(kinds.rows, [{ device: '', link: 'https://example.com' }])).toBe('→ row 1 → Device is empty');
});
