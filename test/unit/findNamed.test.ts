import fc from 'fast-check';

import { editDistance, NamedRecords } from '../../nodes/LinkManagement/account/findNamed';
import { turnsDuring } from '../engine/turns';

const records = [
	{ id: 1, name: 'Spring Sale' },
	{ id: 2, name: 'Summer sale' },
	{ id: 3, name: 'Été' },
	{ id: 4, name: 'news' },
	{ id: 5, name: 'News' },
	{ id: 6, name: 'twice' },
	{ id: 7, name: 'TWICE' },
	{ id: 8, name: '2024' },
];
const campaigns = new NamedRecords('campaign', records);

test.each([
	['spring  SALE ', { id: 1 }],
	['été', { id: 3 }],
	['news', { id: 4 }],
	['News', { id: 5 }],
	['NEWS', { several: [records[3], records[4]] }],
	['Zebra', 'none'],
])('%s is %j', (name, answer) => {
	expect(campaigns.find({ name })).toEqual(answer);
});

test('a number is a name first, and an ID where no record has the name', () => {
	expect(campaigns.find({ name: '2024', id: 2024 })).toEqual({ id: 8 });
	expect(campaigns.find({ name: '2025', id: 2025 })).toEqual({ id: 2025 });
});

test('names all that are unknown in one text, each with the nearest, and those that several have', async () => {
	const names = ['Sprnig sale', 'Zebra', 'sale', 'Sprnig sale', 'Twice'].map((name) => ({ name }));
	expect(await campaigns.problem(names)).toBe(
		'There is no campaign named "Sprnig sale" (did you mean "Spring Sale"?), "Zebra" and "sale" (did you mean "Spring Sale" and "Summer sale"?). ' +
			'There are 2 campaigns named "Twice" (6 "twice" and 7 "TWICE")',
	);
	expect(await campaigns.problem([{ name: 'news' }])).toBeUndefined();
	expect(await new NamedRecords('channel', []).problem([])).toBeUndefined();
});

const season = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word} of the season ${at}`);

test('looks for the nearest of 20 names that nobody has, once each, and gives others their turns meanwhile', async () => {
	const names = season('Campaign', 50).map((name, at) => ({ id: at + 1, name }));
	const many = new NamedRecords('campaign', names);
	const texts: Array<string | undefined> = [];
	const ask = async () => {
		texts.length = 0;
		for (const name of season('Campaing', 40)) texts.push(await many.problem([{ name }]));
	};
	const turns = await turnsDuring(ask);
	expect(turns).toBeGreaterThanOrEqual(20 * 50);
	expect(texts.map((text) => text?.includes('did you mean "Campaign of the season'))).toEqual(
		texts.map((_, at) => at < 20),
	);
	const before = [...texts];
	expect(await turnsDuring(ask)).toBe(0);
	expect(texts).toEqual(before);
});

test('the edit distance is the same both ways, and no more than the longer text', () => {
	expect(editDistance('kitten', 'sitting')).toBe(3);
	expect(editDistance('abc', 'acb')).toBe(1);
	fc.assert(
		fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (one, other) => {
			const distance = editDistance(one, other);
			expect(editDistance(other, one)).toBe(distance);
			expect(distance).toBeLessThanOrEqual(Math.max(one.length, other.length));
			expect(distance === 0).toBe(one === other);
		}),
	);
});
