import { StoppedError, whenStopped } from '../n8n/stop';
import { admit, type Delay } from './admit';
import { FairQueue } from './fairQueue';
import { observe } from './observe';
import {
	type InFlightRequest,
	INITIAL_STATE,
	LONGEST_WAIT,
	type RateLimitAnswer,
	type RateLimitState,
} from './rateLimitState';
import { PRIORITIES, type Priority, Reserve } from './reserve';

/** Time as the limiter sees it (ms); tests use a simulated clock. */
export interface Clock {
	now(): number;
	sleep(milliseconds: number): Promise<void>;
	/** A number from 0 (included) to 1 (excluded). */
	random(): number;
}

/** How a caller wants its permit. */
export interface PermitRequest {
	/** Permits take turns between callers; each caller's own requests keep their order. */
	caller: object;
	signal?: AbortSignal;
	/** The longest wait (ms) for the rate limit: the request fails at once if the service says that it takes longer. */
	maxWait?: number;
	/** This request was refused or failed before: it goes ahead of its caller's others. */
	isRetry?: boolean;
	/** By default bulk. */
	priority?: Priority;
}

/** A request may go out now. Release the permit when the answer is there, or if the request was not sent. */
export interface Permit {
	/** @param answer left out when no answer came */
	release(answer?: RateLimitAnswer): void;
}

/** The rate limit would take longer than the caller waits. */
export class RateLimitError extends Error {
	/** @param waitMs until the service will answer again */
	constructor(readonly waitMs: number) {
		super('Rate limit reached');
	}
}

interface Waiter extends PermitRequest {
	readonly priority: Priority;
	/** Since when it waits; a retry, since the first refusal. */
	readonly since: number;
	readonly until: number;
	grant(permit: Permit): void;
	refuse(error: Error): void;
}

/** The rate limiter of one service and key: grants permits so that every request fits in the service's window. */
export class RateLimiter {
	private readonly queues: Readonly<Record<Priority, FairQueue<Waiter>>> = {
		people: new FairQueue(),
		polls: new FairQueue(),
		bulk: new FairQueue(),
	};
	/** Those that have a longest wait. */
	private readonly impatient = new Set<Waiter>();
	private readonly inFlight = new Set<InFlightRequest>();
	private readonly reserve = new Reserve();
	private state: RateLimitState = INITIAL_STATE;
	private sent = 0;
	private wakeAt = Infinity;

	constructor(private readonly clock: Clock) {}

	/**
	 * Waits for a permit to send one request.
	 *
	 * @throws RateLimitError when the service accepts no request for more than ten minutes, or for longer than `maxWait`
	 * @throws StoppedError when the signal fires first
	 */
	async acquire(request: PermitRequest): Promise<Permit> {
		const { signal, isRetry, maxWait = Infinity, priority = 'bulk' } = request;
		if (signal?.aborted) throw new StoppedError();
		const now = this.clock.now();
		const until = now + maxWait;
		const since = isRetry ? Math.min(now, this.state.refusedSince ?? now) : now;
		let unwatch: () => void = () => undefined;
		return await new Promise<Permit>((grant, refuse) => {
			const waiter: Waiter = { ...request, priority, since, until, grant, refuse };
			unwatch = whenStopped(signal, () => {
				this.reject(waiter, new StoppedError());
				if (this.waiting === 0) this.pump();
			});
			this.queues[priority].add(waiter);
			this.reserve.requested(priority, now);
			if (maxWait < Infinity) this.impatient.add(waiter);
			this.pump();
		}).finally(() => unwatch());
	}

	private get waiting(): number {
		return PRIORITIES.reduce((sum, priority) => sum + this.queues[priority].size, 0);
	}

	/** Whether any request waits or is in flight. */
	get isBusy(): boolean {
		return this.waiting > 0 || this.inFlight.size > 0;
	}

	/** Grants permits, rejects those that will not wait, and sets the timer for the others. */
	private pump(): void {
		const now = this.clock.now();
		const delays = PRIORITIES.flatMap((priority) => this.grantPermits(priority, now) ?? []);
		if (delays.length > 0) this.rejectImpatient(delays[0], now);
		const isWaiting = delays.length > 0 && this.waiting > 0;
		if (isWaiting) this.wake(now, Math.min(...delays.map(({ waitUntil }) => waitUntil)));
	}

	/** @returns why those that still wait may not go; undefined when nothing waits */
	private grantPermits(priority: Priority, now: number): Delay | undefined {
		const queue = this.queues[priority];
		for (let left = queue.size; left > 0; left--) {
			const kept = this.reserve.keptFrom(priority, left + this.inFlight.size, this.state, now);
			const delay = admit(this.state, this.inFlight, now, kept, priority === 'people');
			// Who fails at once rather than wait may go.
			const mayUseKept = (waiter: Waiter) => this.impatient.has(waiter);
			const waiter = delay === undefined || delay.why === 'reserved' ? queue.next(delay && mayUseKept) : undefined;
			if (waiter === undefined) return delay;
			this.impatient.delete(waiter);
			this.reserve.taken(priority);
			waiter.grant(this.issuePermit(now));
		}
		return undefined;
	}

	private issuePermit(now: number): Permit {
		const request = { sentAt: now };
		this.inFlight.add(request);
		this.sent++;
		return {
			release: (answer) => {
				if (!this.inFlight.delete(request)) return;
				const { clock, state } = this;
				const sent = { ever: this.sent, inFlight: this.inFlight.size };
				this.state = observe(state, request, sent, answer, clock.now(), () => clock.random());
				this.pump();
			},
		};
	}

	/** Rejects those that will not wait for the rate limit, and all when it takes too long. */
	private rejectImpatient({ why, answersAt }: Delay, now: number): void {
		if (why !== 'limit' || answersAt === undefined) return;
		const servedAt = this.state.servedAt ?? -Infinity;
		const isShortForAll = answersAt - servedAt <= LONGEST_WAIT;
		const all = () => PRIORITIES.flatMap((priority) => [...this.queues[priority]]);
		for (const waiter of isShortForAll ? this.impatient : all()) {
			const waited = answersAt - Math.max(waiter.since, Math.min(servedAt, now));
			if (answersAt <= waiter.until && waited <= LONGEST_WAIT) continue;
			this.reject(waiter, new RateLimitError(answersAt - now));
		}
	}

	private reject(waiter: Waiter, error: Error): void {
		this.queues[waiter.priority].remove(waiter);
		this.impatient.delete(waiter);
		waiter.refuse(error);
	}

	/** Calls `pump` at this time or before. */
	private wake(now: number, at: number): void {
		if (this.wakeAt <= at && this.wakeAt > now) return;
		this.wakeAt = at;
		void this.clock.sleep(Math.max(1, Math.ceil(at - now))).then(() => {
			if (this.wakeAt === at) this.wakeAt = Infinity;
			this.pump();
		});
	}
}
