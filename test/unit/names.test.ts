import fc from 'fast-check';

import { editDistance, findByName, nameProblem } from '../../nodes/LinkManagement/match/names';

const records = [
	{ id: 1, name: 'Spring Sale' },
	{ id: 2, name: 'Summer sale' },
	{ id: 3, name: 'Été' },
	{ id: 4, name: 'news' },
	{ id: 5, name: 'News' },
	{ id: 6, name: 'twice' },
	{ id: 7, name: 'TWICE' },
];

test('finds names whatever their case and spaces, an exact spelling first', () => {
	const { ids, unknown, ambiguous } = findByName(['spring  SALE ', 'été', 'news', 'News'], records);
	expect([...ids]).toEqual([
		['spring  SALE ', 1],
		['été', 3],
		['news', 4],
		['News', 5],
	]);
	expect(unknown).toEqual([]);
	expect(ambiguous).toEqual([]);
});

test('names all that are unknown in one text, each with the nearest', () => {
	const found = findByName(['Sprnig sale', 'Zebra', 'sale', 'Sprnig sale', 'Twice'], records);
	expect(nameProblem(found, 'campaign')).toBe(
		'There is no campaign named "Sprnig sale" (did you mean "Spring Sale"?), "Zebra" and "sale" (did you mean "Spring Sale" and "Summer sale"?). ' +
			'There are 2 campaigns named "Twice" (IDs 6 and 7)',
	);
});

test('says nothing where every name is known', () => {
	expect(nameProblem(findByName(['news'], records), 'channel')).toBeUndefined();
	expect(nameProblem(findByName([], []), 'channel')).toBeUndefined();
});

test.each([
	['', 'abc', 3],
	['abc', 'abc', 0],
	['abc', 'acb', 1],
	['kitten', 'sitting', 3],
	['sale', 'sales', 1],
])('%s and %s are %d edits apart', (one, other, distance) => {
	expect(editDistance(one, other)).toBe(distance);
});

test('the edit distance is the same both ways, and no more than the longer text', () => {
	fc.assert(
		fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (one, other) => {
			const distance = editDistance(one, other);
			expect(editDistance(other, one)).toBe(distance);
			expect(distance).toBeLessThanOrEqual(Math.max([...one].length, [...other].length));
			expect(distance === 0).toBe(one === other);
		}),
	);
});
