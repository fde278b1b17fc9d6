import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { cellsOf, columnKey, columnsInWords, type ColumnField } from '../../nodes/LinkManagement/fields/columns';
import { page } from '../documentation/markdown';
import { columnTitles, getLinkColumns } from '../../nodes/LinkManagement/resources/link/columns';

const fields: ColumnField[] = [
	{ name: 'url', label: 'Long URL', listedAs: ['longurl'] },
	{ name: 'custom', label: 'Alias', listedAs: ['alias'] },
	{ name: 'metatitle', label: 'Meta Title', listedAs: ['title'] },
	{ name: 'description', label: 'Description' },
];

test.each<[string, Record<string, unknown>, Record<string, unknown[]>]>([
	['the names of the API', { url: 'u', custom: 'c' }, { url: ['u'], custom: ['c'] }],
	['labels', { 'Long URL': 'u', Alias: 'c' }, { url: ['u'], custom: ['c'] }],
	['the names of lists', { longurl: 'u', alias: 'c', title: 't' }, { url: ['u'], custom: ['c'], metatitle: ['t'] }],
	['any spelling', { ' LONG-url_': 'u', meta_Title: 't' }, { url: ['u'], metatitle: ['t'] }],
	['nothing', { id: 1, clicks: 3, 'Anything Else': 'x' }, {}],
	["the API's names first", { 'Long URL': 'label', longurl: 'list', URL: 'api' }, { url: ['api', 'label', 'list'] }],
])('columns are taken by %s: %j', (_how, item, meant) => {
	const cells = [...cellsOf(item, fields)].map(([name, all]) => [name, all.map(({ value }) => value)] as const);
	expect(Object.fromEntries(cells)).toEqual(meant);
});

test.each<[string[], string | undefined]>([
	[['Long URL', 'custom', 'Meta-Title'], undefined],
	[['Title', 'alias', 'Shop'], 'Columns taken: Title (as Meta Title), alias. Columns left alone: Shop.'],
	[
		Array.from({ length: 20 }, (_, at) => `c${at}`),
		`Columns left alone: ${Array.from({ length: 12 }, (_, at) => `c${at}`).join(', ')}, ….`,
	],
])('of the columns %j it is said: %s', (titles, told) => {
	expect(columnsInWords(titles, fields)).toBe(told);
});

test('the titles that the page names are those that are found, all of them', async () => {
	const { fields: offered } = await getLinkColumns.call({} as ILoadOptionsFunctions);
	const titles = columnTitles.map(({ title }) => title);
	expect(titles).toHaveLength(offered.length);
	for (const [index, { id, displayName }] of offered.entries())
		expect([id, displayName].map(columnKey)).toContain(columnKey(titles[index]));
	const table = page('docs/operations.md').split('## The columns of a sheet')[1].split('\n## ')[0];
	const named = [...table.matchAll(/^\| \*\*(.+?)\*\*(?: \(or (.+?)\))? \|/gm)].map(([, title, others]) => ({
		title,
		others: others === undefined ? [] : others.replaceAll('`', '').split(', '),
	}));
	expect(named).toEqual(columnTitles);
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
	expect(columnTitles).toContainEqual({ title: 'Meta Title', others: ['title'] });
});
