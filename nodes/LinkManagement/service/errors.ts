import { DateTime } from 'luxon';
import { NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { MOST_LEVELS, type Answer, type Asked, type Unreadable } from './answer';
import { CredentialError } from './baseUrl';
import type { Redaction } from './redact';
import { errorInWords, type Shown } from '../n8n/output';
import type { NoAnswer } from '../n8n/requests';

/** Everything that may come of a request but for a success, and for a refusal that is waited out. */
export type Failure = Exclude<Answer, { is: 'done' | 'limited' }> | NoAnswer;

/** A value that can't be used; `advice` says what to enter instead. */
export class ValueError extends Error {
	constructor(
		message: string,
		readonly advice: string,
	) {
		super(message);
	}
}

/** A request that failed for good. `message` says what happened, `advice` what to do. */
export class ApiError extends Error {
	constructor(
		/** `uncertain`: a change was sent, and nobody knows whether it was made. */
		readonly kind: Failure['is'] | 'limited' | 'uncertain',
		message: string,
		readonly advice: string,
		/** The HTTP status, where there was an answer. */
		readonly statusCode?: number,
		/** Method and path of the request, where the service lacks just these. */
		readonly endpoint?: string,
		/** What came of the request. */
		readonly failure?: Failure,
	) {
		super(message);
	}

	/** Why the answer can't be read as data, where it is no JSON. */
	get why(): Unreadable | undefined {
		return this.failure !== undefined && 'why' in this.failure ? this.failure.why : undefined;
	}
}

/** A row was done, though otherwise than it asked for: no try does it again. */
export class DoneOtherwiseError extends ApiError {
	constructor(
		message: string,
		advice: string,
		/** What the failed row shows of what was done, so that nothing is lost. */
		readonly record: IDataObject,
	) {
		super('refused', message, advice);
	}
}

/** What the text of an error takes into account besides the answer. */
interface Circumstances extends Asked {
	/** The service's message may repeat the key. */
	redact: Redaction;
	/** Undefined where there was no answer. */
	statusCode?: number;
	/** The service has answered properly before: then the Base URL is right. */
	isKnown: boolean;
}

/** What happened, what to do, and the endpoint that the service lacks. */
type Words = [message: string, advice: string, endpoint?: string];

const LONGEST_MESSAGE = 500;
/** The largest answer (bytes, decoded) that is read. */
export const LARGEST_ANSWER = 50 * 1024 * 1024;

const CREDENTIAL = 'in the Link Management API credential';
const CHECK_KEY = `Check the API Key ${CREDENTIAL}. You find the key in your account settings at the service.`;
/** A 403 may mean the key, the plan or the account; the service's message alone tells which. */
const CHECK_ACCESS = `This is the answer of the link service. The plan may not include the API, the account may be suspended, or the API Key ${CREDENTIAL} may be wrong. Look at your account at the service.`;
const CHECK_VALUES = 'This is the answer of the link service. Correct what it names and run the node again.';
const CHECK_ADDRESS = `Check the Base URL ${CREDENTIAL}. The test of the credential looks for the right address.`;
const CHECK_PLAN = 'Check the limits of your plan at the service first, then the values of this item.';
const BEFORE_THE_SERVICE = `This says nothing about the API Key or the Base URL. Bot protection is the usual cause. Ask the owner of the service to let requests to /api through, or ask which header they need. Enter that header ${CREDENTIAL}, with Add Custom Header.`;
const PASSWORD_BEFORE_THE_SERVICE =
	'This password is not the API Key: a web server in front of the service asks for it. Ask the owner of the service to let requests to /api through without it.';
const CHECK_CERTIFICATE = `Check the Base URL ${CREDENTIAL}, and the certificate of the service. If the certificate is self-signed, turn on Request Options → Ignore SSL Issues in the node, or ask the administrator of n8n to set NODE_EXTRA_CA_CERTS.`;
const ASK_ADMINISTRATOR =
	'If the service runs in your own network, ask the administrator of n8n to allow it. N8N_SSRF_ALLOWED_HOSTNAMES takes the host of the Base URL, N8N_SSRF_ALLOWED_IP_RANGES its IP address.';

const WORDS: Record<Unreadable, string> = {
	empty: 'an empty answer',
	page: 'a web page instead of data',
	cutOff: 'an incomplete answer',
	other: 'something that is not JSON',
	tooDeep: `data that is nested more than ${MOST_LEVELS} levels deep`,
	tooLarge: `more than ${LARGEST_ANSWER / 1024 / 1024} MB`,
};

/** What the service did, where no answer came; a line that broke where nothing is named. */
const REASONS: Record<string, string> = {
	ECONNREFUSED: 'refused the connection',
	ENOTFOUND: 'was not found: there is no host of that name',
	EAI_AGAIN: 'was not found: there is no host of that name',
	ETIMEDOUT: 'did not answer in time',
	ECONNABORTED: 'did not answer in time',
};

function unreachable({ code, lasting, isForbidden }: NoAnswer): Words {
	if (isForbidden)
		return ['n8n blocks requests to the address of the service, which is a private one', ASK_ADMINISTRATOR];
	if (lasting) return ['No secure connection to the service could be made', `${CHECK_CERTIFICATE} (${code})`];
	const advice = `Check the Base URL ${CREDENTIAL}. If it is right, the service is down, or n8n can't reach it. (${code})`;
	return [`The service ${REASONS[code] ?? 'broke off the connection'}`, advice];
}

/** An answer that is no JSON: the service failed, or it is not the service at all. */
function notData(why: Unreadable, { statusCode = 200, method, isKnown }: Circumstances): Words {
	const status = statusCode >= 200 && statusCode < 300 ? '' : ` (HTTP ${statusCode})`;
	const isChange = method !== 'GET';
	if (!isKnown) {
		const advice = isChange ? `${CHECK_ADDRESS} If it is right: ${CHECK_PLAN}` : CHECK_ADDRESS;
		return [`The service answered with ${WORDS[why]}${status}`, advice];
	}
	const inBrackets = `(It answered with ${WORDS[why]}${status === '' ? '' : `, HTTP ${statusCode}`}.)`;
	if (!isChange)
		return [`The service could not handle this request`, `It has answered others. Try again later. ${inBrackets}`];
	// A full plan answers with a page, a value that is not taken with nothing (field notes, "Envelope and types").
	const isFull = method === 'POST' && why === 'page';
	const cause = isFull ? 'Your plan may be full' : 'It may not take one of the values';
	const advice = isFull
		? CHECK_PLAN
		: 'Check the values of this item first, then the limits of your plan at the service.';
	return [`The service could not handle this request. ${cause}`, `${advice} ${inBrackets}`];
}

/** The right that a request needs, as services name them: by its resource, which is the first word of the path. */
export function rightFor(path: string): string {
	const [, word = ''] = /^\/api\/(\w+?)s?(?:\/|$)/.exec(path) ?? [];
	// The account and QR codes have rights in the singular.
	return word === 'url' ? 'links' : /^(?:account|qr)$/.test(word) ? word : `${word}s`;
}

function wordsOf(answer: Failure, circumstances: Circumstances): Words {
	const { method, path, redact, statusCode, isKnown } = circumstances;
	// Cut off after the key is out: half a key must not stand either.
	const words = 'told' in answer ? redact.text(answer.told).slice(0, LONGEST_MESSAGE) : '';
	const message = words || `The service refused the request without saying why (HTTP ${statusCode})`;
	switch (answer.is) {
		case 'none':
		case 'refused':
			return [message, CHECK_VALUES];
		case 'key':
			return [words || `The service refused the API Key (HTTP ${statusCode})`, CHECK_KEY];
		case 'noRight':
			return [
				message,
				`The API Key works, but it does not have the right "${rightFor(path)}". Add this right to the key in your account at the service, or enter another key ${CREDENTIAL}.`,
			];
		case 'plan':
			return [message, CHECK_ACCESS];
		case 'failing':
			if (answer.why !== undefined) return notData(answer.why, circumstances);
			return [
				words || 'The service could not handle this request',
				`The service could not do what it was asked for. Try again later. If it still can't, check the values of this item, or ask the service. (HTTP ${statusCode})`,
			];
		case 'noEndpoint':
			if (answer.why !== undefined && !isKnown) return notData(answer.why, circumstances);
			return [
				`This service does not offer ${method} ${path}`,
				'Services of this kind differ in what they offer. Use another operation, or ask the service.',
				`${method} ${path}`,
			];
		case 'unreadable':
			return notData(answer.why, circumstances);
		case 'unreachable':
			return unreachable(answer);
		case 'front':
			return answer.wantsPassword
				? ['Something in front of the service asks for a password', PASSWORD_BEFORE_THE_SERVICE]
				: [`Something in front of the service answered with a page (HTTP ${statusCode})`, BEFORE_THE_SERVICE];
		case 'olderApi':
			return [
				'The service speaks an older generation of this API',
				'This package does not support it. Ask the service whether it has a newer API. (It wants the key as "Authorization: Token …".)',
			];
		case 'redirected':
			return [
				`The service redirects to ${redact.text(answer.to)}`,
				`The key is only ever sent to the Base URL, so the redirect was not followed. If this is the right address of the service, enter it as the Base URL ${CREDENTIAL}.`,
			];
	}
}

/** A request that failed, in plain words: what happened, and what to do. */
export function errorOf(answer: Failure, circumstances: Circumstances): ApiError {
	const [message, advice, endpoint] = wordsOf(answer, circumstances);
	return new ApiError(answer.is, message, advice, circumstances.statusCode, endpoint, answer);
}

const MADE: Record<string, string> = { POST: 'It may have been created', DELETE: 'It may have been deleted' };

/** A change that was sent, and whose answer did not arrive. `kind` stays where it does no harm to send the change once more. */
export function lostChange({ kind, message, advice, statusCode }: ApiError, method: string): ApiError {
	const made = MADE[method] ?? 'The change may have been made';
	const caution = 'Look at the service before you run this item again.';
	return new ApiError(
		method === 'PUT' ? kind : 'uncertain',
		`${message}. ${made} all the same`,
		`${caution} ${advice}`,
		statusCode,
	);
}

/** How long, as people say it. */
function durationInWords(milliseconds: number): string {
	const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
	if (seconds < 100) return seconds === 1 ? 'a second' : `${seconds} seconds`;
	const minutes = Math.ceil(seconds / 60);
	if (minutes < 100) return `${minutes} minutes`;
	const hours = Math.round(seconds / 3600);
	if (hours < 20) return `about ${hours} hours`;
	const days = Math.round(hours / 24);
	return days === 1 ? 'about a day' : `about ${days} days`;
}

/** A moment as people say it: "at 18:18", or "on 24 November at 18:18". */
function momentInWords(at: number, zone: string): string {
	const moment = DateTime.fromMillis(at, { zone }).setLocale('en');
	const isToday = moment.hasSame(DateTime.now().setZone(zone), 'day');
	return moment.toFormat(isToday ? "'at' HH:mm" : "'on' d LLLL 'at' HH:mm");
}

/** @param zone the workflow's, where there is one */
export function limitError(waitMs: number, retryAt: number, advice: string, zone?: string): ApiError {
	const moment = zone === undefined ? '' : `, ${momentInWords(retryAt, zone)}`;
	const message = `The rate limit of the service is used up. It answers again in ${durationInWords(waitMs)}${moment}`;
	return new ApiError('limited', message, advice, 429);
}

/** An error without the secrets of the credential, in all that n8n shows and saves of it. */
export function withoutSecrets<E extends Error>(error: E, redact: Redaction): E {
	const texts = error as {
		message: string;
		stack?: string;
		description?: unknown;
		messages?: unknown;
		cause?: unknown;
	};
	for (const name of ['message', 'stack', 'description', 'messages'] as const) {
		const value = texts[name];
		if (typeof value === 'string') texts[name] = redact.text(value);
		else if (Array.isArray(value)) texts.messages = value.map((entry) => redact.text(String(entry)));
	}
	if (texts.cause instanceof Error && texts.cause !== error) withoutSecrets(texts.cause, redact);
	return error;
}

/** An error as n8n shows it, for triggers and dropdowns. `redact` is that of the credential, where it was read. */
export function toNodeError(node: INode, error: unknown, redact?: Redaction): Error {
	const shown =
		error instanceof CredentialError
			? new NodeOperationError(node, error.message)
			: error instanceof ApiError
				? errorInWords(node, { message: error.message, ...detailsOf(error) })
				: (error as Error);
	return redact === undefined ? shown : withoutSecrets(shown, redact);
}

/** What n8n shows of an error besides its message. */
export function detailsOf(error: unknown): Omit<Shown, 'message'> {
	if (!(error instanceof ApiError)) return {};
	const { advice, statusCode } = error;
	return { description: advice, ...(statusCode === undefined ? {} : { httpCode: String(statusCode) }) };
}
