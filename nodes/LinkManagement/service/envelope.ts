import type { IDataObject } from 'n8n-workflow';

import { Fault } from './fault';
import { withoutKey } from './key';

/** An HTTP answer, whatever its status. Header names are in lower case. */
export interface Answer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** One page of a list (spec, "Paged list envelope"). Figures that the service leaves out, or garbles, are missing. */
export interface Page {
	records: IDataObject[];
	/** Number of results in all. */
	result?: number;
	/** Page size that the service granted. */
	perpage?: number;
	/** Last page number. */
	maxpage?: number;
}

const LONGEST_MESSAGE = 500;
const CHECK_KEY = 'Check the API Key in the Link Management API credential. You find the key in your account at the service.';
const CHECK_ADDRESS = 'Check the Base URL in the Link Management API credential.';

export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A whole number of at least `least`, given as a number or as text; anything else is undefined. */
export function wholeNumber(value: unknown, least: number): number | undefined {
	const figure = typeof value === 'string' && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value;
	return typeof figure === 'number' && Number.isSafeInteger(figure) && figure >= least ? figure : undefined;
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

function hostOf(location: unknown): string {
	try {
		return new URL(String(location)).origin;
	} catch {
		return 'another address';
	}
}

/**
 * What is wrong with an answer, or undefined when it is a success (spec, "Errors": error = 1 is an error at any HTTP
 * status; the status may be checked besides).
 *
 * @param key the API key, which the service's message may repeat
 */
export function faultIn(answer: Answer, key = ''): Fault | undefined {
	const { statusCode, body } = answer;
	if (statusCode >= 300 && statusCode < 400) {
		return new Fault(
			'redirected',
			`The service redirects to ${hostOf(answer.headers.location)}`,
			`The key is sent to no other host, so the redirect was not followed. If that is the service's right address, enter it as the Base URL of the credential.`,
			statusCode,
		);
	}
	const isKeyProblem = statusCode === 401 || statusCode === 403;
	if (!isRecord(body)) {
		if (isKeyProblem) return new Fault('rejected', `The service refused the API Key (HTTP ${statusCode})`, CHECK_KEY, statusCode);
		const start = typeof body === 'string' ? body.slice(0, 2000) : '';
		const what = /<html|<!doctype/i.test(start)
			? 'a web page instead of data'
			: /^\s*[{[]/.test(start)
				? 'an incomplete answer'
				: 'something that is not JSON';
		const status = statusCode >= 200 && statusCode < 300 ? '' : ` (HTTP ${statusCode})`;
		return new Fault('unreadable', `The service answered with ${what}${status}`, CHECK_ADDRESS, statusCode);
	}
	const isHttpError = statusCode < 200 || statusCode >= 400;
	if (!isHttpError && !saysError(body)) return undefined;
	const told = messageOf(body, key);
	const message = told || `The service refused the request without saying why (HTTP ${statusCode})`;
	const advice =
		isKeyProblem || /\b(api[ _-]?key|token|unauthori[sz]ed|authenticat\w*)\b/i.test(message)
			? CHECK_KEY
			: statusCode === 404 && told === ''
				? CHECK_ADDRESS
				: 'This is the answer of the link service. Correct what it names and run the node again.';
	return new Fault('rejected', message, advice, statusCode);
}

/**
 * Reads a list (spec, "Paged list envelope").
 *
 * @param body a successful answer's body
 * @param collection the name under which the resource's records stand
 * @throws Fault when there is no such list in it
 */
export function readPage(body: unknown, collection: string): Page {
	const data = isRecord(body) ? body.data : undefined;
	const records: unknown = isRecord(data) ? data[collection] : undefined;
	if (!isRecord(data)) {
		if (Array.isArray(data) && data.length === 0) return { records: [] };
		throw new Fault('unreadable', `The service answered without the list "${collection}"`, CHECK_ADDRESS);
	}
	// An empty list may come as null, as an empty object, or not at all.
	const list: unknown[] = Array.isArray(records) ? records : isRecord(records) ? Object.values(records) : [];
	return {
		records: list.filter(isRecord),
		result: wholeNumber(data.result, 0),
		perpage: wholeNumber(data.perpage, 1),
		maxpage: wholeNumber(data.maxpage, 0),
	};
}
