import { updatedClockOffset, readRateHeaders } from '../../nodes/LinkManagement/rateLimit/headers';

const NOW = 1_800_000_000_000;
const date = new Date(NOW).toUTCString();
const ahead = new Date(NOW + 30_000);

test.each([
	['seconds', String(NOW / 1000 + 30)],
	['milliseconds', String(NOW + 30_000)],
	['microseconds', `${NOW + 30_000}000`],
	['an HTTP date', ahead.toUTCString()],
	['an ISO date', ahead.toISOString()],
	['seconds from now', '30'],
])('a reset in %s', (_form, reset) => {
	expect(readRateHeaders({ date, 'x-ratelimit-reset': reset }, 0).reset).toBe(NOW + 30_000);
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
	expect(readRateHeaders({ date, 'retry-after': ahead.toUTCString() }, 0).retryAfter).toBe(30_000);
});

test.each([
	['that may be equal count as equal', 0, -300, 0],
	['that were set to another time are set against each other anew', 0, -3_600_000, -3_600_000 + 450],
	['whose difference is known keep it, as far as an answer allows it', 5200, 5000, 5200],
])('clocks %s', (_what, known, ahead, difference) => {
	// Sent 50 ms before, answered 50 ms after the service's clock was read, and cut to a whole second.
	expect(updatedClockOffset(known, NOW + ahead, NOW, NOW + 100)).toBe(difference);
});
