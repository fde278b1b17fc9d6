import { TriggerMemory } from '../../nodes/LinkManagement/trigger/memory';

const MEGABYTE = 1_000_000;
const DAY = 24 * 60 * 60_000;

let memory: TriggerMemory<string>;

beforeEach(() => (memory = new TriggerMemory()));

it('keeps values until they are too large together, the oldest going first', () => {
	memory.keep('a', 'A', 3 * MEGABYTE, 0);
	memory.keep('b', 'B', 3 * MEGABYTE, 1);
	memory.keep('a', 'A2', 3 * MEGABYTE, 2);
	memory.keep('c', 'C', 3 * MEGABYTE, 3);
	expect([memory.get('a'), memory.get('b'), memory.get('c')]).toEqual(['A2', undefined, 'C']);
	expect([memory.count, memory.size]).toEqual([2, 6 * MEGABYTE]);
});

it('lets go of what is too old, whenever something is kept', () => {
	memory.keep('a', 'A', 1, 0);
	memory.keep('b', 'B', 1, DAY);
	memory.keep('c', 'C', 1, 8 * DAY + 1);
	expect([memory.get('a'), memory.get('b'), memory.get('c')]).toEqual([undefined, 'B', 'C']);
});

it('keeps what came last, however large it is', () => {
	memory.keep('a', 'A', 50 * MEGABYTE, 0);
	expect(memory.get('a')).toBe('A');
	memory.keep('b', 'B', 1, 1);
	expect([memory.get('a'), memory.get('b'), memory.size]).toEqual([undefined, 'B', 1]);
});
