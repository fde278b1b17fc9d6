import { StoppedError, whenStopped } from './cancellation';
import { FairQueue } from './fairQueue';
import {
	admit,
	departure,
	NOTHING_KNOWN,
	observe,
	type Flight,
	type Hold,
	type RateLimitAnswer,
	type RateLimitState,
} from './rules';

/** Time, as the limiter sees it: replaced by a simulated clock in tests. Milliseconds throughout. */
export interface Clock {
	now(): number;
	sleep(milliseconds: number): Promise<void>;
	/** A number from 0 (included) to 1 (excluded). */
	random(): number;
}

/** How a caller wants its permit. */
export interface PermitRequest {
	/** Who asks: permits go round between callers, and each caller's own requests keep their order. */
	caller: object;
	/** Ends the wait. */
	signal?: AbortSignal;
	/** Fail at once instead of waiting for the rate limit. */
	failFast?: boolean;
	/** This request was refused before: it goes ahead of its caller's others. */
	again?: boolean;
	/** Somebody waits for it in front of a screen: the last place of a window is kept for such requests. */
	interactive?: boolean;
}

/** A request that may go out now. It has to be released when the request has come back, or was not sent after all. */
export interface Permit {
	/** @param answer what the service answered; left out when no answer came */
	release(answer?: RateLimitAnswer): void;
}

/** The rate limit stands in the way for longer than the caller accepts. */
export class RateLimitError extends Error {
	/** @param retryAt local time in ms when the service will answer again */
	constructor(
		readonly retryAt: number,
		readonly waitMs: number,
	) {
		super('The rate limit of the service is used up');
	}
}

/** Who has waited this long (ms), or would have to, while the service took nobody's request, fails instead. */
export const LONGEST_WAIT = 10 * 60_000;
/** No timer runs longer (ms): clocks are set, and n8n's timers overflow after 24.8 days. */
const LONGEST_SLEEP = 60_000;
/** A request that is this long on its way (ms) was given up by whoever sent it. */
const LONGEST_FLIGHT = 60 * 60_000;

interface Waiter extends PermitRequest {
	/** Since when it waits: a request that was refused before, since then. */
	readonly since: number;
	grant(permit: Permit): void;
	refuse(error: Error): void;
}

/** The rate limit of one service and key: hands out permits so that every request finds a place in the service's window. */
export class RateLimiter {
	/** Who can't wait; takes turns with the others, so that neither keeps the other waiting. */
	private readonly urgent = new FairQueue<Waiter>();
	private readonly patient = new FairQueue<Waiter>();
	private isUrgentNext = true;
	private readonly inFlight = new Set<Flight>();
	private state: RateLimitState = NOTHING_KNOWN;
	private wakeAt = Infinity;
	private lastUsed: number;

	constructor(private readonly clock: Clock) {
		this.lastUsed = clock.now();
	}

	/**
	 * Waits for a permit to send one request.
	 *
	 * @throws RateLimitError when the service takes no request for more than ten minutes, or at all with `failFast`
	 * @throws StoppedError when the signal fires first
	 */
	async acquire(request: PermitRequest): Promise<Permit> {
		const { caller, signal, again, failFast, interactive } = request;
		if (signal?.aborted) throw new StoppedError();
		return await new Promise<Permit>((resolve, reject) => {
			const queue = failFast || interactive ? this.urgent : this.patient;
			const unwatch = whenStopped(signal, () => {
				queue.remove(caller, waiter);
				reject(new StoppedError());
			});
			const now = this.clock.now();
			const waiter: Waiter = {
				...request,
				since: again ? Math.min(now, this.state.refusedSince ?? now) : now,
				grant: (permit) => {
					unwatch();
					resolve(permit);
				},
				refuse: (error) => {
					unwatch();
					reject(error);
				},
			};
			queue.add(caller, waiter, again);
			this.pump();
		});
	}

	/** Whether anybody waits or anything is on the way. */
	get isBusy(): boolean {
		return this.urgent.size > 0 || this.patient.size > 0 || this.inFlight.size > 0;
	}

	/** Whether it is not in use, and what is known has lost its worth. */
	isIdle(now: number): boolean {
		return !this.isBusy && now - this.lastUsed > LONGEST_WAIT;
	}

	/** Lets go who may go, and sets the alarm for the others. */
	private pump(): void {
		while (this.urgent.size > 0 || this.patient.size > 0) {
			const now = this.clock.now();
			this.lastUsed = now;
			const holds = this.letOneGo(now);
			if (holds === undefined) continue;
			for (const [queue, hold] of holds) {
				this.turnAway(queue, hold, now);
				if (queue.size > 0) this.wake(now, hold.waitUntil);
			}
			return;
		}
	}

	/** @returns why nobody may go, for each queue in which anybody waits */
	private letOneGo(now: number): Array<[FairQueue<Waiter>, Hold]> | undefined {
		const { urgent, patient, isUrgentNext } = this;
		const holds: Array<[FairQueue<Waiter>, Hold]> = [];
		for (const queue of isUrgentNext ? [urgent, patient] : [patient, urgent]) {
			if (queue.size === 0) continue;
			const asking = queue === urgent ? { urgent: true } : { alsoWaiting: patient.size - 1 };
			const verdict = admit(this.state, this.inFlight, now, asking);
			if (verdict === 'go') {
				this.isUrgentNext = queue === patient;
				queue.next()?.grant(this.depart(now));
				return undefined;
			}
			holds.push([queue, verdict]);
		}
		return holds;
	}

	private depart(now: number): Permit {
		for (const old of this.inFlight) {
			if (now - old.sentAt > LONGEST_FLIGHT) this.inFlight.delete(old);
		}
		const flight = departure(this.state, now);
		this.inFlight.add(flight);
		return {
			release: (answer) => {
				if (!this.inFlight.delete(flight)) return;
				const { clock } = this;
				const outcome = { flight, othersInFlight: this.inFlight.size, answer };
				this.state = observe(this.state, outcome, clock.now(), () => clock.random());
				this.pump();
			},
		};
	}

	/** Answers those who will not, or cannot sensibly, wait for the rate limit. */
	private turnAway(queue: FairQueue<Waiter>, { why, answersAt }: Hold, now: number): void {
		if (why !== 'limit' || answersAt === undefined) return;
		const servedAt = this.state.servedAt ?? -Infinity;
		const isShortForAll = answersAt - servedAt <= LONGEST_WAIT;
		if (isShortForAll && queue === this.patient) return;
		for (const waiter of queue) {
			const waited = answersAt - Math.max(waiter.since, Math.min(servedAt, now));
			if (!waiter.failFast && waited <= LONGEST_WAIT) continue;
			queue.remove(waiter.caller, waiter);
			waiter.refuse(new RateLimitError(answersAt, answersAt - now));
		}
	}

	/** Looks again at this time, or before. */
	private wake(now: number, waitUntil: number): void {
		const at = Math.min(waitUntil, now + LONGEST_SLEEP);
		if (this.wakeAt <= at && this.wakeAt > now) return;
		this.wakeAt = at;
		void this.clock.sleep(Math.max(1, Math.ceil(at - now))).then(() => {
			if (this.wakeAt === at) this.wakeAt = Infinity;
			this.pump();
		});
	}
}
