/** Sheets as people bring them: a plain sheet, and the same with other headings, in another place of its items, with other cells. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { titlesOf } from './titlesTable';

/** Campaigns that the account has. No name is the ID of another. */
export const CAMPAIGNS = ['Spring 2031', 'Été', '2032'];

type Cells = Record<string, string>;

/** A plain sheet, by the names of fields, and what others make of it. */
interface Brought {
	plain: IDataObject[];
	brought: IDataObject[];
}

const word = fc.stringMatching(/^[a-zà-ÿ\u0621-\u064a]{3,9}$/);
/** No word that stands for nothing, for yes or for no. */
const wordOf = word.filter((one) => !/^(?:null|none|undefined|never|true|false|yes|no)$/i.test(one));
const sentence = fc.array(wordOf, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const day = fc
	.integer({ min: 11_000, max: 22_000 })
	.map((days) => new Date(days * 2 * 86_400_000).toISOString().slice(0, 10));

const VALUES: Record<string, fc.Arbitrary<string>> = {
	url: fc
		.tuple(wordOf, fc.constantFrom('', '?a=1&b=2'))
		.map(([path, query]) => `https://shop.example/${encodeURIComponent(path)}${query}`),
	custom: fc.stringMatching(/^[a-z]{4,12}$/).filter((one) => !/^(?:none|null|undefined|never)$/.test(one)),
	metatitle: sentence,
	description: sentence,
	password: wordOf,
	campaign: fc.constantFrom(...CAMPAIGNS),
	expiry: day.filter((one) => one > '2029'),
};

/** What stands where there is nothing. */
const NOTHING = [undefined, '', null, 'NULL', 'null', '\\N', 'N/A', 'n/a', '-', '—', 'none', ' \u200b', []];
const NO: Record<string, unknown[]> = {
	password: ['No', false, 'FALSE'],
	expiry: ['Never', '0000-00-00 00:00:00', '0000-00-00', { start: null, end: null }],
};

/** A text as spreadsheets and databases hold it. */
const TEXTS: Array<(text: string) => unknown> = [
	(text) => text,
	(text) => [text],
	(text) => `  ${text}\u200b `,
	(text) => ({ id: 31, value: text, color: 'blue' }),
	(text) => [{ id: 31, value: text }],
	(text) => ({ id: 'optA', name: text }),
];

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

function ordinal(date: string): string {
	const number = Number(date.slice(8));
	const end = number > 10 && number < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
	return `${MONTH.format(new Date(date))} ${number}${end}, ${date.slice(0, 4)}`;
}

const CELLS: Record<string, Array<(text: string) => unknown>> = {
	url: [
		(text) => text,
		(text) => [text],
		(text) => `<${text}|Shop>`,
		(text) => `<${text}>`,
		(text) => text.replaceAll('&', '&amp;'),
		(text) => text.replaceAll('&', '&#038;'),
		(text) => `<${text.replaceAll('&', '&#38;')}|A & B>`,
		(text) => ({ label: 'Open', url: text }),
		(text) => [{ id: 'attA', url: text, filename: 'x' }],
		(text) => text.replace('https://', ''),
	],
	password: [(text) => text, (text) => [text]],
	campaign: [
		...TEXTS,
		(text) => ({ Id: 1, Title: text }),
		(text) => [{ id: 2, value: text, order: '1.0' }],
		(text) => [{ id: 3, display_value: text }],
	],
	expiry: [
		(date) => date,
		(date) => `${date}T00:00:00.000Z`,
		(date) => `${date} 00:00:00+00`,
		(date) => `${date}T00:00:00`,
		(date) => ({ start: date, end: null, time_zone: null }),
		(date) => [{ start: date }],
		ordinal,
		(date) => String(Math.round((Date.parse(date) - Date.UTC(1899, 11, 30)) / 86_400_000)),
	],
};

/** How people and programs write a title. */
const WRITINGS: Array<(title: string) => string> = [
	(title) => title,
	(title) => title.toUpperCase(),
	(title) => title.toLocaleUpperCase('tr'),
	(title) => title.normalize('NFD').replace(/\p{M}/gu, ''),
	(title) => title.toLowerCase().replace(/[ -]/g, '_'),
	(title) => title.replace(/ (\p{L})/gu, (_space, letter: string) => letter.toUpperCase()),
	(title) => `${title} *`,
	(title) => `${title}:`,
	(title) => `"${title.replace(' ', '\u00a0')}"`,
];

/** Where rows stand in the items that other nodes put out. */
const PLACES: Array<(cells: IDataObject, at: number) => IDataObject> = [
	(cells) => cells,
	(cells, at) => ({ row_number: at + 2, ...cells }),
	(cells, at) => ({ id: `rec${at}`, createdTime: '2026-11-01T10:00:00.000Z', fields: cells }),
	(cells, at) => ({ id: at, fields: cells }),
	(cells) => ({ headers: { host: 'n8n.example' }, params: {}, query: {}, body: cells }),
	(cells) => ({ output: cells }),
	(cells, at) => ({
		id: `page-${at}`,
		name: 'A page',
		url: `https://notion.example/page-${at}`,
		...Object.fromEntries(Object.entries(cells).map(([title, value]) => [`property_${title}`, value])),
	}),
];

const FOREIGN: IDataObject[] = [
	{},
	{ Tags: 'a, b', Clicks: 3 },
	{ id: 5 },
	{ Country: { name: 'France' }, created_at: '2026-01-01' },
];

const fields = Object.keys(VALUES);
const from = <One>(list: readonly One[]) => fc.constantFrom(...list);

/** A row by fields; some are empty, and the long URL is there. */
const row = fc.record(VALUES, { requiredKeys: ['url'] }) as fc.Arbitrary<Cells>;

const titleOf = (name: string) => {
	// A long URL under a name of its own makes it a sheet of links.
	const titles = [...titlesOf(name, 'own'), ...(name === 'url' ? [] : titlesOf(name, 'shared'))];
	return fc.tuple(from(titles), from(WRITINGS)).map(([title, write]) => write(title));
};

/** A cell of a field: what it holds, or nothing. */
function cellOf(name: string, value: string | undefined): fc.Arbitrary<unknown> {
	if (value === undefined) return from([...NOTHING, ...(NO[name] ?? [])]);
	return from(CELLS[name] ?? TEXTS).map((write) => write(value));
}

const rowsOf = (plain: Cells[], titles: Record<string, string>) =>
	fc
		.tuple(
			...plain.map((one) =>
				fc.tuple(from(FOREIGN), fc.record(Object.fromEntries(fields.map((name) => [name, cellOf(name, one[name])])))),
			),
		)
		.map((all) =>
			all.map(([foreign, cells]) => ({
				...foreign,
				...Object.fromEntries(
					Object.entries(cells).flatMap(([name, value]) => (value === undefined ? [] : [[titles[name], value]])),
				),
			})),
		);

/** Each alias and each long URL stands once: what two rows of one link say is another matter. */
const sheets = fc.uniqueArray(row, { minLength: 1, maxLength: 25, selector: ({ url }) => url }).map((rows) => {
	const aliases = new Set<string | undefined>();
	return rows.filter(({ custom }) => custom === undefined || (!aliases.has(custom) && aliases.add(custom)));
});

export const broughtSheets: fc.Arbitrary<Brought> = fc
	.tuple(sheets, fc.record(Object.fromEntries(fields.map((name) => [name, titleOf(name)]))), from(PLACES))
	.chain(([plain, titles, place]) =>
		rowsOf(plain, titles).map((rows) => ({
			plain: plain.map(({ url, ...cells }) => ({ long_url: url, ...cells })),
			brought: rows.map((cells, at) => place(cells as IDataObject, at)),
		})),
	);
