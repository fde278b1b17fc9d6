import { redactionOf } from '../../nodes/LinkManagement/service/redact';
import { readAnswer, type Answer } from '../../nodes/LinkManagement/service/answer/answer';
import { errorOf } from '../../nodes/LinkManagement/service/answer/errors';
import type { Failure } from '../../nodes/LinkManagement/service/answer/failures';
import { idOf, recordIn, recordsIn, wholeNumber } from '../../nodes/LinkManagement/service/records';

const CHALLENGE =
	'<html><script>document.cookie = "pass=1"; location.reload()</script><noscript>Turn on scripts</noscript></html>';
const PAGE = '<!doctype html><p>Welcome';
const SAYS_NO = { error: 1, message: 'No such link' };
const LIMITED = { error: 429, message: 'Too many requests', 'Retry-After': 41 };

/** What an answer is, to a change and to a look-up where that differs. */
test.each<[status: number, body: unknown, is: Answer['kind'], ofLookUp?: Answer['kind']]>([
	[200, { error: 0 }, 'done'],
	[201, { error: '0', id: 3 }, 'done'],
	[200, { error: false }, 'done'],
	[200, { id: 3 }, 'done'],
	[200, { error: null, id: 3 }, 'done'],
	[200, SAYS_NO, 'refused', 'notFound'],
	[200, { error: '1', msg: 'No such link' }, 'refused', 'notFound'],
	[200, { error: 'No such link' }, 'refused', 'notFound'],
	[400, SAYS_NO, 'refused', 'notFound'],
	[404, { error: true, message: 'No such link' }, 'refused', 'notFound'],
	[404, { error: 1 }, 'refused', 'notFound'],
	[422, { message: 'No such link' }, 'refused'],
	[404, { message: 'Not found' }, 'missingEndpoint'],
	[409, SAYS_NO, 'refused'],
	[500, SAYS_NO, 'serverError'],
	[502, PAGE, 'badGateway'],
	[503, PAGE, 'down'],
	[504, '', 'badGateway'],
	[503, SAYS_NO, 'down'],
	[500, '', 'serverError'],
	[404, { error: 1, message: 'The requested endpoint does not exist.' }, 'refused', 'notFound'],
	[404, { error: 1, message: 'This URL does not exist.' }, 'refused', 'notFound'],
	[405, { error: 1, message: 'Method not allowed' }, 'missingEndpoint'],
	[200, { error: 1, message: 'The page you entered does not exist.' }, 'refused', 'notFound'],
	[404, { error: 1, message: 'The page you entered does not exist.' }, 'refused', 'notFound'],
	[400, { error: 1, message: 'The path is not valid. This URL does not exist.' }, 'refused', 'notFound'],
	[404, { error: 1, message: 'Splash page not found' }, 'refused', 'notFound'],
	[404, PAGE, 'missingEndpoint'],
	[404, CHALLENGE, 'missingEndpoint'],
	[404, '', 'missingEndpoint'],
	[405, PAGE, 'missingEndpoint'],
	[401, SAYS_NO, 'unauthorized'],
	[401, PAGE, 'unauthorized'],
	[200, { error: 1, message: 'A valid API key is required to use this service.' }, 'unauthorized'],
	[200, { error: 1, message: 'You do not have access to this endpoint with this API key.' }, 'missingScope'],
	[500, { error: 1, message: 'A VALID API key is required to use this service' }, 'unauthorized'],
	[200, { error: 1, message: 'Please authenticate your domain first.' }, 'refused', 'notFound'],
	[
		200,
		{ error: 1, message: 'Your API key has expired. A valid API key is required to use this service.' },
		'refused',
		'notFound',
	],
	[403, { error: 1, message: 'This API key has no permission to read campaigns' }, 'forbidden'],
	[401, { error: true, msg: "Your API key doesn't have the scope links.write" }, 'unauthorized'],
	[402, { error: 1, message: 'Please upgrade your plan.' }, 'forbidden'],
	[403, { error: 1, message: 'Your plan does not include the API.' }, 'forbidden'],
	[403, '', 'forbidden'],
	[403, PAGE, 'intercepted'],
	[200, CHALLENGE, 'intercepted'],
	[503, CHALLENGE, 'intercepted'],
	[200, PAGE, 'unreadable'],
	[200, '', 'unreadable'],
	[200, undefined, 'unreadable'],
	[200, '{"error":0,"da', 'unreadable'],
	[200, [429], 'unreadable'],
	[302, '', 'redirected'],
	[200, LIMITED, 'rateLimited'],
	[200, { ...LIMITED, error: '429' }, 'rateLimited'],
	[429, { error: 1, message: 'Slow down' }, 'rateLimited'],
	[429, PAGE, 'rateLimited'],
	[429, undefined, 'rateLimited'],
	[503, LIMITED, 'rateLimited'],
	[200, { error: 0, id: 429 }, 'done'],
	[200, { error: 1, message: '429' }, 'refused', 'notFound'],
])('HTTP %d with %j is %s', (statusCode, body, is, ofLookUp = is) => {
	const answer = { statusCode, headers: {}, body };
	expect(readAnswer(answer, { method: 'POST', path: '/api/url/add' }).kind).toBe(is);
	expect(readAnswer(answer, { method: 'GET', path: '/api/urls', isLookUp: true }).kind).toBe(ofLookUp);
});

test.each([
	['/api/url/3', {}, 'unreadable'],
	['/api/url/3', { data: null }, 'unreadable'],
	['/api/url/3', { data: { result: 1, perpage: 10, currentpage: 1, urls: [{ id: 3 }] } }, 'unreadable'],
	['/api/url/3', { id: 3, details: {}, data: {} }, 'done'],
	['/api/url/3', { details: { shorturl: 'https://lnk.example/a' } }, 'done'],
	['/api/qr/3', { details: { id: '3', name: 'Code' } }, 'done'],
	['/api/account', { data: { email: 'owner@example.com' } }, 'done'],
	['/api/account', { username: 'owner' }, 'done'],
	['/api/account', { status: 'ok' }, 'unreadable'],
	['/api/qr/3', { link: 'https://lnk.example/qr/a' }, 'done'],
	['/api/channel/3', { data: { result: 0, items: [] } }, 'done'],
])('GET %s that is answered with %j is %s: one record has to be there', (path, body, kind) => {
	const answer = { statusCode: 200, headers: {}, body: { error: 0, ...body } };
	expect(readAnswer(answer, { method: 'GET', path })).toMatchObject({ kind });
});

const PAGE_OF_A_LIST = {
	error: '0',
	data: { result: 0, perpage: 15, currentpage: 1, nextpage: null, maxpage: 1, urls: [] },
};

test('a list that is answered by 404 is an endpoint that is not there, whatever the words; a record is missing', () => {
	const answer = { statusCode: 404, headers: {}, body: SAYS_NO };
	for (const path of ['/api/urls', '/api/qr', '/api/splash'])
		expect(readAnswer(answer, { method: 'GET', path }).kind).toBe('missingEndpoint');
	for (const path of ['/api/channel/7', '/api/url/7'])
		expect(readAnswer(answer, { method: 'GET', path }).kind).toBe('refused');
});

/** A change is done where the answer says so: by the flag of the envelope, or by what a success holds. */
test.each<[body: unknown, kind: Answer['kind']]>([
	[{}, 'unreadable'],
	[{ data: null }, 'unreadable'],
	[[], 'unreadable'],
	[[{ id: 3 }], 'unreadable'],
	[null, 'unreadable'],
	[{ status: 'ok' }, 'unreadable'],
	[PAGE_OF_A_LIST, 'unreadable'],
	[PAGE_OF_A_LIST.data, 'unreadable'],
	[{ error: 0 }, 'done'],
	[{ error: null }, 'done'],
	[{ id: 3 }, 'done'],
	[{ data: { id: 3 } }, 'done'],
	[{ shorturl: 'https://lnk.example/x' }, 'done'],
	[{ message: 'Done.' }, 'done'],
])('a change that is answered by %j is %s', (body, kind) => {
	for (const method of ['POST', 'PUT', 'DELETE'])
		expect(readAnswer({ statusCode: 200, headers: {}, body }, { method, path: '/api/url/3' }).kind).toBe(kind);
});

test('a success comes without the flag of the envelope', () => {
	const answer = { statusCode: 200, headers: {}, body: { error: '0', id: 3, data: { clicks: 1 } } };
	expect(readAnswer(answer, { method: 'GET', path: '/api/url/3' })).toEqual({
		kind: 'done',
		body: { id: 3, data: { clicks: 1 } },
	});
});

test.each<[unknown, number | undefined]>([
	[LIMITED, 41_000],
	[{ error: 429, 'Retry-After': '41' }, 41_000],
	[{ error: 429, 'Retry-After': 0 }, 0],
	[{ error: 429, 'Retry-After': 'later' }, undefined],
	[{ error: 429, 'Retry-After': -5 }, undefined],
	[{ error: 429 }, undefined],
	['Retry-After: 3', undefined],
])('the refusal %j waits %p ms', (body, expected) => {
	const answer = readAnswer({ statusCode: 429, headers: {}, body }, { method: 'GET', path: '/api/urls' });
	expect(answer.kind === 'rateLimited' && answer.retryAfter).toBe(expected);
});

test.each<[told: string, status: number, body: unknown, headers?: Record<string, string>]>([
	['is not JSON', 200, '{"error":0,"da'],
	['is not JSON', 200, 'OK'],
	[`says "['a','b']"`, 200, { error: 1, message: ['a', 'b'] }],
	['https://other.example', 302, '', { location: 'https://other.example/login?token=abc' }],
])('the user reads "%s" of HTTP %d with %j', (told, statusCode, body, headers = {}) => {
	const asked = { method: 'POST', path: '/api/url/add' };
	const failure = readAnswer({ statusCode, headers, body }, asked) as Failure;
	const about = { ...asked, failure, statusCode, address: 'https://service.example', isKnown: false };
	const { message } = errorOf(about, redactionOf('a-key'));
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

	test.each([{ urls: [] }, { urls: null }, { urls: {} }, []])('are none in %j', (data) => {
		expect(recordsIn({ data }, 'urls')).toEqual([]);
	});

	test.each([{ urls: null }, { urls: [], result: '0', maxpage: 1 }])('are none at the top of %j', (body) => {
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
