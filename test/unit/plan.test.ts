import { LinkIndex, type LinkRecord } from '../../nodes/LinkManagement/match/linkIndex';
import { differences, planRows, type LinkFields, type Matching } from '../../nodes/LinkManagement/match/plan';
import { cheapestReading, pagesLeft } from '../../nodes/LinkManagement/match/reading';

const spring: LinkRecord = {
	id: 1,
	alias: 'spring',
	shorturl: 'https://lnk.example/spring',
	longurl: 'https://example.com/spring',
	clicks: 4,
	title: 'Spring',
	description: 'A note',
	date: '2025-01-02 03:04:05',
};
const branded: LinkRecord = { ...spring, id: 2, shorturl: 'https://go.example.com/spring', title: 'Branded' };
const summer: LinkRecord = {
	...spring,
	id: 3,
	alias: 'summer',
	shorturl: 'https://lnk.example/summer',
	longurl: 'https://example.com/summer',
};

function plan(rows: LinkFields[], records: LinkRecord[] = [spring, summer], matching: Partial<Matching> = {}) {
	const index = new LinkIndex();
	for (const record of records) index.add(record);
	return planRows(
		rows.map((fields, item) => ({
			item,
			fields,
			matching: { matchOn: 'alias', updateWhen: 'changed', ...matching },
		})),
		index,
	).map(({ step, after }) => ({
		...(step.action === 'update' || step.action === 'unchanged' ? { ...step, record: step.record.id } : step),
		...(after === undefined ? {} : { after }),
	}));
}

test('a row is created, updated in what differs, or left as it is', () => {
	expect(
		plan([
			{ url: 'https://example.com/new', custom: 'new' },
			{ url: 'https://EXAMPLE.com/spring/', custom: 'spring', metatitle: 'Spring', description: 'A note' },
			{ url: 'https://example.com/moved', custom: 'summer', metatitle: 'Summer' },
		]),
	).toEqual([
		{ action: 'create' },
		{ action: 'unchanged', record: 1 },
		{ action: 'update', record: 3, fields: ['url', 'metatitle'] },
	]);
});

test('a field that the list does not show counts as different, the domain never', () => {
	expect(differences({ custom: 'spring', status: 'public', expiry: '2030-01-01 00:00:00' }, spring)).toEqual([
		'status',
		'expiry',
	]);
	expect(differences({ domain: 'https://lnk.example', custom: 'spring' }, spring)).toEqual([]);
	expect(differences({ campaign: 3 }, { ...spring, campaign: '3' })).toEqual([]);
	expect(differences({ campaign: 3 }, { ...spring, campaign: null })).toEqual(['campaign']);
});

test('an alias is looked for on the domain that the row names, and needs one where it stands on several', () => {
	const records = [spring, branded];
	const row = { url: 'https://example.com/spring', custom: 'spring' };
	expect(
		plan(
			[
				{ ...row, domain: 'https://go.example.com' },
				{ ...row, domain: 'lnk.example' },
				{ ...row, domain: 'https://third.example' },
				row,
			],
			records,
		),
	).toEqual([
		{ action: 'unchanged', record: 2 },
		{ action: 'unchanged', record: 1 },
		{ action: 'create' },
		{ action: 'ambiguous', alias: 'spring', hosts: ['go.example.com', 'lnk.example'] },
	]);
});

test('a row without an alias is matched by its long URL, by the link that it describes best', () => {
	const other = { ...spring, id: 9, alias: 'other', title: 'Other' };
	const records = [other, spring];
	expect(plan([{ url: 'https://example.com/spring' }], records)).toEqual([{ action: 'unchanged', record: 1 }]);
	expect(plan([{ url: 'https://example.com/spring', metatitle: 'Other' }], records)).toEqual([
		{ action: 'unchanged', record: 9 },
	]);
});

test('matched by the long URL, another alias is a change', () => {
	expect(plan([{ url: 'https://example.com/spring', custom: 'fresh' }], [spring], { matchOn: 'url' })).toEqual([
		{ action: 'update', record: 1, fields: ['custom'] },
	]);
});

test('updates always, or never, where that was asked for', () => {
	const row = { url: 'https://example.com/moved', custom: 'spring' };
	const same = { url: 'https://example.com/spring', custom: 'spring' };
	expect(plan([row, same], [spring], { updateWhen: 'never' })).toMatchObject([
		{ action: 'unchanged' },
		{ action: 'conflict', item: 0, fields: ['url'] },
	]);
	expect(plan([same], [spring], { updateWhen: 'always' })).toEqual([{ action: 'update', record: 1, fields: [] }]);
});

test('of two rows that mean one link and say different things the later one is in conflict with the earlier', () => {
	expect(
		plan([
			{ url: 'https://example.com/a', custom: 'a', description: 'one' },
			{ url: 'https://example.com/a', custom: 'a', description: 'two' },
			{ url: 'https://example.com/a', custom: 'a' },
			{ url: 'https://example.com/a' },
			{ url: 'https://example.com/other', custom: 'a' },
		]),
	).toEqual([
		{ action: 'create' },
		{ action: 'conflict', item: 0, fields: ['description'] },
		{ action: 'create', after: 0 },
		{ action: 'create', after: 2 },
		{ action: 'conflict', item: 0, fields: ['url'] },
	]);
});

test('rows that add to each other follow one another, and a third is held against both', () => {
	expect(
		plan(
			[
				{ custom: 'spring', metatitle: 'New' },
				{ url: 'https://example.com/spring', description: 'New' },
				{ custom: 'spring', description: 'Else' },
			],
			[spring],
		),
	).toEqual([
		{ action: 'update', record: 1, fields: ['metatitle'] },
		{ action: 'update', record: 1, fields: ['description'], after: 0 },
		{ action: 'conflict', item: 1, fields: ['description'] },
	]);
});

test('two rows that only share an address and have aliases of their own are two links', () => {
	expect(
		plan([
			{ url: 'https://example.com/a', custom: 'a' },
			{ url: 'https://example.com/a', custom: 'b' },
		]),
	).toEqual([{ action: 'create' }, { action: 'create' }]);
});

test.each([
	[2, 0, 99, 'lookUps'],
	[1000, 0, 99, 'list'],
	[99, 0, 99, 'list'],
	[2, 1, 99, 'list'],
	[2, 0, Infinity, 'lookUps'],
	[0, 0, 5, 'lookUps'],
] as const)('%d rows to look up and %d others, %d pages left: %s', (rows, others, pages, reading) => {
	expect(cheapestReading(rows, others, pages)).toBe(reading);
});

test.each([
	[10_000, 100, 100, 99],
	[101, 100, 100, 1],
	[100, 100, 100, 0],
	[0, 0, 100, 0],
	[undefined, 40, 100, 0],
	[undefined, 100, 100, Infinity],
	[10_000, 100, 1000, 99],
])('of %s records, with %d on a first page of %d, %d pages are left', (result, onPage, perPage, left) => {
	expect(pagesLeft(result, onPage, perPage)).toBe(left);
});
