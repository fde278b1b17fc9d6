import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import { noAnswer, type NoAnswer } from '../n8n/requests';
import { StoppedError } from '../n8n/stop';
import { RateLimitError, type Permit } from '../rateLimit/rateLimiter';
import { LONGEST_WAIT } from '../rateLimit/rateLimitState';
import { MEANING, readAnswer, type Answer, type RequestLine } from './answer';
import type { Connection, RequestContext } from './connection';
import { ApiError, errorOf, lostChange, type Failure } from './errors';
import { sendOnce } from './exchange';
import { limitError } from './limitError';
import { recordIn } from './records';
import { pause } from './withAbort';

/** A request: path below the base URL, query, body. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** Most tries while the connection or the service fails; four by default. */
	tries?: number;
	/** Called when a try is sent: until then it waits for its permit. */
	onSend?(): void;
}

/** Sends requests to the service for a row, a dropdown, a poll or a credential's test. */
export interface ServiceClient {
	readonly connection: Connection;
	/** Sends a request with the key, within the rate limit. @returns the body of the answer, without the envelope */
	send(request: ServiceRequest): Promise<IDataObject>;
	/** Asks for a record. @returns undefined when the service has none @throws ApiError when it fails */
	lookUp(path: string, query?: IDataObject): Promise<IDataObject | undefined>;
}

/** On whose behalf requests are sent, and how long they may wait. */
export interface SendOptions {
	/** See `PermitRequest`. */
	caller: object;
	signal?: AbortSignal;
	/** When the caller's time is over (ms since 1970). `signal` fires then too. */
	deadline?: number;
	/** When the rate limit is reached: fail at once, or wait until the deadline; by default, wait as long as `LONGEST_WAIT`. */
	ifLimited?: 'failFast' | 'onScreen';
	/** See `PermitRequest`. */
	interactive?: boolean;
}

/** Longest time (ms) of all requests together while somebody waits at a screen. */
const LONGEST_ON_SCREEN = 20_000;

/** The options of a dropdown or of a credential's test: all requests as one caller's, ahead of others. */
export function interactiveOptions(): SendOptions {
	const signal = AbortSignal.timeout(LONGEST_ON_SCREEN);
	const deadline = Date.now() + LONGEST_ON_SCREEN;
	return { caller: {}, interactive: true, ifLimited: 'onScreen', signal, deadline };
}

/** A body with a longer list is large: many targets take the service a long time (field notes, "Rate limit"). */
const MANY = 10;

/** The shortest time (ms) for an answer: a request that has less is not sent. */
const SHORTEST_TIME = 2_000;

/** Default time-out (ms) of a whole answer. */
function defaultTimeout(body: IDataObject = {}): number {
	const isLarge = Object.values(body).some((value) => Array.isArray(value) && value.length > MANY);
	return isLarge ? 120_000 : 60_000;
}

/** Default of `ServiceRequest.tries`. */
const DEFAULT_TRIES = 4;
/** The first pause (ms) between tries; each further one is twice as long, less up to half of it at random. */
const FIRST_PAUSE = 500;
/** Idempotent methods (RFC 9110, 9.2.2), except DELETE, whose second answer would differ. */
const REPEATABLE = ['GET', 'PUT'];

/** Whether a request that failed in this way may succeed when it is sent again. */
function mayRetry(answer: Failure, method: string, statusCode: number): boolean {
	if (answer.kind === 'unreachable') return !answer.isPermanent;
	if (answer.kind !== 'unreadable') return MEANING[answer.kind].isTransient === true;
	// A service that gives an empty answer to an update refuses a value in it, and would refuse it again.
	return statusCode < 400 && !(method === 'PUT' && answer.why === 'empty');
}

/** The service has given a proper answer: a later failure is not due to the Base URL. */
const HAS_ANSWERED = 'has answered';

export function hasAnswered({ learned }: Connection): boolean {
	return learned.recall(HAS_ANSWERED) === true;
}

/** Sends requests from a context of n8n, all with the same options. */
export class HttpServiceClient implements ServiceClient {
	/** @param settings n8n's own settings of the node: time-out, proxy, certificates */
	constructor(
		private readonly context: RequestContext,
		readonly connection: Connection,
		private readonly options: SendOptions,
		private readonly settings: Partial<IHttpRequestOptions> = {},
	) {}

	async send(request: ServiceRequest): Promise<IDataObject> {
		return (await this.sendWithRetries(request))!;
	}

	async lookUp(path: string, query?: IDataObject): Promise<IDataObject | undefined> {
		return await this.sendWithRetries({ method: 'GET', path, query, isLookUp: true });
	}

	/**
	 * Sends a request within the rate limit, until there is an answer.
	 *
	 * A request that was refused for the rate limit was not processed, so it is sent again, whatever its method. After a broken
	 * connection, an unreadable answer or a 5xx, GET and PUT are sent again up to three times, after a time-out PUT once; POST and
	 * DELETE only if the service never got them. The first failure is thrown: a deadline may have cut later ones short.
	 */
	private async sendWithRetries(request: ServiceRequest & RequestLine): Promise<IDataObject | undefined> {
		const { address, learned, redact } = this.connection;
		const { signal, deadline = Infinity } = this.options;
		const { method, tries = DEFAULT_TRIES } = request;
		let refusedSince: number | undefined;
		let isSent = false;
		let first: ApiError | undefined;
		for (let failures = 0; ;) {
			const isAgain = refusedSince !== undefined || failures > 0;
			const permit = await this.permit(isAgain).catch((error) => this.endWith(error, first));
			const { answer, statusCode } = await this.attempt(request, permit);
			if (answer.kind === 'done') {
				learned.remember(HAS_ANSWERED, true);
				return answer.body;
			}
			if (answer.kind === 'notFound') return undefined;
			if (answer.kind === 'rateLimited') {
				refusedSince ??= Date.now();
				if (Date.now() - refusedSince > LONGEST_WAIT) throw limitError();
				continue;
			}
			const isKnown = hasAnswered(this.connection);
			const failure = errorOf(answer, { ...request, address, redact, statusCode, isKnown });
			if (!mayRetry(answer, method, statusCode ?? 0)) throw failure;
			first ??= failure;
			const hasArrived = answer.kind !== 'unreachable' || !answer.neverSent;
			isSent ||= hasArrived && method !== 'GET';
			// A service that is slow with a change is not asked for it four times.
			const isTimeOut = answer.kind === 'unreachable' && /^(?:ETIMEDOUT|ECONNABORTED)$/.test(answer.code);
			const isLast = failures + 1 >= (isTimeOut && isSent ? 2 : tries);
			const wait = FIRST_PAUSE * 2 ** failures * (1 - Math.random() / 2);
			if (isLast || (hasArrived && !REPEATABLE.includes(method)) || Date.now() + wait >= deadline)
				throw isSent ? lostChange(failure, method) : first;
			await pause(wait, signal).catch((error) => this.endWith(error, first));
			failures++;
		}
	}

	/** At a screen, the end of the time is an error: the earlier failure, or else the rate limit, which took all of it. */
	private endWith(error: unknown, failure?: ApiError): never {
		const isOnScreen = this.options.ifLimited === 'onScreen';
		throw error instanceof StoppedError && isOnScreen ? (failure ?? limitError('onScreen')) : error;
	}

	private async permit(isRetry: boolean): Promise<Permit> {
		const { options, connection } = this;
		const { ifLimited, deadline = Infinity } = options;
		// The signal may fire a little later, and no service answers in no time.
		if (Date.now() + SHORTEST_TIME > deadline) throw new StoppedError();
		const maxWait = ifLimited && (ifLimited === 'failFast' ? 0 : deadline - Date.now());
		return await connection.limiter.acquire({ ...options, isRetry, maxWait }).catch((error: unknown) => {
			throw error instanceof RateLimitError ? limitError(ifLimited, error.waitMs) : error;
		});
	}

	/** Sends a request once, and releases the permit with the answer. */
	private async attempt(
		{ method, path, query = {}, body, isLookUp, onSend }: ServiceRequest & RequestLine,
		permit: Permit,
	): Promise<{ answer: Answer | NoAnswer; statusCode?: number }> {
		const { connection, options, settings } = this;
		const longest = Math.min(settings.timeout ?? defaultTimeout(body), (options.deadline ?? Infinity) - Date.now());
		const http = { method, baseURL: connection.address, url: path, qs: query, body, timeout: Math.max(1, longest) };
		onSend?.();
		const sending = sendOnce(this.context, { ...settings, ...http }, connection.credential);
		const response = await sending.catch((error: unknown) => {
			permit.release();
			const failure = noAnswer(error);
			if (failure === undefined) throw error;
			return failure;
		});
		if ('kind' in response) return { answer: response };
		const { statusCode, headers } = response;
		const answer = readAnswer(response, { method, path, query, body, isLookUp });
		const isLimited = answer.kind === 'rateLimited';
		permit.release({ refused: isLimited, headers, retryAfter: isLimited ? answer.retryAfter : undefined });
		return { answer, statusCode };
	}
}

/**
 * Sends a change. If its answer is lost, looks for what the change would have made.
 *
 * @returns the record of the answer, or the one that `find` gave
 */
export async function sendChange(
	client: ServiceClient,
	request: ServiceRequest,
	find: () => Promise<IDataObject | undefined> = async () => undefined,
): Promise<IDataObject> {
	const answer = await client.send(request).catch((error: unknown) => {
		if (!(error instanceof ApiError && error.kind === 'uncertain')) throw error;
		return error;
	});
	if (!(answer instanceof ApiError)) return recordIn(answer);
	const record = await find().catch((failure: unknown) => {
		throw failure instanceof StoppedError ? failure : answer;
	});
	if (record === undefined) throw answer;
	return record;
}
