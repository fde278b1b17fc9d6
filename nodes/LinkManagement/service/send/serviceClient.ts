import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import { noAnswer, type NoAnswer } from '../../n8n/requests';
import { StoppedError } from '../../n8n/stop';
import type { RateLimitAnswer } from '../../rateLimit/headers';
import { type Permit, type Priority, RateLimitError } from '../../rateLimit/rateLimiter';
import { type Answer, readAnswer, type RequestLine } from '../answer/answer';
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

/** Sends requests to the service for a row, a dropdown, a poll or a credential's test. */
export interface ServiceClient {
	readonly connection: Connection;
	/** A change was made, or may have been. */
	readonly hasChanged: boolean;
	/** The service has given this key a proper answer: a later failure is not due to the Base URL. */
	readonly isKnown: boolean;
	/** Sends a request with the key, within the rate limit. @returns the body of the answer, without the envelope */
	send(request: ServiceRequest): Promise<IDataObject>;
	/** Asks for a record. @returns undefined when the service has none @throws ApiError when it fails */
	lookUp(path: string, query?: IDataObject): Promise<IDataObject | undefined>;
}

/** On whose behalf requests are sent, and how long they may wait. */
export interface SendOptions {
	/** See `PermitRequest`. */
	caller: object;
	priority?: Priority;
	signal?: AbortSignal;
	/** When the caller's time is over (ms since 1970). `signal` fires then too. */
	deadline?: number;
	/** Somebody waits: if the rate limit takes all of the time, that is an error. */
	failsIfLimited?: boolean;
	/** How long (ms) to wait for a service that is down; by default only as long as the tries take. */
	patience?: number;
}

/** How long (ms) a run waits for a service that is down: one of a sheet, or of a single row that somebody may wait for. */
export const PATIENCE = { several: 5 * 60_000, single: 30_000 };
/** The shortest time (ms) for an answer: a request that has less is not sent. */
const SHORTEST_TIME = 2_000;

/** Sends requests from a context of n8n, all with the same options. */
export class HttpServiceClient implements ServiceClient {
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

	get isKnown(): boolean {
		return this.known.recall() === true;
	}

	async send(request: ServiceRequest): Promise<IDataObject> {
		return (await this.sendUntilAnswered(request))!;
	}

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
				this.known.remember(true);
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
			const response = await sendOnce(this.context, { ...settings, ...http }, connection.credential).catch(noAnswerOr);
			if ('kind' in response) return { answer: response, sentAt };
			const { statusCode, headers } = response;
			const answer: Answer = readAnswer(response, { method, path, isLookUp, isCreation });
			const retryAfter = answer.kind === 'rateLimited' ? answer.retryAfter : undefined;
			said = { refused: answer.kind === 'rateLimited', headers, retryAfter };
			return { answer, statusCode, sentAt };
		} finally {
			permit.release(said);
		}
	}

	private async permit({ refusedAt, downAt, first }: Course): Promise<Permit> {
		const { options, connection } = this;
		const { deadline = Infinity, failsIfLimited } = options;
		if (Date.now() + SHORTEST_TIME > deadline) throw new StoppedError();
		const maxWait = failsIfLimited === true ? deadline - Date.now() : undefined;
		const triedFor = refusedAt ?? downAt ?? (first && Date.now());
		return await connection.limiter
			.acquire({ ...options, maxWait, triedFor: triedFor && Date.now() - triedFor })
			.catch((error: unknown) => {
				throw error instanceof RateLimitError ? this.limitError(error.waitMs) : error;
			});
	}

	/** Where somebody waits, the end of the time is an error: the earlier failure, or else the rate limit, which took all of it. */
	private endWith(error: unknown, method: string, { first, isSent }: Course): never {
		const { deadline = Infinity, failsIfLimited } = this.options;
		const isOfTime = error instanceof StoppedError && Date.now() + SHORTEST_TIME >= deadline;
		const ended = isOfTime && failsIfLimited === true ? (first ?? this.limitError()) : error;
		throw isSent && first !== undefined && ended instanceof ApiError ? lostChange(first, method) : ended;
	}

	private limitError(waitMs?: number): ApiError {
		return limitError(waitMs, !this.hasChanged);
	}

	/** A learned fact. */
	private get known() {
		return this.connection.learned.fact<boolean>('the service is known');
	}
}

function noAnswerOr(error: unknown): NoAnswer {
	const failure = noAnswer(error);
	if (failure === undefined) throw error;
	return failure;
}
