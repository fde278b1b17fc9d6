/** Answers that keep no contract, by mistake or by ill will: sizes, nesting, types, IDs, totals, names, statuses and headers of every kind. */
import fc from 'fast-check';

/** Names that objects have of their own. */
export const OWN_NAMES = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', 'then', 'length'];

const WORDS = [
	'',
	'x',
	'\u0001',
	'\u0002',
	'<img src=x onerror=1>',
	'Ignore all of that. ',
	'%2e%2e/',
	'\\',
	'"',
	'{"error":0}',
	'\u202e',
];

/** A text of up to a hundred thousand characters: few parts, often repeated. */
export const longText = fc
	.tuple(fc.constantFrom(...WORDS, 'ab'), fc.constantFrom(1, 10, 1000, 50_000))
	.map(([word, times]) => word.repeat(times));

export const hostileId = fc.constantFrom<unknown>(
	...[
		'../../../../other-app/admin',
		'12/delete?x=',
		'3e2',
		'0x10',
		'012',
		' 12 ',
		'1,234',
		'-1',
		'1e400',
		'NaN',
		'%2e%2e',
		'..',
		'',
	],
	...[null, {}, [], [12], { id: 12 }, true, 0, -5, 0.5, 1e21, 12],
	...OWN_NAMES,
);

const figure = fc.constantFrom<unknown>(
	0,
	1,
	5,
	-1,
	1e12,
	Infinity,
	'1e12',
	'9'.repeat(400),
	null,
	{},
	[],
	'many',
	true,
);

const deep = fc
	.tuple(fc.constantFrom('[', '{"a":'), fc.constantFrom(3, 90, 110, 5000, 100_000))
	.map(([open, levels]) => `${open.repeat(levels)}1${(open === '[' ? ']' : '}').repeat(levels)}`);

/** JSON that is put in as it stands: a value of any kind. */
const json = fc.oneof(
	{ weight: 3, arbitrary: fc.oneof(longText, hostileId, figure).map((value) => JSON.stringify(value) ?? 'null') },
	{ weight: 2, arbitrary: deep },
	{ weight: 1, arbitrary: fc.constantFrom(...OWN_NAMES).map((name) => `{"${name}":{"${name}":0,"toString":0}}`) },
);

const record = fc
	.dictionary(
		fc.constantFrom(
			...[
				'id',
				'alias',
				'shorturl',
				'longurl',
				'title',
				'clicks',
				'scans',
				'date',
				'name',
				'domain',
				'link',
				'location',
			],
			...OWN_NAMES,
		),
		json,
		{ maxKeys: 8 },
	)
	.map(
		(fields) =>
			`{${Object.entries(fields)
				.map(([name, value]) => `"${name}":${value}`)
				.join(',')}}`,
	);

const COLLECTIONS = ['urls', 'qrs', 'campaigns', 'channels', 'domains', 'pixels', 'splash', 'cta', 'items'];

/** More than is read, and no more: what a test builds has an end. */
const LARGEST = 5_000_000;

const page = fc
	.tuple(
		fc.array(record, { minLength: 1, maxLength: 4 }),
		fc.constantFrom(1, 1, 1, 300, 2000),
		fc.nat(8),
		figure,
		figure,
	)
	.map(([records, times, list, result, next]) => {
		const some = records.join(',');
		const count = Math.max(1, Math.min(times, Math.floor(LARGEST / some.length)));
		const one = `[${some}]`;
		const lists = COLLECTIONS.map((name, at) => {
			const all =
				at === list ? `[${Array.from({ length: count }, () => some).join(',')}]` : one.length > 100_000 ? '[]' : one;
			return `"${name}":${all}`;
		});
		return `{"result":${JSON.stringify(result) ?? 'null'},"nextpage":${JSON.stringify(next)},${lists.join(',')}}`;
	});

const envelope = fc
	.record(
		{
			error: fc.oneof({ weight: 3, arbitrary: fc.constant('0') }, json),
			message: json,
			id: json,
			data: fc.oneof({ weight: 3, arbitrary: page }, record, json),
			details: fc.oneof(record, json),
			'Retry-After': json,
		},
		{ requiredKeys: [] },
	)
	.map(
		(body) =>
			`{${Object.entries(body)
				.map(([name, value]) => `"${name}":${value}`)
				.join(',')}}`,
	);

const BODIES = ['', '<html><body>Bad gateway</body></html>', '{"error": 0', 'null', '[]', '"text"'];

const headers = fc.record(
	{
		'content-type': fc.constantFrom('text/html', 'application/json; charset=utf-7', 'application/octet-stream'),
		'x-ratelimit-limit': fc.constantFrom('30', 'many', '-1', '1e9'),
		'x-ratelimit-remaining': fc.constantFrom('29', '5', 'x', '9'.repeat(20), ''),
		'x-ratelimit-reset': fc.constantFrom('0', '-5', 'soon', '1e400', 'Thu, 01 Jan 1970 00:00:00 GMT', '9'.repeat(20)),
		date: fc.constantFrom('x', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT'),
	},
	{ requiredKeys: [] },
);

/** Statuses at which nothing is waited for, so that no run takes long. */
const status = fc.constantFrom(200, 200, 200, 200, 200, 200, 201, 204, 301, 302, 304, 400, 401, 403, 404, 422);

/** An answer: its status, its headers and its text. */
export const hostileAnswer = fc
	.record({
		status,
		headers,
		text: fc.oneof(
			{ weight: 6, arbitrary: envelope },
			{ weight: 1, arbitrary: json },
			{ weight: 1, arbitrary: longText },
			{ weight: 1, arbitrary: fc.constantFrom(...BODIES) },
		),
	})
	.map((answer) => ({ kind: 'answer' as const, ...answer }));
