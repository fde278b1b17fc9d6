import { serviceAddress, isAtService } from '../../nodes/LinkManagement/service/address';
import { budgetFor } from '../../nodes/LinkManagement/service/budgets';
import { faultIn, readPage } from '../../nodes/LinkManagement/service/envelope';
import { ClockDifference, readRateHeaders } from '../../nodes/LinkManagement/service/rateHeaders';

const NOW = 1_800_000_000_000;

describe('the base URL, as people paste it', () => {
	test.each([
		['https://links.example.com', 'https://links.example.com'],
		['  https://links.example.com/  ', 'https://links.example.com'],
		['https://links.example.com///', 'https://links.example.com'],
		['https://links.example.com/api', 'https://links.example.com'],
		['https://links.example.com/api/', 'https://links.example.com'],
		['HTTPS://Links.Example.com/API', 'https://links.example.com'],
		['http://localhost:8080/shorty/', 'http://localhost:8080/shorty'],
		['http://localhost:8080/shorty/api//', 'http://localhost:8080/shorty'],
		['https://example.com/my-api', 'https://example.com/my-api'],
	])('%s → %s', (pasted, address) => {
		expect(serviceAddress(pasted)).toBe(address);
	});

	test.each([
		['', /no Base URL/],
		[undefined, /no Base URL/],
		['links.example.com', /not a URL|starts with/],
		['ftp://links.example.com', /ftp:\/\//],
		['https://user:secret@links.example.com', /user name or password/],
		['https://links.example.com/?key=secret', /query/],
		['https://links.example.com/#top', /fragment/],
	])('%s is refused in plain words, without repeating it', (pasted, message) => {
		expect(() => serviceAddress(pasted)).toThrow(message);
		try {
			serviceAddress(pasted);
		} catch (error) {
			expect((error as Error).message).not.toContain('secret');
		}
	});

	test('only the same scheme, host and port are the service', () => {
		const address = 'https://links.example.com/prefix';
		expect(isAtService(address, '/api/urls')).toBe(true);
		expect(isAtService(address, 'https://links.example.com/other')).toBe(true);
		for (const elsewhere of [
			'http://links.example.com/api',
			'https://links.example.com:8443/api',
			'https://links.example.com.evil.example/api',
			'https://links.example.com@evil.example/api',
			'//evil.example/api',
			'https://',
		]) {
			expect(isAtService(address, elsewhere)).toBe(false);
		}
	});
});

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
		const headers = { 'x-ratelimit-limit': 'many', 'x-ratelimit-remaining': '', 'x-ratelimit-reset': 'soon', 'retry-after': 'later', date: '?' };
		expect(readRateHeaders(headers, NOW)).toEqual({});
		expect(readRateHeaders({}, NOW)).toEqual({});
	});

	test('Retry-After in seconds and as a date', () => {
		expect(readRateHeaders({ 'retry-after': '7' }, NOW).retryAfter).toBe(7000);
		expect(readRateHeaders({ date, 'retry-after': new Date(NOW + 9000).toUTCString() }, 0).retryAfter).toBe(9000);
	});

	test('a clock that is ahead is found out, ever more closely', () => {
		const ahead = 12_345;
		const difference = new ClockDifference();
		for (let step = 0; step < 40; step++) {
			const sentAt = NOW + step * 1037;
			const there = sentAt + 2 + ahead;
			difference.observe(Math.floor(there / 1000) * 1000, sentAt, sentAt + 4);
		}
		expect(Math.abs(difference.toLocal(NOW) - (NOW - ahead))).toBeLessThan(60);
	});

	test('clocks that agree are taken as equal, also when one is set anew meanwhile', () => {
		const difference = new ClockDifference();
		difference.observe(NOW, NOW + 400, NOW + 410);
		expect(difference.toLocal(NOW)).toBe(NOW);
		difference.observe(NOW + 90_000, NOW + 400, NOW + 410);
		expect(difference.toLocal(NOW + 90_000)).toBeLessThan(NOW + 2000);
	});
});

describe('one budget for one service and key', () => {
	test('the same for both, another for any other', () => {
		const budget = budgetFor('https://one.example', 'key');
		expect(budgetFor('https://one.example', 'key')).toBe(budget);
		expect(budgetFor('https://two.example', 'key')).not.toBe(budget);
		expect(budgetFor('https://one.example', 'other')).not.toBe(budget);
	});
});

describe('envelopes', () => {
	const answer = (body: unknown, statusCode = 200, headers: Record<string, unknown> = {}) => ({ statusCode, headers, body });

	test.each([[{ error: 0 }], [{ error: '0' }], [{ error: false }], [{ id: 3 }], [{ error: null, id: 3 }]])('%j is a success', (body) => {
		expect(faultIn(answer(body))).toBeUndefined();
	});

	test.each([
		[{ error: 1, message: 'No such link' }, 200],
		[{ error: '1', message: 'No such link' }, 200],
		[{ error: true, message: 'No such link' }, 404],
		[{ message: 'No such link' }, 422],
	])("%j at HTTP %d is an error with the service's message", (body, status) => {
		expect(faultIn(answer(body, status))).toMatchObject({ kind: 'rejected', message: 'No such link', statusCode: status });
	});

	test('a key problem points to the credential', () => {
		expect(faultIn(answer({ error: 1, message: 'Invalid API key' }))?.advice).toMatch(/credential/);
		expect(faultIn(answer({ error: 1, message: 'Nope' }, 401))?.advice).toMatch(/credential/);
		expect(faultIn(answer('<html>Forbidden</html>', 403))?.advice).toMatch(/API Key/);
	});

	test('a web page, cut-off JSON and a redirect each say so', () => {
		expect(faultIn(answer('<!doctype html><p>Hello'))?.message).toMatch(/web page/);
		expect(faultIn(answer('{"error":0,"da'))?.message).toMatch(/incomplete/);
		expect(faultIn(answer('OK'))?.message).toMatch(/not JSON/);
		const redirect = faultIn(answer('', 302, { location: 'https://other.example/login?token=abc' }));
		expect(redirect?.message).toContain('https://other.example');
		expect(redirect?.message).not.toContain('abc');
	});

	test('a message of any shape is shown, and never endless', () => {
		expect(faultIn(answer({ error: 1, message: ['a', 'b'] }))?.message).toBe('["a","b"]');
		expect(faultIn(answer({ error: 1 }))?.message).toMatch(/without saying why/);
		expect(faultIn(answer({ error: 1, message: 'x'.repeat(10_000) }))?.message.length).toBeLessThanOrEqual(500);
	});

	test('a list is read with figures as numbers or text, and empty in any form', () => {
		expect(readPage({ error: '0', data: { result: '2', perpage: 15, maxpage: '1', urls: [{ id: 1 }, { id: 2 }, 'x'] } }, 'urls')).toEqual({
			records: [{ id: 1 }, { id: 2 }],
			result: 2,
			perpage: 15,
			maxpage: 1,
		});
		for (const data of [{ result: 0, urls: [] }, { urls: null }, { urls: {} }, {}, []]) {
			expect(readPage({ error: '0', data }, 'urls').records).toEqual([]);
		}
		expect(() => readPage({ error: 0 }, 'urls')).toThrow(/without the list "urls"/);
	});
});
