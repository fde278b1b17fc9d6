import { idealTime, type Limit } from '../../bench/trial';

const FIXED: Limit = { requests: 30, windowMs: 3000 };
const WINDOW_AT = 900_000;

describe('the ideal time under a rate limit', () => {
	const FIELD: Limit = { ...FIXED, windowMs: 6000, dialect: 'field' };

	it.each<[string, Limit, from: number, before: number[], requests: number, ideal: number]>([
		['is nothing while the first window has room', FIXED, 1200, [], 30, 0],
		['ends where the window begins in which the last request has its place', FIXED, 0, [], 31, 3000],
		['the same, some windows later', FIXED, 0, [], 150, 12_000],
		['knows how far the first window had gone', FIXED, 1200, [-1], 150, 10_800],
		['knows what was used of it', FIXED, 1200, [-1, 0], 150, 13_800],
		['knows that windows of the field end with the second of their reset', FIELD, 200, [], 31, 6800],
		['and that those which begin on a whole second last one second more', FIELD, 200, [], 150, 6800 + 3 * 7000],
		['knows an earlier request that began the window', FIELD, 1200, [200], 30, 5800],
		['and one whose window had ended', FIELD, 7200, [200], 30, 0],
	])('%s', (_what, limit, from, before, requests, ideal) => {
		const earlier = before.map((at) => WINDOW_AT + at);
		expect(idealTime(limit, WINDOW_AT + from, earlier, requests)).toBe(ideal);
	});
});
