import { NodeOperationError, sleep } from 'n8n-workflow';

import { faultIn, isRecord, type Answer } from './envelope';
import { CredentialError, Fault } from './fault';
import { LONGEST_WAIT, RateLimitError, type Budget, type Turn } from './pacing';
import { StoppedError, whenStopped } from './stopping';

/** One request, to be sent as often as it takes to get an answer. */
export interface Exchange {
	budget: Budget;
	/** Turns go round between callers; see `TurnRequest`. */
	caller: object;
	signal?: AbortSignal;
	/** Fail at once, instead of waiting, when the rate limit is used up. */
	failFast?: boolean;
	method: string;
	/** The API key: what goes wrong is told without it. */
	key: string;
	/** Sends the request once. Rejects when no answer came. */
	send(): Promise<Answer>;
}

/** How often a request is tried again when the line or the service fails. */
const MOST_REPEATS = 3;
/** The first pause (ms); each further one is twice as long; all are shortened by up to half, by lot. */
const FIRST_PAUSE = 500;
/** A request that the service refused this often, and for longer than the longest wait, fails. */
const MOST_REFUSALS = 10;

/** Error codes of requests that never reached the service: nothing was done there. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN']);

interface ConnectionFailure {
	code: string;
	neverSent: boolean;
	lasting: boolean;
}

/** n8n itself forbids the request (allowed domains of the credential, blocked addresses): it was never sent, and never will be. */
const FORBIDDEN = /not allowed|blocked|restricted/i;

/**
 * Reads what n8n throws when no answer came: it wraps the system's error once or several times, and keeps its code as the
 * HTTP code, as a property of the cause, or only within its messages.
 *
 * @returns undefined for errors that are not about the connection
 */
function connectionFailure(error: unknown): ConnectionFailure | undefined {
	if (error instanceof NodeOperationError || error instanceof CredentialError || error instanceof Fault) return undefined;
	const texts: string[] = [];
	let code = '';
	let connecting = false;
	let current: unknown = error;
	for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth++) {
		const { code: own, httpCode, syscall, cause, message, messages } = current as Record<string, unknown>;
		if (code === '') code = [own, httpCode].map(String).find((word) => /^[A-Z][A-Z0-9_]+$/.test(word)) ?? '';
		connecting ||= syscall === 'connect';
		texts.push(...[message, messages].flat().map(String));
		current = cause;
	}
	const text = texts.join('\n');
	if (FORBIDDEN.test(text)) return undefined;
	if (code === '' || code === 'ERR_BAD_REQUEST') code = /\b(?:E[A-Z]{4,}|ERR_[A-Z_]+)\b/.exec(text)?.[0] ?? 'ECONNRESET';
	const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|TLS|SSL|EPROTO/.test(code);
	return {
		code,
		neverSent: certificate || NEVER_SENT.has(code) || connecting || /\bconnect E[A-Z]+/.test(text),
		lasting: certificate,
	};
}

function unreachable({ code, lasting }: ConnectionFailure): Fault {
	if (lasting) {
		return new Fault(
			'unreachable',
			`No secure connection to the service could be made (${code})`,
			'Check the Base URL in the credential and the certificate of the service. For a service of your own with a self-signed certificate, turn on Request Options → Ignore SSL Issues.',
		);
	}
	const reason =
		code === 'ECONNREFUSED'
			? 'refused the connection'
			: code === 'ENOTFOUND' || code === 'EAI_AGAIN'
				? 'was not found: there is no host of that name'
				: code === 'ETIMEDOUT' || code === 'ECONNABORTED'
					? 'did not answer in time'
					: 'broke off the connection';
	return new Fault(
		'unreachable',
		`The service ${reason}`,
		`(${code}) Check the Base URL in the credential, and whether the service is up and can be reached from n8n.`,
	);
}

function uncertain(why: Fault): Fault {
	return new Fault('uncertain', why.message, why.advice, why.statusCode);
}

/** Whether sending the request twice does what sending it once does (RFC 9110, 9.2.2, except DELETE, whose answer would differ). */
function isRepeatable(method: string): boolean {
	return method === 'GET' || method === 'PUT';
}

/** Waits, unless the signal ends it. */
async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	if (signal?.aborted) throw new StoppedError();
	await new Promise<void>((resolve, reject) => {
		const unwatch = whenStopped(signal, () => reject(new StoppedError()));
		void sleep(milliseconds).then(() => {
			unwatch();
			resolve();
		});
	});
}

function rateLimited(error: RateLimitError): Fault {
	const seconds = Math.max(1, Math.ceil(error.waitMs / 1000));
	return new Fault(
		'rateLimited',
		`The rate limit of the service is used up. It answers again in ${seconds} seconds, at ${new Date(error.retryAt).toISOString()}`,
		error.waitMs > LONGEST_WAIT
			? 'That is more than ten minutes, so the node does not wait for it. Run it again after that time, or ask the service for a larger plan.'
			: 'Set Options → If Rate Limited to "Wait" to have the node wait for it.',
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

function tooDeep({ body, statusCode }: Answer): Fault | undefined {
	if (!isRecord(body) || !isDeeper(body, MOST_LEVELS)) return undefined;
	return new Fault('unreadable', `The service answered with data that is nested more than ${MOST_LEVELS} levels deep`, 'Check the Base URL in the Link Management API credential.', statusCode);
}

/** What came of sending a request once. */
type Attempt =
	| { outcome: 'answer'; answer: Answer }
	| { outcome: 'refused' }
	/** It failed for good, and nothing was done. */
	| { outcome: 'fault'; fault: Fault }
	/** It failed, and may succeed when sent again; `processed` is whether the service may have done what it asked. */
	| { outcome: 'doubt'; fault: Fault; processed: boolean };

async function attempt({ send, key }: Exchange, turn: Turn): Promise<Attempt> {
	const sent = await send().then(
		(answer) => ({ answer }),
		(error: unknown) => {
			turn.lost();
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
	turn.answered(answer);
	if (answer.statusCode === 429) return { outcome: 'refused' };
	const fault = faultIn(answer, key) ?? tooDeep(answer);
	if (fault === undefined) return { outcome: 'answer', answer };
	if (answer.statusCode >= 500 || (fault.kind === 'unreadable' && answer.statusCode < 400)) {
		return { outcome: 'doubt', fault, processed: true };
	}
	return { outcome: 'fault', fault };
}

/**
 * Sends a request in its turn and waits out the rate limit, until there is an answer.
 *
 * A refusal for the rate limit (429) was not processed, so every method is sent again. After a broken connection, a
 * time-out, an unreadable answer or a 5xx, GET and PUT are sent again up to three times; POST and DELETE only when the service
 * never got them.
 *
 * @returns a successful answer
 * @throws Fault that says what happened; `uncertain` when a change may or may not have been made
 * @throws StoppedError when the signal fires
 */
export async function exchange(request: Exchange): Promise<Answer> {
	const { budget, caller, signal, failFast, method } = request;
	let refusedSince: number | undefined;
	let refusals = 0;
	for (let failures = 0; ; ) {
		const turn = await budget.turn({ caller, signal, failFast, again: refusals + failures > 0 }).catch((error: unknown) => {
			throw error instanceof RateLimitError ? rateLimited(error) : error;
		});
		const tried = await attempt(request, turn);
		if (tried.outcome === 'answer') return tried.answer;
		if (tried.outcome === 'fault') throw tried.fault;
		if (tried.outcome === 'refused') {
			const now = Date.now();
			refusedSince ??= now;
			if (++refusals > MOST_REFUSALS && now - refusedSince > LONGEST_WAIT) throw rateLimited(new RateLimitError(now, 0));
			continue;
		}
		if (tried.processed && !isRepeatable(method)) throw uncertain(tried.fault);
		if (failures === MOST_REPEATS) throw tried.fault;
		await pause(FIRST_PAUSE * 2 ** failures * (1 - Math.random() / 2), signal);
		failures++;
	}
}
