import { MOST_LEVELS, type Answer, type Asked, type Unreadable } from './answer';
import { ApiError } from './apiError';
import type { Redaction } from './redact';
import type { NoAnswer } from '../engine/noAnswer';

/** What the text of an error takes into account besides the answer. */
interface Circumstances extends Asked {
	/** The service's message may repeat the key. */
	redact: Redaction;
	/** Undefined where there was no answer. */
	statusCode?: number;
	/** The service has answered properly before: then the Base URL is right. */
	isKnown: boolean;
}

/** Everything that may come of a request but for a success, and for a refusal that is waited out. */
export type Failure = Exclude<Answer, { is: 'done' | 'limited' }> | NoAnswer;

/** What happened, what to do, and the endpoint that the service lacks. */
type Words = [message: string, advice: string, endpoint?: string];

const LONGEST_MESSAGE = 500;
const CHECK_KEY =
	'Check the API Key in the Link Management API credential. You find the key in your account at the service.';
/** A 403 may mean the key, the plan or the account; the service's message alone tells which. */
const CHECK_ACCESS =
	'This is the answer of the link service. The cause may be the API Key in the Link Management API credential, a plan without access to the API, or the account: look at your account at the service.';
const CHECK_VALUES = 'This is the answer of the link service. Correct what it names and run the node again.';
/** Why services answer a creation or a change with a web page, or with nothing. */
const USUAL_CAUSES =
	'The usual causes are that the limit of your plan is reached, or that the service does not take one of the values. Check both at the service.';
const CHECK_ADDRESS = 'Check the Base URL in the Link Management API credential.';
const BEFORE_THE_SERVICE =
	'It says nothing about the API Key or the Base URL. Bot protection is the usual cause: ask the owner of the service to let requests to /api through, or which header they need, and turn on Add Custom Header in the Link Management API credential.';

const CHECK_CERTIFICATE =
	'Check the Base URL in the credential and the certificate of the service. For a service of your own with a self-signed certificate, turn on Request Options → Ignore SSL Issues.';

/** The largest answer (bytes, decoded) that is read. */
export const LARGEST_ANSWER = 50 * 1024 * 1024;

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

function unreachable({ code, lasting }: NoAnswer): Words {
	if (lasting) return [`No secure connection to the service could be made (${code})`, CHECK_CERTIFICATE];
	return [
		`The service ${REASONS[code] ?? 'broke off the connection'}`,
		`(${code}) Check the Base URL in the credential, and whether the service is up and can be reached from n8n.`,
	];
}

/** An answer that is no JSON: the service failed, or it is not the service at all. */
function notData(why: Unreadable, { statusCode = 200, method, isKnown }: Circumstances): Words {
	const what = `${WORDS[why]}${statusCode >= 200 && statusCode < 300 ? '' : ` (HTTP ${statusCode})`}`;
	const isChange = method !== 'GET';
	if (!isKnown) {
		const advice = isChange ? `${CHECK_ADDRESS} If it is right: ${USUAL_CAUSES}` : CHECK_ADDRESS;
		return [`The service answered with ${what}`, advice];
	}
	const advice = isChange
		? USUAL_CAUSES
		: 'It has answered other requests: try again later. If it stays so, check the Base URL in the Link Management API credential.';
	return [`The service could not handle this request: it answered with ${what}`, advice];
}

function wordsOf(answer: Failure, circumstances: Circumstances): Words {
	const { method, path, redact, statusCode, isKnown } = circumstances;
	// Cut off after the key is out: half a key must not stand either.
	const told = 'told' in answer ? redact.text(answer.told).slice(0, LONGEST_MESSAGE) : '';
	const said = told || `The service refused the request without saying why (HTTP ${statusCode})`;
	switch (answer.is) {
		case 'none':
		case 'refused':
			return [said, CHECK_VALUES];
		case 'key':
			return [told || `The service refused the API Key (HTTP ${statusCode})`, CHECK_KEY];
		case 'plan':
			return [said, CHECK_ACCESS];
		case 'failing':
			if (answer.why !== undefined) return notData(answer.why, circumstances);
			return [told || `The service could not handle this request (HTTP ${statusCode})`, CHECK_VALUES];
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
			return [`Something in front of the service answered with a page (HTTP ${statusCode})`, BEFORE_THE_SERVICE];
		case 'olderApi':
			return [
				'The service speaks an older generation of this API',
				'It wants the key as "Authorization: Token …", and has no lists of this kind: this package does not support it. Ask the service whether it has a newer API.',
			];
		case 'redirected':
			return [
				`The service redirects to ${redact.text(answer.to)}`,
				"The key is sent to no other host, so the redirect was not followed. If that is the service's right address, enter it as the Base URL of the credential.",
			];
	}
}

/** A request that failed, in plain words: what happened, and what to do. */
export function errorOf(answer: Failure, circumstances: Circumstances): ApiError {
	const [message, advice, endpoint] = wordsOf(answer, circumstances);
	return new ApiError(answer.is, message, advice, circumstances.statusCode, endpoint);
}
