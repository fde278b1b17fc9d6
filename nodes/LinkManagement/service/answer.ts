import type { IDataObject } from 'n8n-workflow';

import type { TooMuch } from './json';
import { asText, hasPageFigures, isBlank, isRecord } from './records';

/** An HTTP answer, whatever its status. Header names are in lower case. */
export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
	/** The answer was too large, and was not read. */
	tooMuch?: TooMuch | 'tooLarge';
}

/** Why an answer can't be read as data. `noResult`: the answer to a change says neither that it was made nor that it failed. */
export type Unreadable = 'empty' | 'page' | 'cutOff' | 'other' | 'noResult' | 'tooLarge' | TooMuch;

/** The request that an answer belongs to. */
export interface RequestLine {
	method: string;
	/** The path at the service, without query. */
	path: string;
	query?: unknown;
	body?: unknown;
	/** The request looks for a record: "there is none" is a valid answer to it. */
	isLookUp?: boolean;
}

/**
 * What an answer is: decided once, by its status, its body and its request (spec, "Response envelope", "Errors"; field
 * notes, "Envelope and types", "In front of the service").
 *
 * - done: the service did it; the body is without the flag of the envelope
 * - notFound: a look-up that found nothing
 * - refused: the service refuses the request, with a `message` that may be empty
 * - unauthorized: it does not accept the key
 * - missingScope: the key is valid but lacks the right (field notes, "Resources": rights by resource)
 * - forbidden: the plan, the account or the key is not allowed to; only the message tells which
 * - rateLimited: nothing was done; `retryAfter` in milliseconds, where the body gives it
 * - missingEndpoint: the service has no such path
 * - serverError: the service failed; the request may have been processed
 * - unreadable: no JSON, or too much of it
 * - intercepted: a page of something in front of the service, which never got the request
 * - redirected: the address redirects to another
 * - unsupported: the service expects the key in the form of an older version of this API
 */
export type Answer =
	| { kind: 'done'; body: IDataObject }
	| { kind: 'notFound' | 'refused' | 'unauthorized' | 'missingScope' | 'forbidden'; message: string }
	| { kind: 'missingEndpoint' | 'serverError'; message: string; why?: Unreadable }
	| { kind: 'rateLimited'; retryAfter?: number }
	| { kind: 'unreadable'; why: Unreadable }
	| { kind: 'unsupported' | 'intercepted' }
	| { kind: 'redirected'; to: string };

/** Every way in which a request fails. `unreachable`: no answer came. `uncertain`: nobody knows whether the change was made. */
export type FailureKind = Exclude<Answer['kind'], 'done'> | 'unreachable' | 'uncertain';

/** What follows from a kind of failure. */
interface Meaning {
	/** What the failure affects: every other request for the same row, endpoint, key or service fails in the same way. */
	affects: 'row' | 'endpoint' | 'key' | 'service';
	/** The same request may succeed later. */
	isTransient?: boolean;
	/** The service may have processed the request all the same. */
	mayBeDone?: boolean;
}

export const MEANING: Readonly<Record<FailureKind, Meaning>> = {
	notFound: { affects: 'row' },
	refused: { affects: 'row' },
	unauthorized: { affects: 'key' },
	forbidden: { affects: 'key' },
	rateLimited: { affects: 'key', isTransient: true },
	missingScope: { affects: 'endpoint' },
	missingEndpoint: { affects: 'endpoint' },
	serverError: { affects: 'row', isTransient: true, mayBeDone: true },
	unreadable: { affects: 'row', isTransient: true, mayBeDone: true },
	uncertain: { affects: 'row', mayBeDone: true },
	unreachable: { affects: 'service', isTransient: true, mayBeDone: true },
	intercepted: { affects: 'service' },
	redirected: { affects: 'service' },
	unsupported: { affects: 'service' },
};

/** `error: 429` stands for the rate limit, at any HTTP status (field notes, "Rate limit"). */
const RATE_LIMIT = 429;
/** Statuses with which services say, in an error envelope, that there is no such record. */
export const NOTHING_FOUND: ReadonlySet<number> = new Set([200, 400, 404, 410, 422]);
const LONGEST_MESSAGE = 10_000;
const LARGEST_FRONT_PAGE = 50_000;

/** The message of an answer, from whichever field holds it; empty where there is none. */
export function messageOf({ message, msg, error }: IDataObject): string {
	// The message may stand in the flag.
	const inFlag = typeof error === 'string' && !/^[\s\d]*$|^(?:true|false)$/i.test(error) ? error : '';
	const words = [message, msg].find((part) => !isBlank(part)) ?? inFlag;
	return (typeof words === 'string' ? words : JSON.stringify(words)).trim().slice(0, LONGEST_MESSAGE);
}

/** Whether the envelope reports an error. `error` is 0 for a success, as a number or as text, or is left out. */
function reportsError({ error }: IDataObject): boolean {
	return !(error === undefined || error === null || error === false || error === '' || Number(error) === 0);
}

/** Fields that the answer to a change may have instead of the envelope's flag. */
const RESULTS = ['id', 'shorturl', 'short', 'message', 'msg'];

/** Whether an answer says that a change was made. A list does not. */
function confirmsChange(body: IDataObject): boolean {
	const parts = [body, body.data].filter(isRecord);
	return (
		!hasPageFigures(body) &&
		('error' in body || parts.some((part) => RESULTS.some((name) => !isBlank(part[name] as unknown))))
	);
}

/** The time until the next try (ms) by the body of a refusal; 0 means within this second. */
function retryAfterIn(body: IDataObject): number | undefined {
	const seconds = Object.entries(body).find(([name]) => /^retry[-_]?after$/i.test(name))?.[1];
	return /^\s*\d{1,15}(\.\d+)?\s*$/.test(asText(seconds)) ? Number(seconds) * 1000 : undefined;
}

/** Statuses at which words about the key or the path are taken literally. */
const OF_KEY_OR_PATH = new Set([401, 403, 404, 405]);
/** Words that name the key or the path. */
const SUBJECTS = /\b(?:routes?|endpoints?|methods?|(?:api[ _-]?)?keys?|tokens?|unauthori[sz]ed|authenticat\w{0,9})\b/gi;
/** Words that negate. */
const NOT = /\b(?:not|no|unknown|invalid|missing)\b/i;
/** Words about the path itself, not about a missing record. */
const NO_SUCH_ROUTE = /\b(?:no|unknown|invalid|undefined) (?:such )?(?:route|endpoint)\b|\bmethod not allowed\b/i;
const ROUTE = /\b(?:route|endpoint)\b/i;
/** Words that have other meanings too: they count only beside the status of a missing path. */
const PAGE = /\b(?:this|requested) (?:path|page|method|url)\b/i;
const OF_THE_KEY = /\bapi[ _-]?key\b|\bunauthori[sz]ed\b|\bauthenticat|\b(?:invalid|missing|expired) token\b/i;
/** Words of a refusal for lack of a right (field notes, "Resources": rights by resource), and of other refusals. */
const OF_RIGHTS =
	/\baccess to this endpoint\b|\b(?:key|token) (?:may|can) ?not\b|\bnot (?:allowed|permitted) (?:for|with) this (?:api )?(?:key|token)\b/i;
const KEY = /\b(?:key|token)\b/i;
const RIGHT = /\b(?:permission|right|scope|privilege)s?\b/i;
const NOT_OF_RIGHTS = /\b(?:plan|subscription|upgrade|suspended|expired|valid|invalid|wrong)\b/i;

/** Whether one word follows another in a message. */
function isFollowedBy(message: string, subject: RegExp, word: RegExp): boolean {
	const at = message.search(subject);
	return at !== -1 && word.test(message.slice(at));
}

function isAboutRights(message: string): boolean {
	return (OF_RIGHTS.test(message) || isFollowedBy(message, KEY, RIGHT)) && !NOT_OF_RIGHTS.test(message);
}

function isAboutRoute(message: string): boolean {
	return NO_SUCH_ROUTE.test(message) || isFollowedBy(message, ROUTE, NOT);
}

/** All texts among values, in lower case. */
function textsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [String(value).toLowerCase()];
	return Object.values(value).flatMap(textsIn);
}

/**
 * Whether words about the key or the path are the service's own. A refusal may quote what was entered, and an alias may be called
 * route-66: words that stand in the request count only beside a status that means the same.
 */
function isOwnWording(message: string, statusCode: number, { query, body }: RequestLine): boolean {
	const subjects = message.match(SUBJECTS) ?? [];
	if (OF_KEY_OR_PATH.has(statusCode) || subjects.length === 0) return true;
	const sent = textsIn([query, body]);
	return !subjects.some((word) => sent.some((text) => text.includes(word.toLowerCase())));
}

/** Whether a page is one of bot protection, which has the browser run a script, set a cookie and reload. */
function isBotProtection(page: string, statusCode: number): boolean {
	if (statusCode === 403) return true;
	if (page.length > LARGEST_FRONT_PAGE || !/<script/i.test(page)) return false;
	return /document\.cookie|location\.reload|http-equiv=["']?refresh|captcha|challenge/i.test(page);
}

function classifyNonJson({ statusCode, body }: HttpAnswer): Answer {
	const text = typeof body === 'string' ? body : '';
	const isPage = /<html|<!doctype|<script|<head|<body/i.test(text.slice(0, 2000));
	if (isPage && statusCode !== 404 && isBotProtection(text, statusCode)) return { kind: 'intercepted' };
	if (statusCode === 401) return { kind: 'unauthorized', message: '' };
	if (statusCode === 403) return { kind: 'forbidden', message: '' };
	// A validation error may come without a body.
	const why = isBlank(body) ? 'empty' : isPage ? 'page' : /^\s*[{[]/.test(text) ? 'cutOff' : 'other';
	if (statusCode === 404 || statusCode === 405) return { kind: 'missingEndpoint', message: '', why };
	if (statusCode >= 500) return { kind: 'serverError', message: '', why };
	return { kind: 'unreadable', why };
}

function classifyFailure(body: IDataObject, { statusCode }: HttpAnswer, request: RequestLine): Answer {
	const message = messageOf(body);
	if (statusCode >= 500) return { kind: 'serverError', message };
	const isOwn = isOwnWording(message, statusCode, request);
	if (isOwn && isAboutRights(message)) return { kind: 'missingScope', message };
	// A gateway answers without an envelope, and knows nothing of records.
	const isOfGateway = statusCode === 404 && body.error === undefined;
	const isMissing = statusCode === 405 || isOfGateway || (statusCode === 404 && isFollowedBy(message, PAGE, NOT));
	if (isMissing || (isOwn && isAboutRoute(message))) return { kind: 'missingEndpoint', message };
	if (statusCode === 402 || statusCode === 403) return { kind: 'forbidden', message };
	if (statusCode === 401 || (isOwn && OF_THE_KEY.test(message))) return { kind: 'unauthorized', message };
	const isNone = request.isLookUp === true && reportsError(body) && NOTHING_FOUND.has(statusCode);
	return { kind: isNone ? 'notFound' : 'refused', message };
}

/** Whether an older version of the API refuses the key: it names its scheme (field notes, "In front of the service"). */
function isOlderApi({ statusCode, headers, body }: HttpAnswer): boolean {
	if (statusCode !== 401 && statusCode !== 403) return false;
	const challenge = String(headers['www-authenticate'] ?? '');
	return /^\s*token\b/i.test(challenge) || (isRecord(body) && /\bAuthorization:\s*Token\b/i.test(messageOf(body)));
}

/** Classifies an answer by its request (spec, "Common conventions"). */
export function readAnswer(answer: HttpAnswer, request: RequestLine): Answer {
	const { statusCode, headers, body } = answer;
	const envelope = isRecord(body) ? body : undefined;
	if (statusCode === RATE_LIMIT || Number(envelope?.error) === RATE_LIMIT) {
		const retryAfter = envelope && retryAfterIn(envelope);
		return { kind: 'rateLimited', ...(retryAfter === undefined ? {} : { retryAfter }) };
	}
	if (statusCode >= 300 && statusCode < 400) {
		// The query may hold secrets.
		const [address] = String(headers.location ?? '').split(/[?#]/);
		return { kind: 'redirected', to: address.replace(/\/api\/.*|\/$/s, '') || 'another address' };
	}
	if (answer.tooMuch !== undefined) return { kind: 'unreadable', why: answer.tooMuch };
	if (isOlderApi(answer)) return { kind: 'unsupported' };
	if (envelope === undefined) return classifyNonJson(answer);
	if (statusCode < 200 || statusCode >= 400 || reportsError(envelope))
		return classifyFailure(envelope, answer, request);
	if (request.method !== 'GET' && !confirmsChange(envelope)) return { kind: 'unreadable', why: 'noResult' };
	const content = { ...envelope };
	delete content.error;
	return { kind: 'done', body: content };
}
