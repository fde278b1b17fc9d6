import { errorIn, isEmpty, isRecord, isRefusal, retryAfterOf, type Answer } from './envelope';
import { ApiError } from './apiError';
import { dataWithoutKey } from './apiKey';
import { connectionFailure, unreachable } from './connectionFailure';
import { LONGEST_WAIT, RateLimitError, type Permit, type RateLimiter } from '../rateLimit/rateLimiter';
import { pause } from '../rateLimit/cancellation';

/** One request, to be sent as often as it takes to get an answer. */
export interface RetriedRequest {
	limiter: RateLimiter;
	/** Permits go round between callers; see `PermitRequest`. */
	caller: object;
	signal?: AbortSignal;
	/** When the signal will fire (ms since 1970), where that is known. */
	deadline?: number;
	/** Fail at once, instead of waiting, when the rate limit is used up. */
	failFast?: boolean;
	/** Somebody waits for it in front of a screen; see `PermitRequest`. */
	interactive?: boolean;
	method: string;
	/** The path at the service, without query. */
	path: string;
	/** The API key: what goes wrong is told without it. */
	key: string;
	/** Sends the request once. Rejects when no answer came. */
	send(): Promise<Answer>;
	/** The service got the request and failed at it; it is sent again next. */
	beforeRepeat?(): void;
}

/** How often a request is tried again when the line or the service fails. */
const MOST_REPEATS = 3;
/** The first pause (ms); each further one is twice as long; all are shortened by up to half, by lot. */
const FIRST_PAUSE = 500;
/** A request that the service refused this often, and for longer than the longest wait, fails. */
const MOST_REFUSALS = 10;

function uncertain(why: ApiError): ApiError {
	return new ApiError('uncertain', why.message, why.advice, why.statusCode);
}

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
		'rateLimited',
		`The rate limit of the service is used up. It answers again in ${seconds} seconds, at ${new Date(error.retryAt).toISOString()}`,
		advice,
		429,
	);
}

/** Levels of nesting in an answer; the service's own have four. What is much deeper breaks n8n when it saves the execution. */
const MOST_LEVELS = 100;

function isDeeper(value: object, levels: number): boolean {
	if (levels === 0) return true;
	for (const entry of Object.values(value) as unknown[]) {
		if (typeof entry === 'object' && entry !== null && isDeeper(entry, levels - 1)) return true;
	}
	return false;
}

function tooDeep({ body, statusCode }: Answer): ApiError | undefined {
	if (!isRecord(body) || !isDeeper(body, MOST_LEVELS)) return undefined;
	return new ApiError(
		'unreadable',
		`The service answered with data that is nested more than ${MOST_LEVELS} levels deep`,
		'Check the Base URL in the Link Management API credential.',
		statusCode,
	);
}

/** Services that have answered properly: what they answer later is no matter of the Base URL. */
const known = new WeakSet<RateLimiter>();

/** What came of sending a request once. */
type Attempt =
	| { outcome: 'answer'; answer: Answer }
	| { outcome: 'refused' }
	/** It failed for good, and nothing was done. */
	| { outcome: 'fault'; fault: ApiError }
	/** It failed, and may succeed when sent again; `processed` is whether the service may have done what it asked. */
	| { outcome: 'doubt'; fault: ApiError; processed: boolean };

async function attempt({ send, key, limiter, method, path }: RetriedRequest, permit: Permit): Promise<Attempt> {
	const begin = Date.now();
	const sent = await send().then(
		(answer) => ({ answer: { ...answer, milliseconds: Date.now() - begin } }),
		(error: unknown) => {
			permit.release();
			const failure = connectionFailure(error);
			if (failure === undefined) throw error;
			return { failure };
		},
	);
	if ('failure' in sent) {
		const { failure } = sent;
		const fault = unreachable(failure);
		return failure.lasting ? { outcome: 'fault', fault } : { outcome: 'doubt', fault, processed: !failure.neverSent };
	}
	const { answer } = sent;
	const refused = isRefusal(answer);
	permit.release({ refused, headers: answer.headers, retryAfter: retryAfterOf(answer) });
	if (refused) return { outcome: 'refused' };
	const isKnown = known.has(limiter);
	const fault = errorIn(answer, { method, path, key, isKnown }) ?? tooDeep(answer);
	if (fault === undefined) {
		known.add(limiter);
		return { outcome: 'answer', answer: { ...answer, body: dataWithoutKey(answer.body, key) } };
	}
	// A service that is known, and says nothing at all to an update, does not take a value: it would not the next time either.
	if (isKnown && method === 'PUT' && isEmpty(answer)) return { outcome: 'fault', fault };
	if (answer.statusCode >= 500 || (fault.kind === 'unreadable' && answer.statusCode < 400)) {
		return { outcome: 'doubt', fault, processed: true };
	}
	return { outcome: 'fault', fault };
}

/**
 * Sends a request when the rate limit permits it and waits out the rate limit, until there is an answer.
 *
 * A refusal for the rate limit was not processed, so every method is sent again. After a broken connection, a
 * time-out, an unreadable answer or a 5xx, GET and PUT are sent again up to three times; POST and DELETE only when the service
 * never got them.
 *
 * @returns a successful answer
 * @throws ApiError that says what happened; `uncertain` when a change may or may not have been made
 * @throws StoppedError when the signal fires
 */
export async function requestWithRetry(request: RetriedRequest): Promise<Answer> {
	const { limiter, caller, signal, deadline = Infinity, failFast, interactive, method } = request;
	let refusedSince: number | undefined;
	let refusals = 0;
	for (let failures = 0; ;) {
		const permit = await limiter
			.acquire({ caller, signal, failFast, interactive, again: refusals + failures > 0 })
			.catch((error: unknown) => {
				throw error instanceof RateLimitError ? rateLimited(error, failFast) : error;
			});
		const tried = await attempt(request, permit);
		if (tried.outcome === 'answer') return tried.answer;
		if (tried.outcome === 'fault') throw tried.fault;
		if (tried.outcome === 'refused') {
			const now = Date.now();
			refusedSince ??= now;
			if (++refusals > MOST_REFUSALS && now - refusedSince > LONGEST_WAIT)
				throw rateLimited(new RateLimitError(now, 0));
			continue;
		}
		if (tried.processed && !isRepeatable(method)) throw uncertain(tried.fault);
		const wait = FIRST_PAUSE * 2 ** failures * (1 - Math.random() / 2);
		// What went wrong says more than that time ran out.
		if (failures === MOST_REPEATS || Date.now() + wait >= deadline) throw tried.fault;
		await pause(wait, signal);
		if (tried.processed) request.beforeRepeat?.();
		failures++;
	}
}
