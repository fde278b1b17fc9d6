import { DateTime } from 'luxon';
import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import { noAnswer, type NoAnswer } from '../n8n/requests';
import { StoppedError } from '../n8n/stop';
import { type Permit, RateLimitError } from '../rateLimit/rateLimiter';
import { LONGEST_WAIT, type RateLimitAnswer } from '../rateLimit/rateLimitState';
import type { Priority } from '../rateLimit/reserve';
import { type Answer, readAnswer, type RequestLine } from './answer';
import type { Connection, RequestContext } from './connection';
import { ApiError, durationInWords, errorOf, limitError, lostChange, outOfTime } from './errors';
import { sendOnce, usualTimeout } from './exchange';
import { effectOf, type Failure, isOutage } from './failures';
import type { Down } from './outage';
import { recordIn } from './records';
import { pause } from './withAbort';

/** A request: path below the base URL, query, body. */
export interface ServiceRequest extends Pick<RequestLine, 'isCreation'> {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** Most tries while the connection or the service fails: then nobody waits for a service that is down. Four by default. */
	tries?: number;
	/** Called when a try is sent: until then it waits for its permit. */
	onSend?(): void;
}

/** Sends requests to the service for a row, a dropdown, a poll or a credential's test. */
export interface ServiceClient {
	readonly connection: Connection;
	/** A change was made, or may have been. */
	readonly hasChanged: boolean;
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
	/** Who waits for the rate limit only until the deadline; by default, the wait is as long as `LONGEST_WAIT`. */
	ifLimited?: 'onScreen' | 'tool';
	/** See `PermitRequest`. */
	priority?: Priority;
	/** How long (ms) to wait for a service that is down; by default only as long as the tries take. */
	patience?: number;
	/** The key is tried even if the service has just refused it. */
	isTest?: boolean;
}

/** The shortest time (ms) for an answer: a request that has less is not sent. */
const SHORTEST_TIME = 2_000;

const DEFAULT_TRIES = 4;
/** The first pause (ms) between tries; each further one is twice as long, less up to half of it at random. */
const FIRST_PAUSE = 500;
/** Idempotent methods (RFC 9110, 9.2.2), except DELETE, whose second answer would differ. */
const REPEATABLE = ['GET', 'PUT'];

/** Whether a request that failed in this way may succeed when it is sent again. */
function mayRetry(answer: Failure, method: string, statusCode: number): boolean {
	if (answer.kind === 'unreachable') return !answer.isPermanent;
	if (answer.kind !== 'unreadable') return effectOf(answer.kind).isTransient === true;
	// A service that gives an empty answer to an update refuses a value in it, and would refuse it again.
	return statusCode < 400 && !(method === 'PUT' && answer.why === 'empty');
}

/** What came of sending a request once. `sentAt`: ms since 1970. */
interface Attempt<A> {
	answer: A;
	statusCode?: number;
	sentAt: number;
}

/** What has become of a request until now. */
interface Course {
	failures: number;
	/** The service may have got it. */
	isSent: boolean;
	first?: ApiError;
	/** Since when the rate limit refuses it (ms since 1970). */
	refusedSince?: number;
	/** How long it waits for a service that is down (ms since 1970). */
	waitsUntil?: number;
	/** When it first failed because the service was down (ms since 1970). */
	downAt?: number;
}

/** Sends requests from a context of n8n, all with the same options. */
export class HttpServiceClient implements ServiceClient {
	hasChanged = false;

	/** @param http n8n's own settings of the node: time-out, proxy, certificates */
	constructor(
		private readonly context: RequestContext,
		readonly connection: Connection,
		private readonly options: SendOptions,
		private readonly http: Partial<IHttpRequestOptions> = {},
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
	 * A request that was refused for the rate limit, or by a service that is down, was not processed, so it is sent again, whatever its
	 * method. After a broken connection, an unreadable answer or another 5xx, GET and PUT are sent again; POST and DELETE only if the
	 * service never got them. The first failure is thrown: a deadline may have cut later ones short.
	 */
	private async sendWithRetries(request: ServiceRequest & RequestLine): Promise<IDataObject | undefined> {
		const { connection } = this;
		const { acceptance, outage } = connection;
		const course: Course = { failures: 0, isSent: false };
		for (;;) {
			const over = await this.turn(request, course).catch((error) => this.endWith(error, request, course));
			const { answer, statusCode, sentAt } = await this.permit(request, course)
				.then(async (permit) => await this.attempt(request, permit))
				.catch((error) => this.endWith(error, request, course))
				.finally(over);
			if (answer.kind !== 'rateLimited' && answer.kind !== 'done' && answer.kind !== 'notFound') {
				await this.goOn(request, { answer, statusCode, sentAt }, course);
				continue;
			}
			outage.note(sentAt);
			if (answer.kind === 'notFound') return undefined;
			if (answer.kind === 'done') {
				acceptance.note(request);
				this.hasChanged ||= request.method !== 'GET';
				return answer.body;
			}
			course.refusedSince ??= Date.now();
			if (Date.now() - course.refusedSince > LONGEST_WAIT) throw limitError();
		}
	}

	/** Waits before a failed request is sent again. @throws ApiError if it is not */
	private async goOn(
		request: ServiceRequest & RequestLine,
		{ answer, statusCode, sentAt }: Attempt<Exclude<Failure, { kind: 'notFound' }>>,
		course: Course,
	): Promise<void> {
		const { connection, options } = this;
		const { address, redact } = connection;
		const { method, tries = DEFAULT_TRIES } = request;
		const { isKnown } = connection.acceptance;
		const failure = errorOf(answer, { ...request, address, redact, statusCode, isKnown });
		const isDown = isOutage(answer, isKnown);
		connection.outage.note(sentAt, isDown ? failure : undefined);
		connection.acceptance.note(request, failure);
		if (!mayRetry(answer, method, statusCode ?? 0)) throw failure;
		course.first ??= failure;
		const mayBeDone = answer.kind === 'unreachable' ? !answer.neverSent : effectOf(answer.kind).mayBeDone === true;
		course.isSent ||= mayBeDone && method !== 'GET';
		this.hasChanged ||= course.isSent;
		const isOver = mayBeDone && !REPEATABLE.includes(method);
		// If others were sent since, and answered, it is this request that the service can't handle.
		course.downAt ??= isDown ? Date.now() : undefined;
		const isOwn = connection.outage.workedAt > (course.downAt ?? Infinity);
		if (isDown && !isOver && !isOwn && this.isPatient(request)) return;
		// A service that is slow with a change is not asked for it four times.
		const isTimeOut = answer.kind === 'unreachable' && /^(?:ETIMEDOUT|ECONNABORTED)$/.test(answer.code);
		const isLast = ++course.failures >= (isTimeOut && course.isSent ? 2 : tries);
		const wait = FIRST_PAUSE * 2 ** (course.failures - 1) * (1 - Math.random() / 2);
		if (isLast || isOver || Date.now() + wait >= (options.deadline ?? Infinity))
			throw course.isSent ? lostChange(failure, method) : course.first;
		await pause(wait, options.signal).catch((error) => this.endWith(error, request, course));
	}

	/** Whether a request waits for a service that is down. */
	private isPatient({ tries }: ServiceRequest): boolean {
		return this.options.patience !== undefined && tries === undefined;
	}

	/** The error of a service that is still down. */
	private stillDown({ method }: RequestLine, { isSent }: Course, { since, failure }: Down): ApiError {
		const waited = durationInWords(this.options.patience!);
		const error = isSent ? lostChange(failure, method) : failure;
		return error.with({
			kind: error.kind === 'uncertain' ? error.kind : 'outage',
			message: `${error.message}. It has not worked since ${DateTime.fromMillis(since).toFormat('HH:mm')}, and the node has waited for ${waited}`,
		});
	}

	/** Why the service has refused this a moment ago, if it has. */
	private refusalOf(request: RequestLine): ApiError | undefined {
		return this.options.isTest === true ? undefined : this.connection.acceptance.refusalOf(request);
	}

	/** Waits for a service that is down, if the caller does. @returns what to call when the answer is there */
	private async turn(request: ServiceRequest & RequestLine, course: Course): Promise<() => void> {
		const refusal = this.refusalOf(request);
		if (refusal !== undefined) throw refusal;
		const { outage } = this.connection;
		const { now } = outage;
		if (!this.isPatient(request) || now === undefined) return () => undefined;
		course.waitsUntil ??= Date.now() + this.options.patience!;
		const over = await outage.turn(course.waitsUntil, this.options.signal);
		if (over === undefined) throw this.stillDown(request, course, now);
		return over;
	}

	/**
	 * Where somebody waits, the end of the time is an error: the earlier failure, or else the rate limit, which took all of it. A change
	 * that was sent before may have been made.
	 */
	private endWith(error: unknown, { method }: RequestLine, { first, isSent }: Course): never {
		const isOfTime = error instanceof StoppedError && Date.now() + SHORTEST_TIME >= (this.options.deadline ?? Infinity);
		const ended = isOfTime && this.options.ifLimited !== undefined ? (first ?? this.limitError()) : error;
		throw isSent && first !== undefined && ended instanceof ApiError ? lostChange(first, method) : ended;
	}

	private limitError(waitMs = 0): ApiError {
		const { ifLimited } = this.options;
		return ifLimited === 'tool' ? outOfTime(!this.hasChanged, waitMs) : limitError(ifLimited, waitMs);
	}

	private async permit(request: RequestLine, { refusedSince, failures }: Course): Promise<Permit> {
		const { options, connection } = this;
		const { ifLimited, deadline = Infinity } = options;
		if (Date.now() + SHORTEST_TIME > deadline) throw new StoppedError();
		const maxWait = ifLimited && deadline - Date.now();
		const isRetry = refusedSince !== undefined || failures > 0;
		const permit = await connection.limiter.acquire({ ...options, isRetry, maxWait }).catch((error: unknown) => {
			throw error instanceof RateLimitError ? this.limitError(error.waitMs) : error;
		});
		const refusal = this.refusalOf(request);
		if (refusal === undefined) return permit;
		permit.release();
		throw refusal;
	}

	/** Sends a request once, and releases the permit with the answer. */
	private async attempt(
		{ method, path, query = {}, body, isLookUp, isCreation, onSend }: ServiceRequest & RequestLine,
		permit: Permit,
	): Promise<Attempt<Answer | NoAnswer>> {
		const { connection, options, http: settings } = this;
		const longest = Math.min(settings.timeout ?? usualTimeout(body), (options.deadline ?? Infinity) - Date.now());
		const http = { method, baseURL: connection.address, url: path, qs: query, body, timeout: Math.max(1, longest) };
		const sentAt = Date.now();
		let said: RateLimitAnswer | undefined;
		try {
			onSend?.();
			const sending = sendOnce(this.context, { ...settings, ...http }, connection.credential);
			const response = await sending.catch((error: unknown) => {
				const failure = noAnswer(error);
				if (failure === undefined) throw error;
				return failure;
			});
			if ('kind' in response) return { answer: response, sentAt };
			const { statusCode, headers } = response;
			const answer = readAnswer(response, { method, path, isLookUp, isCreation });
			const isLimited = answer.kind === 'rateLimited';
			said = { refused: isLimited, headers, retryAfter: isLimited ? answer.retryAfter : undefined };
			return { answer, statusCode, sentAt };
		} finally {
			permit.release(said);
		}
	}
}

/**
 * Sends a change.
 *
 * @param find looks for the record that a creation would have made, if the answer is lost or does not tell
 * @returns the record of the answer, or the one that `find` gave
 */
export async function sendChange(
	client: ServiceClient,
	request: ServiceRequest,
	find?: () => Promise<IDataObject | undefined>,
): Promise<IDataObject> {
	const isCreation = find !== undefined && request.method === 'POST';
	const answer = await client.send({ ...request, isCreation }).catch((error: unknown) => {
		if (!(error instanceof ApiError && error.kind === 'uncertain')) throw error;
		return error;
	});
	if (!(answer instanceof ApiError)) return recordIn(answer);
	const record = await find?.().catch((failure: unknown) => {
		throw failure instanceof StoppedError ? failure : answer;
	});
	if (record === undefined) throw answer;
	return record;
}
