/** What a reading of a list does next, case by case. */
import { ApiError } from '../../nodes/LinkManagement/service/answer/errors';
import type { Failure } from '../../nodes/LinkManagement/service/answer/failures';
import {
	afterFailure,
	afterPage,
	afterReading,
	type Shown,
	type Taken,
} from '../../nodes/LinkManagement/service/lists/verdict';

/** The second page of 100 of a list of 250. */
const PAGE: Taken = { count: 100, end: 200, isOfPage: false, isRepeated: false };
const SHOWN: Shown = { total: 250, least: 250, counted: 200, hasFallen: false, stale: 0, readings: 1, alike: 1 };
const UNKNOWN = { total: undefined, least: 0 };

describe('after a page', () => {
	test.each<[string, Partial<Taken>, Partial<Shown>, string]>([
		['amid the list', {}, {}, 'page'],
		['amid the list, which nobody counts', {}, UNKNOWN, 'page'],
		['that is not full', { count: 20, end: 120 }, {}, 'page'],
		['that brings nothing new, in a list that grew', {}, { counted: 100, stale: 20 }, 'page'],
		['that brings nothing new, as twenty before it', {}, { counted: 100, stale: 21 }, 'end'],
		['that reaches the total', { count: 50, end: 250 }, { counted: 250 }, 'end'],
		['that reaches a total which may be its own', { end: 100, isOfPage: true }, { total: 100 }, 'page'],
		['that shows what the one before it has shown', { isRepeated: true }, {}, 'end'],
		['that is empty', { count: 0 }, {}, 'end'],
		['that is empty, where nobody counts the list', { count: 0 }, UNKNOWN, 'samePage'],
		[
			'that shows what the one before it has shown, where nobody counts the list',
			{ isRepeated: true },
			UNKNOWN,
			'samePage',
		],
		['amid a second reading', {}, { readings: 2 }, 'page'],
		['that brings the last missing record in a second reading', {}, { readings: 2, counted: 250 }, 'end'],
	])('%s', (_what, page, shown, next) => {
		expect(afterPage({ ...PAGE, ...page }, { ...SHOWN, ...shown }, true)).toBe(next);
	});

	test('that is empty, and was asked for before', () => {
		expect(afterPage({ ...PAGE, count: 0 }, { ...SHOWN, ...UNKNOWN }, false)).toBe('end');
	});
});

describe('after a reading', () => {
	test.each<[string, Partial<Shown>, string]>([
		['that has shown as many records as there are', { counted: 250 }, 'whole'],
		['of a list that nobody counts', UNKNOWN, 'whole'],
		['that is short', { counted: 249 }, 'again'],
		['in which the total has fallen', { counted: 250, hasFallen: true }, 'again'],
		['that is short as two before it, which showed the very same', { readings: 3, alike: 3 }, 'whole'],
		['that is short as another one before it', { readings: 3, alike: 2 }, 'again'],
		['that is the sixth and short', { readings: 6, counted: 249 }, 'short'],
	])('%s', (_what, shown, is) => {
		expect(afterReading({ ...SHOWN, ...shown })).toBe(is);
	});
});

describe('after a failure', () => {
	const refused: Failure = { kind: 'refused', message: 'No' };
	const serverError: Failure = { kind: 'serverError', message: '' };
	const late: Failure = { kind: 'unreachable', code: 'ETIMEDOUT', neverSent: false, isPermanent: false };

	test.each<[string, Failure, status: number, page: number, size: number, string, isSlow?: boolean]>([
		['a page that is refused', refused, 200, 1, 100, 'fail'],
		['a page beyond the first that is refused', refused, 200, 3, 100, 'end'],
		['a page beyond the first that there is not', { kind: 'missingEndpoint', message: 'No' }, 404, 3, 100, 'end'],
		[
			'a web page for a page beyond the first',
			{ kind: 'missingEndpoint', message: '', why: 'page' },
			404,
			3,
			100,
			'fail',
		],
		['a size that is refused', refused, 422, 1, 1000, 'smaller'],
		['the smallest size, which is refused', refused, 422, 1, 15, 'fail'],
		['a page that the service can not make', serverError, 500, 2, 100, 'smaller'],
		['a page of the smallest size that the service can not make', serverError, 500, 2, 15, 'fail'],
		['a page that is too large', { kind: 'unreadable', why: 'tooLarge' }, 200, 1, 1000, 'smaller'],
		['a page that takes too long', late, 0, 1, 1000, 'smaller'],
		['a page for which there was no time', late, 0, 1, 1000, 'fail', false],
		['no connection', { ...late, code: 'ECONNREFUSED', neverSent: true }, 0, 1, 1000, 'fail'],
		['a service that is down', { kind: 'down', message: '' }, 503, 1, 1000, 'fail'],
		['a key that is refused', { kind: 'unauthorized', message: '' }, 401, 2, 1000, 'fail'],
	])('%s', (_what, failure, status, page, size, next, isSlow = true) => {
		const error = new ApiError(failure.kind, 'It failed', '', status, failure);
		expect(afterFailure(error, { page, size }, isSlow)).toBe(next);
	});
});
