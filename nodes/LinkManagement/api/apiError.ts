import type { Answer } from './answer';
import type { NoAnswer } from '../engine/noAnswer';

/** What can go wrong between a request and its answer: what an answer may be but for a success, and besides
 *  - unreachable: the service never got the request
 *  - uncertain: a change was sent, and nobody knows whether it was made
 */
type ApiErrorKind = Exclude<Answer['is'], 'done'> | NoAnswer['is'] | 'uncertain';

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
		/** Method and path of the request, where the service lacks just these. */
		readonly endpoint?: string,
	) {
		super(message);
	}
}
