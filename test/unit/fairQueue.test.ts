import { FairQueue, type Queued } from '../../nodes/LinkManagement/rateLimit/fairQueue';

interface Named extends Queued {
	name: string;
}

const callers: Record<string, object> = { a: {}, b: {}, c: {} };

/** Those who wait, in the order in which they came: by name, the caller first; who waits again has a plus. */
function named(text: string): Named[] {
	return text.split(' ').map((name) => ({ caller: callers[name[0]], name, isRetry: name.endsWith('+') }));
}

function queueOf(entries: Named[]): FairQueue<Named> {
	const queue = new FairQueue<Named>();
	for (const entry of entries) queue.add(entry);
	return queue;
}

function drained(queue: FairQueue<Named>): string {
	const names: string[] = [];
	for (let entry = queue.next(); entry !== undefined; entry = queue.next()) names.push(entry.name);
	return names.join(' ');
}

test.each([
	['round robin over the callers, first come first served within one', 'a1 a2 a3 b1 b2', 'a1 b1 a2 b2 a3'],
	['who waits again goes ahead of its own caller alone, in order', 'b1 a1 a2+ a3+ b2', 'b1 a2+ b2 a3+ a1'],
])('%s', (_rule, came, go) => {
	expect(drained(queueOf(named(came)))).toBe(go);
});

test('a caller that comes back after its turn stands behind the others', () => {
	const queue = queueOf(named('a1 b1 b2'));
	expect(queue.next()?.name).toBe('a1');
	queue.add(named('a2')[0]);
	expect(drained(queue)).toBe('b1 a2 b2');
});

test('who leaves is gone, while all are looked through as well, and leaving twice or without having come does no harm', () => {
	const entries = named('a1 a2+ b1');
	const queue = queueOf(entries);
	for (const leaving of [entries[1], entries[1], ...named('b2 c1')]) queue.remove(leaving);
	expect(queue.size).toBe(2);
	for (const entry of queue) queue.remove(entry);
	expect(queue.size).toBe(0);
	expect(queue.next()).toBeUndefined();
});
