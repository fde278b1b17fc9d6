import { setTimeout as delay } from 'timers/promises';

const TIMEOUT_MS = 90_000;
const PAUSE_MS = 50;

/** Repeats checks until they hold, as a person would look again; fails as they did last. */
export async function eventually(check: () => Promise<void>): Promise<void> {
	const deadline = Date.now() + TIMEOUT_MS;
	for (;;) {
		try {
			await check();
			return;
		} catch (error) {
			if (Date.now() > deadline) throw error;
			await delay(PAUSE_MS);
		}
	}
}
