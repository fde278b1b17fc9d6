import type { IDataObject } from 'n8n-workflow';

import { ApiError } from './apiError';
import { withoutKey } from './apiKey';
import type { PageOf } from './paging';
import { withNumbers, wholeNumber } from './records';

/** An HTTP answer, whatever its status. Header names are in lower case. */
export interface Answer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
	/** From sending the request to its answer. */
	milliseconds?: number;
}

/** One page of a list (spec, "Paged list envelope"). */
export type Page = PageOf<IDataObject>;

const LONGEST_MESSAGE = 500;
const CHECK_KEY =
	'Check the API Key in the Link Management API credential. You find the key in your account at the service.';
/** A 403 may mean the key, the plan or the account; the service's message alone tells which. */
const CHECK_ACCESS =
	'This is the answer of the link service. The cause may be the API Key in the Link Management API credential, a plan without access to the API, or the account: look at your account at the service.';
/** Why services answer a creation or a change with a web page, or with nothing. */
const USUAL_CAUSES =
	'The usual causes are that the limit of your plan is reached, or that the service does not take one of the values. Check both at the service.';
const CHECK_ADDRESS = 'Check the Base URL in the Link Management API credential.';

export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What an answer holds besides the flag of the envelope. */
export function withoutError(body: IDataObject): IDataObject {
	const content = { ...body };
	delete content.error;
	return content;
}

function messageOf(body: IDataObject, key: string): string {
	const { message } = body;
	const text =
		typeof message === 'string' ? message : message === undefined || message === null ? '' : JSON.stringify(message);
	// Cut off after the key is out: half a key must not stand either.
	return withoutKey(text.trim().slice(0, 20 * LONGEST_MESSAGE), key).slice(0, LONGEST_MESSAGE);
}

/** Success is error = 0, as a number or as text (spec, "Response envelope"); an answer that leaves it out counts as success too. */
function saysError(body: IDataObject): boolean {
	const { error } = body;
	return !(error === undefined || error === null || error === false || error === '' || Number(error) === 0);
}

/** `error: 429` stands for the rate limit, at any HTTP status (fact of the field). */
const RATE_LIMIT_ERROR = 429;

/** Whether the service did nothing because the rate limit is used up: HTTP 429 whatever the body, or `error: 429` in it. */
export function isRefusal({ statusCode, body }: Answer): boolean {
	return statusCode === 429 || (isRecord(body) && Number(body.error) === RATE_LIMIT_ERROR);
}

/**
 * What a refusal's body says about the time until a next try, in milliseconds; 0 means within this second.
 *
 * @returns undefined where the body says nothing of it; the header of the same name is read with the others
 */
export function retryAfterOf({ body }: Answer): number | undefined {
	const seconds = isRecord(body)
		? Object.entries(body).find(([name]) => /^retry[-_]?after$/i.test(name))?.[1]
		: undefined;
	const isFigure =
		typeof seconds === 'number' || (typeof seconds === 'string' && /^\s*\d{1,15}(\.\d+)?\s*$/.test(seconds));
	return isFigure && Number(seconds) >= 0 ? Number(seconds) * 1000 : undefined;
}

function hostOf(location: unknown): string {
	try {
		return new URL(String(location)).origin;
	} catch {
		return 'another address';
	}
}

/** What the reading of an answer takes into account besides the answer. */
export interface Asked {
	method: string;
	/** The path that was asked for, without query. */
	path: string;
	/** The API key, which the service's message may repeat. */
	key: string;
	/** Whether the service has answered properly before: then the Base URL is right. */
	isKnown: boolean;
}

const NOTHING_KNOWN: Asked = { method: 'GET', path: '', key: '', isKnown: false };

/** Words of an answer about the path itself, not about a record that is not there. */
const NO_SUCH_PATH = /\b(route|endpoint|page|path|method)\b.*\b(not found|not allowed|not exist|unknown|invalid)/i;

/** Whether the answer says that the service has no such endpoint. (That a record is not there may be a 404 as well.) */
function isNotOffered({ statusCode, body }: Answer, { path, isKnown }: Asked): boolean {
	if (statusCode === 405) return true;
	if (statusCode !== 404 || path === '') return false;
	if (!isRecord(body)) return isKnown;
	const namesRecord = /\/\d+(\/|$)/.test(path);
	return NO_SUCH_PATH.test(messageOf(body, '')) || (!namesRecord && isKnown);
}

function redirected({ statusCode, headers }: Answer): ApiError {
	return new ApiError(
		'redirected',
		`The service redirects to ${hostOf(headers.location)}`,
		`The key is sent to no other host, so the redirect was not followed. If that is the service's right address, enter it as the Base URL of the credential.`,
		statusCode,
	);
}

/** A validation error may come as an answer without a body (fact of the field). */
export function isEmpty({ body }: Answer): boolean {
	return body === undefined || body === null || (typeof body === 'string' && body.trim() === '');
}

function contentOf(body: unknown): string {
	const start = typeof body === 'string' ? body.slice(0, 2000) : '';
	if (/<html|<!doctype/i.test(start)) return 'a web page instead of data';
	return /^\s*[{[]/.test(start) ? 'an incomplete answer' : 'something that is not JSON';
}

/** An answer that is no JSON: the service failed, or it is not the service at all. */
function unreadable(answer: Answer, { method, isKnown }: Asked): ApiError {
	const { statusCode, body } = answer;
	const what = isEmpty(answer) ? 'an empty answer' : contentOf(body);
	const status = statusCode >= 200 && statusCode < 300 ? '' : ` (HTTP ${statusCode})`;
	const isChange = method !== 'GET';
	if (!isKnown) {
		const advice = isChange ? `${CHECK_ADDRESS} If it is right: ${USUAL_CAUSES}` : CHECK_ADDRESS;
		return new ApiError('unreadable', `The service answered with ${what}${status}`, advice, statusCode);
	}
	return new ApiError(
		'unreadable',
		`The service could not handle this request: it answered with ${what}${status}`,
		isChange
			? USUAL_CAUSES
			: 'It has answered other requests: try again later. If it stays so, check the Base URL in the Link Management API credential.',
		statusCode,
	);
}

/**
 * What is wrong with an answer, or undefined when it is a success (spec, "Errors": error = 1 is an error at any HTTP
 * status; the status may be checked besides).
 *
 * @param asked what it is the answer to
 */
export function errorIn(answer: Answer, asked: Partial<Asked> = {}): ApiError | undefined {
	const known: Asked = { ...NOTHING_KNOWN, ...asked };
	const { statusCode, body } = answer;
	if (statusCode >= 300 && statusCode < 400) return redirected(answer);
	if (isNotOffered(answer, known)) {
		return new ApiError(
			'notOffered',
			`This service does not offer ${known.method} ${known.path}`,
			'Services of this kind differ in what they offer. Use another operation, or ask the service.',
			statusCode,
		);
	}
	const isKeyProblem = statusCode === 401 || statusCode === 403;
	if (!isRecord(body)) {
		if (!isKeyProblem) return unreadable(answer, known);
		return new ApiError('rejected', `The service refused the API Key (HTTP ${statusCode})`, CHECK_KEY, statusCode);
	}
	const isHttpError = statusCode < 200 || statusCode >= 400;
	if (!isHttpError && !saysError(body)) return undefined;
	const told = messageOf(body, known.key);
	const message = told || `The service refused the request without saying why (HTTP ${statusCode})`;
	const speaksOfKey = /\b(api[ _-]?key|token|unauthori[sz]ed|authenticat\w*)\b/i.test(message);
	const advice =
		statusCode === 403
			? CHECK_ACCESS
			: isKeyProblem || speaksOfKey
				? CHECK_KEY
				: statusCode === 404 && told === ''
					? CHECK_ADDRESS
					: 'This is the answer of the link service. Correct what it names and run the node again.';
	return new ApiError('rejected', message, advice, statusCode);
}

function listOf(records: unknown): unknown[] {
	return Array.isArray(records) ? records : isRecord(records) ? Object.values(records) : [];
}

/**
 * Reads a list (spec, "Paged list envelope").
 *
 * @param body a successful answer's body
 * @param collection the name under which the resource's records stand; where services differ, the one that is there counts
 * @throws ApiError when there is no such list in it
 */
export function readPage(body: unknown, collection: string | readonly string[]): Page {
	const names = [collection].flat();
	const data = isRecord(body) ? body.data : undefined;
	if (!isRecord(data)) {
		if (Array.isArray(data) && data.length === 0) return { records: [] };
		throw new ApiError('unreadable', `The service answered without the list "${names[0]}"`, CHECK_ADDRESS);
	}
	// An empty list may come as null, as an empty object, or not at all.
	const lists = names.map((name) => listOf(data[name]));
	const list = lists.find(({ length }) => length > 0) ?? [];
	return {
		records: list.filter(isRecord).map(withNumbers),
		result: wholeNumber(data.result, 0),
		perpage: wholeNumber(data.perpage, 1),
		maxpage: wholeNumber(data.maxpage, 0),
	};
}
