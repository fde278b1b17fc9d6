import type { IDataObject } from 'n8n-workflow';

import { asText, hasPageFigures, isBlank, isRecord } from '../records';

/** An HTTP answer, whatever its status. Header names are in lower case. */
export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
	/** The answer was too large, and was not read. */
	isTooLarge?: boolean;
}

/**
 * Why an answer can't be read as data. `noResult`: the answer to a change says neither that it was made nor that it failed. `otherData`:
 * a success without what was asked for.
 */
export type Unreadable = 'empty' | 'page' | 'notJson' | 'noResult' | 'otherData' | 'tooLarge';

/** The request that an answer belongs to. */
export interface RequestLine {
	method: string;
	/** The path at the service, without query. */
	path: string;
	/** The request looks for a record: "there is none" is a valid answer to it. */
	isLookUp?: boolean;
	/** The request creates a record, which its answer has to show. */
	isCreation?: boolean;
}

/**
 * What an answer is: decided once, by its status and its envelope (spec, "Response envelope", "Errors"; field notes, "Envelope and types",
 * "In front of the service"). Words of the service decide nothing, except two sentences of the field notes. `FAILURES` says what the kinds
 * of failures mean.
 */
export type Answer =
	/** The service did it. The body is without the flag of the envelope. */
	| { kind: 'done'; body: IDataObject }
	/** A look-up found nothing. */
	| { kind: 'notFound' }
	/** Nothing was done. `retryAfter` in ms, where the body gives it. */
	| { kind: 'rateLimited'; retryAfter?: number }
	| { kind: Refused; message: string; why?: Unreadable }
	| { kind: 'unreadable'; why: Unreadable }
	| { kind: 'intercepted' }
	| { kind: 'redirected'; to: string };

type Refused =
	'refused' | 'unauthorized' | 'missingScope' | 'forbidden' | 'missingEndpoint' | 'serverError' | 'down' | 'badGateway';

/** `error: 429` stands for the rate limit, at any HTTP status (field notes, "Rate limit"). */
const RATE_LIMIT = 429;
/** Longest message (characters) that is read. */
export const LONGEST_MESSAGE = 10_000;
const LARGEST_FRONT_PAGE = 50_000;

/** The kinds of failures that follow from the status alone. */
const BY_STATUS: Record<number, Refused> = {
	401: 'unauthorized',
	402: 'forbidden',
	403: 'forbidden',
	405: 'missingEndpoint',
	502: 'badGateway',
	503: 'down',
	504: 'badGateway',
};
/** The sentences that count (field notes, "In front of the service", "Resources"), without case and full stop. */
const SENTENCES: Record<string, Refused> = {
	'a valid api key is required to use this service': 'unauthorized',
	'you do not have access to this endpoint with this api key': 'missingScope',
};
/** Statuses with which services say, in an error envelope, that there is no such record. */
export const NOTHING_FOUND: ReadonlySet<number> = new Set([200, 400, 404, 410, 422]);

/** The message of an answer, from whichever field holds it; empty where there is none. */
function messageOf({ message, msg, error }: IDataObject): string {
	// The message may stand in the flag.
	const inFlag = typeof error === 'string' && !/^[\s\d]*$|^(?:true|false)$/i.test(error) ? error : '';
	const words = [message, msg].find((part) => !isBlank(part)) ?? inFlag;
	return (typeof words === 'string' ? words : JSON.stringify(words)).trim().slice(0, LONGEST_MESSAGE);
}

/** The flag of the envelope as a number; NaN for anything that is none. */
function flagIn({ error = 0 }: IDataObject): number {
	return typeof error === 'object' ? (error === null ? 0 : NaN) : Number(error);
}

/** Whether the envelope reports an error. `error` is 0 for a success, as a number or as text, or is left out. */
function reportsError(body: IDataObject): boolean {
	return flagIn(body) !== 0;
}

/** Fields that the answer to a change may have instead of the envelope's flag. */
const RESULTS = ['id', 'shorturl', 'short', 'message', 'msg'];

/** Whether an answer says that a change was made. A list does not, nor a bare success that a record was created. */
function confirmsChange(body: IDataObject, isCreation = false): boolean {
	const parts = [body, body.data].filter(isRecord);
	const hasResult = parts.some((part) => RESULTS.some((name) => !isBlank(part[name] as unknown)));
	return !hasPageFigures(body) && (hasResult || ('error' in body && !isCreation));
}

/** The path of one record. */
const ONE_RECORD = /^\/api\/(?:(?:url|qr)\/\d+|account)$/;
/** Fields that tell one record from others (spec, "Short link details", "QR code", "Account"). */
const RECORD_IDENTITY = ['id', 'shorturl', 'link', 'email', 'username'];

/** Whether an answer shows one record, wherever it has it. */
function showsRecord(body: IDataObject): boolean {
	const parts = [body, body.details, body.data].filter(isRecord);
	return !hasPageFigures(body) && parts.some((part) => RECORD_IDENTITY.some((name) => !isBlank(part[name] as unknown)));
}

/** The time until the next try (ms) by the body of a refusal; 0 means within this second. */
function retryAfterIn({ 'Retry-After': seconds }: IDataObject = {}): number | undefined {
	return /^\s*\d{1,15}(\.\d+)?\s*$/.test(asText(seconds)) ? Number(seconds) * 1000 : undefined;
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
	// A validation error may come without a body.
	const why = isBlank(body) ? 'empty' : isPage ? 'page' : 'notJson';
	const kind = statusCode === 404 ? 'missingEndpoint' : BY_STATUS[statusCode];
	if (kind !== undefined || statusCode >= 500) return { kind: kind ?? 'serverError', message: '', why };
	return { kind: 'unreadable', why };
}

/** The path of a list of all records of a kind: no record can be missing there. */
const LIST = /^\/api\/[a-z]+$/;

function classifyFailure(
	body: IDataObject,
	{ statusCode }: HttpAnswer,
	{ method, path, isLookUp }: RequestLine,
): Answer {
	const message = messageOf(body);
	const isOfList = method === 'GET' && isLookUp !== true && LIST.test(path);
	const isMissingPath = statusCode === 404 && (body.error === undefined || isOfList);
	const sentence = message.toLowerCase().replace(/\.$/, '');
	const known = Object.hasOwn(SENTENCES, sentence) ? SENTENCES[sentence] : undefined;
	const kind = known ?? (isMissingPath ? 'missingEndpoint' : BY_STATUS[statusCode]);
	if (kind !== undefined || statusCode >= 500) return { kind: kind ?? 'serverError', message };
	const isNone = isLookUp === true && reportsError(body) && NOTHING_FOUND.has(statusCode);
	return isNone ? { kind: 'notFound' } : { kind: 'refused', message };
}

/** Classifies an answer by its request (spec, "Common conventions"). */
export function readAnswer(answer: HttpAnswer, request: RequestLine): Answer {
	const { statusCode, headers, body } = answer;
	const envelope = isRecord(body) ? body : undefined;
	if (statusCode === RATE_LIMIT || flagIn(envelope ?? {}) === RATE_LIMIT) {
		const retryAfter = retryAfterIn(envelope);
		return { kind: 'rateLimited', ...(retryAfter === undefined ? {} : { retryAfter }) };
	}
	if (statusCode >= 300 && statusCode < 400) {
		// The query may hold secrets.
		const [address] = String(headers.location ?? '').split(/[?#]/);
		return { kind: 'redirected', to: address.replace(/\/api\/.*|\/$/s, '') || 'another address' };
	}
	if (answer.isTooLarge === true) return { kind: 'unreadable', why: 'tooLarge' };
	if (envelope === undefined) return classifyNonJson(answer);
	if (statusCode < 200 || statusCode >= 400 || reportsError(envelope))
		return classifyFailure(envelope, answer, request);
	if (request.method !== 'GET' && !confirmsChange(envelope, request.isCreation))
		return { kind: 'unreadable', why: 'noResult' };
	if (request.method === 'GET' && ONE_RECORD.test(request.path) && !showsRecord(envelope))
		return { kind: 'unreadable', why: 'otherData' };
	const content = { ...envelope };
	delete content.error;
	return { kind: 'done', body: content };
}
