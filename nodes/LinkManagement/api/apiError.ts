/** What can go wrong between a request and its answer, as the user should read it. */

/** - rejected: the service said no, with its own message
 *  - unreadable: the answer was not the JSON of the spec
 *  - redirected: the address sends requests elsewhere
 *  - unreachable: the service never got the request
 *  - uncertain: a change was sent, and nobody knows whether it was made
 *  - notOffered: the service has no such endpoint
 *  - rateLimited: the rate limit stands in the way for too long
 */
export type ApiErrorKind =
	'rejected' | 'unreadable' | 'redirected' | 'unreachable' | 'uncertain' | 'notOffered' | 'rateLimited';

/** The credential can't be used, in plain words. The message never holds what was entered: it may carry a secret. */
export class CredentialError extends Error {}

/** A request that failed for good. `message` says what happened, `advice` what to do. */
export class ApiError extends Error {
	constructor(
		readonly kind: ApiErrorKind,
		message: string,
		readonly advice: string,
		/** The HTTP status, where there was an answer. */
		readonly statusCode?: number,
	) {
		super(message);
	}
}
