import { median, ratios, spread, withRange } from '../../bench/statistics';
import { idealTime, type Limit } from '../../bench/trial';

const FIXED: Limit = { requests: 30, windowMs: 3000, kind: 'fixed', reset: 'seconds' };
const SLIDING: Limit = { ...FIXED, kind: 'sliding', reset: 'milliseconds' };
const WINDOW_AT = 900_000;

describe('the ideal time under a rate limit', () => {
	it('is nothing while the first window has room', () => {
		expect(idealTime(FIXED, WINDOW_AT + 1200, [], 30)).toBe(0);
	});

	it('ends with the beginning of the window in which the last request has its place', () => {
		expect(idealTime(FIXED, WINDOW_AT, [], 31)).toBe(3000);
		expect(idealTime(FIXED, WINDOW_AT, [], 150)).toBe(12_000);
	});

	it('knows how far the first window had gone, and what was used of it', () => {
		expect(idealTime(FIXED, WINDOW_AT + 1200, [WINDOW_AT - 1], 150)).toBe(10_800);
		expect(idealTime(FIXED, WINDOW_AT + 1200, [WINDOW_AT - 1, WINDOW_AT], 150)).toBe(13_800);
	});

	it('counts sliding windows from the first request', () => {
		expect(idealTime(SLIDING, WINDOW_AT + 1200, [], 150)).toBe(12_000);
	});

	it('knows the whole second that windows of the field refuse through', () => {
		const field: Limit = { ...FIXED, windowMs: 6000, dialect: 'field' };
		// The first window ends with the second in which its reset falls; those that begin on a whole second last one second more.
		expect(idealTime(field, WINDOW_AT + 200, [], 31)).toBe(6800);
		expect(idealTime(field, WINDOW_AT + 200, [], 150)).toBe(6800 + 3 * 7000);
		// It began with an earlier request, which has one of its places.
		expect(idealTime(field, WINDOW_AT + 1200, [WINDOW_AT + 200], 30)).toBe(5800);
		// That one's window had ended.
		expect(idealTime(field, WINDOW_AT + 7200, [WINDOW_AT + 200], 30)).toBe(0);
	});
});

describe('figures', () => {
	it('have a median that outliers do not move', () => {
		expect(median([3, 1, 100])).toBe(3);
		expect(median([4, 1, 2, 100])).toBe(3);
		expect(() => median([])).toThrow();
	});

	it('are compared within each round', () => {
		expect(ratios([1, 4], [2, 2])).toEqual([0.5, 2]);
		expect(() => ratios([1], [1, 2])).toThrow();
	});

	it('are shown with their range', () => {
		expect(withRange(spread([1, 0.5, 2]))).toBe('1.00 (0.50–2.00)');
	});
});
