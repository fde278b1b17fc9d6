import type { Priority } from '../rateLimit/reserve';
import { durationInWords } from './errors';

/** How often (ms) the log says how busy a key is. */
const SAID_EVERY = 10 * 60_000;
/** A key is busy where a request waits for so long (ms). */
const BUSY = 1_000;

/** How many requests were sent with a key, for whom, and how long they waited for the rate limit. */
export class Usage {
	private since = -Infinity;
	private sent: Record<Priority, number> = { people: 0, polls: 0, bulk: 0 };
	private longestWait = 0;

	/**
	 * Notes a request.
	 *
	 * @param waited for how long (ms)
	 * @param now ms since 1970
	 * @returns a sentence about the last ten minutes, if they are over and the key was busy
	 */
	note(priority: Priority, waited: number, now: number): string | undefined {
		const { since, sent, longestWait } = this;
		const isOver = now - since >= SAID_EVERY;
		if (isOver) [this.since, this.sent, this.longestWait] = [now, { people: 0, polls: 0, bulk: 0 }, 0];
		this.sent[priority]++;
		this.longestWait = Math.max(this.longestWait, waited);
		if (!isOver || longestWait < BUSY) return undefined;
		const { people, polls, bulk } = sent;
		const time = durationInWords(now - since);
		return `${people + polls + bulk} requests in ${time}: ${people} for people, ${polls} for polls, ${bulk} for sheets. The longest wait for the rate limit was ${durationInWords(longestWait)}.`;
	}
}
