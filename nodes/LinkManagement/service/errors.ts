import { NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { MEANING, NOTHING_FOUND, type Answer, type FailureKind, type RequestLine, type Unreadable } from './answer';
import { MOST_LEVELS, MOST_VALUES } from './json';
import type { Redaction } from './redact';
import { asHtml, asMessage, asPlainText, errorInWords } from '../n8n/messages';
import type { NoAnswer } from '../n8n/requests';

/** Every outcome of a request except success and a rate limit that is waited out. */
export type Failure = Exclude<Answer, { kind: 'done' | 'rateLimited' }> | NoAnswer;

/** A value that can't be used; `advice` says what to enter instead. */
export class ValueError extends Error {
	/** The errors of the single values, where several of a row can't be used. */
	readonly parts: readonly ValueError[];
	/** Further fields of the failed item. */
	shown?: IDataObject;

	constructor(
		message: string,
		readonly advice: string,
		parts?: readonly ValueError[],
	) {
		super(message);
		this.parts = parts ?? [this];
	}
}

/** The errors of single values. @throws any other error */
function partsOf(error: unknown): readonly ValueError[] {
	if (error instanceof ValueError) return error.parts;
	throw error;
}

/** Runs several checks. @throws ValueError one error for all values that can't be used */
export function checkAll(...works: Array<() => void>): void {
	const found: ValueError[] = [];
	for (const work of works) {
		try {
			work();
		} catch (error) {
			found.push(...partsOf(error));
		}
	}
	if (found.length === 1) throw found[0];
	if (found.length === 0) return;
	const advice = [...new Set(found.map((one) => one.advice))].join(' ');
	throw new ValueError(found.map(({ message }) => message).join('. '), advice, found);
}

/** A request that failed for good. `message` says what happened, `advice` what to do. */
export class ApiError extends Error {
	/** Further fields of the failed item. */
	shown?: IDataObject;

	constructor(
		readonly kind: FailureKind,
		message: string,
		readonly advice: string,
		readonly statusCode?: number,
		/** The classified answer of the request to `endpoint`. */
		readonly failure?: Failure,
		readonly endpoint?: string,
	) {
		super(message);
	}

	/** See `MEANING`. */
	get affects() {
		return MEANING[this.kind].affects;
	}

	get isTransient(): boolean {
		return MEANING[this.kind].isTransient === true;
	}
}

/** A row was done differently than it asked for. Retry On Fail must not do it again. */
export class DoneOtherwiseError extends ApiError {
	constructor(message: string, advice: string) {
		super('refused', message, advice);
	}
}

/** What the text of an error depends on besides the answer. */
interface Circumstances extends RequestLine {
	/** The service's message may repeat the key. */
	redact: Redaction;
	/** Undefined if there was no answer. */
	statusCode?: number;
	/** The normalized Base URL of the credential. */
	address: string;
	/** The service has given a proper answer before, so the Base URL is right. */
	isKnown: boolean;
}

type Words = [message: string, advice: string];

const LONGEST_MESSAGE = 500;
/** The largest answer (bytes, decoded) that is read. */
export const LARGEST_ANSWER = 10 * 1024 * 1024;

const CREDENTIAL = 'in the Link Management API credential';
const CHECK_KEY = `Check the API Key ${CREDENTIAL}. You find the key in your account settings at the service.`;
/** A 403 may mean the key, the plan or the account; only the service's message tells which. */
const CHECK_ACCESS = `This is the link service's answer. The plan may not include the API, the account may be suspended, or the API Key ${CREDENTIAL} may be wrong. Check your account at the service.`;
/** Advice for requests that name records by their IDs. */
const checkIds = (ids: readonly string[]) =>
	`This is the link service's answer for ID ${ids.join(' and ')}. Check the ID, and the values you entered.`;
const CHECK_VALUES = "This is the link service's answer. Correct what it names, then run the node again.";
const checkAddress = (address: string) =>
	`Check the Base URL ${CREDENTIAL}. It leads to ${address}. The credential's test looks for the right address.`;
const NOT_HANDLED = 'The service could not handle this request';
const TRY_LATER =
	"The service could not process this request. Try again later. If that doesn't help, check the values you entered, or ask the service.";
const ADD_RIGHT = `Add this right to the key in your account at the service, or enter another key ${CREDENTIAL}.`;
const SERVICES_DIFFER = 'Link services differ in what they offer. Use another operation, or ask the service.';
const OLDER_API =
	'This package does not support it. Ask the service whether it has a newer API. (It expects the key as "Authorization: Token …".)';
const NOT_FOLLOWED = `The key is only ever sent to the Base URL, so the redirect was not followed. If this is the right address of the service, enter it as the Base URL ${CREDENTIAL}.`;
const CHECK_VALUES_FIRST = 'Check the values you entered first, then the limits of your plan at the service.';
const CHECK_PLAN = 'Check the limits of your plan at the service first, then the values you entered.';
const BEFORE_THE_SERVICE = `The API Key and the Base URL may be right. The usual cause is bot protection. Ask the owner of the service to let requests to /api through, or ask which header they need. Enter that header ${CREDENTIAL}, with Add Custom Header.`;
const CHECK_CERTIFICATE = `Check the Base URL ${CREDENTIAL}, and the certificate of the service. A service in your own network may need http://. If the certificate is self-signed, turn on Ignore SSL Issues (Insecure) there, or ask the administrator of n8n to set NODE_EXTRA_CA_CERTS.`;
const ASK_ADMINISTRATOR =
	'If the service runs in your own network, ask the administrator of n8n to allow it. N8N_SSRF_ALLOWED_HOSTNAMES takes the host of the Base URL, N8N_SSRF_ALLOWED_IP_RANGES its IP address.';

const WORDS: Record<Unreadable, string> = {
	empty: 'an empty answer',
	page: 'a web page instead of data',
	cutOff: 'an incomplete answer',
	other: 'something that is not JSON',
	tooLarge: `more than ${LARGEST_ANSWER / 1024 / 1024} MB`,
	tooDeep: `data nested more than ${MOST_LEVELS} levels deep`,
	tooMany: `more than ${MOST_VALUES.toLocaleString('en')} values`,
	noResult: 'something that does not say whether the change was made',
};

/** What happened instead of an answer, by its error code. */
const REASONS: Record<string, string> = {
	ECONNREFUSED: 'refused the connection',
	ENOTFOUND: 'was not found: no host has this name',
	EAI_AGAIN: 'was not found: no host has this name',
	ETIMEDOUT: 'did not answer in time',
	ECONNABORTED: 'did not answer in time',
};

function unreachable({ code, isPermanent, isForbidden }: NoAnswer): Words {
	if (isForbidden) return ['n8n blocks requests to the service, because its address is private', ASK_ADMINISTRATOR];
	const renew = 'Its certificate has expired. Ask the owner of the service to renew it.';
	const cure = /EXPIRED/.test(code) ? renew : CHECK_CERTIFICATE;
	if (isPermanent) return ['No secure connection to the service could be made', `${cure} (${code})`];
	const advice = `Check the Base URL ${CREDENTIAL}. If it is right, the service is down, or n8n can't reach it. (${code})`;
	return [`The service ${REASONS[code] ?? 'closed the connection'}`, advice];
}

/** An answer that is not JSON: the service failed, or the address is not that of the service. */
function notData(why: Unreadable, { statusCode = 200, method, address, isKnown }: Circumstances): Words {
	const status = statusCode < 300 ? '' : `HTTP ${statusCode}`;
	const isChange = method !== 'GET';
	if (!isKnown) {
		const check = checkAddress(address);
		const advice = isChange ? `${check} If it is right: ${CHECK_PLAN}` : check;
		return [`The service answered with ${WORDS[why]}${status && ` (${status})`}`, advice];
	}
	const inBrackets = `(It answered with ${WORDS[why]}${status && `, ${status}`}.)`;
	if (!isChange) return [NOT_HANDLED, `It has answered others. Try again later. ${inBrackets}`];
	// A full plan gives a page, a refused value an empty answer (field notes, "Envelope and types").
	return method === 'POST' && why === 'page'
		? [`${NOT_HANDLED}. Your plan may be full`, `${CHECK_PLAN} ${inBrackets}`]
		: [`${NOT_HANDLED}. It may reject one of the values`, `${CHECK_VALUES_FIRST} ${inBrackets}`];
}

/** The right that a request needs, by the name that services give it: its resource, the first word of the path. */
export function rightFor(path: string): string {
	const [, word = ''] = /^\/api\/(\w+?)s?(?:\/|$)/.exec(path) ?? [];
	// Rights to the account and to QR codes are in the singular.
	return word === 'url' ? 'links' : /^(?:account|qr)$/.test(word) ? word : `${word}s`;
}

function adviceForIds(path: string): string | undefined {
	const ids = path.split('/').filter((part) => /^\d+$/.test(part));
	return ids.length === 0 ? undefined : checkIds(ids);
}

function wordsOf(failure: Failure, circumstances: Circumstances): Words {
	const { method, path, redact, statusCode } = circumstances;
	// Shortened after the key is removed: half a key must not remain.
	const words = 'message' in failure ? redact.text(failure.message).slice(0, LONGEST_MESSAGE) : '';
	const message = words || `The service refused the request without saying why (HTTP ${statusCode})`;
	switch (failure.kind) {
		case 'notFound':
		case 'refused':
			return [message, adviceForIds(path) ?? CHECK_VALUES];
		case 'unauthorized':
			return [words || `The service refused the API Key (HTTP ${statusCode})`, CHECK_KEY];
		case 'missingScope':
			return [message, `The API Key works, but it does not have the right "${rightFor(path)}". ${ADD_RIGHT}`];
		case 'forbidden':
			return [message, CHECK_ACCESS];
		case 'serverError':
		case 'unreadable':
			if (failure.why !== undefined) return notData(failure.why, circumstances);
			return [words || NOT_HANDLED, `${TRY_LATER} (HTTP ${statusCode})`];
		case 'missingEndpoint':
			return [`This service does not offer ${method} ${path}`, SERVICES_DIFFER];
		case 'unreachable':
			return unreachable(failure);
		case 'intercepted':
			return [`Something in front of the service answered with a page (HTTP ${statusCode})`, BEFORE_THE_SERVICE];
		case 'unsupported':
			return ['The service uses an older version of this API', OLDER_API];
		case 'redirected':
			return [`The service redirects to ${redact.text(failure.to)}`, NOT_FOLLOWED];
	}
}

/** The error of a failed request: what happened, and what to do. */
export function errorOf(answer: Failure, circumstances: Circumstances): ApiError {
	const { method, path, statusCode, isKnown } = circumstances;
	// An address that has never answered as this API does may be wrong: then a missing page says nothing about endpoints.
	const isPage = answer.kind === 'missingEndpoint' && answer.why !== undefined;
	const failure: Failure = isPage && !isKnown ? { kind: 'unreadable', why: answer.why! } : answer;
	const [message, advice] = wordsOf(failure, circumstances);
	return new ApiError(failure.kind, message, advice, statusCode, failure, `${method} ${path}`);
}

const MADE: Record<string, string> = { POST: 'It may have been created', DELETE: 'It may have been deleted' };

/** The error of a change whose answer was lost. `kind` stays where sending the change again does no harm. */
export function lostChange(error: ApiError, method: string): ApiError {
	const { kind, message, advice, statusCode, failure, endpoint } = error;
	const what = `${message}. ${MADE[method] ?? 'The change may have been made'} anyway`;
	const caution = `Look at the service before you run it again. ${advice}`;
	return new ApiError(method === 'PUT' ? kind : 'uncertain', what, caution, statusCode, failure, endpoint);
}

/**
 * The error of reading a record by its ID: "there is no such record" if the service refuses it as it refuses missing ones.
 *
 * @param noun the kind of record, in words
 */
export function noSuchRecord(error: unknown, noun: string, id: unknown): unknown {
	if (!(error instanceof ApiError) || error.kind !== 'refused') return error;
	const { message, statusCode = 0, failure, endpoint } = error;
	if (!NOTHING_FOUND.has(statusCode)) return error;
	const what = `There is no ${noun} with the ID ${String(id)}`;
	const advice = `It may have been deleted, or belong to another account. The link service's answer: ${message}`;
	return new ApiError('refused', what, advice, statusCode, failure, endpoint);
}

/** Whether the service never shows such a record by its ID. */
export function isNotShown(error: unknown): boolean {
	if (!(error instanceof ApiError)) return false;
	const { kind, statusCode = 200 } = error;
	return kind === 'refused' || error.affects === 'endpoint' || (kind === 'unreadable' && statusCode >= 400);
}

/** Removes the secrets of the credential from all that n8n shows and saves of an error. */
export function withoutSecrets<E extends Error>(error: E, redact: Redaction): E {
	const texts = error as unknown as Record<string, unknown>;
	for (const name of ['message', 'stack', 'description', 'messages']) {
		const value = texts[name];
		if (typeof value === 'string') texts[name] = redact.text(value);
		else if (Array.isArray(value)) texts[name] = value.map((entry) => redact.text(String(entry)));
	}
	if (error.cause instanceof Error && error.cause !== error) withoutSecrets(error.cause, redact);
	return error;
}

/** The advice of an error, if it has any. */
export function adviceOf(error: unknown, redact?: Redaction): string | undefined {
	const advice = error instanceof ValueError || error instanceof ApiError ? error.advice : undefined;
	return advice === undefined ? undefined : asPlainText(redact?.text(advice) ?? advice);
}

/** The message of an error, without the secrets of the credential. */
export function messageOfError(error: unknown, redact?: Redaction): string {
	const { message } = error as Error;
	return asPlainText(redact?.text(message) ?? message);
}

/** An error as n8n shows it, without the secrets of the credential. It names rows itself: n8n counts them from 0. */
export function toNodeError(node: INode, error: unknown, redact?: Redaction) {
	const shown =
		error instanceof ApiError
			? errorInWords(node, error.message, { httpCode: error.statusCode?.toString() })
			: new NodeOperationError(node, error as Error);
	const advice = adviceOf(error, redact);
	if (advice !== undefined) shown.description = asHtml(advice);
	delete shown.context.itemIndex;
	if (redact !== undefined) withoutSecrets(shown, redact);
	shown.message = asMessage(shown.message);
	return shown;
}
