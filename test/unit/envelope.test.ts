import { errorIn, isRefusal, readPage, retryAfterOf } from '../../nodes/LinkManagement/api/envelope';

describe('a refusal for the rate limit', () => {
	const refusal = { error: 429, message: 'Too many requests', 'Retry-After': 41 };

	test.each<[string, number, unknown, boolean]>([
		['HTTP 200 with error 429', 200, refusal, true],
		['HTTP 200 with error "429"', 200, { ...refusal, error: '429' }, true],
		['HTTP 429 with that body', 429, refusal, true],
		['HTTP 429 with error 1', 429, { error: 1, message: 'Slow down' }, true],
		['HTTP 429 without JSON', 429, '<html></html>', true],
		['HTTP 429 with an empty body', 429, undefined, true],
		['HTTP 503 with error 429', 503, refusal, true],
		['a success', 200, { error: 0, id: 429 }, false],
		['another error', 200, { error: 1, message: '429' }, false],
		['a list', 200, [429], false],
	])('%s', (_name, statusCode, body, expected) => {
		expect(isRefusal({ statusCode, headers: {}, body })).toBe(expected);
	});

	test.each<[unknown, number | undefined]>([
		[refusal, 41_000],
		[{ error: 429, 'Retry-After': '41' }, 41_000],
		[{ error: 429, 'Retry-After': 0 }, 0],
		[{ error: 429, retry_after: 3 }, 3000],
		[{ error: 429, 'Retry-After': 'later' }, undefined],
		[{ error: 429, 'Retry-After': -5 }, undefined],
		[{ error: 429 }, undefined],
		['Retry-After: 3', undefined],
	])('%j waits %p ms', (body, expected) => {
		expect(retryAfterOf({ statusCode: 429, headers: {}, body })).toBe(expected);
	});
});

describe('envelopes', () => {
	const answer = (body: unknown, statusCode = 200, headers: Record<string, unknown> = {}) => ({
		statusCode,
		headers,
		body,
	});

	test.each([[{ error: 0 }], [{ error: '0' }], [{ error: false }], [{ id: 3 }], [{ error: null, id: 3 }]])(
		'%j is a success',
		(body) => {
			expect(errorIn(answer(body))).toBeUndefined();
		},
	);

	test.each([
		[{ error: 1, message: 'No such link' }, 200],
		[{ error: '1', message: 'No such link' }, 200],
		[{ error: true, message: 'No such link' }, 404],
		[{ message: 'No such link' }, 422],
	])("%j at HTTP %d is an error with the service's message", (body, status) => {
		expect(errorIn(answer(body, status))).toMatchObject({
			kind: 'rejected',
			message: 'No such link',
			statusCode: status,
		});
	});

	test('a key problem points to the credential', () => {
		expect(errorIn(answer({ error: 1, message: 'Invalid API key' }))?.advice).toMatch(/credential/);
		expect(errorIn(answer({ error: 1, message: 'Nope' }, 401))?.advice).toMatch(/credential/);
		expect(errorIn(answer('<html>Forbidden</html>', 403))?.advice).toMatch(/API Key/);
	});

	test('a web page, cut-off JSON and a redirect each say so', () => {
		expect(errorIn(answer('<!doctype html><p>Hello'))?.message).toMatch(/web page/);
		expect(errorIn(answer('{"error":0,"da'))?.message).toMatch(/incomplete/);
		expect(errorIn(answer('OK'))?.message).toMatch(/not JSON/);
		const redirect = errorIn(answer('', 302, { location: 'https://other.example/login?token=abc' }));
		expect(redirect?.message).toContain('https://other.example');
		expect(redirect?.message).not.toContain('abc');
	});

	test('a message of any shape is shown, and never endless', () => {
		expect(errorIn(answer({ error: 1, message: ['a', 'b'] }))?.message).toBe('["a","b"]');
		expect(errorIn(answer({ error: 1 }))?.message).toMatch(/without saying why/);
		expect(errorIn(answer({ error: 1, message: 'x'.repeat(10_000) }))?.message.length).toBeLessThanOrEqual(500);
	});

	test('a list is read with figures as numbers or text, and empty in any form', () => {
		expect(
			readPage(
				{ error: '0', data: { result: '2', perpage: 15, maxpage: '1', urls: [{ id: 1 }, { id: 2 }, 'x'] } },
				'urls',
			),
		).toEqual({
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
