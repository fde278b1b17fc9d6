/** What becomes of a request that failed. */
import { DateTime } from 'luxon';

import { LONGEST_WAIT } from '../../rateLimit/rateLimiter';
import { type ApiError, durationInWords, lostChange } from '../answer/errors';
import { effectOf } from '../answer/failures';

/** Most tries, unless a request says otherwise. A service that is slow with a change is not asked for it four times. */
const MOST_TRIES = 4;
const MOST_SLOW_CHANGES = 2;
/** The first pause (ms) between tries; each further one is twice as long, up to the longest, less up to half of it at random. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;
/** Idempotent methods (RFC 9110, 9.2.2), except DELETE, whose second answer would differ. */
const REPEATABLE = ['GET', 'PUT'];

/** What has become of a request until now. Times are in ms since 1970. */
export interface Course {
	readonly first?: ApiError;
	/** Failures that count as tries, and those of a service that is waited for. */
	readonly failures: number;
	readonly waits: number;
	/** The service may have done it. */
	readonly isSent: boolean;
	/** Since when the rate limit refuses it, and since when the service is down. */
	readonly refusedAt?: number;
	readonly downAt?: number;
}

export const BEGUN: Course = { failures: 0, waits: 0, isSent: false };

/** How long the caller of a request waits. */
export interface Waiting {
	method: string;
	/** Most tries, if the service got them. */
	tries?: number;
	/** How long (ms) a service that is down is waited for. */
	patience?: number;
	/** When the caller's time is over (ms since 1970). */
	deadline?: number;
	/** When the last request was sent that others got answered: then it is this request that the service can't handle. */
	answeredAt: number;
	/** The service has answered properly before. */
	isKnown: boolean;
}

type Next = { after: number } | { error: ApiError };

function mayBeDone({ kind, failure }: ApiError): boolean {
	return failure?.kind === 'unreachable' ? !failure.neverSent : effectOf(kind).mayBeDone === true;
}

/** Whether a failure may be that of a service which does not work now. */
export function isOutage({ kind, failure }: ApiError): boolean {
	if (failure?.kind === 'unreachable') return failure.neverSent && !failure.isPermanent;
	return kind === 'down' || kind === 'badGateway';
}

/** Whether a request that failed in this way may succeed when it is sent again. */
function mayRetry({ isTransient, failure, statusCode = 0 }: ApiError, method: string): boolean {
	if (failure?.kind === 'unreachable') return !failure.isPermanent;
	if (failure?.kind !== 'unreadable') return isTransient;
	// A service that gives an empty answer to an update refuses a value in it, and would refuse it again.
	return statusCode < 400 && !(method === 'PUT' && failure.why === 'empty');
}

/** Whether the caller waits for a service that is down: if others are answered meanwhile, it is this request that fails. */
function isWaitedFor(error: ApiError, { downAt = Infinity }: Course, waiting: Waiting): boolean {
	const isPatient = waiting.patience !== undefined && waiting.isKnown;
	return isPatient && isOutage(error) && waiting.answeredAt <= downAt;
}

/** The course after a further failure. */
export function noted(course: Course, error: ApiError, waiting: Waiting, now: number): Course {
	if (error.kind === 'rateLimited') return { ...course, refusedAt: course.refusedAt ?? now };
	const isWait = isWaitedFor(error, course, waiting);
	return {
		...course,
		first: course.first ?? error,
		failures: course.failures + (isWait ? 0 : 1),
		waits: course.waits + (isWait ? 1 : 0),
		isSent: course.isSent || (mayBeDone(error) && waiting.method !== 'GET'),
		downAt: course.downAt ?? (isOutage(error) ? now : undefined),
	};
}

function stillDown(error: ApiError, since: number, patience: number): ApiError {
	const at = DateTime.fromMillis(since).toFormat('HH:mm');
	const waited = durationInWords(patience);
	return error.with({
		kind: 'outage',
		message: `${error.message}. It has not worked since ${at}, and the node has waited for ${waited}`,
	});
}

/**
 * What becomes of a request that got this failure: it is sent again, or fails. The error is that of its first failure: a deadline may have
 * cut later ones short.
 *
 * | failure | GET, PUT | POST, DELETE |
 * |---|---|---|
 * | rate limited: nothing was done | again | again |
 * | the service is down, and nothing was done | again, as long as the caller waits | the same |
 * | the service is down, or failed, or its answer was lost | again, up to so many tries | error: it may be done |
 * | everything else | error | error |
 *
 * @param course with this failure noted
 * @param random a number from 0 (included) to 1 (excluded)
 */
export function nextTry(error: ApiError, course: Course, waiting: Waiting, now: number, random: number): Next {
	const { method, tries = MOST_TRIES, patience = 0, deadline = Infinity } = waiting;
	const { first = error, failures, waits, isSent, refusedAt = now, downAt = now } = course;
	if (error.kind === 'rateLimited') return now - refusedAt > LONGEST_WAIT ? { error } : { after: 0 };
	if (!mayRetry(error, method)) return { error };
	const final = isSent ? lostChange(error, method) : first;
	if (mayBeDone(error) && !REPEATABLE.includes(method)) return { error: final };
	const after = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures + waits - 1)) * (1 - random / 2);
	if (isWaitedFor(error, course, waiting)) {
		const left = downAt + patience - now;
		return left > 0 ? { after: Math.min(after, left) } : { error: stillDown(final, downAt, patience) };
	}
	const isSlowChange = isSent && error.failure?.kind === 'unreachable';
	const most = isSlowChange ? MOST_SLOW_CHANGES : mayBeDone(error) ? tries : MOST_TRIES;
	return failures >= most || now + after >= deadline ? { error: final } : { after };
}
