import type { IDataObject } from 'n8n-workflow';

import { parseUrl } from './baseUrl';
import { isBlank, isRecord } from './records';

/** An HTTP answer, whatever its status. Header names are in lower case. */
export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
	/** It had more than an answer may have, and was not read to its end. */
	isTooLarge?: boolean;
}

/** Why an answer can't be read as data. */
export type Unreadable = 'empty' | 'page' | 'cutOff' | 'other' | 'tooDeep' | 'tooLarge';

/** What an answer is the answer to. */
export interface Asked {
	method: string;
	/** The path at the service, without query. */
	path: string;
	/** It is looked whether there is such a record: that there is none is an answer too. */
	seeks?: boolean;
}

/**
 * What an answer is. Decided once for each, by its status, its body and what was asked (spec, "Response envelope", "Errors"; field
 * notes, "Envelope and types", "In front of the service").
 *
 * - done: the service did what it was asked; the body is without the flag of the envelope
 * - none: a look-up that found nothing
 * - refused: the service says no, in words of its own (`told`, which may be empty)
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
	| { is: 'none' | 'refused' | 'key' | 'noRight' | 'plan' | 'noEndpoint' | 'failing'; told: string; why?: Unreadable }
	| { is: 'limited'; retryAfter?: number }
	| { is: 'unreadable'; why: Unreadable }
	| { is: 'olderApi' }
	| { is: 'front'; wantsPassword?: boolean }
	| { is: 'redirected'; to: string };

/** `error: 429` stands for the rate limit, at any HTTP status (field notes, "Rate limit"). */
const RATE_LIMIT = 429;
/** Statuses with which services say that there is no such record, beside the error envelope. */
const NOTHING_FOUND = new Set([200, 400, 404, 410, 422]);
const LONGEST_MESSAGE = 10_000;
/** Levels of nesting in an answer; the service's own have four. What is much deeper breaks n8n when it saves the execution. */
export const MOST_LEVELS = 100;
/** Pages that have a browser prove itself are small. */
const LARGEST_FRONT_PAGE = 50_000;

/** What the service says in words, wherever they stand. Empty where it says nothing. */
export function messageOf({ message, msg, error }: IDataObject): string {
	const told = [message, msg].find((words) => words !== undefined && words !== null && words !== '');
	// A failure may be told in place of the flag.
	const said = told ?? (typeof error === 'string' && !/^[\s\d]*$|^(?:true|false)$/i.test(error) ? error : '');
	return (typeof said === 'string' ? said : JSON.stringify(said)).trim().slice(0, LONGEST_MESSAGE);
}

/** Success is error = 0, as a number or as text; an answer that leaves it out counts as success too. */
function saysError({ error }: IDataObject): boolean {
	return !(error === undefined || error === null || error === false || error === '' || Number(error) === 0);
}

/** What the body of a refusal says about the time until a next try (ms); 0 means within this second. */
function retryAfterIn(body: IDataObject): number | undefined {
	const seconds = Object.entries(body).find(([name]) => /^retry[-_]?after$/i.test(name))?.[1];
	const isFigure =
		typeof seconds === 'number' || (typeof seconds === 'string' && /^\s*\d{1,15}(\.\d+)?\s*$/.test(seconds));
	return isFigure && Number(seconds) >= 0 ? Number(seconds) * 1000 : undefined;
}

/** Words about the path itself, not about a record that is not there. */
const NO_SUCH_PATH =
	/\b(?:route|endpoint|(?:this|the|requested) (?:path|page|method))\b.*\b(?:not|no|unknown|invalid|missing)\b|\b(?:no|unknown|invalid|undefined) (?:such )?(?:route|endpoint)\b|\bmethod not allowed\b/i;
const OF_THE_KEY = /\bapi[ _-]?key\b|\bunauthori[sz]ed\b|\bauthenticat|\b(?:invalid|missing|expired) token\b/i;
/** Words that have to stand together in a refusal which is about what the key may do. */
const ABOUT_RIGHTS = [
	/\b(?:key|token)\b/i,
	/\b(?:no|not|cannot|without|lacks?|missing|insufficient|denied)\b|n't\b/i,
	/\b(?:access|may|permitted|allowed|permissions?|rights?|scopes?|privileges?)\b/i,
	/\b(?:endpoint|resource|action|operation|read|write|permissions?|rights?|scopes?|privileges?)\b/i,
];
const NOT_ABOUT_RIGHTS = /\b(?:plan|subscription|upgrade|suspended|expired|valid|invalid|wrong)\b/i;

function isAboutRights(message: string): boolean {
	return !NOT_ABOUT_RIGHTS.test(message) && ABOUT_RIGHTS.every((words) => words.test(message));
}

function isDeeper(value: object, levels: number): boolean {
	if (levels === 0) return true;
	for (const entry of Object.values(value) as unknown[]) {
		if (typeof entry === 'object' && entry !== null && isDeeper(entry, levels - 1)) return true;
	}
	return false;
}

/** The beginning of a web page; undefined for what is none. */
function pageIn(body: unknown): string | undefined {
	if (typeof body !== 'string') return undefined;
	return /<html|<!doctype|<script|<head|<body/i.test(body.slice(0, 2000)) ? body : undefined;
}

/** A page of bot protection has the browser run a script, take a cookie and come again. */
function isOfFront(page: string, statusCode: number): boolean {
	if (statusCode === 403) return true;
	if (page.length > LARGEST_FRONT_PAGE || !/<script/i.test(page)) return false;
	return /document\.cookie|location\.reload|http-equiv=["']?refresh|captcha|challenge/i.test(page);
}

function withoutJson({ statusCode, headers, body }: HttpAnswer): Answer {
	const page = pageIn(body);
	const challenge = String(headers['www-authenticate'] ?? '');
	if (statusCode === 401 && /^\s*(?:basic|digest)\b/i.test(challenge)) return { is: 'front', wantsPassword: true };
	if (page !== undefined && statusCode !== 404 && isOfFront(page, statusCode)) return { is: 'front' };
	if (statusCode === 401) return { is: 'key', told: '' };
	if (statusCode === 403) return { is: 'plan', told: '' };
	const isCutOff = typeof body === 'string' && /^\s*[{[]/.test(body);
	// A validation error may come as an answer without a body.
	const why = isBlank(body) ? 'empty' : page !== undefined ? 'page' : isCutOff ? 'cutOff' : 'other';
	if (statusCode === 404 || statusCode === 405) return { is: 'noEndpoint', told: '', why };
	if (statusCode >= 500) return { is: 'failing', told: '', why };
	return { is: 'unreadable', why };
}

function failure(body: IDataObject, { statusCode }: HttpAnswer, { seeks }: Asked): Answer {
	const told = messageOf(body);
	if (isAboutRights(told)) return { is: 'noRight', told };
	if (statusCode >= 500) return { is: 'failing', told };
	if (statusCode === 405 || NO_SUCH_PATH.test(told)) return { is: 'noEndpoint', told };
	if (statusCode === 401) return { is: 'key', told };
	if (statusCode === 402 || statusCode === 403) return { is: 'plan', told };
	if (OF_THE_KEY.test(told)) return { is: 'key', told };
	return { is: seeks && NOTHING_FOUND.has(statusCode) ? 'none' : 'refused', told };
}

/** An older generation of the API names its scheme when it refuses the key (field notes, "In front of the service"). */
function isOlderApi({ statusCode, headers, body }: HttpAnswer): boolean {
	if (statusCode !== 401 && statusCode !== 403) return false;
	const challenge = String(headers['www-authenticate'] ?? '');
	return /^\s*token\b/i.test(challenge) || (isRecord(body) && /\bAuthorization:\s*Token\b/i.test(messageOf(body)));
}

/** Decides what an answer is. */
export function read(answer: HttpAnswer, asked: Asked): Answer {
	const { statusCode, headers, body } = answer;
	const envelope = isRecord(body) ? body : undefined;
	if (statusCode === RATE_LIMIT || Number(envelope?.error) === RATE_LIMIT) {
		const retryAfter = envelope && retryAfterIn(envelope);
		return { is: 'limited', ...(retryAfter === undefined ? {} : { retryAfter }) };
	}
	if (statusCode >= 300 && statusCode < 400) {
		const { origin, pathname } = parseUrl(String(headers.location)) ?? {};
		// Without the query, which may hold what is nobody's business.
		const to = origin === undefined ? String(headers.location ?? '').replace(/[?#].*/s, '') : `${origin}${pathname}`;
		return { is: 'redirected', to: to.replace(/\/api\/.*|\/$/s, '') || 'another address' };
	}
	if (answer.isTooLarge) return { is: 'unreadable', why: 'tooLarge' };
	if (isOlderApi(answer)) return { is: 'olderApi' };
	if (envelope === undefined) return withoutJson(answer);
	if (statusCode < 200 || statusCode >= 400 || saysError(envelope)) return failure(envelope, answer, asked);
	if (isDeeper(envelope, MOST_LEVELS)) return { is: 'unreadable', why: 'tooDeep' };
	const content = { ...envelope };
	delete content.error;
	return { is: 'done', body: content };
}
