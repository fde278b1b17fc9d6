/** What each kind of failure means, and what to do about it: the one table of both. */
import type { NoAnswer } from '../../n8n/requests';
import { asText } from '../records';
import { LONGEST_SECRETS, type Redaction } from '../redact';
import { type Advice, inEditor, together } from './advice';
import { type Answer, LONGEST_MESSAGE, type Unreadable } from './answer';

/** Every answer that is a failure, and no answer. */
export type Failure = Exclude<Answer, { kind: 'done' | 'notFound' | 'rateLimited' }> | NoAnswer;

/** Every way in which a request fails. The last ones follow from more than one answer. */
export type FailureKind = Failure['kind'] | 'rateLimited' | 'uncertain' | 'outage' | 'otherwise';

/** What the text of an error depends on. */
export interface Told {
	failure: Failure;
	method: string;
	path: string;
	statusCode?: number;
	/** Base URL. */
	address: string;
	/** The service has answered properly before: the Base URL is right. */
	isKnown: boolean;
}

/** What a failure means for others. */
interface Effect {
	/** What the failure affects: every other request for the same row, endpoint, key or service fails in the same way. */
	affects: 'row' | 'endpoint' | 'key' | 'service';
	/** The same request may succeed later. */
	isTransient?: true;
	/** The service may have processed the request all the same. */
	mayBeDone?: true;
}

interface FailureRow extends Effect {
	message: string | ((told: Told) => string);
	advice: Advice | ((told: Told) => Advice);
	/** The service's own words are the message, where there are any; else they are part of the advice. */
	isInItsWords?: true;
}

/** What an answer may have at most: bytes (decoded), values, and levels of values in values. */
export const LARGEST_ANSWER = { bytes: 4 * 1024 * 1024, values: 250_000, levels: 100 };

const IN_CREDENTIAL = 'in the Link Management API credential';
const LATER = "Try again later. If that doesn't help, ask the owner of the service.";
export const ADDRESS = inEditor(`Check the Base URL ${IN_CREDENTIAL}.`);
const CERTIFICATE =
	'Check the certificate of the service, too. A service in your own network may need http:// at the beginning of the Base URL. If the certificate is self-signed, turn on Ignore SSL Issues (Insecure) there, or ask the administrator of n8n to set NODE_EXTRA_CA_CERTS.';
const EXPIRED = 'Its certificate has expired. Ask the owner of the service to renew it.';
const FORBIDDEN_ADDRESS =
	'If the service runs in your own network, ask the administrator of n8n to allow it. N8N_SSRF_ALLOWED_HOSTNAMES takes the host of the Base URL, N8N_SSRF_ALLOWED_IP_RANGES its IP address.';

const ANSWERS: Record<Unreadable, string> = {
	empty: 'an empty answer',
	page: 'a web page instead of data',
	notJson: 'something that is not JSON',
	tooLarge: `more than ${LARGEST_ANSWER.bytes / 1024 / 1024} MB, or more than ${LARGEST_ANSWER.values.toLocaleString('en')} values`,
	noResult: 'something that does not say whether the change was made',
	otherData: 'something other than what was asked for',
};

/** What happened instead of an answer, by its error code. */
const REASONS: Record<string, string> = {
	ECONNREFUSED: 'refused the connection',
	ENOTFOUND: 'was not found: no host has this name',
	EAI_AGAIN: 'was not found: no host has this name',
	ETIMEDOUT: 'did not answer in time',
	ECONNABORTED: 'did not answer in time',
};

/** The service failed, or refuses a value, or the address is not that of the service. */
const BROKEN: Omit<FailureRow, 'affects'> = {
	isTransient: true,
	mayBeDone: true,
	isInItsWords: true,
	message: ({ failure }) =>
		'why' in failure && failure.why !== undefined
			? `The service answered with ${ANSWERS[failure.why]}`
			: 'The service could not handle this request',
	advice: ({ method, isKnown, address, failure }) => {
		if (!isKnown && 'why' in failure) return together(ADDRESS, inEditor(`It leads to ${address}.`));
		// A full plan gives a page, a refused value an empty answer (field notes, "Envelope and types").
		return `${method === 'GET' ? '' : 'Check the values you entered, and the limits of your plan at the service. '}${LATER}`;
	},
};

const DOWN: Omit<FailureRow, 'affects'> = { isTransient: true, message: 'The service is down', advice: LATER };

const FAILURES: Readonly<Record<Failure['kind'], FailureRow>> = {
	/** The service refuses the request: only its words say why. */
	refused: {
		affects: 'row',
		isInItsWords: true,
		message: ({ statusCode }) => `The service refused the request without saying why (HTTP ${statusCode})`,
		advice: ({ path }) => {
			const ids = path.split('/').filter((part) => /^\d+$/.test(part));
			return `Check ${ids.length > 0 ? `the ID ${ids.join(' and ')}, and ` : ''}the values you entered.`;
		},
	},
	/** The service does not accept the key. */
	unauthorized: {
		affects: 'key',
		message: 'The service refused the API Key',
		advice: inEditor(
			`Copy the key again from your account settings at the service, and enter it as the API Key ${IN_CREDENTIAL}. If the key is right, the web server of the service may drop it: ask the owner of the service to pass on the Authorization header.`,
		),
	},
	/** The key is valid but lacks the right (field notes, "Resources": rights by resource). */
	missingScope: {
		affects: 'endpoint',
		message: ({ path }) => `The API Key does not have the right to use ${path}`,
		advice: inEditor(
			`Add this right to the key in your account at the service, or enter another key ${IN_CREDENTIAL}.`,
		),
	},
	/** The plan, the account or the key is not allowed to: only the service's words say which. */
	forbidden: {
		affects: 'endpoint',
		isInItsWords: true,
		message: 'The service does not allow this',
		advice: together(
			'The plan may not include the API or this operation, the account may be suspended, or the API Key may be wrong.',
			inEditor('Check your account at the service.'),
		),
	},
	/** The service has no such path. */
	missingEndpoint: {
		affects: 'endpoint',
		message: ({ method, path }) => `This service does not offer ${method} ${path}`,
		advice: 'Link services differ in what they offer. Use another operation, or ask the service.',
	},
	/** The service failed; the request may have been processed. */
	serverError: { affects: 'row', ...BROKEN },
	/** No JSON, or too much of it. */
	unreadable: { affects: 'row', ...BROKEN },
	/** The service or what is behind it does not work now, and nothing was done. */
	down: { affects: 'service', ...DOWN },
	/** What is behind the service gave no answer: the request may have been processed. */
	badGateway: { affects: 'service', ...DOWN, mayBeDone: true },
	/** No answer came. */
	unreachable: {
		affects: 'service',
		isTransient: true,
		mayBeDone: true,
		message: ({ failure }) => {
			const { code, isPermanent, isForbidden } = failure as NoAnswer;
			if (isForbidden) return 'n8n blocks requests to the service, because its address is private';
			if (isPermanent) return 'No secure connection to the service could be made';
			return `The service ${REASONS[code] ?? 'closed the connection'}`;
		},
		advice: ({ failure }) => {
			const { code, isPermanent, isForbidden } = failure as NoAnswer;
			if (isForbidden) return inEditor(FORBIDDEN_ADDRESS);
			if (/EXPIRED/.test(code)) return `${EXPIRED} (${code})`;
			const certificate = inEditor(`${CERTIFICATE} (${code})`);
			const line = {
				editor: `If it is right, the service is down, or n8n can't reach it. (${code})`,
				model: 'Call again later.',
			};
			return together(ADDRESS, isPermanent ? certificate : line);
		},
	},
	/** A page of something in front of the service, which never got the request. */
	intercepted: {
		affects: 'service',
		message: 'Something in front of the service answered with a page',
		advice: {
			editor: `The API Key and the Base URL may be right. The usual cause is bot protection. Ask the owner of the service to let requests to /api through, or ask which header they need. Enter that header ${IN_CREDENTIAL}, with Add Custom Header.`,
			model: 'The usual cause is bot protection.',
		},
	},
	/** The address redirects to another. */
	redirected: {
		affects: 'service',
		message: ({ failure }) => `The service redirects to ${'to' in failure ? failure.to : ''}`,
		advice: inEditor(
			`The key is only ever sent to the Base URL, so the redirect was not followed. If this is the right address of the service, enter it as the Base URL ${IN_CREDENTIAL}.`,
		),
	},
};

const EFFECTS: Readonly<Record<Exclude<FailureKind, Failure['kind']>, Effect>> = {
	rateLimited: { affects: 'key', isTransient: true },
	/** Nobody knows whether the change was made. */
	uncertain: { affects: 'row', mayBeDone: true },
	/** The service was waited for, and is still down. */
	outage: { affects: 'service', isTransient: true },
	/** It was done, in another way than was asked for. Retry On Fail must not do it again. */
	otherwise: { affects: 'row' },
};

/** What a kind of failure means for other requests. */
export function effectOf(kind: FailureKind): Effect {
	return { ...EFFECTS, ...FAILURES }[kind];
}

/** Words of others, in quotes. What shows them shortens them, once no secret is in them. */
export function inQuotes(words: unknown): string {
	const text = asText(words).slice(0, LONGEST_MESSAGE).replaceAll('"', "'");
	return `"${text.replace(/\p{Cc}+/gu, ' ').replace(/\.$/, '')}"`;
}

/** What happened and what to do, in words. The service's own stand in quotes. */
export function wordsFor(told: Told, redact: Redaction): { message: string; advice: Advice } {
	const { failure, statusCode = 200 } = told;
	const { message, advice, isInItsWords, isTransient } = FAILURES[failure.kind];
	const given = 'message' in failure ? failure.message : '';
	// At the end of a text that was cut, half a secret may stand.
	const isCut = given.length >= LONGEST_MESSAGE;
	const shown = redact.text(given).slice(0, isCut ? -LONGEST_SECRETS.headerValue : undefined);
	const said = shown === '' ? undefined : inQuotes(shown);
	const status = isTransient && statusCode >= 300 ? `(HTTP ${statusCode})` : '';
	const more = said === undefined || isInItsWords ? '' : `It says ${said}.`;
	const text = typeof message === 'string' ? message : redact.text(message(told));
	return {
		message: said !== undefined && isInItsWords ? `The service says ${said}` : text,
		advice: together(typeof advice === 'function' ? advice(told) : advice, more, status),
	};
}
