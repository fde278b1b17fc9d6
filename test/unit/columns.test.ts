import { runInNewContext } from 'node:vm';

import type { ILoadOptionsFunctions, NodeHint } from 'n8n-workflow';

import { cellsOf, columnKey, ignoredColumns, LIKE_FIELD, titlesOf } from '../../nodes/LinkManagement/fields/columns';
import { page } from '../documentation/markdown';
import { hints } from '../../nodes/LinkManagement/resources/hints';
import { getLinkColumns, titles as linkTitles } from '../../nodes/LinkManagement/resources/link/columns';

const fields = titlesOf([
	{ name: 'url', label: 'Long URL' },
	{ name: 'custom', label: 'Alias' },
	{ name: 'metatitle', label: 'Meta Title', others: ['title'] },
	{ name: 'description', label: 'Description' },
]);

test.each<[string, Record<string, unknown>, Record<string, unknown[]>]>([
	['the names of the API', { url: 'u', custom: 'c' }, { url: ['u'], custom: ['c'] }],
	['labels', { 'Long URL': 'u', Alias: 'c' }, { url: ['u'], custom: ['c'] }],
	['the names of lists', { longurl: 'u', alias: 'c', title: 't' }, { url: ['u'], custom: ['c'], metatitle: ['t'] }],
	['any spelling', { ' LONG-url_': 'u', meta_Title: 't' }, { url: ['u'], metatitle: ['t'] }],
	['nothing', { id: 1, clicks: 3, 'Anything Else': 'x' }, {}],
	['several names at once', { 'Long URL': 'label', longurl: 'list', URL: 'api' }, { url: ['label', 'list', 'api'] }],
])('columns are taken by %s: %j', (_how, item, meant) => {
	const cells = [...cellsOf(item, fields)].map(([name, all]) => [name, all.map(({ value }) => value)] as const);
	expect(Object.fromEntries(cells)).toEqual(meant);
});

test.each<[string[], string | undefined]>([
	[['Long URL', 'custom', 'Meta-Title', 'Title', 'row_number'], undefined],
	[['Title', 'URL address', 'Shop'], 'Columns ignored: URL address (did you mean Long URL?), Shop.'],
	[
		Array.from({ length: 20 }, (_, at) => `c${at}`),
		`Columns ignored: ${Array.from({ length: 12 }, (_, at) => `c${at}`).join(', ')}, ….`,
	],
])('of the columns %j it is said: %s', (titles, told) => {
	expect(ignoredColumns(titles, fields)).toBe(told);
});

test('the titles that the page names are those that are found, all of them', async () => {
	const { fields: offered } = await getLinkColumns.call({} as ILoadOptionsFunctions);
	const table = page('docs/operations.md').split('## The columns of a sheet')[1].split('\n## ')[0];
	const named = [...table.matchAll(/^\| \*\*(.+?)\*\*(?: \(or (.+?)\))? \|/gm)].map(([, title, others = '']) => [
		title,
		...others.replaceAll('`', '').split(', ').filter(Boolean),
	]);
	const found = named.map((titles) => titles.map((title) => linkTitles.get(columnKey(title))?.name));
	expect(found).toEqual(named.map((titles, at) => titles.map(() => offered[at].id)));
	expect(named).toHaveLength(offered.length);
	const shortened = (title: string) => columnKey(title.replace(' Names or IDs', 's'));
	const all = new Set(named.flat().map(columnKey));
	expect(offered.flatMap(({ id, displayName }) => [id, shortened(displayName)]).filter((key) => !all.has(key))).toEqual(
		[],
	);
	expect(all).toContain('title');
});

/** The hints that the editor shows before a run over items with these columns. No item has all: readers of files leave empty cells out. */
function hintsFor(...columns: string[]): string[] {
	const parameter = { resource: 'link', operation: 'upsert', columns: { mappingMode: 'autoMapInputData' } };
	const input = { all: () => columns.map((column) => ({ json: { [column]: 'x' } })) };
	const isShown = ({ displayCondition = '' }: NodeHint) => {
		const expression = displayCondition.replace(/^=\{\{(.*)\}\}$/s, '$1');
		return runInNewContext(expression, { $input: input, $parameter: parameter, $rawParameter: {} }) as boolean;
	};
	return hints.filter(isShown).map(({ message }) => message);
}

test('before a run, the editor tells of titles that are almost those of fields, and of no others', () => {
	for (const title of ['Page', 'Clicks', 'UTM Campaign', 'Country', 'row_number'])
		expect([title, hintsFor('Long URL', title).filter((hint) => hint.includes('is ignored'))]).toEqual([title, []]);
});

test.each([
	['Valid until', 'Expiry'],
	['Link expiry', 'Expiry'],
	['Campaign ID', 'Campaign'],
	['Short slug', 'Alias'],
	['Preview image', 'Meta Image URL'],
	['Custom Domain URL', 'Domain'],
])('before a run, the editor says that %s may be meant for %s', (title, field) => {
	expect(ignoredColumns([title], linkTitles)).toBe(`Columns ignored: ${title} (did you mean ${field}?).`);
	const [hint, ...others] = hintsFor('Long URL', title);
	expect(hint).toContain(`rename it to ${field}`);
	expect(others).toEqual([]);
	expect(hintsFor('Long URL', title, field)).toEqual([]);
});

test('no title that is recognized is like another field', () => {
	const others = [...linkTitles].flatMap(([key, { label }]) =>
		LIKE_FIELD.filter(([field, pattern]) => field !== label && pattern.test(key)).map(([field]) => [key, field]),
	);
	expect(others).toEqual([]);
	expect(
		LIKE_FIELD.map(([field]) => field).filter(
			(field) => ![...linkTitles.values()].some(({ label }) => label === field),
		),
	).toEqual([]);
});

test('the mapping by hand begins with what most sheets have, and offers choices and dates as such', async () => {
	const { fields: offered } = await getLinkColumns.call({} as ILoadOptionsFunctions);
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
