import { FairQueue, type Entry } from '../../nodes/LinkManagement/rateLimit/fairQueue';

interface Named extends Entry {
	name: string;
}

const one = {};
const other = {};

function filled(...entries: Array<[caller: object, name: string, again?: boolean]>): FairQueue<Named> {
	const queue = new FairQueue<Named>();
	for (const [caller, name, again] of entries) queue.add({ caller, name, again });
	return queue;
}

function drained(queue: FairQueue<Named>): string {
	const names: string[] = [];
	for (let entry = queue.next(); entry !== undefined; entry = queue.next()) names.push(entry.name);
	return names.join(' ');
}

test('round robin over the callers, first come first served within one', () => {
	const queue = filled([one, 'a1'], [one, 'a2'], [one, 'a3'], [other, 'b1'], [other, 'b2']);
	expect(drained(queue)).toBe('a1 b1 a2 b2 a3');
});

test('who waits again goes ahead of its own caller alone, and those who wait again keep their order', () => {
	const queue = filled([other, 'b1'], [one, 'a1'], [one, 'a2', true], [one, 'a3', true], [other, 'b2']);
	expect(drained(queue)).toBe('b1 a2 b2 a3 a1');
});

test('a caller that comes back after its turn stands behind the others', () => {
	const queue = filled([one, 'a1'], [other, 'b1'], [other, 'b2']);
	expect(queue.next()?.name).toBe('a1');
	queue.add({ caller: one, name: 'a2' });
	expect(drained(queue)).toBe('b1 a2 b2');
});

test('who leaves is gone, and leaving twice or without having come does no harm', () => {
	const queue = filled([one, 'a1'], [other, 'b1']);
	const entry = { caller: one, name: 'a2' };
	queue.add(entry);
	for (const leaving of [entry, entry, { caller: other, name: 'b2' }, { caller: {}, name: 'c1' }])
		queue.remove(leaving);
	expect(queue.size).toBe(2);
	expect(drained(queue)).toBe('a1 b1');
	expect(queue.size).toBe(0);
	expect(queue.next()).toBeUndefined();
});

test('all who wait are seen, and may be taken out meanwhile', () => {
	const queue = filled([one, 'a1'], [one, 'a2', true], [other, 'b1']);
	const seen: string[] = [];
	for (const entry of queue) {
		seen.push(entry.name);
		queue.remove(entry);
	}
	expect(seen.sort()).toEqual(['a1', 'a2', 'b1']);
	expect(queue.size).toBe(0);
});
