import type { Endpoint } from './contract';
import type { Behavior } from './dialect';
import type { Failure, ServiceError } from './operation';
import { isCreation } from './service';

export type Json = Record<string, unknown>;

/** An answer before it is sent: a JSON body, or text of another type. */
export interface Answer {
	status: number;
	body?: Json;
	text?: string;
	contentType?: string;
	headers?: Record<string, string>;
	/** Sends so many characters of the text alone, and then ends the connection. */
	breakAfter?: number;
}

/** The cookie with which requests pass what stands in front of the service. */
const PASSAGE = 'passage=granted';

/** A page that lets browsers alone pass: its script sets a cookie and loads again. */
const SCRIPT_PAGE = `<html><body><script>document.cookie="${PASSAGE}; path=/";location.reload();</script></body></html>`;

/** Fields whose numbers some services send as text, in records and in answers to creations. */
const COUNTED = new Set(['id', 'clicks', 'uniqueclicks', 'scans', 'views']);

/** Writes answers as the service at hand does: what error holds, statuses, numbers, and failures. */
export class Answers {
	private turn = 0;

	/** @param behavior read again by each answer */
	constructor(private readonly behavior: Behavior) {}

	/** A success. @param collection the name of the list, when it is one */
	success(endpoint: Endpoint, body: Json, collection: string | undefined): Answer {
		const creation = isCreation(endpoint.operationId);
		const flagged = { ...body, error: this.successFlag(body.error) };
		const { numbersAsText } = this.behavior;
		const isText = numbersAsText === 'everywhere' || (numbersAsText === 'lists' && !creation);
		return {
			status: creation ? this.behavior.createdStatus : 200,
			body: isText ? withTextNumbers(flagged, creation, collection) : flagged,
		};
	}

	/** An error envelope. */
	envelope(status: number, message: string): Answer {
		return { status, body: { error: this.failureFlag(message), [this.behavior.messageIn]: message } };
	}

	/** The answer to a request beyond the limit. @param retryAfter in whole seconds */
	refusal(retryAfter: number): Answer {
		const message = 'Too many requests. Please slow down.';
		switch (this.behavior.refusal) {
			case 'status429':
				return { status: 429, body: { error: 1, message } };
			case 'status429Text':
				return { status: 429, text: message, contentType: 'text/plain' };
			case 'status200':
			case 'status429Body': {
				const status = this.behavior.refusal === 'status200' ? 200 : 429;
				return { status, body: { error: 429, message, 'Retry-After': retryAfter } };
			}
		}
	}

	/** What the service answers when it could not do what was asked for. */
	failure({ message, why }: ServiceError): Answer {
		const { errorStatus, notFoundStatus, validationError, wrongQrData, planFull } = this.behavior;
		if (why === 'qrData' && wrongQrData === 'page') return page(500);
		if (why === 'planFull' && planFull === 'page') return page(500);
		if ((why === 'value' || why === 'qrData') && validationError === 'empty') return { status: errorStatus, text: '' };
		const statuses: Partial<Record<Failure, number>> = { duplicate: 400, notFound: notFoundStatus };
		return this.envelope(statuses[why] ?? errorStatus, message);
	}

	/** What stands in the way of a request with a valid key: the plan, the account, or an endpoint that is not there. */
	obstacle(endpoint: Endpoint): Answer | undefined {
		const { access, missing, rights } = this.behavior;
		if (access === 'plan') return this.envelope(403, 'Your plan does not include the API.');
		if (access === 'suspended') return this.envelope(403, 'This account is suspended.');
		if (access === 'account' && endpoint.operationId === 'accountGet') {
			return this.envelope(403, 'This key may not read the account.');
		}
		const ofAccount = endpoint.operationId.startsWith('account');
		const mayUse = rights === 'others' ? !ofAccount : rights === 'all' || endpoint.operationId.startsWith(rights);
		if (!mayUse) return this.envelope(200, 'You do not have access to this endpoint with this API key.');
		return LACKED[missing](endpoint) ? this.noEndpoint() : undefined;
	}

	/** What the service answers where it has no endpoint. */
	noEndpoint(): Answer {
		switch (this.behavior.missingAnswer) {
			case 'status404':
				return this.envelope(404, 'The requested route does not exist.');
			case 'status405':
				return this.envelope(405, 'This method is not allowed for this route.');
			case 'page':
				return page(404);
			case 'page405':
				return page(405);
		}
	}

	/** What stands in front of the service, in place of an answer. */
	front(cookies: string | undefined): Answer | undefined {
		const { front } = this.behavior;
		if (front === 'nothing' || cookies?.includes(PASSAGE)) return undefined;
		return front === 'script'
			? { status: 200, text: SCRIPT_PAGE, contentType: 'text/html' }
			: page(403, 'Access denied');
	}

	private successFlag(document: unknown): unknown {
		const { success } = this.behavior;
		if (success === 'number') return document;
		const flags = { zero: [0], text: ['0'], boolean: [false], inTurn: [false, '0', 0] }[success];
		return flags[this.turn++ % flags.length];
	}

	private failureFlag(message: string): unknown {
		const flags = { number: [1], boolean: [true], text: [message], inTurn: [true, message, 1] }[this.behavior.failure];
		return flags[this.turn++ % flags.length];
	}
}

const LACKED: Record<Behavior['missing'], (endpoint: Endpoint) => boolean> = {
	none: () => false,
	pixels: ({ operationId }) => operationId.startsWith('pixel'),
	linkChanges: ({ operationId }) => operationId === 'linkUpdate' || operationId === 'linkDelete',
	leftOut: ({ leftOut }) => leftOut,
	lists: ({ operationId, collection }) => collection !== undefined && operationId !== 'linkGetAll',
	half: ({ operationId, leftOut }) => leftOut || /^(channel|qrCode|domain|splashPage|overlay)/.test(operationId),
};

/** A web server's page with a status. */
export function page(status: number, title = 'Bad gateway'): Answer {
	const text = `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
	return { status, text, contentType: 'text/html' };
}

function withTextNumbers(body: Json, creation: boolean, collection: string | undefined): Json {
	if (creation) return counted(body);
	const data = body.data as Json | undefined;
	const records = collection === undefined ? undefined : data?.[collection];
	if (collection === undefined || !Array.isArray(records)) return body;
	return { ...body, data: { ...data, [collection]: (records as Json[]).map(counted) } };
}

function counted(record: Json): Json {
	return Object.fromEntries(
		Object.entries(record).map(([key, value]) => [
			key,
			COUNTED.has(key) && typeof value === 'number' ? String(value) : value,
		]),
	);
}
