import type { Endpoint } from './contract';
import type { Behaviour } from './dialect';
import { htmlPage } from './faults';
import type { LimitSettings } from './limit';
import type { ServiceError } from './operation';
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

/** Fields whose numbers some services send as text, in records and in answers to creations. */
const COUNTED = new Set(['id', 'clicks', 'uniqueclicks', 'scans', 'views']);

/** Writes answers as the service at hand does: what error holds, statuses, numbers, and failures. */
export class Answers {
	private turn = 0;

	/** @param behaviour read again by each answer */
	constructor(private readonly behaviour: Behaviour) {}

	/** A success. @param collection the name of the list, when it is one */
	success(endpoint: Endpoint, body: Json, collection: string | undefined): Answer {
		const creation = isCreation(endpoint.operationId);
		const flagged = { ...body, error: this.successFlag(body.error) };
		return {
			status: creation ? this.behaviour.createdStatus : 200,
			body: this.behaviour.numbersAsText ? withTextNumbers(flagged, creation, collection) : flagged,
		};
	}

	/** An error envelope. */
	envelope(status: number, message: string): Answer {
		return { status, body: { error: this.failureFlag(message), message } };
	}

	/** What the service answers when it could not do what was asked for. */
	failure({ message, why }: ServiceError): Answer {
		const { errorStatus, validationError, wrongQrData, planFull } = this.behaviour;
		if (why === 'qrData' && wrongQrData === 'page') return page(500);
		if (why === 'planFull' && planFull === 'page') return page(500);
		if ((why === 'value' || why === 'qrData') && validationError === 'empty') return { status: errorStatus, text: '' };
		return this.envelope(why === 'duplicate' ? 400 : errorStatus, message);
	}

	/** What stands in the way of a request with a valid key: the plan, the account, or an endpoint that is not there. */
	obstacle(endpoint: Endpoint): Answer | undefined {
		const { access, missing, missingAnswer } = this.behaviour;
		if (access === 'plan') return this.envelope(403, 'Your plan does not include the API.');
		if (access === 'suspended') return this.envelope(403, 'This account is suspended.');
		if (access === 'account' && endpoint.operationId === 'accountGet') {
			return this.envelope(403, 'This key may not read the account.');
		}
		if (!LACKED[missing](endpoint)) return undefined;
		if (missingAnswer === 'page') return page(404);
		return missingAnswer === 'status405' ? this.envelope(405, 'Method not allowed.') : this.envelope(404, 'Not found.');
	}

	private successFlag(document: unknown): unknown {
		const { success } = this.behaviour;
		if (success === 'number') return document;
		const flags = { text: ['0'], boolean: [false], inTurn: [false, '0', 0] }[success];
		return flags[this.turn++ % flags.length];
	}

	private failureFlag(message: string): unknown {
		const flags = { number: [1], boolean: [true], text: [message], inTurn: [true, message, 1] }[this.behaviour.failure];
		return flags[this.turn++ % flags.length];
	}
}

const LACKED: Record<Behaviour['missing'], (endpoint: Endpoint) => boolean> = {
	none: () => false,
	pixels: ({ operationId }) => operationId.startsWith('pixel'),
	linkChanges: ({ operationId }) => operationId === 'linkUpdate' || operationId === 'linkDelete',
	leftOut: ({ leftOut }) => leftOut,
	lists: ({ operationId, collection }) => collection !== undefined && operationId !== 'linkGetAll',
};

/** A web server's page with a status. */
export function page(status: number): Answer {
	return { status, text: htmlPage(), contentType: 'text/html' };
}

/** The body of a failure in another form. @param retryAfter seconds, for the form that says so */
export function bodyOf(form: LimitSettings['body'], message: string, retryAfter = 0): Partial<Answer> {
	switch (form) {
		case 'envelope':
			return { body: { error: 1, message } };
		case 'retryAfter':
			return { body: { error: 429, message, 'Retry-After': retryAfter } };
		case 'html':
			return { text: htmlPage(), contentType: 'text/html' };
		case 'text':
			return { text: message, contentType: 'text/plain' };
		case 'empty':
			return { text: '' };
	}
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
