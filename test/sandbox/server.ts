import { setMaxListeners } from 'events';
import { setTimeout as delay } from 'timers/promises';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Backend } from './backend';
import type { Contract, Endpoint } from './contract';
import { perform, type LoggedRequest } from './control';
import { page, type Answer, type Json } from './answers';
import { dialectOf } from './dialect';
import { written } from './forms';
import { withBadTypes, withListFields, withoutRecords, type Fault } from './faults';
import { hashKey } from './records';
import { ServiceError, type Call } from './operation';
import { svgOf } from './pictures';

type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { kind: Kind }>;

const LARGEST_BODY = 50_000_000;

/**
 * The sandbox's HTTP server: the API under /api, control calls under /control, and the short addresses themselves.
 * @param signal ends delayed answers
 */
export function createServer(backend: () => Backend, contract: Contract, signal: AbortSignal): FastifyInstance {
	setMaxListeners(0, signal);
	const server = fastify({
		bodyLimit: LARGEST_BODY,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2000 },
	});
	// Bodies are parsed by hand: what the service was sent is looked at even when it is no JSON.
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

	const arrivals = new WeakMap<FastifyRequest, number>();
	server.addHook('onRequest', async (request) => {
		arrivals.set(request, Date.now());
	});

	const handle = (endpoint: Endpoint | undefined) => async (request: FastifyRequest, reply: FastifyReply) =>
		await new Exchange(backend(), contract, endpoint, request, reply, signal).run(arrivals.get(request) ?? Date.now());
	for (const endpoint of contract.endpoints) {
		server.route({
			method: endpoint.method,
			url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
			handler: handle(endpoint),
		});
	}
	server.all('/api/*', handle(undefined));

	server.post<{ Params: { action: string } }>('/control/:action', ({ params, body }, reply) => {
		void reply.send(perform(backend().actions, params.action, String(body)));
	});

	server.get<{ Params: { alias: string } }>('/:alias', async ({ params }, reply) => {
		const address = backend().service.visitLink(params.alias);
		return address === undefined ? reply.callNotFound() : await reply.redirect(address, 302);
	});
	const scan = async (code: string, reply: FastifyReply) => {
		const content = backend().service.visitQr(code);
		if (content === undefined) return reply.callNotFound();
		return typeof content === 'string' && /^https?:\/\//.test(content)
			? await reply.redirect(content, 302)
			: await reply.send({ content });
	};
	// What the picture of a code holds.
	server.get<{ Params: { code: string } }>('/scan/:code', async ({ params }, reply) => await scan(params.code, reply));
	server.get<{ Params: { code: string } }>('/qr/:code', async (request, reply) => {
		const { code } = request.params;
		const { service, behavior, pictureStore } = backend();
		if (!service.hasQr(code)) return reply.callNotFound();
		const { authorization, cookie } = request.headers;
		const front = backend().answers.front(cookie);
		if (front !== undefined) return await reply.code(front.status).type('text/html').send(front.text);
		const seen = { at: Date.now(), path: request.url, authorized: authorization !== undefined, cookie };
		const first = backend().pictureSeen({ ...seen, host: 'service' });
		return first || behavior.qrLink === 'picture'
			? await reply.type('image/svg+xml').send(svgOf(code))
			: await reply.redirect(`${pictureStore}/files/${code}.png`, 302);
	});
	return server;
}

/** One request to the API and its answer. */
class Exchange {
	private readonly path: string;

	private readonly key: string | null;

	private readonly body: unknown;

	private readonly bodyIsJson: boolean;

	private readonly query: Record<string, string | string[]>;

	/** The page that the operation answered with, if it did. */
	private shown: string | undefined;

	constructor(
		private readonly backend: Backend,
		private readonly contract: Contract,
		private readonly endpoint: Endpoint | undefined,
		private readonly request: FastifyRequest,
		private readonly reply: FastifyReply,
		private readonly signal: AbortSignal,
	) {
		this.path = request.url.split('?')[0];
		const authorization = backend.behavior.authorizationDropped ? undefined : request.headers.authorization;
		this.key = /^Bearer\s+(\S.*)$/i.exec(authorization ?? '')?.[1] ?? null;
		this.query = { ...(request.query as Record<string, string | string[]>) };
		const text = typeof request.body === 'string' && request.body !== '' ? request.body : undefined;
		const parsed = parseJson(text);
		this.bodyIsJson = parsed.valid;
		this.body = parsed.value;
	}

	/** Answers the request. @param arrivedAt milliseconds since 1970 */
	async run(arrivedAt: number): Promise<void> {
		const { backend, request, reply } = this;
		const logged = backend.arrived({
			at: arrivedAt,
			doneAt: null,
			method: request.method,
			path: this.path,
			operationId: this.endpoint?.operationId ?? null,
			query: this.query,
			body: this.body ?? null,
			status: 0,
			refused: false,
			authorized: backend.isValidKey(this.key),
			worked: false,
			violations: [],
			keyHash: this.key === null ? null : hashKey(this.key),
		});
		reply.raw.once('close', () => (logged.doneAt = Date.now()));

		const faults = backend.faults.pick(request.method, this.path);
		const answer = await this.answer(logged, faults);
		logged.status = answer?.status ?? 0;
		if (answer && !this.signal.aborted) this.send(answer);
		else this.drop();
	}

	/** @returns the answer, or undefined when the connection is to be ended without one. */
	private async answer(logged: LoggedRequest, faults: Fault[]): Promise<Answer | undefined> {
		const { backend } = this;
		for (const fault of faults) {
			if (fault.kind === 'limit') backend.actions.setLimit(fault.limit);
			if (fault.kind === 'latency') await this.pause(fault.ms + (fault.jitterMs ?? 0) * backend.faults.draw());
		}
		if (this.signal.aborted) return undefined;

		const fault = faults.find(({ kind }) => kind !== 'limit' && kind !== 'latency');
		if (fault?.kind === 'dropBefore') return undefined;
		if (fault?.kind === 'redirect') {
			const to = fault.keepPath ? fault.to.replace(/\/$/, '') + this.request.url : fault.to;
			return { status: 302, text: '', headers: { Location: to } };
		}

		const front = backend.answers.front(this.request.headers.cookie);
		if (front !== undefined) return front;

		const now = Date.now();
		const verdict = backend.limiter.take(this.key ?? '', now);
		const headers = backend.limiter.headers(verdict);
		if (!verdict.allowed) {
			logged.refused = true;
			return { ...backend.answers.refusal(backend.limiter.secondsToReset(verdict, now)), headers };
		}
		if (fault?.kind === 'rateLimited') {
			logged.refused = true;
			return {
				...backend.answers.refusal(Number(fault.retryAfter ?? 0)),
				headers: this.feignedHeaders(fault, verdict.limit, verdict.resetAt, now),
			};
		}

		const answer = this.answerOrFault(logged, fault);
		return answer && { ...answer, headers: { ...headers, ...answer.headers } };
	}

	private answerOrFault(logged: LoggedRequest, fault: Fault | undefined): Answer | undefined {
		switch (fault?.kind) {
			case 'status':
			case 'html':
				if (fault.workDone) this.work(logged);
				return fault.kind === 'html' || fault.body === 'html'
					? page(fault.status ?? 200)
					: failed(fault.status, fault.message ?? `The service failed (${fault.status}).`);
			case 'answer':
				if (fault.workDone) this.work(logged);
				return { status: fault.status ?? 200, text: fault.text, headers: fault.headers };
			case 'emptied':
				return changed(this.work(logged), (body) => withoutRecords(body, this.shown));
			case 'firstPage':
				this.query.page = '1';
				return this.work(logged);
			case 'errorEnvelope':
				return failed(fault.status ?? 200, fault.message ?? 'An error occurred.', fault.error ?? 1);
			case 'dropAfter':
				this.work(logged);
				return undefined;
			case 'truncatedJson':
				return halfOf(this.work(logged), fault.broken === true);
			case 'badTypes': {
				const { variant = 'textNumbers' } = fault;
				return changed(this.work(logged), (body) => withBadTypes(body, variant));
			}
			case 'listFields':
				return changed(this.work(logged), (body) => withListFields(body, fault.fields));
			default:
				return this.work(logged);
		}
	}

	/** Does what was asked for: key, contract, operation, contract. */
	private work(logged: LoggedRequest): Answer {
		const answer = this.inContract(logged);
		const { body } = answer;
		const { endpoint, backend } = this;
		if (body === undefined || endpoint === undefined || !logged.worked) return answer;
		return { ...answer, body: written(body, endpoint.operationId, this.shown, backend.behavior) };
	}

	/** The answer in a form that the contract knows. */
	private inContract(logged: LoggedRequest): Answer {
		const { backend, endpoint } = this;
		const { answers, behavior } = backend;
		if (!logged.authorized) {
			return answers.envelope(behavior.authStatus, 'A valid API key is required to use this service.');
		}
		if (!endpoint) {
			this.violate(logged, 'request', ['no such endpoint']);
			return answers.noEndpoint();
		}
		const obstacle = answers.obstacle(endpoint);
		if (obstacle) return obstacle;
		let call: Call = { params: { ...(this.request.params as object) }, query: this.query, body: asObject(this.body) };
		if (backend.settings.validate) {
			const checked = this.contract.checkRequest(endpoint, {
				path: this.path,
				headers: this.request.headers as Record<string, string>,
				query: this.query,
				body: this.body,
			});
			if (!this.bodyIsJson) checked.violations.push('body: is no JSON');
			if (this.request.method === 'GET' && Number(this.request.headers['content-length'] ?? 0) > 2) {
				checked.violations.push('body: this endpoint takes none');
			}
			if (checked.violations.length > 0) {
				this.violate(logged, 'request', checked.violations);
				return answers.envelope(400, `Invalid request: ${checked.violations.join('; ')}`);
			}
			call = { ...call, query: checked.query };
		}
		const done = this.operate(logged, endpoint, call);
		if (backend.settings.validate && done.body !== undefined) {
			const errors = this.contract.checkResponse(endpoint, dialectOf(behavior), done.status, done.body);
			if (errors.length > 0) this.violate(logged, 'response', errors);
		}
		return done;
	}

	private operate(logged: LoggedRequest, endpoint: Endpoint, call: Call): Answer {
		const { service, answers } = this.backend;
		try {
			const { operationId, example } = endpoint;
			const body = service.call(operationId, call) ?? example;
			if (body === undefined) throw new Error(`The sandbox has no operation ${operationId}`);
			logged.worked = true;
			this.shown = service.shown;
			return answers.success(endpoint, body, service.shown);
		} catch (error) {
			if (error instanceof ServiceError) return answers.failure(error);
			throw error;
		}
	}

	private violate(logged: LoggedRequest, where: 'request' | 'response', errors: string[]): void {
		logged.violations.push(...errors);
		this.backend.violated({ n: logged.n, method: logged.method, path: logged.path, where, errors });
	}

	private feignedHeaders(
		fault: FaultOf<'rateLimited'>,
		limit: number,
		resetAt: number,
		now: number,
	): Record<string, string> {
		const feigned = { limit, remaining: 0, resetAt: fault.resetInMs === undefined ? resetAt : now + fault.resetInMs };
		return {
			...(fault.headers === false ? {} : this.backend.limiter.headers(feigned)),
			...(fault.retryAfter === undefined ? {} : { 'Retry-After': String(fault.retryAfter) }),
		};
	}

	private async pause(ms: number): Promise<void> {
		// A wait that the end of the sandbox cuts short is over, too.
		await delay(ms, undefined, { signal: this.signal }).catch(() => undefined);
	}

	private send(answer: Answer): void {
		const { reply } = this;
		const headers: Record<string, string> = { Date: new Date(Date.now()).toUTCString(), ...answer.headers };
		const text = textOf(answer);
		const contentType = `${answer.contentType ?? 'application/json'}; charset=utf-8`;
		if (answer.breakAfter === undefined) {
			void reply.code(answer.status).headers(headers).type(contentType).send(text);
			return;
		}
		reply.hijack();
		reply.raw.writeHead(answer.status, {
			...headers,
			'Content-Type': contentType,
			'Content-Length': Buffer.byteLength(text),
		});
		reply.raw.write(text.slice(0, answer.breakAfter), () => reply.raw.destroy());
	}

	private drop(): void {
		this.reply.hijack();
		this.request.socket.destroy();
	}
}

function parseJson(text: string | undefined): { valid: boolean; value: unknown } {
	if (text === undefined) return { valid: true, value: undefined };
	try {
		return { valid: true, value: JSON.parse(text) as unknown };
	} catch {
		return { valid: false, value: text };
	}
}

function asObject(value: unknown): Json {
	return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function failed(status: number, message: string, error: unknown = 1): Answer {
	return { status, body: { error, message } };
}

/** The answer with another body, where it has one. */
function changed(answer: Answer, change: (body: Json) => unknown): Answer {
	return answer.body === undefined ? answer : { ...answer, body: change(answer.body) as Json };
}

/** Half of the answer; where it breaks, the connection ends there. */
function halfOf(answer: Answer, breaks: boolean): Answer {
	const text = textOf(answer);
	const half = Math.floor(text.length / 2);
	return breaks ? { status: 200, text, breakAfter: half } : { status: 200, text: text.slice(0, half) };
}

function textOf({ body, text = '' }: Answer): string {
	return body === undefined ? text : JSON.stringify(body);
}
