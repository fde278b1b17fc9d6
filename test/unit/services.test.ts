/** What is kept of services: one value for each service and key, facts for a time, and nothing without end. */
import { Learned, MOST_FACTS } from '../../nodes/LinkManagement/service/learned';
import { Creations, MOST_SERVICES, serviceOf, type Created } from '../../nodes/LinkManagement/service/services';

const HOUR = 60 * 60_000;

describe('one value for one service and key', () => {
	test('the same for both, another for any other', () => {
		const service = serviceOf('https://one.example', 'key');
		expect(serviceOf('https://one.example', 'key')).toBe(service);
		expect(serviceOf('https://two.example', 'key')).not.toBe(service);
		expect(serviceOf('https://one.example', 'other')).not.toBe(service);
		expect(serviceOf('https://one.example', 'key', 'passage=granted')).not.toBe(service);
	});

	test('of more keys than can be kept, the one that was not used for longest is forgotten', () => {
		const longUnused = serviceOf('https://one.example', 'long unused');
		const used = serviceOf('https://one.example', 'used');
		for (let key = 1; key < MOST_SERVICES; key++) {
			serviceOf('https://one.example', String(key));
			expect(serviceOf('https://one.example', 'used')).toBe(used);
		}
		expect(serviceOf('https://one.example', 'long unused')).not.toBe(longUnused);
	});
});

describe('what runs at the same time create', () => {
	const made = Promise.resolve({ id: 7 });

	test('each learns what is made while it goes on, and what is being made when it begins', async () => {
		const creations = new Creations();
		const [first, second, later]: Created[] = [new Map(), new Map(), new Map()];
		creations.join(first);
		creations.announce('a', made);
		creations.join(second);
		creations.announce('b', made);
		await made;
		creations.join(later);
		expect([first, second, later].map((run) => [...run.keys()])).toEqual([['a', 'b'], ['a', 'b'], []]);
	});

	test('nothing is kept of runs that have ended, however they overlap', async () => {
		const creations = new Creations();
		let last: Created = new Map();
		creations.join(last);
		for (let run = 0; run < 50; run++) {
			const next: Created = new Map();
			creations.join(next);
			creations.announce(`of ${run}`, made);
			creations.leave(last);
			await made;
			expect(next.size).toBeLessThanOrEqual(2);
			last = next;
		}
		creations.leave(last);
		expect(creations.isIdle).toBe(true);
	});
});

describe('what was learned', () => {
	let now = 0;
	const learned = () => new Learned(() => now);

	test('is forgotten when its time is over', () => {
		const service = learned();
		service.remember('size', 7, HOUR);
		now += HOUR - 1;
		expect(service.recall('size')).toBe(7);
		now++;
		expect(service.recall('size')).toBeUndefined();
	});

	test('the oldest of too many goes', () => {
		const service = learned();
		for (let fact = 0; fact < MOST_FACTS; fact++) service.remember(String(fact), fact, HOUR);
		expect(service.recall('0')).toBe(0);
		service.remember('one more', true, HOUR);
		expect(service.recall('0')).toBeUndefined();
		expect(service.recall('1')).toBe(1);
		expect(service.recall('one more')).toBe(true);
	});
});
