import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { columnKey, fieldsOf, type ColumnField } from '../../nodes/LinkManagement/match/columns';
import { columnTitles, getLinkColumns } from '../../nodes/LinkManagement/resources/link/columns';

const fields: ColumnField[] = [
	{ name: 'url', label: 'Long URL', listedAs: ['longurl'] },
	{ name: 'custom', label: 'Alias', listedAs: ['alias'] },
	{ name: 'metatitle', label: 'Meta Title', listedAs: ['title'] },
	{ name: 'description', label: 'Description' },
];

test.each([
	[
		{ url: 'u', custom: 'c' },
		{ url: 'u', custom: 'c' },
	],
	[
		{ 'Long URL': 'u', Alias: 'c' },
		{ url: 'u', custom: 'c' },
	],
	[
		{ longurl: 'u', alias: 'c', title: 't' },
		{ url: 'u', custom: 'c', metatitle: 't' },
	],
	[
		{ ' LONG-url_': 'u', meta_Title: 't' },
		{ url: 'u', metatitle: 't' },
	],
	[{ id: 1, clicks: 3, shorturl: 's', 'Anything Else': 'x' }, {}],
	[{ 'Long URL': 'label', longurl: 'list', URL: 'api' }, { url: 'api' }],
	[{ url: '', longurl: 'u', alias: null, title: '  ' }, { url: 'u' }],
	[{ description: 0 }, { description: 0 }],
])('the columns of %j mean %j', (item, meant) => {
	expect(fieldsOf(item, fields)).toEqual(meant);
});

test('the titles that the editor names are those that are found, all of them', async () => {
	const { fields: offered } = await getLinkColumns.call({} as ILoadOptionsFunctions);
	const titles = columnTitles.split(', ');
	expect(titles).toHaveLength(offered.length);
	for (const [index, { id, displayName }] of offered.entries())
		expect([id, displayName].map(columnKey)).toContain(columnKey(titles[index]));
});
