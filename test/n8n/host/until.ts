import { setTimeout as delay } from 'timers/promises';

/**
 * Looks again and again until there is something to see, and gives that.
 *
 * @throws {Error} that says what has not come true, when time is up
 */
export async function until<T>(
	what: string,
	look: () => Promise<T | false | undefined> | T | false | undefined,
	{ timeoutMs = 300_000, pauseMs = 100 } = {},
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const seen = await look();
		if (seen !== false && seen !== undefined) return seen;
		if (Date.now() > deadline) throw new Error(`Not within ${timeoutMs / 1000} s: ${what}`);
		await delay(pauseMs);
	}
}
