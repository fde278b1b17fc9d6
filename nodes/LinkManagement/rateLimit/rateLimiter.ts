import { StoppedError, whenStopped } from '../n8n/stop';
import { MARGIN, type RateLimitAnswer, readRateHeaders } from './headers';

/** For whom a request is: somebody waits for it; a poll of a trigger; or rows of a sheet. The first ones go first. */
const PRIORITIES = ['people', 'polls', 'bulk'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Most requests in flight: more connections gain nothing and burden the service. One more is kept for people. */
export const MOST_IN_FLIGHT = 31;
/** A request without an answer is taken as counted by the service after this time (ms), and no longer holds others back. */
const ASSUMED_COUNTED_AFTER = 5_000;
/** A request fails if it has waited, or would have to wait, this long (ms) while the service accepts none. */
export const LONGEST_WAIT = 10 * 60_000;
/** After this time (ms) one request probes, whatever the service says. A window of a minute is waited for to its end. */
export const PROBE_AFTER = 60_000;
const BELIEVED_WAIT = 65_000;
/** Pause (ms) after a refusal that does not say how long: doubles with each further one, up to `PROBE_AFTER`. */
const PAUSE_AFTER_REFUSAL = 1_000;
/** After a refusal although requests remained, one goes at a time for so long (ms): others use the key, or no header says what remains. */
const CAREFUL_FOR = 10 * 60_000;
/** A part of each window is left to people and polls for so long (ms) after they last asked. */
const EXPECTED_FOR = 10 * 60_000;
const PART_FOR_OTHERS = 1 / 5;
/** What they have not used is released to all, one by one, this time (ms) apart, before the window ends at the earliest. */
const RELEASED_EVERY = 1_500;
/** Windows with fewer requests have none left to others. */
const SMALLEST_LIMIT = 10;

/** Time as the limiter sees it (ms); tests use a simulated clock. */
export interface Clock {
	now(): number;
	sleep(milliseconds: number): Promise<void>;
}

/** How a caller wants its permit. */
export interface PermitRequest {
	/** Permits take turns between callers; each caller's own requests keep their order. */
	caller: object;
	/** By default bulk. */
	priority?: Priority;
	signal?: AbortSignal;
	/** The longest wait (ms) for the rate limit: the request fails at once if the service says that it takes longer. */
	maxWait?: number;
	/** How long (ms) this request has been refused or has failed: it goes ahead of its caller's others. */
	triedFor?: number;
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

interface Waiter {
	caller: object;
	/** Since when it waits, and until when (ms). */
	since: number;
	until: number;
	grant(permit: Permit): void;
	refuse(error: Error): void;
}

/** The rate limiter of one service and key: grants permits so that every request fits in the service's window. Times are local, in ms. */
export class RateLimiter {
	/** What the service last said of its window. Where it does not say, it is Infinity. */
	private limit = Infinity;
	private remaining = Infinity;
	private reset = 0;
	/** When the window ends, and until when that is believed: then, as at the start, one request probes. */
	private endsAt = -Infinity;
	private probeAt = -Infinity;
	/** When a request was last accepted, and refused; and how many were refused since. Those that were in flight together count once. */
	private servedAt = -Infinity;
	private refusedAt = -Infinity;
	private refusals = 0;
	/** Until then, one request goes at a time. */
	private carefulUntil = -Infinity;
	private readonly lastAskedBy: Record<Priority, number> = { people: -Infinity, polls: -Infinity, bulk: -Infinity };

	private readonly waiting: Readonly<Record<Priority, Set<Waiter>>> = {
		people: new Set(),
		polls: new Set(),
		bulk: new Set(),
	};
	private readonly inFlight = new Set<{ sentAt: number }>();
	/** The number of the last permit that each caller got. */
	private readonly turns = new WeakMap<object, number>();
	private granted = 0;
	private wakeAt = Infinity;

	constructor(private readonly clock: Clock) {}

	/** Whether any request waits or is in flight. */
	get isBusy(): boolean {
		return this.inFlight.size > 0 || PRIORITIES.some((priority) => this.waiting[priority].size > 0);
	}

	/**
	 * Waits for a permit to send one request.
	 *
	 * @throws RateLimitError when the service accepts no request for more than ten minutes, or for longer than `maxWait`
	 * @throws StoppedError when the signal fires first
	 */
	async acquire(request: PermitRequest): Promise<Permit> {
		const { caller, signal, priority = 'bulk', maxWait = Infinity, triedFor } = request;
		if (signal?.aborted) throw new StoppedError();
		const now = this.clock.now();
		this.lastAskedBy[priority] = now;
		let unwatch: () => void = () => undefined;
		return await new Promise<Permit>((grant, refuse) => {
			const waiter = { caller, since: now - (triedFor ?? 0), until: now + maxWait, grant, refuse };
			const queue = this.waiting[priority];
			const others = triedFor === undefined ? [] : [...queue];
			if (others.length > 0) queue.clear();
			for (const one of [waiter, ...others]) queue.add(one);
			unwatch = whenStopped(signal, () => {
				queue.delete(waiter);
				refuse(new StoppedError());
			});
			this.rejectImpatient([waiter], now);
			this.pump(now);
		}).finally(() => unwatch());
	}

	/** Grants permits, and sets the timer for those that still wait. */
	private pump(now: number): void {
		for (const priority of PRIORITIES) {
			for (let queue = this.waiting[priority]; queue.size > 0;) {
				const at = this.freeAt(priority, now);
				if (at > now) {
					this.wake(now, at);
					break;
				}
				const waiter = this.nextOf(queue);
				queue.delete(waiter);
				this.turns.set(waiter.caller, ++this.granted);
				waiter.grant(this.permit(now));
			}
		}
	}

	/** The next one of a queue: callers take turns. */
	private nextOf(queue: ReadonlySet<Waiter>): Waiter {
		const turnOf = ({ caller }: Waiter) => this.turns.get(caller) ?? 0;
		let [next] = queue;
		for (const waiter of queue) if (turnOf(waiter) < turnOf(next)) next = waiter;
		return next;
	}

	/** When a request may go, or when to look again; `now` or before: at once. */
	private freeAt(priority: Priority, now: number): number {
		const { inFlight, remaining, probeAt } = this;
		const ofPeople = priority === 'people' ? 1 : 0;
		if (inFlight.size >= MOST_IN_FLIGHT + ofPeople) return now + ASSUMED_COUNTED_AFTER;
		const open = [...inFlight].filter(({ sentAt }) => now - sentAt < ASSUMED_COUNTED_AFTER);
		if (now >= probeAt) {
			const probe = open.find(({ sentAt }) => sentAt >= probeAt);
			return probe === undefined ? now : probe.sentAt + ASSUMED_COUNTED_AFTER;
		}
		if (remaining <= 0) return probeAt;
		const most = now < this.carefulUntil ? 1 + ofPeople : Infinity;
		if (open.length >= Math.min(remaining, most)) return Math.min(probeAt, open[0].sentAt + ASSUMED_COUNTED_AFTER);
		const kept = this.keptFrom(priority, now);
		if (remaining - open.length > kept) return now;
		return Math.min(probeAt, Math.max(now + 1, this.endsAt - MARGIN - kept * RELEASED_EVERY));
	}

	/** How many permits of the window are left to others. */
	private keptFrom(priority: Priority, now: number): number {
		const { limit, endsAt, lastAskedBy } = this;
		if (priority === 'people' || limit < SMALLEST_LIMIT || limit === Infinity) return 0;
		const askedAt = Math.max(lastAskedBy.people, lastAskedBy.polls);
		const isExpected = priority === 'bulk' && now - askedAt < EXPECTED_FOR;
		const most = isExpected ? Math.floor(limit * PART_FOR_OTHERS) : 1;
		return Math.max(0, Math.min(most, Math.floor((endsAt - MARGIN - now) / RELEASED_EVERY)));
	}

	private permit(now: number): Permit {
		const request = { sentAt: now };
		this.inFlight.add(request);
		return {
			release: (answer) => {
				this.inFlight.delete(request);
				const at = this.clock.now();
				if (answer?.refused === true) this.noteRefusal(answer, now, at);
				else if (answer !== undefined) this.noteSuccess(answer, at);
				for (const priority of PRIORITIES) this.rejectImpatient(this.waiting[priority], at);
				this.pump(at);
			},
		};
	}

	private noteRefusal(answer: RateLimitAnswer, sentAt: number, now: number): void {
		const said = readRateHeaders(answer, now);
		if (now < this.probeAt && this.remaining > 0) this.carefulUntil = now + CAREFUL_FOR;
		if (sentAt >= this.refusedAt) this.refusals++;
		this.refusedAt = now;
		const pause = Math.min(PROBE_AFTER, PAUSE_AFTER_REFUSAL * 2 ** (this.refusals - 1));
		this.remaining = 0;
		this.reset = said.reset ?? this.reset;
		this.endAt(said.endsAt ?? now + pause, now);
	}

	/** An answer of the same window may be late; one without headers, such as a proxy's error page, has used one request of it. */
	private noteSuccess(answer: RateLimitAnswer, now: number): void {
		const { limit = this.limit, remaining, reset = this.reset, endsAt } = readRateHeaders(answer, now);
		this.refusals = 0;
		this.servedAt = now;
		const isOver = now >= this.probeAt;
		if (!isOver && reset < this.reset) return;
		if (isOver || reset > this.reset || limit !== this.limit) {
			[this.limit, this.reset, this.remaining] = [limit, reset, Infinity];
			this.endAt(endsAt ?? Infinity, now);
		}
		this.remaining = Math.min(this.remaining, remaining ?? this.remaining - 1);
		// No header alone makes anybody wait so long: the next request tries.
		if (this.remaining <= 0 && this.endsAt - now > LONGEST_WAIT) this.probeAt = now;
	}

	private endAt(endsAt: number, now: number): void {
		this.endsAt = endsAt;
		this.probeAt = endsAt - now > BELIEVED_WAIT ? now + PROBE_AFTER : endsAt;
	}

	/** Rejects those that will not wait until the service accepts requests again. */
	private rejectImpatient(waiters: Iterable<Waiter>, now: number): void {
		const { remaining, probeAt, endsAt, servedAt } = this;
		if (remaining > 0 || now >= probeAt) return;
		for (const waiter of waiters) {
			const wait = endsAt - Math.max(waiter.since, servedAt);
			if (endsAt <= waiter.until && wait <= LONGEST_WAIT) continue;
			for (const priority of PRIORITIES) this.waiting[priority].delete(waiter);
			waiter.refuse(new RateLimitError(endsAt - now));
		}
	}

	/** Grants permits at this time, or before. */
	private wake(now: number, at: number): void {
		if (this.wakeAt <= at && this.wakeAt > now) return;
		this.wakeAt = at;
		void this.clock.sleep(Math.max(1, Math.ceil(at - now))).then(() => {
			if (this.wakeAt === at) this.wakeAt = Infinity;
			this.pump(this.clock.now());
		});
	}
}
