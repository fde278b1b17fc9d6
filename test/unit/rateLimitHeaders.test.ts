import { readRateHeaders } from '../../nodes/LinkManagement/rateLimit/headers';

const NOW = 1_800_000_000_000;
const date = new Date(NOW).toUTCString();
/** When an answer of the service, whose clock is an hour ahead, was received here. */
const HERE = NOW - 3_600_000;

test.each([
	['seconds', String(NOW / 1000 + 30)],
	['milliseconds', String(NOW + 30_000)],
	['seconds from now', '30'],
])('a window with a reset in %s ends a second after it, by our clock', (_form, reset) => {
	expect(readRateHeaders({ headers: { date, 'x-ratelimit-reset': reset } }, HERE).endsAt).toBe(HERE + 31_000);
});

test.each<[string, Record<string, string>, retryAfter: number | undefined, endsIn: number | undefined]>([
	['in its header', { 'retry-after': '7' }, undefined, 8000],
	['in its body, which counts', { 'retry-after': '7' }, 3000, 4000],
	['in its body, but a reset that is to come counts', { 'x-ratelimit-reset': '41' }, 3000, 42_000],
	['in its body, after a reset that is past', { 'x-ratelimit-reset': String(NOW / 1000 - 60) }, 3000, 4000],
	['as nothing, in the second of the reset', { 'x-ratelimit-reset': String(NOW / 1000) }, 0, 1000],
	['in no form that is known', { 'retry-after': 'later', 'x-ratelimit-reset': 'soon' }, undefined, undefined],
])('a refusal that says how long to wait %s', (_where, headers, retryAfter, endsIn) => {
	const { endsAt } = readRateHeaders({ headers: { date, ...headers }, retryAfter }, HERE);
	expect(endsAt).toBe(endsIn === undefined ? undefined : HERE + endsIn);
});

test('what is missing or garbled is unknown', () => {
	const headers = { 'x-ratelimit-limit': 'many', 'x-ratelimit-remaining': '', date: '?' };
	expect(readRateHeaders({ headers }, NOW)).toEqual({});
	expect(readRateHeaders({ headers: {} }, NOW)).toEqual({});
});
