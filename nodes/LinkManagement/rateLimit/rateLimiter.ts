import { StoppedError, whenStopped } from '../n8n/stop';
import { FairQueue } from './fairQueue';
import { admit, type Hold } from './admit';
import { observe } from './observe';
import { LONGEST_WAIT, NOTHING_KNOWN, type Flight, type RateLimitAnswer, type RateLimitState } from './state';

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
	/** How long (ms) it waits for the rate limit: it fails at once where the service says that it takes longer. */
	patience?: number;
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
	/** @param waitMs until the service will answer again */
	constructor(readonly waitMs: number) {
		super('The rate limit of the service is used up');
	}
}

interface Waiter extends PermitRequest {
	/** Since when it waits: a request that was refused before, since then. */
	readonly since: number;
	/** Until when it waits. */
	readonly until: number;
	grant(permit: Permit): void;
	refuse(error: Error): void;
}

/** The rate limit of one service and key: hands out permits so that every request finds a place in the service's window. */
export class RateLimiter {
	private readonly urgent = new FairQueue<Waiter>();
	private readonly patient = new FairQueue<Waiter>();
	/** Who can't wait takes turns with the others, so that neither keeps the other waiting: whose turn is next stands first. */
	private readonly queues = [this.urgent, this.patient];
	private readonly inFlight = new Set<Flight>();
	private state: RateLimitState = NOTHING_KNOWN;
	private wakeAt = Infinity;
	private heldBefore = 0;
	private heldSince: number | undefined;

	constructor(private readonly clock: Clock) {}

	/**
	 * Waits for a permit to send one request.
	 *
	 * @throws RateLimitError when the service takes no request for more than ten minutes, or than there is patience for
	 * @throws StoppedError when the signal fires first
	 */
	async acquire(request: PermitRequest): Promise<Permit> {
		const { signal, again, patience = Infinity, interactive } = request;
		if (signal?.aborted) throw new StoppedError();
		const queue = patience < Infinity || interactive ? this.urgent : this.patient;
		const now = this.clock.now();
		const until = now + patience;
		const since = again ? Math.min(now, this.state.refusedSince ?? now) : now;
		let unwatch: () => void = () => undefined;
		return await new Promise<Permit>((grant, refuse) => {
			const waiter: Waiter = { ...request, since, until, grant, refuse };
			unwatch = whenStopped(signal, () => {
				queue.remove(waiter);
				if (!this.isWaitedFor) this.pump();
				refuse(new StoppedError());
			});
			queue.add(waiter);
			this.pump();
		}).finally(() => unwatch());
	}

	private get isWaitedFor(): boolean {
		return this.queues.some(({ size }) => size > 0);
	}

	/** Whether anybody waits or anything is on the way. */
	get isBusy(): boolean {
		return this.isWaitedFor || this.inFlight.size > 0;
	}

	/** How long (ms) the rate limit has held somebody up, in all. */
	get heldUp(): number {
		return this.heldBefore + (this.heldSince === undefined ? 0 : this.clock.now() - this.heldSince);
	}

	/** Lets go who may go, turns away who will not wait, and sets the alarm for the others. */
	private pump(): void {
		const now = this.clock.now();
		let isHeld = false;
		for (const [queue, hold] of this.letGo(now)) {
			this.turnAway(queue, hold, now);
			if (queue.size === 0) continue;
			this.wake(now, hold.waitUntil);
			isHeld ||= hold.why === 'limit';
		}
		if (!isHeld && this.heldSince !== undefined) this.heldBefore += now - this.heldSince;
		this.heldSince = isHeld ? (this.heldSince ?? now) : undefined;
	}

	/** @returns why nobody else may go, for each queue in which anybody waits */
	private letGo(now: number): Map<FairQueue<Waiter>, Hold> {
		const holds = new Map<FairQueue<Waiter>, Hold>();
		for (;;) {
			const queue = this.queues.find((one) => one.size > 0 && !holds.has(one));
			if (queue === undefined) return holds;
			const asking = queue === this.urgent ? { urgent: true } : { alsoWaiting: queue.size - 1 };
			const verdict = admit(this.state, this.inFlight, now, asking);
			if (verdict === 'go') {
				queue.next()?.grant(this.depart(now));
				if (queue === this.queues[0]) this.queues.reverse();
			} else holds.set(queue, verdict);
		}
	}

	private depart(now: number): Permit {
		const flight = { sentAt: now };
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
			if (answersAt <= waiter.until && waited <= LONGEST_WAIT) continue;
			queue.remove(waiter);
			waiter.refuse(new RateLimitError(answersAt - now));
		}
	}

	/** Looks again at this time, or before. */
	private wake(now: number, at: number): void {
		if (this.wakeAt <= at && this.wakeAt > now) return;
		this.wakeAt = at;
		void this.clock.sleep(Math.max(1, Math.ceil(at - now))).then(() => {
			if (this.wakeAt === at) this.wakeAt = Infinity;
			this.pump();
		});
	}
}
