/** The error of a rate limit that was not waited out. */
import { Duration } from 'luxon';

import { PROBE_AFTER, LONGEST_WAIT } from '../rateLimit/rateLimitState';
import { ApiError } from './errors';

/** A duration (ms) in words. */
export function durationInWords(milliseconds: number): string {
	const wait = Duration.fromMillis(milliseconds);
	const unit = (['days', 'hours', 'minutes'] as const).find((one) => wait.as(one) >= 2) ?? 'seconds';
	return Duration.fromObject({ [unit]: Math.max(1, Math.ceil(wait.as(unit))) }, { locale: 'en' }).toHuman();
}

const WAITS = {
	failFast: 'To have the node wait for it, set Options → If Rate Limited to "Wait".',
	onScreen: 'Try again then. Other work with the same key has used up the limit.',
	run: 'The node has waited for ten minutes. Others use the same key, or the limit of the plan is reached. Run it again later.',
	tooLong:
		'The node waits for ten minutes at most. Run it again after that time, or ask the service for a larger plan.',
};

/** @param waitMs how long (ms) the rate limit lasts; 0 if that is unknown */
export function limitError(who: Exclude<keyof typeof WAITS, 'tooLong'> = 'run', waitMs = 0): ApiError {
	const isTooLong = waitMs > LONGEST_WAIT;
	const isGuess = waitMs === 0 || (who === 'onScreen' && waitMs <= PROBE_AFTER);
	const when = isGuess
		? 'The service may answer again in a minute'
		: `The service answers again in ${durationInWords(waitMs)}`;
	// After ten minutes of waiting, no further time is promised.
	const what = who === 'run' && !isTooLong ? '' : `. ${when}`;
	return new ApiError('rateLimited', `Rate limit reached${what}`, WAITS[isTooLong ? 'tooLong' : who], 429);
}
