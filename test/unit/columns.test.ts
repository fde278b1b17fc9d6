/** What columns are called: the tables, and how a title finds its field. */
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { SheetColumns } from '../../nodes/LinkManagement/columns/sheetColumns';
import { columnKey, EXPORTS, TITLES, Titles, UTM_BUILDERS } from '../../nodes/LinkManagement/columns/titles';
import { columns, getLinkColumns, utmColumns } from '../../nodes/LinkManagement/resources/link/columns';
import { titlesOf, titlesTable } from '../brought/titlesTable';
import { expectPart } from '../documentation/markdown';

const ALL = [...columns, ...utmColumns];
const titles = new Titles(ALL);

/** The titles of each field that are read in a sheet of links. */
const NAMES = ALL.map(({ name, label, shownAs = [] }) => ({
	name,
	names: [...new Set([label, ...shownAs, ...titlesOf(name, 'sure', 'usual', 'likely')])],
}));

/** Cells with which each column counts. */
const cellsOf = (all: readonly string[]) =>
	Object.fromEntries(
		all.map((title) => [title, /^status$/i.test(title) ? 'public' : /^type$/i.test(title) ? 'direct' : 'x']),
	);
const sheet = (...all: string[]) => new SheetColumns([cellsOf(all)], titles);
const fieldOf = (title: string, ...beside: string[]) => sheet(title, ...beside).read.get(title)?.name;

/** A column that makes a sheet of links, and means another field. */
const besideOf = (name: string) => (name === 'custom' ? 'Lange URL' : 'Back-half');

test('no two fields share a title, whatever its grade, also where letters with accents are left out of it', () => {
	const all = ALL.map(({ name }) => ({ name, own: titlesOf(name, 'sure', 'usual', 'likely', 'other') }));
	const asWritten = (title: string) => columnKey(title);
	const withoutAccents = (title: string) => columnKey(title.replace(/[^\x20-\x7e]/g, ''));
	for (const keyOf of [asWritten, withoutAccents]) {
		const owners = new Map<string, Set<string>>();
		for (const { name, own } of all)
			for (const title of own) owners.set(keyOf(title), (owners.get(keyOf(title)) ?? new Set()).add(name));
		expect([...owners].filter(([key, names]) => key === '' || names.size > 1)).toEqual([]);
	}
});

test('no title of a field stands in two grades, or twice in one language', () => {
	for (const { name } of ALL) {
		const graded = Object.values(TITLES[name]).map(
			(byLanguage) => new Set(Object.values(byLanguage).flat().map(columnKey)),
		);
		const inSeveral = [...new Set(graded.flatMap((keys) => [...keys]))].filter(
			(key) => graded.filter((keys) => keys.has(key)).length > 1,
		);
		expect([name, inSeveral]).toEqual([name, []]);
		for (const byLanguage of Object.values(TITLES[name]))
			for (const own of Object.values(byLanguage)) expect(new Set(own.map(columnKey)).size).toBe(own.length);
	}
});

test('the words name fields that there are, in nine languages', () => {
	const names = ALL.map(({ name }) => name);
	expect(Object.keys(TITLES).sort()).toEqual([...names].sort());
	const meant = [...EXPORTS.flatMap((one) => Object.values(one.columns)), ...Object.values(UTM_BUILDERS)];
	expect(meant.filter((name) => name !== '' && !names.includes(name))).toEqual([]);
	for (const name of [
		'url',
		'custom',
		'shorturl',
		'metatitle',
		'description',
		'campaign',
		'expiry',
		'password',
		'type',
	]) {
		const languages = Object.values(TITLES[name]).flatMap((byLanguage) => Object.keys(byLanguage));
		expect([name, [...new Set(languages)].sort()]).toEqual([name, 'de en es fr id it nl pt tr'.split(' ')]);
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
	['with a note below', (title) => `${title}\n[text]`],
	['with its longest value', (title) => `${title} (max. 20 characters)`],
	['in quotes', (title) => `"${title}"`],
	['in typographic quotes', (title) => `„${title}“`],
];

test.each(WRITTEN)('in a sheet of links every title means its field, written %s', (_how, write) => {
	const missed = NAMES.flatMap(({ name, names }) =>
		names.filter((title) => {
			const isChoice = ['status', 'type'].includes(title.toLowerCase());
			return !isChoice && fieldOf(write(title), besideOf(name)) !== name;
		}),
	);
	expect(missed).toEqual([]);
});

test('in another sheet a likely title means nothing, and its cure works', () => {
	for (const { name } of ALL) {
		for (const title of titlesOf(name, 'likely').filter((one) => !['Status', 'Type'].includes(one))) {
			const other = sheet('URL', title, 'Shop');
			expect([title, other.read.has(title)]).toEqual([title, false]);
			expect(other.cures).toEqual([
				`Left alone, since they may mean something else here: ${title}. To have them read, name the column of addresses Long URL, or map the columns by hand.`,
			]);
			expect(fieldOf(title, 'Long URL', 'Shop')).toBe(name);
		}
	}
});

test.each(['Title', 'Alias', 'Password', 'Expires', 'URL'])(
	'a bracket that is no note makes %s another title',
	(title) => {
		for (const note of ['(internal)', '(old)', '(yes/no)', '[CMS]', '(certificate)'])
			expect(fieldOf(`${title} ${note}`, 'Back-half')).toBeUndefined();
	},
);

test('a password is left alone beside the name of a user, in any language, also in a sheet of links', () => {
	for (const user of ['Username', 'login', 'Benutzername', 'Nombre de usuario', 'Identifiant', 'Kullanıcı adı']) {
		const logins = sheet('Long URL', 'Password', user);
		expect(logins.read.has('Password')).toBe(false);
		expect(logins.cures).toEqual([`Left alone beside ${user}: Password. To have it read, map the columns by hand.`]);
	}
});

test.each([
	['Status', 'public', 'status'],
	['Type', 'Frame', 'type'],
])('%s counts where a cell is one of its words', (title, word, name) => {
	const read = (...cells: unknown[]) =>
		new SheetColumns(cells.map((cell) => ({ Alias: 'a', [title]: cell })) as IDataObject[], titles);
	expect(read('live', word).read.get(title)?.name).toBe(name);
	expect(read('live', 2).read.has(title)).toBe(false);
	expect(read('live', 2).ignored()).toMatch(new RegExp(`^Columns ignored: ${title} \\(no cell says `));
	expect(new SheetColumns([{ URL: 'a', [title]: word }], titles).read.has(title)).toBe(false);
});

test('URL means the long URL where no other column does', () => {
	expect(fieldOf('URL', 'Alias')).toBe('url');
	expect(fieldOf('URL', 'Ziel-URL', 'Alias')).toBeUndefined();
	expect(fieldOf('Ziel-URL', 'URL')).toBe('url');
});

test("the service's own name counts in its own spelling", () => {
	expect([fieldOf('custom', 'url'), fieldOf('Custom', 'url'), fieldOf('CUSTOM', 'url')]).toEqual([
		'custom',
		undefined,
		undefined,
	]);
});

test('two titles of UTM builders make Campaign Name one of them', () => {
	expect(fieldOf('Campaign Name', 'Long URL', 'Campaign Source')).toBe('utm_campaign');
	expect(fieldOf('Campaign Name', 'Long URL')).toBe('campaign');
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

test.each(EXPORTS.map(({ service, ...more }) => [service, more] as const))(
	'an export of %s is read by its signature',
	(_service, { signature, columns: words }) => {
		const signed = signature.map(([first]) => first);
		for (const [title, name] of Object.entries(words).filter(([one, meant]) => meant !== '' && signed.includes(one)))
			expect([title, fieldOf(title, ...signed)]).toEqual([title, name]);
	},
);

test.each([
	['keyword, url, title', 'keyword'],
	['key, url, domain', 'key'],
	['row_number, keyword, url, title, short_url, result', 'keyword'],
])('so are all columns of an export: %s', (all, title) => {
	expect(fieldOf(title, ...all.split(', ').filter((one) => one !== title))).toBe('custom');
});

test('columns that have their names in an export, too, mean what they mean by themselves', () => {
	expect(fieldOf('description', 'url', 'domain')).toBe('description');
	expect(fieldOf('Expires', 'Original URL', 'Status', 'Clicks')).toBeUndefined();
});

test.each(['keyword, url, position, timestamp', 'Key, URL, Summary', 'keyword, url', 'Keyword, URL, Title'])(
	'another sheet with a word of an export is none: %s',
	(all) => {
		const [title, ...beside] = all.split(', ');
		expect(fieldOf(title, ...beside)).toBeUndefined();
	},
);

test('a title of many megabytes is read in no time', () => {
	const long = '('.repeat(5_000_000);
	expect(columnKey(long).length).toBeLessThan(1000);
});

describe('what is said of columns that mean nothing', () => {
	test.each(ALL.flatMap(({ name, label }) => titlesOf(name, 'other').map((title) => [title, label, name] as const)))(
		'%s: did you mean %s? Renamed so, it means that; where the field has a column, nothing is said',
		(title, label, name) => {
			expect(sheet(title).ignored()).toBe(`Columns ignored: ${title} (did you mean ${label}?).`);
			expect(fieldOf(label, besideOf(name))).toBe(name);
			expect(sheet(title, label, 'Back-half', 'Lange URL').ignored() ?? '').not.toMatch(/did you mean/);
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
		expect([found.from, found.all, [...found.read.keys()]]).toEqual([[name], ['Alias'], ['Alias']]);
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
	['rows as lists', [{ row: ['https://x.example', 'a'] }], /no headings/, /turn on the header row/],
	[
		'rows as lists with their headings',
		[{ row: ['Long URL', 'Alias'] }, { row: ['a', 'b'] }],
		/no headings/,
		/item 1 .*: Long URL, Alias\. Set/,
	],
	['columns that have numbers', [{ col_0: 'a', col_1: 'b' }], /no headings/, /add a first row with the headings/],
	[
		'a title above',
		[
			{ Links: 'Stand', __EMPTY: '2026' },
			{ Links: 'Ziel-URL', __EMPTY: 'Alias' },
		],
		/no headings/,
		/item 2 .*: Ziel-URL, Alias/,
	],
	[
		'a title above, with row numbers',
		[{ row_number: 2, Links: 'Alias' }],
		/no column that is recognized/,
		/in row 2: Alias/,
	],
	[
		'a first row that was read as headings',
		[{ 'https://x.example': 'https://y.example' }],
		/no headings/,
		/Otherwise, add/,
	],
	['all in one column', [{ 'Long URL;Alias': 'a;b' }], /no column/, /set the delimiter in the node/],
	['other names', [{ Shop: 'a' }], /no column that is recognized/, /^Name the columns "Long URL"/],
	['nothing', [{}], /no columns/, /Name the columns/],
])('no column is recognized, for there are %s', (_what, items, says, advises) => {
	const found = new SheetColumns(items, titles);
	expect(found.read.size === 0).toBe(true);
	expect(found.unknown().message).toMatch(says);
	expect(found.unknown().advice).toMatch(advises);
});

/** What the editor shows of an input before a run. */
async function noticeOf(...items: IDataObject[]): Promise<string | undefined> {
	const parameters = { inputSample: items.length === 0 ? undefined : items };
	const context = { getCurrentNodeParameter: (name: keyof typeof parameters) => parameters[name] };
	return (await getLinkColumns.call(context as unknown as ILoadOptionsFunctions)).emptyFieldsNotice;
}

test('before a run, the editor says what feeds what', async () => {
	expect(await noticeOf()).toMatch(/^Recognized: Long URL, Alias, Short URL and more\. <a /);
	expect(await noticeOf({ 'Long URL': 'a', Alias: 'b' })).toBe('Columns read: Long URL, Alias.');
	expect(await noticeOf({ 'Ziel-URL': 'a', custom: 'b' }, { Notiz: 'c' })).toBe(
		'Columns read: Ziel-URL as Long URL, custom as Alias.<br>Columns ignored: Notiz.',
	);
	expect(await noticeOf({ id: 'rec', fields: { Alias: 'a' } })).toMatch(
		/^Columns read from fields: Alias\.<br>No column is a Long URL/,
	);
	expect(await noticeOf({ url: 'a', Titel: 't' })).toMatch(/<br>Titel becomes the public title of the preview/);
	expect(await noticeOf({ 'Long URL': 'a', Scadenza: 't' })).toMatch(/<br>Scadenza ends the links\./);
	expect(await noticeOf({ Title: 'a' })).toMatch(/<br>No column is a Long URL, an Alias or a Short URL, so no row/);
	expect(await noticeOf({ url: 'a', Bitlink: 't' })).toMatch(/Short URLs of another service are left alone/);
	expect(await noticeOf({ data: [{ url: 'a' }] })).toMatch(/The rows are in a list, in "data"\. Add a Split Out node/);
	expect(await noticeOf({ '<b>Shop</b>': 'a' })).toMatch(/no column that is recognized\. Name the columns/);
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
