import type { IDataObject } from 'n8n-workflow';

import { read, type Answer, type Asked, type HttpAnswer } from './answer';
import { ApiError, errorOf, limitError, lostChange, type Failure } from './errors';
import type { Redaction } from './redact';
import { noAnswer, type NoAnswer } from '../n8n/requests';
import { StoppedError } from '../n8n/stop';
import { RateLimitError, type Permit } from '../rateLimit/rateLimiter';
import type { Service } from './services';
import { FEELS_AFTER, LONGEST_WAIT } from '../rateLimit/state';
import { pause } from './withEnd';

/** Who sends a request, and how long it may wait. */
export interface Manner {
	/** Permits go round between callers; see `PermitRequest`. */
	caller: object;
	signal?: AbortSignal;
	/** When the caller's time is over (ms since 1970). `signal` fires then, and no answer is waited for any longer. */
	deadline?: number;
	/** Fail at once, instead of waiting, when the rate limit is used up. */
	failFast?: boolean;
	/** Somebody waits for it in front of a screen; see `PermitRequest`. */
	interactive?: boolean;
}

/** How long (ms) somebody waits in front of a screen, for all requests together. */
const LONGEST_ON_SCREEN = 20_000;

/** How the requests of a dropdown or of the credential's test are sent: soon, and all as one caller's. */
export function mannerOfScreen(): Manner {
	const signal = AbortSignal.timeout(LONGEST_ON_SCREEN);
	return { caller: {}, interactive: true, signal, deadline: Date.now() + LONGEST_ON_SCREEN };
}

const TRY_THEN = 'Try again then. Other work with the same key uses the limit up.';

/** The limit took all of this time. Without a word of the service's, how long it goes on is a guess. */
function noRoom(): ApiError {
	return new ApiError('limited', 'The rate limit of the service is used up. It may answer again in a minute', TRY_THEN);
}

/** The error in place of a wait that the end of this time has ended. */
export function tooLate(error: unknown): unknown {
	return error instanceof StoppedError ? noRoom() : error;
}

/** One request, to be sent as often as it takes to get an answer. */
interface RetriedRequest extends Pick<Service, 'limiter' | 'learned'>, Asked, Manner {
	redact: Redaction;
	/** The workflow's time zone, where there is one. */
	zone?: string;
	/**
	 * Sends the request once. Rejects when no answer came.
	 *
	 * @param isAfterFailure the service got it before, and failed at it
	 */
	send(isAfterFailure: boolean): Promise<HttpAnswer>;
}

/** How often a request is tried again when the line or the service fails. */
const MOST_REPEATS = 3;
/** The first pause (ms); each further one is twice as long; all are shortened by up to half, by lot. */
const FIRST_PAUSE = 500;
/** A request that the service refused this often, and for longer than the longest wait, fails. */
const MOST_REFUSALS = 10;

/** Whether sending the request twice does what sending it once does (RFC 9110, 9.2.2, except DELETE, whose answer would differ). */
function isRepeatable(method: string): boolean {
	return method === 'GET' || method === 'PUT';
}

function rateLimited(
	{ waitMs, retryAt }: RateLimitError,
	{ failFast, interactive, deadline, zone }: RetriedRequest,
): ApiError {
	const isHurried = interactive && deadline !== undefined;
	if (isHurried && waitMs <= FEELS_AFTER) return noRoom();
	const advice =
		waitMs > LONGEST_WAIT
			? 'The node waits for ten minutes at most. Run it again after that time, or ask the service for a larger plan.'
			: failFast
				? 'Set Options → If Rate Limited to "Wait", and the node waits for it.'
				: isHurried
					? TRY_THEN
					: 'The node has waited for ten minutes. Others use the same key, or the plan is used up.';
	return limitError(waitMs, retryAt, advice, zone);
}

/** Waits for a permit. Somebody in front of a screen hears at once of a wait that would take too long. */
async function permitFor(request: RetriedRequest, again: boolean): Promise<Permit> {
	const { limiter, caller, signal, failFast, interactive, deadline } = request;
	const asking = { caller, signal, interactive, again };
	const isHurried = interactive && deadline !== undefined;
	try {
		return await limiter.acquire({ ...asking, failFast: failFast || isHurried }).catch(async (error: unknown) => {
			const isSoon = error instanceof RateLimitError && isHurried && Date.now() + error.waitMs < deadline;
			if (!isSoon || failFast) throw error;
			return await limiter.acquire(asking);
		});
	} catch (error) {
		throw error instanceof RateLimitError ? rateLimited(error, request) : error;
	}
}

/** The service has answered properly: what it answers later is no matter of the Base URL. Holds for a day (ms). */
const HAS_ANSWERED = 'has answered';
const HAS_ANSWERED_FOR = 24 * 60 * 60_000;

/** Sends a request once, and gives the permit back with what the service answered. */
async function attempt(
	{ send, method, path, seeks }: RetriedRequest,
	permit: Permit,
	isAfterFailure: boolean,
): Promise<{ answer: Answer | NoAnswer; statusCode?: number }> {
	const sent = await send(isAfterFailure).catch((error: unknown) => {
		permit.release();
		const failure = noAnswer(error);
		if (failure === undefined) throw error;
		return failure;
	});
	if ('is' in sent) return { answer: sent };
	const { statusCode, headers } = sent;
	const answer = read(sent, { method, path, seeks });
	const isLimited = answer.is === 'limited';
	permit.release({ refused: isLimited, headers, retryAfter: isLimited ? answer.retryAfter : undefined });
	return { answer, statusCode };
}

/** A service that takes long over a change is not asked for it four times. */
function isTimeOut(answer: Failure): boolean {
	return answer.is === 'unreachable' && (answer.code === 'ETIMEDOUT' || answer.code === 'ECONNABORTED');
}

/** Whether a request that failed so may succeed when it is sent again. */
function mayPass(answer: Failure, method: string, statusCode: number, isKnown: boolean): boolean {
	if (answer.is === 'unreachable') return !answer.lasting;
	if (answer.is !== 'unreadable') return answer.is === 'failing';
	// A service that is known, and says nothing at all to an update, does not take a value: it would not the next time either.
	const isMute = isKnown && method === 'PUT' && answer.why === 'empty';
	return statusCode < 400 && !isMute;
}

/**
 * Sends a request when the rate limit permits it and waits out the rate limit, until there is an answer.
 *
 * A refusal for the rate limit was not processed, so every method is sent again. After a broken connection, an unreadable answer or
 * a 5xx, GET and PUT are sent again up to three times, after a time-out PUT once; POST and DELETE only when the service never got
 * them.
 *
 * @returns undefined for a look-up that found nothing
 */
export async function requestWithRetry(request: RetriedRequest): Promise<IDataObject | undefined> {
	const { learned, signal, deadline = Infinity, method, interactive } = request;
	let refusedSince: number | undefined;
	let refusals = 0;
	let isAfterFailure = false;
	let isSent = false;
	// What went wrong says more than that time ran out.
	let fault: ApiError | undefined;
	const orFault = (error: unknown): never => {
		if (fault !== undefined && interactive && error instanceof StoppedError) throw fault;
		throw error;
	};
	for (let failures = 0; ;) {
		const permit = await permitFor(request, refusals + failures > 0).catch(orFault);
		const { answer, statusCode = 0 } = await attempt(request, permit, isAfterFailure);
		isAfterFailure = false;
		if (answer.is === 'done') {
			learned.remember(HAS_ANSWERED, true, HAS_ANSWERED_FOR);
			return answer.body;
		}
		if (answer.is === 'none') return undefined;
		if (answer.is === 'limited') {
			const now = Date.now();
			refusedSince ??= now;
			fault = noRoom();
			if (++refusals > MOST_REFUSALS && now - refusedSince > LONGEST_WAIT)
				throw rateLimited(new RateLimitError(now, 0), request);
			continue;
		}
		const isKnown = learned.recall<boolean>(HAS_ANSWERED) === true;
		const wait = FIRST_PAUSE * 2 ** failures * (1 - Math.random() / 2);
		const isOver = Date.now() + wait >= deadline;
		const cutShort = isOver && isTimeOut(answer) ? fault : undefined;
		const failure: ApiError = cutShort ?? errorOf(answer, { ...request, statusCode: statusCode || undefined, isKnown });
		fault = failure;
		if (!mayPass(answer, method, statusCode, isKnown)) throw failure;
		isAfterFailure = answer.is !== 'unreachable' || !answer.neverSent;
		isSent ||= isAfterFailure && method !== 'GET';
		const isLast = failures >= (isTimeOut(answer) && isSent ? 1 : MOST_REPEATS);
		if (isLast || (isAfterFailure && !isRepeatable(method)) || isOver)
			throw isSent ? lostChange(failure, method) : failure;
		await pause(wait, signal).catch(orFault);
		failures++;
	}
}
