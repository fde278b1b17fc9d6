import { StoppedError, whenStopped } from '../n8n/stop';
import { FairQueue } from './fairQueue';
import { admit, type Hold } from './admit';
import { KeptPlaces } from './keptPlaces';
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
	signal?: AbortSignal;
	/** How long (ms) it waits for the rate limit: it fails at once where the service says that it takes longer. */
	patience?: number;
	/** This request was refused before: it goes ahead of its caller's others. */
	again?: boolean;
	/** Somebody waits for it in front of a screen, or a poll that ends before the window: the last places of a window are kept for such requests. */
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
		super('Rate limit reached');
	}
}

interface Waiter extends PermitRequest {
	/** Since when it waits: a request that was refused before, since then. */
	readonly since: number;
	readonly until: number;
	grant(permit: Permit): void;
	refuse(error: Error): void;
}

/** The rate limit of one service and key: hands out permits so that every request finds a place in the service's window. */
export class RateLimiter {
	private readonly queue = new FairQueue<Waiter>();
	/** Those who wait and have an end to their patience. */
	private readonly impatient = new Set<Waiter>();
	private readonly inFlight = new Set<Flight>();
	private readonly keptPlaces = new KeptPlaces();
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
		const { signal, again, patience = Infinity } = request;
		if (signal?.aborted) throw new StoppedError();
		const now = this.clock.now();
		const until = now + patience;
		const since = again ? Math.min(now, this.state.refusedSince ?? now) : now;
		let unwatch: () => void = () => undefined;
		return await new Promise<Permit>((grant, refuse) => {
			const waiter: Waiter = { ...request, since, until, grant, refuse };
			unwatch = whenStopped(signal, () => {
				this.turnOut(waiter, new StoppedError());
				if (this.queue.size === 0) this.pump();
			});
			this.queue.add(waiter);
			if (request.interactive) this.keptPlaces.noteAsked();
			if (patience < Infinity) this.impatient.add(waiter);
			this.pump();
		}).finally(() => unwatch());
	}

	/** Whether anybody waits or anything is on the way. */
	get isBusy(): boolean {
		return this.queue.size > 0 || this.inFlight.size > 0;
	}

	/** How long (ms) the rate limit has held somebody up, in all. */
	get heldUp(): number {
		return this.heldBefore + (this.heldSince === undefined ? 0 : this.clock.now() - this.heldSince);
	}

	/** Lets go who may go, turns away who will not wait, and sets the alarm for the others. */
	private pump(): void {
		const now = this.clock.now();
		const hold = this.letGo(now);
		if (hold !== undefined) this.turnAway(hold, now);
		// A place that is kept for others holds up as a full window does.
		const isHeld = hold !== undefined && hold.why !== 'answer' && this.queue.size > 0;
		if (hold !== undefined && this.queue.size > 0) this.wake(now, hold.waitUntil);
		if (!isHeld && this.heldSince !== undefined) this.heldBefore += now - this.heldSince;
		this.heldSince = isHeld ? (this.heldSince ?? now) : undefined;
	}

	/** @returns why those who still wait may not go; undefined when nobody does */
	private letGo(now: number): Hold | undefined {
		const { queue } = this;
		for (let left = queue.size; left > 0; left--) {
			const hold = admit(this.state, this.inFlight, now, left, this.keptPlaces);
			const mayTakeIt = (waiter: Waiter) => waiter.interactive === true || this.impatient.has(waiter);
			const waiter = hold === undefined || hold.why === 'kept' ? queue.next(hold && mayTakeIt) : undefined;
			if (waiter === undefined) return hold;
			this.impatient.delete(waiter);
			if (waiter.interactive) this.keptPlaces.noteGranted();
			waiter.grant(this.depart(now));
		}
		return undefined;
	}

	private depart(now: number): Permit {
		const flight = { sentAt: now };
		this.inFlight.add(flight);
		return {
			release: (answer) => {
				if (!this.inFlight.delete(flight)) return;
				const { clock, state } = this;
				this.state = observe(state, flight, this.inFlight.size, answer, clock.now(), () => clock.random());
				this.pump();
			},
		};
	}

	/** Answers those who will not, or cannot sensibly, wait for the rate limit. */
	private turnAway({ why, answersAt }: Hold, now: number): void {
		if (why !== 'limit' || answersAt === undefined) return;
		const servedAt = this.state.servedAt ?? -Infinity;
		const isShortForAll = answersAt - servedAt <= LONGEST_WAIT;
		for (const waiter of isShortForAll ? this.impatient : this.queue) {
			const waited = answersAt - Math.max(waiter.since, Math.min(servedAt, now));
			if (answersAt <= waiter.until && waited <= LONGEST_WAIT) continue;
			this.turnOut(waiter, new RateLimitError(answersAt - now));
		}
	}

	private turnOut(waiter: Waiter, error: Error): void {
		this.queue.remove(waiter);
		this.impatient.delete(waiter);
		waiter.refuse(error);
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
