import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import { StoppedError } from '../../n8n/stop';
import type { RateLimitAnswer } from '../../rateLimit/headers';
import { type Permit, type Priority, RateLimitError } from '../../rateLimit/rateLimiter';
import { readAnswer, type RequestLine } from '../answer/answer';
import { ApiError, errorOf, limitError, lostChange } from '../answer/errors';
import type { Failure } from '../answer/failures';
import type { Connection, RequestContext } from '../connection';
import { sendOnce, usualTimeout } from './exchange';
import { BEGUN, type Course, isOutage, nextTry, noted } from './nextTry';
import { pause } from './withAbort';

/** A request: path below the base URL, query, body. */
export interface ServiceRequest extends Pick<RequestLine, 'isCreation'> {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** Most tries, if the service got them. Four by default. */
	tries?: number;
	/** Called when a try is sent: until then it waits for its permit. */
	onSend?(): void;
}

type AnyRequest = ServiceRequest & Pick<RequestLine, 'isLookUp'>;

/** On whose behalf requests are sent, and how long they may wait. */
export interface SendOptions {
	/** See `PermitRequest`. */
	caller: object;
	priority?: Priority;
	signal?: AbortSignal;
	/** When the caller's time is over (ms since 1970): that is an error. `signal` fires then too. */
	deadline?: number;
	/** How long (ms) to wait for a service that is down; by default only as long as the tries take. */
	patience?: number;
}

/** The shortest time (ms) for an answer: a request that has less is not sent. */
const SHORTEST_TIME = 2_000;

/** Sends requests to the service for a row, a dropdown, a poll or a credential's test, all with the same options. */
export class ServiceClient {
	/** A change was made, or may have been. */
	hasChanged = false;
	/** When the last request was sent that was answered (ms since 1970). */
	private answeredAt = -Infinity;

	/** @param http n8n's own settings of the node: time-out, proxy, certificates */
	constructor(
		private readonly context: RequestContext,
		readonly connection: Connection,
		private readonly options: SendOptions,
		private readonly http: Partial<IHttpRequestOptions> = {},
	) {}

	/** The service has given this key a proper answer: a later failure is not due to the Base URL. */
	get isKnown(): boolean {
		return this.connection.learned.isKnown.recall() === true;
	}

	/** Sends a request with the key, within the rate limit. @returns the body of the answer, without the envelope */
	async send(request: ServiceRequest): Promise<IDataObject> {
		return (await this.sendUntilAnswered(request))!;
	}

	/** Asks for a record. @returns undefined when the service has none @throws ApiError when it fails */
	async lookUp(path: string, query?: IDataObject): Promise<IDataObject | undefined> {
		return await this.sendUntilAnswered({ method: 'GET', path, query, isLookUp: true });
	}

	/** Permit, send, read, decide, until there is an answer. */
	private async sendUntilAnswered(request: AnyRequest): Promise<IDataObject | undefined> {
		const { method } = request;
		for (let course = BEGUN; ;) {
			const ending = (error: unknown) => this.endWith(error, method, course);
			const { answer, statusCode, sentAt } = await this.attempt(request, course).catch(ending);
			if (answer.kind === 'done' || answer.kind === 'notFound') {
				this.connection.learned.isKnown.remember(true);
				this.answeredAt = Math.max(this.answeredAt, sentAt);
				this.hasChanged ||= method !== 'GET';
				return answer.kind === 'done' ? answer.body : undefined;
			}
			const error = answer.kind === 'rateLimited' ? this.limitError() : this.errorOf(answer, request, statusCode);
			if (!isOutage(error)) this.answeredAt = Math.max(this.answeredAt, sentAt);
			const waiting = { ...this.options, ...request, answeredAt: this.answeredAt, isKnown: this.isKnown };
			course = noted(course, error, waiting, Date.now());
			this.hasChanged ||= course.isSent;
			const next = nextTry(error, course, waiting, Date.now(), Math.random());
			if ('error' in next) throw next.error;
			await pause(next.after, this.options.signal).catch(ending);
		}
	}

	private errorOf(failure: Failure, { method, path }: ServiceRequest, statusCode?: number): ApiError {
		const { address, redact } = this.connection;
		return errorOf({ failure, method, path, statusCode, address, isKnown: this.isKnown }, redact);
	}

	/** Sends a request once, when it may go, and releases the permit with the answer. */
	private async attempt(request: AnyRequest, course: Course) {
		const { method, path, query = {}, body, isLookUp, isCreation } = request;
		const { connection, options, http: settings } = this;
		const permit = await this.permit(course);
		const longest = Math.min(settings.timeout ?? usualTimeout(body), (options.deadline ?? Infinity) - Date.now());
		const http = { method, baseURL: connection.address, url: path, qs: query, body, timeout: Math.max(1, longest) };
		const sentAt = Date.now();
		let said: RateLimitAnswer | undefined;
		try {
			request.onSend?.();
			const response = await sendOnce(this.context, { ...settings, ...http }, connection.credential);
			if ('kind' in response) return { answer: response, sentAt };
			const { statusCode, headers } = response;
			const answer = readAnswer(response, { method, path, isLookUp, isCreation });
			const isRefusal = answer.kind === 'rateLimited';
			said = { refused: isRefusal, headers, retryAfter: isRefusal ? answer.retryAfter : undefined };
			return { answer, statusCode, sentAt };
		} finally {
			permit.release(said);
		}
	}

	private async permit({ refusedAt, downAt, first }: Course): Promise<Permit> {
		const { options, connection } = this;
		const now = Date.now();
		const maxWait = (options.deadline ?? Infinity) - now - SHORTEST_TIME;
		if (maxWait < 0) throw new StoppedError();
		const triedSince = refusedAt ?? downAt ?? (first && now);
		return await connection.limiter.acquire({ ...options, maxWait, triedFor: triedSince && now - triedSince });
	}

	/** The end of the caller's time is an error: the earlier failure, or else the rate limit, which took all of it. */
	private endWith(error: unknown, method: string, { first, isSent }: Course): never {
		const isOfTime = error instanceof StoppedError && Date.now() + SHORTEST_TIME >= (this.options.deadline ?? Infinity);
		const isOfLimit = error instanceof RateLimitError;
		if (!isOfTime && !isOfLimit) throw error;
		if (isSent && first !== undefined) throw lostChange(first, method);
		throw isOfLimit ? this.limitError(error.waitMs) : (first ?? this.limitError());
	}

	private limitError(waitMs?: number): ApiError {
		return limitError(waitMs, !this.hasChanged);
	}
}
