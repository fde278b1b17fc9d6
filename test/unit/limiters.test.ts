import { limiterFor, MOST_LIMITERS } from '../../nodes/LinkManagement/rateLimit/limiters';

describe('one limiter for one service and key', () => {
	test('the same for both, another for any other', () => {
		const limiter = limiterFor('https://one.example', 'key');
		expect(limiterFor('https://one.example', 'key')).toBe(limiter);
		expect(limiterFor('https://two.example', 'key')).not.toBe(limiter);
		expect(limiterFor('https://one.example', 'other')).not.toBe(limiter);
	});

	test('of more keys than can be kept, the one that was not used for longest is forgotten', () => {
		const longUnused = limiterFor('https://one.example', 'long unused');
		const used = limiterFor('https://one.example', 'used');
		for (let key = 1; key < MOST_LIMITERS; key++) {
			limiterFor('https://one.example', String(key));
			expect(limiterFor('https://one.example', 'used')).toBe(used);
		}
		expect(limiterFor('https://one.example', 'long unused')).not.toBe(longUnused);
	});
});
