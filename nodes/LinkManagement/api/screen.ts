import { StoppedError } from '../rateLimit/cancellation';
import { ApiError } from './apiError';
import type { Manner } from './retry';

/** How long (ms) somebody waits in front of a screen, for all requests together. */
const LONGEST_ON_SCREEN = 20_000;

/** How the requests of a dropdown are sent: soon, and all of one call as one caller's. */
export function mannerOfScreen(): Manner {
	const signal = AbortSignal.timeout(LONGEST_ON_SCREEN);
	return { caller: {}, interactive: true, signal, deadline: Date.now() + LONGEST_ON_SCREEN };
}

/** The error in place of a wait that the end of this time has ended. */
export function tooLate(error: unknown): unknown {
	if (!(error instanceof StoppedError)) return error;
	return new ApiError(
		'limited',
		`The rate limit of the service left no room within ${LONGEST_ON_SCREEN / 1000} seconds`,
		'Other work with the same key uses it up. Try again in a minute.',
	);
}
