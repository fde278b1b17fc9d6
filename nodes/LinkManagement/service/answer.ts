import type { IDataObject } from 'n8n-workflow';

import { asText, isBlank, isRecord } from './records';

/** An HTTP answer, whatever its status. Header names are in lower case. */
export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
	/** It had more than an answer may have, and was not read to its end. */
	isTooLarge?: boolean;
}

/** Why an answer can't be read as data. */
export type Unreadable = 'empty' | 'page' | 'cutOff' | 'other' | 'tooLarge';

/** The request that an answer belongs to. */
export interface RequestLine {
	method: string;
	/** The path at the service, without query. */
	path: string;
	/** It looks whether there is such a record: that there is none is an answer too. */
	isLookUp?: boolean;
}

/**
 * What an answer is. Decided once for each, by its status, its body and its request (spec, "Response envelope", "Errors"; field
 * notes, "Envelope and types", "In front of the service").
 *
 * - done: the service did it; the body is without the flag of the envelope
 * - none: a look-up that found nothing
 * - refused: the service says no, in words of its own (`message`, which may be empty)
 * - key: it does not take the key
 * - noRight: the key is good, and may not do this (field notes, "Resources": rights by resource)
 * - plan: it keeps the key's owner out: the plan, the account or the key, only its words tell which
 * - limited: the rate limit is used up, and nothing was done; `retryAfter` in milliseconds, where the body says so
 * - noEndpoint: it has nothing at this path
 * - failing: it tried and could not, or nobody knows
 * - unreadable: no JSON, or none that can be taken in
 * - front: a page of something that stands before the service, which never got the request
 * - redirected: the address sends requests elsewhere
 * - olderApi: it wants the key in the way of an older generation of this API
 */
export type Answer =
	| { is: 'done'; body: IDataObject }
	| { is: 'none' | 'refused' | 'key' | 'noRight' | 'plan'; message: string }
	| { is: 'noEndpoint' | 'failing'; message: string; why?: Unreadable }
	| { is: 'limited'; retryAfter?: number }
	| { is: 'unreadable'; why: Unreadable }
	| { is: 'olderApi' | 'front' }
	| { is: 'redirected'; to: string };

/** `error: 429` stands for the rate limit, at any HTTP status (field notes, "Rate limit"). */
const RATE_LIMIT = 429;
/** Statuses with which services say that there is no such record, beside the error envelope. */
const NOTHING_FOUND = new Set([200, 400, 404, 410, 422]);
const LONGEST_MESSAGE = 10_000;
const LARGEST_FRONT_PAGE = 50_000;

/** What the service says in words, wherever they stand. Empty where it says nothing. */
export function messageOf({ message, msg, error }: IDataObject): string {
	// The words may stand in place of the flag.
	const inFlag = typeof error === 'string' && !/^[\s\d]*$|^(?:true|false)$/i.test(error) ? error : '';
	const words = [message, msg].find((part) => !isBlank(part)) ?? inFlag;
	return (typeof words === 'string' ? words : JSON.stringify(words)).trim().slice(0, LONGEST_MESSAGE);
}

/** Success is error = 0, as a number or as text; an answer that leaves it out counts as success too. */
function saysError({ error }: IDataObject): boolean {
	return !(error === undefined || error === null || error === false || error === '' || Number(error) === 0);
}

/** What the body of a refusal says about the time until a next try (ms); 0 means within this second. */
function retryAfterIn(body: IDataObject): number | undefined {
	const seconds = Object.entries(body).find(([name]) => /^retry[-_]?after$/i.test(name))?.[1];
	return /^\s*\d{1,15}(\.\d+)?\s*$/.test(asText(seconds)) ? Number(seconds) * 1000 : undefined;
}

/** Words about the path itself, not about a record that is not there. */
const NO_SUCH_ROUTE =
	/\b(?:route|endpoint)\b.*\b(?:not|no|unknown|invalid|missing)\b|\b(?:no|unknown|invalid|undefined) (?:such )?(?:route|endpoint)\b|\bmethod not allowed\b/i;
/** The same in words that a value of the request may also be called by: these count beside the status of a missing path alone. */
const NO_SUCH_PAGE = /\b(?:this|requested) (?:path|page|method|url)\b.*\b(?:not|no|unknown|invalid|missing)\b/i;
const OF_THE_KEY = /\bapi[ _-]?key\b|\bunauthori[sz]ed\b|\bauthenticat|\b(?:invalid|missing|expired) token\b/i;
/** Words of a refusal that is about what the key may do (field notes, "Resources": rights by resource), and of any other. */
const OF_RIGHTS =
	/\baccess to this endpoint\b|\b(?:key|token)\b.*\b(?:permission|right|scope|privilege)s?\b|\b(?:key|token) (?:may|can) ?not\b|\bnot (?:allowed|permitted) (?:for|with) this (?:api )?(?:key|token)\b/i;
const NOT_OF_RIGHTS = /\b(?:plan|subscription|upgrade|suspended|expired|valid|invalid|wrong)\b/i;

/** A page of bot protection has the browser run a script, take a cookie and come again. */
function isOfFront(page: string, statusCode: number): boolean {
	if (statusCode === 403) return true;
	if (page.length > LARGEST_FRONT_PAGE || !/<script/i.test(page)) return false;
	return /document\.cookie|location\.reload|http-equiv=["']?refresh|captcha|challenge/i.test(page);
}

function withoutJson({ statusCode, body }: HttpAnswer): Answer {
	const text = typeof body === 'string' ? body : '';
	const isPage = /<html|<!doctype|<script|<head|<body/i.test(text.slice(0, 2000));
	if (isPage && statusCode !== 404 && isOfFront(text, statusCode)) return { is: 'front' };
	if (statusCode === 401) return { is: 'key', message: '' };
	if (statusCode === 403) return { is: 'plan', message: '' };
	// A validation error may come as an answer without a body.
	const why = isBlank(body) ? 'empty' : isPage ? 'page' : /^\s*[{[]/.test(text) ? 'cutOff' : 'other';
	if (statusCode === 404 || statusCode === 405) return { is: 'noEndpoint', message: '', why };
	if (statusCode >= 500) return { is: 'failing', message: '', why };
	return { is: 'unreadable', why };
}

function failure(body: IDataObject, { statusCode }: HttpAnswer, { isLookUp }: RequestLine): Answer {
	const message = messageOf(body);
	if (OF_RIGHTS.test(message) && !NOT_OF_RIGHTS.test(message)) return { is: 'noRight', message };
	if (statusCode >= 500) return { is: 'failing', message };
	const isMissing = statusCode === 405 || (statusCode === 404 && NO_SUCH_PAGE.test(message));
	if (isMissing || NO_SUCH_ROUTE.test(message)) return { is: 'noEndpoint', message };
	if (statusCode === 402 || statusCode === 403) return { is: 'plan', message };
	if (statusCode === 401 || OF_THE_KEY.test(message)) return { is: 'key', message };
	return { is: isLookUp && NOTHING_FOUND.has(statusCode) ? 'none' : 'refused', message };
}

/** An older generation of the API names its scheme when it refuses the key (field notes, "In front of the service"). */
function isOlderApi({ statusCode, headers, body }: HttpAnswer): boolean {
	if (statusCode !== 401 && statusCode !== 403) return false;
	const challenge = String(headers['www-authenticate'] ?? '');
	return /^\s*token\b/i.test(challenge) || (isRecord(body) && /\bAuthorization:\s*Token\b/i.test(messageOf(body)));
}

/** Decides what an answer is, once, by its request (spec, "Common conventions"). */
export function read(answer: HttpAnswer, request: RequestLine): Answer {
	const { statusCode, headers, body } = answer;
	const envelope = isRecord(body) ? body : undefined;
	if (statusCode === RATE_LIMIT || Number(envelope?.error) === RATE_LIMIT) {
		const retryAfter = envelope && retryAfterIn(envelope);
		return { is: 'limited', ...(retryAfter === undefined ? {} : { retryAfter }) };
	}
	if (statusCode >= 300 && statusCode < 400) {
		// The query may hold what is nobody's business.
		const [address] = String(headers.location ?? '').split(/[?#]/);
		return { is: 'redirected', to: address.replace(/\/api\/.*|\/$/s, '') || 'another address' };
	}
	if (answer.isTooLarge) return { is: 'unreadable', why: 'tooLarge' };
	if (isOlderApi(answer)) return { is: 'olderApi' };
	if (envelope === undefined) return withoutJson(answer);
	if (statusCode < 200 || statusCode >= 400 || saysError(envelope)) return failure(envelope, answer, request);
	const content = { ...envelope };
	delete content.error;
	return { is: 'done', body: content };
}
