/** What columns are called: the tables, and how a title finds its field. */
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { columnKey } from '../../nodes/LinkManagement/fields/columnNames';
import { SheetColumns } from '../../nodes/LinkManagement/fields/sheetColumns';
import { COMPANY_WORDS, HEADINGS, namesOf } from '../../nodes/LinkManagement/fields/headings';
import { columns, getLinkColumns, titles, utmColumns } from '../../nodes/LinkManagement/resources/link/columns';
import { headingsTable } from '../brought/headingsTable';
import { expectPart } from '../documentation/markdown';

const ALL = [...columns, ...utmColumns];

/** All names of each field. */
const NAMES = ALL.map(({ name, label, shownAs = [] }) => ({
	name,
	names: [name, label, ...shownAs, ...(name in HEADINGS ? namesOf(HEADINGS[name]) : [])],
}));

const sheet = (...all: string[]) => new SheetColumns([Object.fromEntries(all.map((title) => [title, 'x']))], titles);
const fieldOf = (title: string, ...beside: string[]) => sheet(title, ...beside).fields.get(title)?.name;

test('no two fields share a name, and no word of another service is a name by itself', () => {
	const owners = new Map<string, string>();
	const shared = NAMES.flatMap(({ name, names }) =>
		names.filter((title) => {
			const key = columnKey(title);
			const isShared = (owners.get(key) ?? name) !== name;
			owners.set(key, name);
			return isShared;
		}),
	);
	expect(shared).toEqual([]);
	expect(COMPANY_WORDS.filter(({ title }) => owners.has(columnKey(title)))).toEqual([]);
	expect([...owners.keys()].filter((key) => key === '')).toEqual([]);
	expect([...titles.keys()].filter((key) => !key.startsWith('property_')).sort()).toEqual([...owners.keys()].sort());
});

test('the tables name fields that there are, and say none twice', () => {
	expect(Object.keys(HEADINGS).filter((name) => !columns.some((column) => column.name === name))).toEqual([]);
	for (const { names } of NAMES.map((one) => ({ ...one, names: one.names.slice(2) }))) {
		expect(names.filter((title, at) => names.indexOf(title) !== at)).toEqual([]);
	}
});

/** How a title may be written in a sheet. */
const WRITTEN: Array<[how: string, write: (title: string) => string]> = [
	['as it is', (title) => title],
	['in capitals', (title) => title.toUpperCase()],
	['in Turkish capitals', (title) => title.toLocaleUpperCase('tr')],
	['in small letters', (title) => title.toLowerCase()],
	['without accents', (title) => title.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i')],
	['with accents of their own', (title) => title.normalize('NFD')],
	['with underscores', (title) => title.replace(/[ -]/g, '_')],
	['without spaces', (title) => title.replace(/[ -]/g, '')],
	['with line breaks', (title) => title.replace(/ /g, '\r\n')],
	['with spaces of no width', (title) => ` ${title.replace(/ /g, '\u200b ')}\ufeff`],
	['as a required field', (title) => `${title} *`],
	['with a colon', (title) => `${title}:`],
	['with a note', (title) => `${title} (optional)`],
	['with a note below', (title) => `${title}\n[Ziel]`],
	['in quotes', (title) => `"${title}"`],
	['in typographic quotes', (title) => `„${title}“`],
];

test.each(WRITTEN)('every name means its field, written %s', (_how, write) => {
	const missed = NAMES.flatMap(({ name, names }) => names.filter((title) => fieldOf(write(title)) !== name));
	expect(missed).toEqual([]);
});

test.each([
	'id',
	'name',
	'Notes',
	'Tags',
	'Clicks',
	'Created',
	'Link',
	'Path',
	'key',
	'keyword',
	'Page',
	'',
	'x'.repeat(9999),
])('a column %j means nothing', (title) => {
	expect(fieldOf(title)).toBeUndefined();
});

test.each(COMPANY_WORDS.map(({ title, field, beside, service }) => [title, field, beside, service] as const))(
	'%s means %s beside %j alone (%s)',
	(title, field, beside) => {
		const company = beside.map(([first]) => first);
		expect(fieldOf(title, ...company)).toBe(field);
		for (const left of company) expect(fieldOf(title, ...company.filter((one) => one !== left))).toBeUndefined();
	},
);

test('a title of many megabytes is read in no time', () => {
	const long = '('.repeat(5_000_000);
	expect(columnKey(long).length).toBeLessThan(1000);
});

describe('what is said of columns that mean nothing', () => {
	test.each([
		['Keyword', 'Alias'],
		['Link', 'Long URL'],
		['URL address', 'Long URL'],
		['Link expiry', 'Expiry'],
		['Campaign ID', 'Campaign'],
		['Short slug', 'Alias'],
		['Preview image', 'Meta Image URL'],
		['Custom Domain URL', 'Domain'],
		['Tiny link', 'Short URL'],
		['Notes', 'Description'],
		['Link title', 'Meta Title'],
		['pwd', 'Password'],
		['Link status', 'Status'],
		['Redirect', 'Redirection Type'],
	])(
		'%s: did you mean %s? Renamed so, it means that; where the field has a column, nothing is said',
		(title, label) => {
			expect(sheet(title).ignored()).toBe(`Columns ignored: ${title} (did you mean ${label}?).`);
			expect(sheet(label).fields.get(label)?.label).toBe(label);
			for (const { names } of NAMES.filter(({ name }) => titles.get(columnKey(label))?.name === name))
				for (const taken of names) expect(sheet(title, taken).ignored()).toBe(`Columns ignored: ${title}.`);
		},
	);

	test('they are named in their order, and so many at most', () => {
		expect(sheet('Alias', 'Shop', 'row_number', 'Tags').ignored()).toBe('Columns ignored: Shop, Tags.');
		expect(sheet('Alias').ignored()).toBeUndefined();
		const many = Array.from({ length: 20 }, (_, at) => `c${at}`);
		expect(sheet(...many).ignored()).toBe(`Columns ignored: ${many.slice(0, 12).join(', ')}, ….`);
	});
});

/** An item that holds a row one level down. */
const within = (name: string, cells: IDataObject): IDataObject => ({ id: 7, createdTime: '2026-11-01', [name]: cells });

test.each(['fields', 'fieldData', 'body', 'output'])(
	'columns are found in the one object that has some: %s',
	(name) => {
		const found = new SheetColumns([within(name, { Alias: 'a' }), { id: 8 }], titles);
		expect([found.from, found.all, [...found.fields.keys()]]).toEqual([[name], ['Alias'], ['Alias']]);
		expect(found.cellsOf(within(name, { Alias: 'b', Tags: 'c' })).get('custom')).toEqual([
			{ title: 'Alias', value: 'b' },
		]);
	},
);

test('an item with columns of its own has no others', () => {
	const item = { ...within('fields', { 'Long URL': 'inner' }), Alias: 'own' };
	expect([...new SheetColumns([item], titles).cellsOf(item).keys()]).toEqual(['custom']);
});

test('of a page of Notion, the properties are the columns', () => {
	const item = {
		id: 'p',
		name: 'Spring',
		url: 'https://notion.example/p',
		property_long_url: 'https://x.example',
		property_alias: 'a',
	};
	const cells = new SheetColumns([item], titles).cellsOf(item);
	expect([...cells].map(([name, [{ value }]]) => [name, value])).toEqual([
		['url', 'https://x.example'],
		['custom', 'a'],
	]);
});

test.each<[string, IDataObject, RegExp, RegExp]>([
	['two objects', { body: { url: 'a' }, query: { alias: 'b' } }, /^Both "body" and "query" hold columns/, /Remove one/],
	[
		'a list',
		{ data: [{ x: 1 }, { url: 'a' }] },
		/^The rows are in a list, in "data"/,
		/Add a Split Out node.*with data/,
	],
	[
		'a page of Notion as it is sent',
		{ object: 'page', url: 'a', properties: { Alias: {} } },
		/Notion page/,
		/Simplify/,
	],
])('%s: the row says what to do', (_what, item, says, advises) => {
	const { problem } = new SheetColumns([item], titles);
	expect(problem?.message).toMatch(says);
	expect(problem?.advice).toMatch(advises);
	expect(() => new SheetColumns([item], titles).cellsOf(item)).toThrow(says);
});

test.each<[string, IDataObject[], RegExp, RegExp]>([
	['rows as lists', [{ row: ['https://x.example', 'a'] }], /no headings/, /Turn on the header row/],
	[
		'rows as lists with their headings',
		[{ row: ['Long URL', 'Alias'] }, { row: ['a', 'b'] }],
		/no headings/,
		/item 1 .*: Long URL, Alias\. Set/,
	],
	['columns that have numbers', [{ col_0: 'a', col_1: 'b' }], /no headings/, /Turn on/],
	[
		'a title above',
		[
			{ Links: 'Stand', __EMPTY: '2026' },
			{ Links: 'Ziel-URL', __EMPTY: 'Kürzel' },
		],
		/no headings/,
		/item 2 .*: Ziel-URL, Kürzel/,
	],
	[
		'a title above, with row numbers',
		[{ row_number: 2, Links: 'Alias' }],
		/no column that is recognized/,
		/in row 2: Alias/,
	],
	['all in one column', [{ 'Long URL;Alias': 'a;b' }], /no column/, /Set the delimiter ";"/],
	['other names', [{ Shop: 'a' }], /no column that is recognized/, /^Name the columns "Long URL"/],
	['nothing', [{}], /no columns/, /Name the columns/],
])('no column is recognized, for there are %s', (_what, items, says, advises) => {
	const found = new SheetColumns(items, titles);
	expect(found.areUnknown).toBe(true);
	expect(found.unknown().message).toMatch(says);
	expect(found.unknown().advice).toMatch(advises);
});

/** What the editor shows of an input before a run. */
async function noticeOf(...items: IDataObject[]): Promise<string | undefined> {
	return await noticeWith({}, ...items);
}

async function noticeWith(options: IDataObject, ...items: IDataObject[]): Promise<string | undefined> {
	const parameters = { inputSample: items.length === 0 ? undefined : items, options };
	const context = { getCurrentNodeParameter: (name: keyof typeof parameters) => parameters[name] };
	return (await getLinkColumns.call(context as unknown as ILoadOptionsFunctions)).emptyFieldsNotice;
}

test('before a run, the editor says what feeds what', async () => {
	expect(await noticeOf()).toBeUndefined();
	expect(await noticeOf({ 'Long URL': 'a', Alias: 'b' })).toBe('Columns read: Long URL, Alias.');
	expect(await noticeOf({ 'Ziel-URL': 'a', custom: 'b' }, { Notiz: 'c' })).toBe(
		'Columns read: Ziel-URL as Long URL, custom as Alias.<br>Columns ignored: Notiz.',
	);
	expect(await noticeOf({ id: 'rec', fields: { Alias: 'a' } })).toMatch(
		/^Columns read from fields: Alias\.<br>No column is a Long URL/,
	);
	expect(await noticeOf({ url: 'a', Titel: 't' })).toMatch(/<br>Titel becomes the Meta Title, the public title/);
	expect(await noticeOf({ url: 'a', Bitlink: 't' })).toMatch(/add Options → Short URLs of Other Services/);
	expect(await noticeOf({ url: 'a', Bitlink: 't', Alias: 'b' })).not.toMatch(/Options/);
	expect(await noticeWith({ foreignShortUrls: 'alias' }, { url: 'a', Bitlink: 't' })).not.toMatch(/Options/);
	expect(await noticeOf({ data: [{ url: 'a' }] })).toMatch(/The rows are in a list, in "data"\. Add a Split Out node/);
	expect(await noticeOf({ '<b>Shop</b>': 'a' })).toMatch(/no column that is recognized\. Name the columns/);
	expect(await noticeOf({ '<b>Shop</b>': 'a' })).toContain('&lt;b&gt;Shop');
});

test('the page lists all names', () => {
	expectPart('headings', headingsTable());
});

test('the mapping by hand begins with what most sheets have, and offers choices and dates as such', async () => {
	const context = { getCurrentNodeParameter: () => undefined };
	const { fields: offered } = await getLinkColumns.call(context as unknown as ILoadOptionsFunctions);
	expect(offered.filter(({ removed }) => removed !== true).map(({ id }) => id)).toEqual([
		'url',
		'custom',
		'metatitle',
		'description',
	]);
	const forms = Object.fromEntries(offered.map(({ id, type, options = [] }) => [id, [type, options.length]]));
	expect(forms).toMatchObject({
		url: ['string', 0],
		expiry: ['dateTime', 0],
		status: ['options', 2],
		type: ['options', 3],
	});
});

test('no two fields share a name where letters with accents are left out of it', () => {
	const owners = new Map<string, string>();
	const shared = NAMES.flatMap(({ name, names }) =>
		names.filter((title) => {
			const key = columnKey(title.replace(/[^\x20-\x7e]/g, ''));
			const isShared = (owners.get(key) ?? name) !== name;
			owners.set(key, name);
			return isShared;
		}),
	);
	expect(shared).toEqual([]);
});
