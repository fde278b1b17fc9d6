import { redactionOf } from '../../nodes/LinkManagement/api/redact';
import { read, type Answer } from '../../nodes/LinkManagement/api/answer';
import { errorOf, type Failure } from '../../nodes/LinkManagement/api/answerError';
import { idOf, recordIn, recordsIn, wholeNumber } from '../../nodes/LinkManagement/api/records';

const CHALLENGE =
	'<html><script>document.cookie = "pass=1"; location.reload()</script><noscript>Turn on scripts</noscript></html>';
const PAGE = '<!doctype html><p>Welcome';
const SAYS_NO = { error: 1, message: 'No such link' };
const LIMITED = { error: 429, message: 'Too many requests', 'Retry-After': 41 };

/** What an answer is, to a change and to a look-up where that differs. */
test.each<[status: number, body: unknown, is: Answer['is'], ofLookUp?: Answer['is']]>([
	[200, { error: 0 }, 'done'],
	[201, { error: '0', id: 3 }, 'done'],
	[200, { error: false }, 'done'],
	[200, { id: 3 }, 'done'],
	[200, { error: null, id: 3 }, 'done'],
	[200, SAYS_NO, 'refused', 'none'],
	[200, { error: '1', msg: 'No such link' }, 'refused', 'none'],
	[200, { error: 'No such link' }, 'refused', 'none'],
	[400, SAYS_NO, 'refused', 'none'],
	[404, { error: true, message: 'No such link' }, 'refused', 'none'],
	[404, { error: 1 }, 'refused', 'none'],
	[422, { message: 'No such link' }, 'refused', 'none'],
	[409, SAYS_NO, 'refused'],
	[500, SAYS_NO, 'failing'],
	[503, PAGE, 'failing'],
	[500, '', 'failing'],
	[404, { error: 1, message: 'The requested endpoint does not exist.' }, 'noEndpoint'],
	[404, { error: 1, message: 'Route api/pixels not found' }, 'noEndpoint'],
	[405, { error: 1, message: 'Method not allowed' }, 'noEndpoint'],
	[404, { error: 1, message: 'Splash page not found' }, 'refused', 'none'],
	[404, PAGE, 'noEndpoint'],
	[404, '', 'noEndpoint'],
	[405, PAGE, 'noEndpoint'],
	[401, SAYS_NO, 'key'],
	[401, PAGE, 'key'],
	[200, { error: 1, message: 'A valid API key is required to use this service.' }, 'key'],
	[403, { error: 1, message: 'Your plan does not include the API.' }, 'plan'],
	[403, '', 'plan'],
	[403, PAGE, 'front'],
	[200, CHALLENGE, 'front'],
	[503, CHALLENGE, 'front'],
	[200, PAGE, 'unreadable'],
	[200, '', 'unreadable'],
	[200, undefined, 'unreadable'],
	[200, '{"error":0,"da', 'unreadable'],
	[200, [429], 'unreadable'],
	[302, '', 'redirected'],
	[401, { error: 1, message: 'Send it as Authorization: Token ...' }, 'olderApi'],
	[200, LIMITED, 'limited'],
	[200, { ...LIMITED, error: '429' }, 'limited'],
	[429, { error: 1, message: 'Slow down' }, 'limited'],
	[429, PAGE, 'limited'],
	[429, undefined, 'limited'],
	[503, LIMITED, 'limited'],
	[200, { error: 0, id: 429 }, 'done'],
	[200, { error: 1, message: '429' }, 'refused', 'none'],
])('HTTP %d with %j is %s', (statusCode, body, is, ofLookUp = is) => {
	const answer = { statusCode, headers: {}, body };
	expect(read(answer, { method: 'POST', path: '/api/url/add' }).is).toBe(is);
	expect(read(answer, { method: 'GET', path: '/api/url/3', seeks: true }).is).toBe(ofLookUp);
});

test('a success comes without the flag of the envelope', () => {
	const answer = { statusCode: 200, headers: {}, body: { error: '0', id: 3, data: { clicks: 1 } } };
	expect(read(answer, { method: 'GET', path: '/api/url/3' })).toEqual({
		is: 'done',
		body: { id: 3, data: { clicks: 1 } },
	});
});

test.each<[unknown, number | undefined]>([
	[LIMITED, 41_000],
	[{ error: 429, 'Retry-After': '41' }, 41_000],
	[{ error: 429, 'Retry-After': 0 }, 0],
	[{ error: 429, retry_after: 3 }, 3000],
	[{ error: 429, 'Retry-After': 'later' }, undefined],
	[{ error: 429, 'Retry-After': -5 }, undefined],
	[{ error: 429 }, undefined],
	['Retry-After: 3', undefined],
])('the refusal %j waits %p ms', (body, expected) => {
	const answer = read({ statusCode: 429, headers: {}, body }, { method: 'GET', path: '/api/urls' });
	expect(answer.is === 'limited' && answer.retryAfter).toBe(expected);
});

describe('what went wrong, in words', () => {
	const asked = { method: 'POST', path: '/api/url/add' };
	const told = (statusCode: number, body: unknown, isKnown = false, headers = {}) =>
		errorOf(read({ statusCode, headers, body }, asked) as Failure, {
			...asked,
			redact: redactionOf(['a-key']),
			statusCode,
			isKnown,
		});

	test.each([[200], [404], [422]])("at HTTP %d holds the service's message", (status) => {
		expect(told(status, { error: 1, message: 'Choose another' })).toMatchObject({
			kind: 'refused',
			message: 'Choose another',
			statusCode: status,
		});
	});

	test('points to the credential where the key is not taken, and to more than the key where access is denied', () => {
		expect(told(200, { error: 1, message: 'Invalid API key' }).advice).toMatch(
			/^Check the API Key in the .*credential/,
		);
		expect(told(401, { error: 1, message: 'Nope' }).advice).toMatch(/^Check the API Key in the .*credential/);
		expect(told(403, { error: 1, message: 'Suspended' }).advice).toMatch(/key.*plan.*account/i);
		expect(told(403, '<html>Forbidden</html>')).toMatchObject({
			message: 'Something in front of the service answered with a page (HTTP 403)',
			advice: expect.stringMatching(/Add Custom Header/) as string,
		});
	});

	test('tells a web page, cut-off JSON and a redirect apart', () => {
		expect(told(200, PAGE).message).toMatch(/web page/);
		expect(told(200, '{"error":0,"da').message).toMatch(/incomplete/);
		expect(told(200, 'OK').message).toMatch(/not JSON/);
		const redirect = told(302, '', false, { location: 'https://other.example/login?token=abc' });
		expect(redirect.message).toContain('https://other.example');
		expect(redirect.message).not.toContain('abc');
	});

	test('names the endpoint that is missing, and doubts the address where the service has never answered', () => {
		expect(told(404, PAGE, true)).toMatchObject({ endpoint: 'POST /api/url/add', message: /POST \/api\/url\/add/ });
		expect(told(404, PAGE).advice).toMatch(/Base URL/);
	});

	test('is never endless, whatever its shape', () => {
		expect(told(200, { error: 1, message: ['a', 'b'] }).message).toBe('["a","b"]');
		expect(told(200, { error: 1 }).message).toMatch(/without saying why/);
		expect(told(200, { error: 1, message: 'x'.repeat(10_000) }).message.length).toBeLessThanOrEqual(500);
	});
});

describe('records', () => {
	const two = [{ id: 1 }, { id: 2 }];

	test.each<[string, unknown]>([
		['a list', { data: { urls: ['x', ...two] } }],
		['an object with keys', { data: { urls: { 0: two[0], 1: two[1] } } }],
		['at the top', { urls: two }],
		['at the top beside figures', { urls: two, data: { result: 2 } }],
		['with text for numbers', { data: { urls: [{ id: '1' }, { id: '2' }] } }],
		['under another name', { data: { links: two } }],
	])('are read from %s', (_name, body) => {
		expect(recordsIn(body, ['urls', 'links'])).toEqual(two);
	});

	test.each([{ urls: [] }, { urls: null }, { urls: {} }, {}, []])('are none in %j', (data) => {
		expect(recordsIn({ data }, 'urls')).toEqual([]);
	});

	test.each([{ urls: null }, { result: 0 }, { result: '0', maxpage: 1 }])('are none at the top of %j', (body) => {
		expect(recordsIn(body, 'urls')).toEqual([]);
	});

	test.each([{}, { data: 'x' }, 'text', undefined])('are not told by %j', (body) => {
		expect(recordsIn(body, 'urls')).toBeUndefined();
	});

	test('have their IDs at the top or under `data`', () => {
		for (const body of [{ id: '7' }, { data: { id: 7 } }, { id: null, data: { id: '7' } }]) expect(idOf(body)).toBe(7);
		for (const body of [{}, { id: 0 }, { id: 'x' }, { data: [7] }]) expect(idOf(body)).toBeUndefined();
		expect(recordIn({ message: 'Made', data: { id: '7', name: 'A' } })).toEqual({ message: 'Made', id: 7, name: 'A' });
	});

	test.each([
		['1,003', 1003],
		['12,345,678', 12_345_678],
		['1,00', undefined],
		['1.003', undefined],
		['many', undefined],
		[' 7 ', 7],
	])('count %j as %p', (text, number) => {
		expect(wholeNumber(text, 0)).toBe(number);
	});
});
