import type { LimitSettings } from '.';
import { DEFAULT_LIMIT, Limiter } from './limit';

describe('the limiter', () => {
	const limiter = (settings: Partial<LimitSettings>) =>
		new Limiter({ ...DEFAULT_LIMIT, requests: 3, windowMs: 1000, ...settings });
	const refused = (subject: Limiter, times: number[]) => times.filter((at) => !subject.take('key', at).allowed);

	it('begins fixed windows on whole multiples of the window', () => {
		expect(refused(limiter({}), [900, 910, 920, 930, 999, 1000, 1001, 1002, 1003, 2000])).toEqual([930, 999, 1003]);
		expect(limiter({}).take('key', 1234)).toEqual({ allowed: true, limit: 3, remaining: 2, resetAt: 2000 });
	});

	it('begins fixed windows at the first request when asked to', () => {
		const subject = limiter({ begin: 'firstRequest' });
		expect(refused(subject, [900, 910, 920, 1000, 1899, 1900])).toEqual([1000, 1899]);
		expect(subject.take('key', 1950).resetAt).toBe(2900);
	});

	it('refuses through the whole second of its reset when asked to', () => {
		const subject = limiter({ requests: 1, begin: 'firstRequest', wholeSeconds: true });
		expect(refused(subject, [900, 1900, 1999, 2000])).toEqual([1900, 1999]);
		const verdict = subject.take('key', 3100);
		expect([verdict.allowed, subject.secondsToReset(verdict, 3100)]).toEqual([false, 0]);
		expect(subject.headers(verdict)).toMatchObject({ 'X-RateLimit-Reset': '3' });
	});
});
