/** What is kept of services: one value for each service and key, and facts for a time. */
import { Learned } from '../../nodes/LinkManagement/service/learned';
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

test('what was learned of a service is forgotten when its time is over', () => {
	let now = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	const learned = new Learned();
	learned.pageSize('/api/urls').remember(7, HOUR);
	now += HOUR - 1;
	expect(learned.pageSize('/api/urls').recall()).toBe(7);
	expect(learned.pageSize('/api/qr').recall()).toBeUndefined();
	now++;
	expect(learned.pageSize('/api/urls').recall()).toBeUndefined();
});
