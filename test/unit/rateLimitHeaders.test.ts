import { readRateHeaders } from '../../nodes/LinkManagement/rateLimit/headers';

const NOW = 1_800_000_000_000;

describe('the rate-limit headers', () => {
	const date = new Date(NOW).toUTCString();

	test.each([
		['seconds', String(NOW / 1000 + 30), NOW + 30_000],
		['milliseconds', String(NOW + 30_500), NOW + 30_500],
		['an HTTP date', new Date(NOW + 30_000).toUTCString(), NOW + 30_000],
		['an ISO date', new Date(NOW + 30_000).toISOString(), NOW + 30_000],
		['seconds from now', '30', NOW + 30_000],
	])('reset in %s', (_form, reset, time) => {
		expect(readRateHeaders({ date, 'x-ratelimit-reset': reset }, NOW).reset).toBe(time);
	});

	test('what is missing or garbled is unknown', () => {
		const headers = {
			'x-ratelimit-limit': 'many',
			'x-ratelimit-remaining': '',
			'x-ratelimit-reset': 'soon',
			'retry-after': 'later',
			date: '?',
		};
		expect(readRateHeaders(headers, NOW)).toEqual({});
		expect(readRateHeaders({}, NOW)).toEqual({});
	});

	test('Retry-After in seconds and as a date', () => {
		expect(readRateHeaders({ 'retry-after': '7' }, NOW).retryAfter).toBe(7000);
		expect(readRateHeaders({ date, 'retry-after': new Date(NOW + 9000).toUTCString() }, 0).retryAfter).toBe(9000);
	});
});
