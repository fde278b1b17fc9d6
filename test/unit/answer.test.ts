import { redactionOf } from '../../nodes/LinkManagement/service/redact';
import { read, type Answer } from '../../nodes/LinkManagement/service/answer';
import { errorOf, type Failure } from '../../nodes/LinkManagement/service/errors';
import { idOf, recordIn, recordsIn, wholeNumber } from '../../nodes/LinkManagement/service/records';

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
	[404, { error: 1, message: 'The requested page does not exist.' }, 'noEndpoint'],
	[200, { error: 1, message: 'The page you entered does not exist.' }, 'refused', 'none'],
	[404, { error: 1, message: 'The page you entered does not exist.' }, 'refused', 'none'],
	[400, { error: 1, message: 'The path is not valid. This URL does not exist.' }, 'refused', 'none'],
	[404, { error: 1, message: 'Splash page not found' }, 'refused', 'none'],
	[404, PAGE, 'noEndpoint'],
	[404, CHALLENGE, 'noEndpoint'],
	[404, '', 'noEndpoint'],
	[405, PAGE, 'noEndpoint'],
	[401, SAYS_NO, 'key'],
	[401, PAGE, 'key'],
	[200, { error: 1, message: 'A valid API key is required to use this service.' }, 'key'],
	[200, { error: 1, message: 'You do not have access to this endpoint with this API key.' }, 'noRight'],
	[403, { error: 1, message: 'This API key has no permission to read campaigns' }, 'noRight'],
	[401, { error: true, msg: "Your API key doesn't have the scope links.write" }, 'noRight'],
	[500, { error: 1, message: 'This endpoint is not allowed for this token.' }, 'noRight'],
	[403, { error: 1, message: 'This key may not read the account.' }, 'noRight'],
	[403, { error: 1, message: 'The API key is not allowed on your plan: no access to this endpoint.' }, 'plan'],
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
	expect(read(answer, { method: 'GET', path: '/api/url/3', isLookUp: true }).is).toBe(ofLookUp);
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

test.each<[told: string, status: number, body: unknown, headers?: Record<string, string>]>([
	['answered with an incomplete answer', 200, '{"error":0,"da'],
	['is not JSON', 200, 'OK'],
	['["a","b"]', 200, { error: 1, message: ['a', 'b'] }],
	['https://other.example', 302, '', { location: 'https://other.example/login?token=abc' }],
])('says "%s" of HTTP %d with %j', (told, statusCode, body, headers = {}) => {
	const asked = { method: 'POST', path: '/api/url/add' };
	const failure = read({ statusCode, headers, body }, asked) as Failure;
	const { message } = errorOf(failure, { ...asked, redact: redactionOf('a-key'), statusCode, isKnown: false });
	expect(message).toContain(told);
	expect(message).not.toContain('abc');
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
