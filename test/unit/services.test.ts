/** What is kept of services: one value for each service and key, facts for a time, and nothing without end. */
import { Learned, MOST_FACTS } from '../../nodes/LinkManagement/service/learned';
import { MOST_SERVICES, serviceOf } from '../../nodes/LinkManagement/service/services';

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

describe('what was learned', () => {
	let now = 0;
	const learned = () => new Learned(() => now);

	test('is forgotten when its time is over', () => {
		const service = learned();
		service.fact<number>('size').remember(7, HOUR);
		now += HOUR - 1;
		expect(service.fact('size').recall()).toBe(7);
		now++;
		expect(service.fact('size').recall()).toBeUndefined();
	});

	test('the oldest of too many goes', () => {
		const service = learned();
		for (let fact = 0; fact < MOST_FACTS; fact++) service.fact(String(fact)).remember(fact);
		expect(service.fact('0').recall()).toBe(0);
		service.fact('one more').remember(true);
		expect(service.fact('0').recall()).toBeUndefined();
		expect(service.fact('1').recall()).toBe(1);
		expect(service.fact('one more').recall()).toBe(true);
	});
});
