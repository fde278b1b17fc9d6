/** What each kind of failure means, and what to do about it: the one table of both. */
import type { NoAnswer } from '../n8n/requests';
import { inEditor, toModel } from './advice';
import { type Answer, LONGEST_MESSAGE, type Unreadable } from './answer';
import { asText } from './records';
import { LONGEST_SECRETS, type Redaction } from './redact';

/** Every outcome of a request except success and a rate limit that is waited out. */
export type Failure = Exclude<Answer, { kind: 'done' | 'rateLimited' }> | NoAnswer;

/**
 * Every way in which a request fails. `unreachable`: no answer came. `uncertain`: nobody knows whether the change was made. `outage`: the
 * service was waited for, and is still down.
 */
export type FailureKind = Failure['kind'] | 'rateLimited' | 'uncertain' | 'outage';

/** What the text of an error depends on besides the answer. */
export interface Circumstances {
	method: string;
	path: string;
	redact: Redaction;
	statusCode?: number;
	/** Base URL. */
	address: string;
	/** The service has answered properly before: the Base URL is right. */
	isKnown: boolean;
}

/** A failure, with the service's own words in quotes, as far as there are any. */
interface Told extends Circumstances {
	said?: string;
	failure: Failure;
}

/** What happened, and what to do. */
type Words = [message: string, advice: string];

interface Meaning {
	/** What the failure affects: every other request for the same row, endpoint, key or service fails in the same way. */
	affects: 'row' | 'endpoint' | 'key' | 'service';
	/** The same request may succeed later. */
	isTransient?: boolean;
	/** The service may have processed the request all the same. */
	mayBeDone?: boolean;
	words(told: Told): Words;
}

/** What an answer may have at most: bytes (decoded), values, and levels of values in values. */
export const LARGEST_ANSWER = { bytes: 4 * 1024 * 1024, values: 250_000, levels: 100 };

const CREDENTIAL = 'in the Link Management API credential';
const LATER = "Try again later. If that doesn't help, ask the owner of the service.";
export const ADDRESS = inEditor(`Check the Base URL ${CREDENTIAL}.`);
const CERTIFICATE = `${ADDRESS} ${inEditor('Check the certificate of the service, too. A service in your own network may need http://. If the certificate is self-signed, turn on Ignore SSL Issues (Insecure) there, or ask the administrator of n8n to set NODE_EXTRA_CA_CERTS.')}`;
const EXPIRED = 'Its certificate has expired. Ask the owner of the service to renew it.';
const FORBIDDEN_ADDRESS = inEditor(
	'If the service runs in your own network, ask the administrator of n8n to allow it. N8N_SSRF_ALLOWED_HOSTNAMES takes the host of the Base URL, N8N_SSRF_ALLOWED_IP_RANGES its IP address.',
);

const ANSWERS: Record<Unreadable, string> = {
	empty: 'an empty answer',
	page: 'a web page instead of data',
	notJson: 'something that is not JSON',
	tooLarge: `more than ${LARGEST_ANSWER.bytes / 1024 / 1024} MB, or more than ${LARGEST_ANSWER.values.toLocaleString('en')} values`,
	noResult: 'something that does not say whether the change was made',
};

/** What happened instead of an answer, by its error code. */
const REASONS: Record<string, string> = {
	ECONNREFUSED: 'refused the connection',
	ENOTFOUND: 'was not found: no host has this name',
	EAI_AGAIN: 'was not found: no host has this name',
	ETIMEDOUT: 'did not answer in time',
	ECONNABORTED: 'did not answer in time',
};

/** An HTTP status in brackets, where it says something. */
const status = ({ statusCode = 200 }: Told) => (statusCode < 300 ? '' : ` (HTTP ${statusCode})`);

/** The service's own words as a sentence of an advice. */
const itSays = ({ said }: Told) => (said === undefined ? '' : ` It says ${said}.`);

function unreachable({ failure }: Told): Words {
	const { code, isPermanent, isForbidden } = failure as NoAnswer;
	if (isForbidden) return ['n8n blocks requests to the service, because its address is private', FORBIDDEN_ADDRESS];
	if (isPermanent)
		return [
			'No secure connection to the service could be made',
			`${/EXPIRED/.test(code) ? EXPIRED : CERTIFICATE} (${code})`,
		];
	const advice = `${ADDRESS} ${inEditor("If it is right, the service is down, or n8n can't reach it.")} ${toModel('Call again later.')} (${code})`;
	return [`The service ${REASONS[code] ?? 'closed the connection'}`, advice];
}

/** The service failed, or the address is not that of the service. */
function broken(told: Told): Words {
	const { failure, said, method, address, isKnown } = told;
	const why = 'why' in failure ? failure.why : undefined;
	const what = why === undefined ? '' : `It answered with ${ANSWERS[why]}${status(told)}.`;
	if (why !== undefined && !isKnown)
		return [
			`The service answered with ${ANSWERS[why]}`,
			`${ADDRESS} ${inEditor(`It leads to ${address}.`)}${status(told)}`,
		];
	if (said !== undefined) return [`The service says ${said}`, `${LATER}${status(told)}`];
	const cause = why === 'empty' || why === 'noResult' ? 'It may reject one of the values' : 'Your plan may be full';
	// A full plan gives a page, a refused value an empty answer (field notes, "Envelope and types").
	const isRefusal = method === 'POST' || why === 'empty';
	const first =
		isRefusal && method !== 'GET' ? `Check the values you entered, and the limits of your plan at the service. ` : '';
	return [
		`The service could not handle this request${first && `. ${cause}`}`,
		`${first}${LATER} ${what || status(told).trim()}`,
	];
}

function isDown(told: Told): Words {
	return ['The service is down', `${LATER}${itSays(told)}${status(told)}`];
}

/** The right that a request needs, by the name that services give it (field notes, "Resources"). */
export function rightFor(path: string): string {
	const [, word = ''] = /^\/api\/(account|qr|url|campaign|channel|domain|pixel)s?(?:\/|$)/.exec(path) ?? [];
	if (word === '' || word === 'account' || word === 'qr') return word || `to ${path}`;
	return word === 'url' ? 'links' : `${word}s`;
}

/** A refusal is told in the service's own words: nobody else knows why. */
function refused({ said, path, statusCode }: Told): Words {
	const ids = path.split('/').filter((part) => /^\d+$/.test(part));
	const check =
		ids.length > 0 ? `Check the ID ${ids.join(' and ')}, and the values you entered.` : 'Check the values you entered.';
	if (said === undefined) return [`The service refused the request without saying why (HTTP ${statusCode})`, check];
	return [`The service says ${said}`, check];
}

export const FAILURES: Readonly<Record<Failure['kind'], Meaning>> = {
	notFound: { affects: 'row', words: refused },
	refused: { affects: 'row', words: refused },
	unauthorized: {
		affects: 'key',
		words: (told) => [
			'The service refused the API Key',
			`${inEditor(`Copy the key again from your account settings at the service, and enter it as the API Key ${CREDENTIAL}. If the key is right, the web server of the service may drop it: ask the owner of the service to pass on the Authorization header.`)}${itSays(told)}`,
		],
	},
	missingScope: {
		affects: 'endpoint',
		words: (told) => [
			`The API Key does not have the right "${rightFor(told.path)}"`,
			`${inEditor(`Add this right to the key in your account at the service, or enter another key ${CREDENTIAL}.`)}${itSays(told)}`,
		],
	},
	forbidden: {
		affects: 'endpoint',
		words: (told) => [
			told.said === undefined ? 'The service does not allow this' : `The service says ${told.said}`,
			`The plan may not include the API or this operation, the account may be suspended, or the API Key${inEditor(` ${CREDENTIAL}`)} may be wrong. ${inEditor('Check your account at the service.')}`,
		],
	},
	missingEndpoint: {
		affects: 'endpoint',
		words: (told) => [
			`This service does not offer ${told.method} ${told.path}`,
			`Link services differ in what they offer. Use another operation, or ask the service.${itSays(told)}`,
		],
	},
	serverError: { affects: 'row', isTransient: true, mayBeDone: true, words: broken },
	unreadable: { affects: 'row', isTransient: true, mayBeDone: true, words: broken },
	down: { affects: 'service', isTransient: true, words: isDown },
	badGateway: { affects: 'service', isTransient: true, mayBeDone: true, words: isDown },
	unreachable: { affects: 'service', isTransient: true, mayBeDone: true, words: unreachable },
	intercepted: {
		affects: 'service',
		words: () => [
			'Something in front of the service answered with a page',
			`${inEditor('The API Key and the Base URL may be right.')} The usual cause is bot protection. ${inEditor(`Ask the owner of the service to let requests to /api through, or ask which header they need. Enter that header ${CREDENTIAL}, with Add Custom Header.`)}`,
		],
	},
	redirected: {
		affects: 'service',
		words: ({ failure, redact, address }) => [
			`The service redirects to ${redact.text('to' in failure ? failure.to : '')}`,
			'to' in failure && failure.to.startsWith('/')
				? `${ADDRESS} ${inEditor(`It leads to ${address}, which is a page of a website.`)}`
				: inEditor(
						`The key is only ever sent to the Base URL, so the redirect was not followed. If this is the right address of the service, enter it as the Base URL ${CREDENTIAL}.`,
					),
		],
	},
	unsupported: {
		affects: 'service',
		words: () => [
			'The service uses an older version of this API',
			inEditor(
				'This package does not support it. Ask the service whether it has a newer API. (It expects the key as "Authorization: Token …".)',
			),
		],
	},
};

/** What a kind of failure means for other requests. */
export function effectOf(kind: FailureKind): Omit<Meaning, 'words'> {
	if (kind === 'outage') return { affects: 'service', isTransient: true };
	if (kind === 'rateLimited') return { affects: 'key', isTransient: true };
	return kind === 'uncertain' ? { affects: 'row', mayBeDone: true } : FAILURES[kind];
}

/** Whether a service does not work now. @param isKnown it has answered before */
export function isOutage(failure: Failure, isKnown: boolean): boolean {
	if (failure.kind === 'unreachable') return isKnown && failure.neverSent && !failure.isPermanent;
	return failure.kind === 'down' || failure.kind === 'badGateway';
}

/** Words of others, in quotes. What shows them shortens them, once no secret is in them. */
export function inQuotes(words: unknown): string {
	const text = asText(words).slice(0, LONGEST_MESSAGE).replaceAll('"', "'");
	return `"${text.replace(/\p{Cc}+/gu, ' ').replace(/\.$/, '')}"`;
}

/** What happened and what to do, in words. The service's own stand in quotes. */
export function wordsFor(failure: Failure, circumstances: Circumstances): Words {
	const message = 'message' in failure ? failure.message : '';
	// At the end of a text that was cut, half a secret may stand.
	const isCut = message.length >= LONGEST_MESSAGE;
	const shown = circumstances.redact.text(message).slice(0, isCut ? -LONGEST_SECRETS.headerValue : undefined);
	const said = shown === '' ? undefined : inQuotes(shown);
	return FAILURES[failure.kind].words({ ...circumstances, failure, said });
}
