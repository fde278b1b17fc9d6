/** What becomes of a request that failed, case by case. */
import { ApiError, limitError } from '../../nodes/LinkManagement/service/answer/errors';
import type { Failure } from '../../nodes/LinkManagement/service/answer/failures';
import { BEGUN, type Course, nextTry, noted, type Waiting } from '../../nodes/LinkManagement/service/send/nextTry';

const MINUTE = 60_000;
const NOW = 1_800_000_000_000;

const FAILURES = {
	limited: limitError(),
	down: failed({ kind: 'down', message: '' }, 503),
	badGateway: failed({ kind: 'badGateway', message: '' }, 502),
	serverError: failed({ kind: 'serverError', message: '' }, 500),
	page: failed({ kind: 'unreadable', why: 'page' }, 200),
	empty: failed({ kind: 'unreadable', why: 'empty' }, 200),
	refusedConnection: failed({ kind: 'unreachable', code: 'ECONNREFUSED', neverSent: true, isPermanent: false }),
	lostConnection: failed({ kind: 'unreachable', code: 'ECONNRESET', neverSent: false, isPermanent: false }),
	badCertificate: failed({ kind: 'unreachable', code: 'CERT_EXPIRED', neverSent: true, isPermanent: true }),
	refused: failed({ kind: 'refused', message: 'No' }, 400),
	key: failed({ kind: 'unauthorized', message: '' }, 401),
};
type Named = keyof typeof FAILURES;

function failed(failure: Failure, statusCode?: number): ApiError {
	return new ApiError(failure.kind, `It is ${failure.kind}`, '', statusCode, failure);
}

const PATIENT: Partial<Waiting> = { patience: 5 * MINUTE };

/** What becomes of a request that fails so, one failure a second after the other. @returns `again`, or the kind of its error */
function after(failures: Named[], waiting: Partial<Waiting>): string {
	const { method = 'GET' } = waiting;
	let course: Course = BEGUN;
	let is = '';
	for (const [at, name] of failures.entries()) {
		const now = NOW + at * 1000;
		const all: Waiting = { method, answeredAt: -Infinity, isKnown: true, ...waiting };
		course = noted(course, FAILURES[name], all, now);
		const next = nextTry(FAILURES[name], course, all, now, 0);
		is = 'after' in next ? 'again' : next.error.kind;
		if (at < failures.length - 1) expect([name, is]).toEqual([name, 'again']);
	}
	return is;
}

const METHODS = ['GET', 'PUT', 'POST', 'DELETE'] as const;

test.each<[name: Named, get: string, put: string, post: string, remove: string]>([
	['limited', 'again', 'again', 'again', 'again'],
	['down', 'again', 'again', 'again', 'again'],
	['refusedConnection', 'again', 'again', 'again', 'again'],
	['badGateway', 'again', 'again', 'uncertain', 'uncertain'],
	['serverError', 'again', 'again', 'uncertain', 'uncertain'],
	['lostConnection', 'again', 'again', 'uncertain', 'uncertain'],
	['page', 'again', 'again', 'uncertain', 'uncertain'],
	['empty', 'again', 'unreadable', 'uncertain', 'uncertain'],
	['badCertificate', 'unreachable', 'unreachable', 'unreachable', 'unreachable'],
	['refused', 'refused', 'refused', 'refused', 'refused'],
	['key', 'unauthorized', 'unauthorized', 'unauthorized', 'unauthorized'],
])('after %s: a GET %s, a PUT %s, a POST %s, a DELETE %s', (name, ...expected) => {
	for (const patience of [undefined, MINUTE])
		expect(METHODS.map((method) => after([name], { method, patience }))).toEqual(expected);
});

test.each<[string, Named[], Partial<Waiting>, string]>([
	['four failures of a read', ['serverError', 'page', 'serverError', 'serverError'], {}, 'serverError'],
	['four of a service that is down, which nobody waits for', ['down', 'down', 'down', 'down'], {}, 'down'],
	['four of a service that is down, and waited for', ['down', 'down', 'down', 'badGateway'], PATIENT, 'again'],
	[
		'a service that is down and waited for, then a failure of its own',
		['down', 'down', 'down', 'down', 'serverError'],
		PATIENT,
		'again',
	],
	['two of a change that is slow', ['lostConnection', 'lostConnection'], { method: 'PUT' }, 'unreachable'],
	['as many as the request allows', ['serverError', 'serverError'], { tries: 2 }, 'serverError'],
	['as many as the request allows, but the service got none', ['down', 'down'], { tries: 2 }, 'again'],
	['no time', ['serverError'], { deadline: NOW + 400 }, 'serverError'],
	[
		'a refused connection to an address that never answered',
		['refusedConnection', 'refusedConnection', 'refusedConnection', 'refusedConnection'],
		{ ...PATIENT, isKnown: false },
		'unreachable',
	],
	[
		'others are answered meanwhile',
		['down', 'down', 'down', 'down', 'down'],
		{ ...PATIENT, answeredAt: NOW + 500 },
		'down',
	],
])('%s', (_what, failures, waiting, is) => {
	expect(after(failures, waiting)).toBe(is);
});

test('a service that is down is waited for in pauses that grow, and not longer than the caller waits', () => {
	let course: Course = BEGUN;
	const waiting: Waiting = { method: 'GET', patience: MINUTE, answeredAt: -Infinity, isKnown: true };
	const pauses: number[] = [];
	for (let now = NOW; ;) {
		course = noted(course, FAILURES.down, waiting, now);
		const next = nextTry(FAILURES.down, course, waiting, now, 0);
		if ('after' in next) {
			pauses.push(next.after);
			now += next.after;
			continue;
		}
		expect(now).toBe(NOW + MINUTE);
		expect(next.error.message).toMatch(
			/^It is down\. It has not worked since \d\d:\d\d, and the node has waited for 60 seconds$/,
		);
		break;
	}
	expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 28_500]);
});

test('the rate limit is waited for ten minutes', () => {
	const waiting: Waiting = { method: 'POST', answeredAt: -Infinity, isKnown: true };
	const course = noted(BEGUN, FAILURES.limited, waiting, NOW);
	expect(nextTry(FAILURES.limited, course, waiting, NOW + 10 * MINUTE, 0)).toEqual({ after: 0 });
	expect(nextTry(FAILURES.limited, course, waiting, NOW + 10 * MINUTE + 1, 0)).toEqual({ error: FAILURES.limited });
});

test('an update that was sent before says that it may have been made', () => {
	let course: Course = BEGUN;
	const waiting: Waiting = { method: 'PUT', tries: 2, answeredAt: -Infinity, isKnown: true };
	for (const name of ['badGateway', 'serverError'] as const) course = noted(course, FAILURES[name], waiting, NOW);
	const next = nextTry(FAILURES.serverError, course, waiting, NOW, 0);
	expect('error' in next && next.error.message).toBe('It is serverError. The change may have been made anyway');
});
