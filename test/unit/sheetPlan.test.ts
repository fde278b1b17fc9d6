import { LinkIndex, type LinkRecord } from '../../nodes/LinkManagement/account/linkIndex';
import { hostOf } from '../../nodes/LinkManagement/account/url';
import {
	changesOf,
	differences,
	needsDetails,
	updateBody,
	type LinkFields,
} from '../../nodes/LinkManagement/sheet/changes';
import { isMatchedByAlias, SheetPlan, type Matching } from '../../nodes/LinkManagement/sheet/plan';

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

function plan(rows: LinkFields[], records = [spring], matching: Partial<Matching> = {}) {
	const index = new LinkIndex();
	for (const record of records) index.add(record);
	const sheet = new SheetPlan();
	return rows.map((fields, item) => {
		const row = { item, fields, matchOn: 'alias' as const, updateWhen: 'changed' as const, ...matching };
		const host = hostOf(fields.domain);
		const found = isMatchedByAlias(fields, row.matchOn)
			? index.byAlias(String(fields.custom), host)
			: index.byLongUrl(fields.url, host);
		const { step, after, open } = sheet.add(row, found);
		return {
			...('link' in step ? { action: step.action, ...('id' in step.link ? { link: step.link.id } : {}) } : step),
			...(step.action === 'compare' ? { differing: differences(open, step.link) } : {}),
			...(after === undefined ? {} : { after: after.item }),
		};
	});
}

test('a field that is not shown counts as different, the domain never, and one that details show is looked at', () => {
	expect(differences({ custom: 'spring', status: 'public' }, spring)).toEqual(['status']);
	expect(differences({ domain: 'https://lnk.example', custom: 'spring' }, spring)).toEqual([]);
	expect(differences({ campaign: 3 }, { ...spring, campaign: '3' })).toEqual([]);
	expect(differences({ campaign: 3 }, { ...spring, campaign: null })).toEqual(['campaign']);
	expect(needsDetails({ expiry: '2030-01-01 00:00:00' })).toBe(true);
	expect(plan([{ custom: 'spring', geotarget: [] }])).toMatchObject([{ action: 'compare', link: 1 }]);
});

test.each([
	[{ germany: 'https://example.com/de', 'united states': 'https://example.com/us' }, true],
	[{ germany: { all: 'https://EXAMPLE.com/de' }, 'United States': 'https://example.com/us' }, true],
	[{ germany: 'https://example.com/de' }, false],
	[{ germany: 'https://example.com/de', 'united states': { california: 'https://example.com/ca' } }, false],
	[[], false],
	[null, false],
])('two targets and what details show, %j: the same is %s', (location, isSame) => {
	const geotarget = [
		{ location: 'Germany', link: 'https://example.com/de' },
		{ location: 'United States', link: 'https://example.com/us' },
	];
	expect(differences({ geotarget }, { ...spring, location })).toEqual(isSame ? [] : ['geotarget']);
});

test.each([
	['2031-05-06 07:08:09', true],
	['2031-05-06T07:08:09Z', true],
	['2031-05-06', true],
	['2031-05-06 23:59:59', false],
	['2031-05-07', false],
	[null, false],
])('an expiry that details show as %s is the same: %s', (expiry, isSame) => {
	expect(differences({ expiry: '2031-05-06 07:08:09' }, { ...spring, expiry })).toEqual(isSame ? [] : ['expiry']);
});

test('changes are told under the names of the record, and a password is not told', () => {
	const fields = {
		url: 'https://example.com/b',
		password: 'hush',
		pixels: [1],
		devicetarget: [{ device: 'iPhone', link: 'https://example.com/ios' }],
	};
	expect(changesOf(Object.keys(fields), fields, { ...spring, device: null })).toEqual({
		longurl: { from: 'https://example.com/spring', to: 'https://example.com/b' },
		password: {},
		pixels: { to: [1] },
		device: { from: {}, to: { iphone: 'https://example.com/ios' } },
	});
});

test('an update sends along what the link shows', () => {
	const shown = { ...spring, location: { germany: { all: 'https://example.com/de' } }, device: [], expiry: null };
	const sent = {
		url: 'https://example.com/spring',
		metatitle: 'Spring',
		description: 'A note',
		geotarget: [{ location: 'germany', link: 'https://example.com/de' }],
	};
	expect(updateBody(shown, { metatitle: 'New', domain: 'https://lnk.example' })).toEqual({ ...sent, metatitle: 'New' });
	expect(updateBody(shown, { description: 'New' })).toEqual({ ...sent, description: 'New' });
});

test('an alias that an earlier row makes on another domain needs the domain too', () => {
	const url = 'https://example.com/a';
	expect(
		plan([
			{ url, custom: 'a', domain: 'https://one.example' },
			{ url, custom: 'a' },
			{ url, custom: 'a', domain: 'https://two.example' },
			{ url, custom: 'a' },
		]),
	).toEqual([
		{ action: 'create' },
		{ action: 'unchanged', after: 0 },
		{ action: 'create' },
		{ action: 'ambiguous', alias: 'a', places: ['one.example', 'two.example'] },
	]);
});

test('a row without an alias is matched by its long URL, by the link that it describes best', () => {
	const records = [{ ...spring, id: 9, alias: 'other', title: 'Other' }, spring];
	expect(plan([{ url: 'https://example.com/spring' }], records)).toEqual([{ action: 'unchanged', link: 1 }]);
	expect(plan([{ url: 'https://example.com/spring', metatitle: 'Other' }], records)).toEqual([
		{ action: 'unchanged', link: 9 },
	]);
});

test('matched by the long URL, another alias is a change', () => {
	expect(plan([{ url: 'https://example.com/spring', custom: 'fresh' }], [spring], { matchOn: 'url' })).toEqual([
		{ action: 'compare', link: 1, differing: ['custom'] },
	]);
});

test('updates always, or never, where that was asked for', () => {
	const row = { url: 'https://example.com/moved', custom: 'spring' };
	const same = { url: 'https://example.com/spring', custom: 'spring' };
	expect(plan([row, same], [spring], { updateWhen: 'never' })).toMatchObject([
		{ action: 'unchanged' },
		{ action: 'conflict', at: { item: 0 }, fields: ['url'] },
	]);
	expect(plan([same], [spring], { updateWhen: 'always' })).toEqual([{ action: 'compare', link: 1, differing: [] }]);
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
		{ action: 'compare', link: 1, differing: ['metatitle'] },
		{ action: 'compare', link: 1, differing: ['description'], after: 0 },
		{ action: 'conflict', at: { item: 1 }, fields: ['description'] },
	]);
});
