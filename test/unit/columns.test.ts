/** What columns are called: the tables, and how a title finds its field. */
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { SheetColumns } from '../../nodes/LinkManagement/columns/sheetColumns';
import { columnKey, TITLES, Titles } from '../../nodes/LinkManagement/columns/titles';
import { columns, getLinkColumns, utmColumns } from '../../nodes/LinkManagement/resources/link/columns';
import { titlesOf, titlesTable } from '../brought/titlesTable';
import { expectPart } from '../documentation/markdown';

const ALL = [...columns, ...utmColumns];
const titles = new Titles(ALL);
const NAMES = ALL.map(({ name }) => name);

const sheet = (...all: string[]) => new SheetColumns([Object.fromEntries(all.map((title) => [title, 'x']))], titles);
const fieldOf = (title: string, ...beside: string[]) => sheet(title, ...beside).read.get(title)?.name;

/** A column that makes a sheet of links, and means another field. */
const besideOf = (name: string) => (name === 'custom' ? 'Lange URL' : 'Back-half');

test('no two fields share a title, also where letters with accents are left out of it', () => {
	const all = NAMES.map((name) => ({ name, own: [...titlesOf(name, 'own'), ...titlesOf(name, 'shared')] }));
	const withoutAccents = (title: string) => columnKey(title.replace(/[^\x20-\x7e]/g, ''));
	for (const keyOf of [columnKey, withoutAccents]) {
		const owners = new Map<string, Set<string>>();
		for (const { name, own } of all)
			for (const title of own) owners.set(keyOf(title), (owners.get(keyOf(title)) ?? new Set()).add(name));
		expect([...owners].filter(([key, names]) => key === '' || names.size > 1)).toEqual([]);
	}
});

test('no title of a field stands in both of its lists, or twice in one language', () => {
	for (const name of NAMES) {
		const shared = new Set(titlesOf(name, 'shared').map(columnKey));
		expect([name, titlesOf(name, 'own').filter((title) => shared.has(columnKey(title)))]).toEqual([name, []]);
		for (const byLanguage of Object.values(TITLES[name]))
			for (const own of Object.values(byLanguage)) expect(new Set(own.map(columnKey)).size).toBe(own.length);
	}
});

test('the words name fields that there are, in nine languages', () => {
	expect(Object.keys(TITLES).sort()).toEqual([...NAMES].sort());
	const most = 'url custom shorturl domain metatitle description campaign channel expiry password status type';
	for (const name of most.split(' ')) {
		const languages = Object.values(TITLES[name]).flatMap((byLanguage) => Object.keys(byLanguage));
		const own = [...new Set(languages)].filter((one) => one !== 'api').sort();
		expect([name, own]).toEqual([name, 'de en es fr id it nl pt tr'.split(' ')]);
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
	['in quotes', (title) => `"${title}"`],
	['in typographic quotes', (title) => `„${title}“`],
];

test.each(WRITTEN)('in a sheet of links every title means its field, written %s', (_how, write) => {
	const missed = NAMES.flatMap((name) =>
		[...titlesOf(name, 'own'), ...titlesOf(name, 'shared')].filter(
			(title) => fieldOf(write(title), besideOf(name)) !== name,
		),
	);
	expect(missed).toEqual([]);
});

test('in any sheet an own title means its field, and of the shared ones those of the address do', () => {
	for (const name of NAMES) {
		for (const title of titlesOf(name, 'own')) expect([title, fieldOf(title, 'Shop')]).toEqual([title, name]);
		for (const title of titlesOf(name, 'shared')) {
			const other = sheet(title, 'Final URL', 'Shop');
			expect([title, other.read.has(title)]).toEqual([title, name === 'url']);
			expect(other.doubtful).toEqual(name === 'url' ? [] : [title]);
		}
	}
});

test.each(['Destination', 'destination_url', 'Original URL', 'Target URL', 'Back-half', 'Ziel-URL'])(
	'a column %s makes a sheet of links',
	(title) => {
		const read = sheet(title, 'short_code', 'password', 'expires_at', 'Slug (old)').read;
		const names = title === 'Back-half' ? ['password', 'expiry'] : ['custom', 'password', 'expiry'];
		for (const name of names) expect([...read.values()].map((column) => column.name)).toContain(name);
	},
);

test.each(['Title', 'Alias', 'Password', 'Expires', 'URL'])('a bracket makes %s another title', (title) => {
	for (const note of ['(internal)', '(old)', '(yes/no)', '[CMS]', '(certificate)'])
		expect(fieldOf(`${title} ${note}`, 'Back-half')).toBeUndefined();
});

test('a password is left alone beside the name of a user, in any language, also in a sheet of links', () => {
	for (const user of ['Username', 'login', 'Benutzername', 'Nombre de usuario', 'Identifiant', 'Kullanıcı adı']) {
		const logins = sheet('Long URL', 'Password', user);
		expect(logins.read.has('Password')).toBe(false);
		expect(logins.besideUser).toEqual(['Password']);
		expect(fieldOf('Link Password', 'Long URL', user)).toBe('password');
	}
});

test("the service's own name counts in its own spelling", () => {
	expect([fieldOf('custom', 'url'), fieldOf('Custom', 'url'), fieldOf('CUSTOM', 'url')]).toEqual([
		'custom',
		undefined,
		undefined,
	]);
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
	'Status',
	'Type',
	'Website',
	'',
	'x'.repeat(9999),
])('a column %j means nothing', (title) => {
	expect(fieldOf(title)).toBeUndefined();
});

test('a title of many megabytes is read in no time', () => {
	const long = '('.repeat(5_000_000);
	expect(columnKey(long).length).toBeLessThan(1000);
});

test('columns that mean nothing are named in their order', () => {
	expect(sheet('Alias', 'Shop', 'row_number', 'Tags').ignored).toEqual(['Shop', 'Tags']);
	expect(sheet('Alias').ignored).toEqual([]);
});

/** An item that holds a row one level down. */
const within = (name: string, cells: IDataObject): IDataObject => ({ id: 7, createdTime: '2026-11-01', [name]: cells });

test.each(['fields', 'fieldData', 'body', 'output'])(
	'columns are found in the one object that has some: %s',
	(name) => {
		const found = new SheetColumns([within(name, { Alias: 'a' }), { id: 8 }], titles);
		expect([found.from, found.all, [...found.read.keys()]]).toEqual([[name], ['Alias', 'id'], ['Alias']]);
		expect(found.cellsOf(within(name, { Alias: 'b', Tags: 'c' })).get('custom')).toEqual([
			{ title: 'Alias', value: 'b' },
		]);
	},
);

test('an item with columns of its own has no others', () => {
	const item = { ...within('fields', { 'Long URL': 'inner' }), Alias: 'own' };
	expect([...new SheetColumns([item], titles).cellsOf(item).keys()]).toEqual(['custom']);
});

test('an item that is no page of Notion has its other columns, too', () => {
	const item = { property_type: 'flat', property_alias: 'a', 'Long URL': 'https://x.example' };
	const cells = new SheetColumns([item], titles).cellsOf(item);
	expect([...cells.keys()].sort()).toEqual(['custom', 'url']);
});

test('the columns of a Notion page are its properties', () => {
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

test.each<[string, IDataObject[], RegExp]>([
	['rows as lists', [{ row: ['https://x.example', 'a'] }], /^The input has no column that is read: row$/],
	['columns that have numbers', [{ col_0: 'a', col_1: 'b' }], /: col_0, col_1$/],
	['all in one column', [{ 'Long URL;Alias': 'a;b' }], /: Long URL;Alias$/],
	['rows in a list', [{ data: [{ url: 'a' }] }], /: data$/],
	['a page of Notion as it is sent', [{ object: 'page', properties: { Alias: {} } }], /: object, properties$/],
	['other names', [{ Shop: 'a' }], /: Shop$/],
	['nothing', [{}], /^The input has no columns$/],
])('no column is read, for there are %s: the error names them, and the usual cures', (_what, items, says) => {
	const found = new SheetColumns(items, titles);
	expect(found.read.size).toBe(0);
	expect(found.unread!.message).toMatch(says);
	for (const cure of ['Name the columns "Long URL"', 'the header row and the delimiter', 'Split Out', 'Simplify'])
		expect(found.unread!.advice).toContain(cure);
});

/** What the editor shows of an input before a run. */
async function noticeOf(...items: IDataObject[]): Promise<string | undefined> {
	const parameters = { inputSample: items.length === 0 ? undefined : items };
	const context = { getCurrentNodeParameter: (name: keyof typeof parameters) => parameters[name] };
	return (await getLinkColumns.call(context as unknown as ILoadOptionsFunctions)).emptyFieldsNotice;
}

test('before a run, the editor says what feeds what', async () => {
	expect(await noticeOf()).toMatch(/^Columns that are read: Long URL, Alias, Short URL and more\. <a /);
	expect(await noticeOf({ 'Long URL': 'a', Alias: 'b' })).toBe('Columns read: Long URL, Alias.');
	expect(await noticeOf({ 'Long URL': 'a', Shop: 'b' })).toBe('Columns read: Long URL.<br>Columns ignored: Shop.');
	expect(await noticeOf({ 'Ziel-URL': 'a', custom: 'b' }, { Notiz: 'c' })).toBe(
		'Columns read: Ziel-URL as Long URL, custom as Alias.<br>Columns ignored: Notiz.',
	);
	expect(await noticeOf({ id: 'rec', fields: { Alias: 'a' } })).toMatch(
		/^Columns read from fields: Alias\.<br>No column is a Long URL/,
	);
	expect(await noticeOf({ url: 'a', Titel: 't' })).toMatch(/<br>Titel becomes the public title of the preview/);
	expect(await noticeOf({ 'Long URL': 'a', Scadenza: 't' })).toMatch(/<br>Scadenza ends the links\./);
	expect(await noticeOf({ Title: 'a' })).toMatch(/<br>No column is a Long URL, an Alias or a Short URL, so no row/);
	expect(await noticeOf({ '<b>Shop</b>': 'a' })).toMatch(
		/^The input has no column that is read: .*\. Name the columns/,
	);
	expect(await noticeOf({ '<b>Shop</b>': 'a' })).toContain('&lt;b&gt;Shop');
});

test('the page lists all names', () => {
	expectPart('titles', titlesTable());
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
