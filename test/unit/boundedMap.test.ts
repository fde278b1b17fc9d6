import { BoundedMap } from '../../nodes/LinkManagement/trigger/boundedMap';

it('keeps values until they are too large together, the oldest going first', () => {
	const map = new BoundedMap<string>(100, 1000);
	map.set('a', 'A', 40, 0);
	map.set('b', 'B', 40, 1);
	map.set('a', 'A2', 40, 2);
	map.set('c', 'C', 40, 3);
	expect([map.get('a'), map.get('b'), map.get('c')]).toEqual(['A2', undefined, 'C']);
	expect([map.count, map.size]).toEqual([2, 80]);
});

it('lets go of what is too old, whenever something is set', () => {
	const map = new BoundedMap<string>(100, 1000);
	map.set('a', 'A', 1, 0);
	map.set('b', 'B', 1, 500);
	map.set('c', 'C', 1, 1001);
	expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([undefined, 'B', 'C']);
});

it('keeps what was set last, however large it is', () => {
	const map = new BoundedMap<string>(100, 1000);
	map.set('a', 'A', 5000, 0);
	expect(map.get('a')).toBe('A');
	map.set('b', 'B', 1, 1);
	expect([map.get('a'), map.get('b'), map.size]).toEqual([undefined, 'B', 1]);
	map.delete('b');
	expect([map.count, map.size]).toEqual([0, 0]);
});
