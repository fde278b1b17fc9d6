import type { ApiError } from './errors';
import { pause, withAbort } from './withAbort';

/** How long (ms) requests wait for a service that is down: of a sheet, or of a single row that somebody may wait for. */
export const PATIENCE = { several: 5 * 60_000, single: 30_000 };

/** Pauses (ms) before probes: each is twice as long as the one before, up to the longest. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;
/** An outage that no request has seen for this time (ms) may be over. */
const FORGOTTEN = 60_000;

/** When a service was first and last found to be down (ms since 1970), and its last failure. */
export interface Down {
	since: number;
	at: number;
	failure: ApiError;
}

/** A service that is down, for all requests with a key that wait for it: one probes, and the others wait for what comes of it. */
export class Outage {
	/** When the last request was sent (ms since 1970) that was answered, whatever the answer said. */
	workedAt = -Infinity;
	private down?: Down;
	private probe?: Promise<void>;
	private probes = 0;

	/** Undefined while the service works, as far as anybody knows. */
	get now(): Down | undefined {
		const isOld = this.probe === undefined && this.down !== undefined && Date.now() - this.down.at > FORGOTTEN;
		if (isOld) [this.down, this.probes] = [undefined, 0];
		return this.down;
	}

	/**
	 * Waits until a request may go: at once while the service works.
	 *
	 * @param until when its last probe goes at the latest (ms since 1970)
	 * @returns what to call when its answer is there; undefined if the service is still down then
	 * @throws StoppedError when the signal fires before
	 */
	async turn(until: number, signal?: AbortSignal): Promise<(() => void) | undefined> {
		for (let { probe } = this; this.now !== undefined && probe !== undefined; { probe } = this) {
			const ended = probe;
			await withAbort(async () => await ended, signal);
		}
		if (this.now === undefined) return () => undefined;
		if (Date.now() >= until) return undefined;
		let end: () => void = () => undefined;
		const probe = new Promise<void>((resolve) => (end = resolve));
		this.probe = probe;
		const over = () => {
			if (this.probe === probe) this.probe = undefined;
			end();
		};
		const wait = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.probes++, Math.max(0, until - Date.now()));
		await pause(wait, signal).catch((error: unknown) => {
			over();
			throw error;
		});
		return over;
	}

	/** Notes an answer. @param sentAt when its request was sent (ms since 1970) @param failure says that the service is down */
	note(sentAt: number, failure?: ApiError): void {
		const at = Date.now();
		this.down = failure && { since: this.now?.since ?? at, at, failure };
		if (failure === undefined) [this.probes, this.workedAt] = [0, Math.max(this.workedAt, sentAt)];
	}
}
