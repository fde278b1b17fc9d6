/** What is remembered of the page sizes of lists: for each service and list, not for ever, and not without end. */
import { MOST_LISTS, pageSizing, rememberPageSizing } from '../../nodes/LinkManagement/api/pageSizes';
import { UNKNOWN_SIZING } from '../../nodes/LinkManagement/api/pageSizing';

const SIZING = { size: 1000, worked: 1000 };
const HOUR = 60 * 60_000;

afterEach(() => {
	jest.useRealTimers();
});

test('holds for one list of one service', () => {
	rememberPageSizing('https://one.example', '/api/urls', SIZING);
	expect(pageSizing('https://one.example', '/api/urls')).toEqual(SIZING);
	expect(pageSizing('https://one.example', '/api/qr')).toEqual(UNKNOWN_SIZING);
	expect(pageSizing('https://other.example', '/api/urls')).toEqual(UNKNOWN_SIZING);
});

test('is forgotten an hour after it was begun, though it is used all the time', () => {
	jest.useFakeTimers();
	for (let minute = 0; minute < 60; minute++) {
		rememberPageSizing('https://busy.example', '/api/urls', SIZING);
		expect(pageSizing('https://busy.example', '/api/urls')).toEqual(SIZING);
		jest.advanceTimersByTime(HOUR / 60);
	}
	jest.advanceTimersByTime(1);
	expect(pageSizing('https://busy.example', '/api/urls')).toEqual(UNKNOWN_SIZING);
});

test('the oldest of too many goes', () => {
	rememberPageSizing('https://first.example', '/api/urls', SIZING);
	for (let n = 0; n < MOST_LISTS - 1; n++) rememberPageSizing('https://many.example', `/api/channel/${n}`, SIZING);
	expect(pageSizing('https://first.example', '/api/urls')).toEqual(SIZING);
	rememberPageSizing('https://last.example', '/api/urls', SIZING);
	expect(pageSizing('https://first.example', '/api/urls')).toEqual(UNKNOWN_SIZING);
	expect(pageSizing('https://last.example', '/api/urls')).toEqual(SIZING);
});
