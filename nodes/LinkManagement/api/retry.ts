import type { IDataObject } from 'n8n-workflow';

import { read, type Answer, type Asked, type HttpAnswer } from './answer';
import { errorOf, type Failure } from './answerError';
import { ApiError } from './apiError';
import type { Redaction } from './redact';
import { noAnswer, type NoAnswer } from '../engine/noAnswer';
import { RateLimitError, type Permit } from '../rateLimit/rateLimiter';
import type { Service } from './services';
import { LONGEST_WAIT } from '../rateLimit/state';
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

/** One request, to be sent as often as it takes to get an answer. */
interface RetriedRequest extends Service, Asked, Manner {
	/** What goes wrong is told without the key. */
	redact: Redaction;
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

function rateLimited(error: RateLimitError, failFast = false): ApiError {
	const seconds = Math.max(1, Math.ceil(error.waitMs / 1000));
	const advice =
		error.waitMs > LONGEST_WAIT
			? 'That is more than ten minutes, so the node does not wait for it. Run it again after that time, or ask the service for a larger plan.'
			: failFast
				? 'Set Options → If Rate Limited to "Wait" to have the node wait for it.'
				: 'It has taken no request for ten minutes, so the node does not wait any longer. Others use the same key, or the plan is used up.';
	return new ApiError(
		'limited',
		`The rate limit of the service is used up. It answers again in ${seconds} seconds, at ${new Date(error.retryAt).toISOString()}`,
		advice,
		429,
	);
}

/** The service has answered properly: what it answers later is no matter of the Base URL. Holds for a day (ms). */
export const HAS_ANSWERED = 'has answered';
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
 * A refusal for the rate limit was not processed, so every method is sent again. After a broken connection, a
 * time-out, an unreadable answer or a 5xx, GET and PUT are sent again up to three times; POST and DELETE only when the service
 * never got them.
 *
 * @returns the body of the answer; undefined for a look-up that found nothing
 * @throws ApiError that says what happened; `uncertain` when a change may or may not have been made
 * @throws StoppedError when the signal fires
 */
export async function requestWithRetry(request: RetriedRequest): Promise<IDataObject | undefined> {
	const { limiter, learned, caller, signal, deadline = Infinity, failFast, interactive, method } = request;
	let refusedSince: number | undefined;
	let refusals = 0;
	let isAfterFailure = false;
	for (let failures = 0; ;) {
		const permit = await limiter
			.acquire({ caller, signal, failFast, interactive, again: refusals + failures > 0 })
			.catch((error: unknown) => {
				throw error instanceof RateLimitError ? rateLimited(error, failFast) : error;
			});
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
			if (++refusals > MOST_REFUSALS && now - refusedSince > LONGEST_WAIT)
				throw rateLimited(new RateLimitError(now, 0));
			continue;
		}
		const isKnown = learned.recall<boolean>(HAS_ANSWERED) === true;
		const fault = errorOf(answer, { ...request, statusCode: statusCode || undefined, isKnown });
		if (!mayPass(answer, method, statusCode, isKnown)) throw fault;
		const isProcessed = answer.is !== 'unreachable' || !answer.neverSent;
		if (isProcessed && !isRepeatable(method))
			throw new ApiError('uncertain', fault.message, fault.advice, fault.statusCode);
		const wait = FIRST_PAUSE * 2 ** failures * (1 - Math.random() / 2);
		// What went wrong says more than that time ran out.
		if (failures === MOST_REPEATS || Date.now() + wait >= deadline) throw fault;
		await pause(wait, signal);
		isAfterFailure = isProcessed;
		failures++;
	}
}
