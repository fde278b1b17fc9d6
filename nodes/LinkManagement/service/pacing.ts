import { ClockDifference, readRateHeaders } from './rateHeaders';
import { StoppedError, whenStopped } from './stopping';

/** Time, as the pacing sees it: replaced by a simulated clock in tests. Milliseconds throughout. */
export interface Clock {
	now(): number;
	sleep(milliseconds: number): Promise<void>;
	/** A number from 0 (included) to 1 (excluded). */
	random(): number;
}

/** How a caller wants its turn. */
export interface TurnRequest {
	/** Who asks: turns go round between callers, and each caller's own requests keep their order. */
	caller: object;
	/** Ends the wait. */
	signal?: AbortSignal;
	/** Fail at once instead of waiting for the rate limit. */
	failFast?: boolean;
	/** This request was refused before: it goes ahead of its caller's others. */
	again?: boolean;
}

/** A request that may go out now. Exactly one of the two has to be called when it has come back. */
export interface Turn {
	/** The service answered: its headers say how things stand. */
	answered(response: { statusCode: number; headers: Record<string, unknown> }): void;
	/** No answer came (connection error, time-out). */
	lost(): void;
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

/** A single wait longer than this fails instead (ms). */
export const LONGEST_WAIT = 10 * 60_000;
/** Never more requests on the way than this: more connections gain nothing and weigh on the service. */
export const MOST_IN_FLIGHT = 32;
/** After this long without an answer (ms) a request counts as seen by the service, and no longer holds others back. */
const PATIENCE = 5_000;
/** Waited beyond a reset (ms), because timers and clocks are not exact. */
const RESET_MARGIN = 10;
/** First pause (ms) when the service refuses without saying until when; doubles up to the longest. */
const FIRST_BACK_OFF = 1_000;
const LONGEST_BACK_OFF = 60_000;
/** First pause (ms) when the reset that the service names has passed and it still refuses (a rounded-down reset). */
const FIRST_OVERDUE_PAUSE = 100;
/** How many requests go together to a service that limits the rate and does not say how much is left. */
const CAREFUL_SPREAD = 3;
/** Above this many requests counted by the service for each one of ours, others are using the key. */
const ALONE = 1.2;

/**
 * So many of our answers it takes, about, to notice others who use the key, and to believe that they are gone: who happens to
 * be the first for a while is not alone.
 */
const NOTICED_WITHIN = 2;
const FORGOTTEN_WITHIN = 4;
/** How much more room than the others need one leaves them at the end of a window. */
const CAUTION = 1.5;
/**
 * Clients that share a window spread their requests over this part of it: when all rush at it, a request that is held up on
 * its way finds it used up.
 */
const SPREAD_OVER = 0.5;

interface Waiter extends TurnRequest {
	grant(turn: Turn): void;
	refuse(error: Error): void;
}

interface Flight {
	sentAt: number;
	/** The limit under which the service had said that a place is left for it. */
	grantedUnder?: { limit?: number };
}

interface Knowledge {
	/** Requests that the service said are left. */
	remaining: number;
	/** Local time (ms) of the reset, margin included. */
	resetAt?: number;
	/** The service's reset, as it named it: tells one window from another. */
	reset?: number;
	/** The limit that the service named. */
	limit?: number;
	receivedAt: number;
	/** Our requests that had been answered by then. */
	answered: number;
	/** Local time (ms) before which no further request goes, because others use the window too. */
	notBefore: number;
	/** The last few places of a window that others use too are left to them, by lot. */
	givesWay: boolean;
}

/**
 * The rate-limit budget of one service and key: hands out turns so that every request finds a place in the service's
 * window. It learns from the response headers alone.
 *
 * - Nothing known (at the start, and after each reset): one request feels the way, the others wait for its answer.
 * - Known: no more on the way than the service said are left. How many go at once grows with every answer, and falls to
 *   one when the count drops by more than our own requests, for then others use the key and news ages fast.
 * - Used up: nothing until the reset.
 */
export class Budget {
	private readonly lanes = new Map<object, Set<Waiter>>();
	private readonly flights = new Set<Flight>();
	private readonly difference = new ClockDifference();
	private known?: Knowledge;
	/** Requests that went out, all in all, but for those that were refused. */
	private sent = 0;
	/** How many requests may be on the way together. */
	private spread = 1;
	/** How far the remaining count falls for each request of ours, smoothed: 1 when the key is ours alone. */
	private pull = 1;
	/** Whether the service's answers carry the rate-limit headers. */
	private namesLimits = false;
	private blockedUntil = 0;
	/** Refusals in a row, and when the latest was heard. */
	private refusals = 0;
	private refusedAt = -Infinity;
	/** How far the spread may grow. */
	private widest = MOST_IN_FLIGHT;
	private wakeAt = Infinity;
	private lastUsed: number;

	constructor(private readonly clock: Clock) {
		this.lastUsed = clock.now();
	}

	/**
	 * Waits for a turn.
	 *
	 * @throws RateLimitError when the wait would be longer than ten minutes, or at all with `failFast`
	 * @throws StoppedError when the signal fires first
	 */
	async turn(request: TurnRequest): Promise<Turn> {
		if (request.signal?.aborted) throw new StoppedError();
		return await new Promise<Turn>((resolve, reject) => {
			const unwatch = whenStopped(request.signal, () => {
				this.remove(waiter);
				reject(new StoppedError());
			});
			const waiter: Waiter = {
				...request,
				grant: (turn) => {
					unwatch();
					resolve(turn);
				},
				refuse: (error) => {
					unwatch();
					reject(error);
				},
			};
			const lane = this.lanes.get(request.caller) ?? [];
			if (lane instanceof Set && !request.again) lane.add(waiter);
			else this.lanes.set(request.caller, new Set([waiter, ...lane]));
			this.pump();
		});
	}

	/** Whether nobody waits, nothing is on the way, and what is known has lost its worth. */
	isIdle(now: number): boolean {
		return (
			this.lanes.size === 0 &&
			this.flights.size === 0 &&
			now - this.lastUsed > LONGEST_WAIT &&
			now > Math.max(this.blockedUntil, this.known?.resetAt ?? 0)
		);
	}

	private remove(waiter: Waiter): void {
		const lane = this.lanes.get(waiter.caller);
		if (lane?.delete(waiter) && lane.size === 0) this.lanes.delete(waiter.caller);
	}

	/** Takes the next waiter: round robin over the callers, first come first served within one. */
	private next(): Waiter | undefined {
		for (const [caller, lane] of this.lanes) {
			this.lanes.delete(caller);
			for (const waiter of lane) {
				lane.delete(waiter);
				if (lane.size > 0) this.lanes.set(caller, lane);
				return waiter;
			}
		}
		return undefined;
	}

	private pump(): void {
		while (this.lanes.size > 0) {
			const now = this.clock.now();
			this.lastUsed = now;
			const hold = this.hold(now);
			if (hold === undefined) {
				this.next()?.grant(this.depart(now));
				continue;
			}
			if (hold.limited) this.turnAway(now, hold.until);
			if (this.lanes.size > 0) this.wake(now, hold.until);
			return;
		}
	}

	/** Why no request may go now and until when (local ms), or undefined when one may. */
	private hold(now: number): { until: number; limited: boolean } | undefined {
		if (now < this.blockedUntil) return { until: this.blockedUntil, limited: true };
		const known = this.known;
		if (known === undefined || (known.resetAt !== undefined && now >= known.resetAt)) {
			const probe = this.youngest(known?.resetAt ?? 0, now);
			return probe === undefined ? undefined : { until: probe.sentAt + PATIENCE, limited: false };
		}
		const uncounted = this.uncounted(now);
		const left = known.remaining - uncounted.length;
		if (left <= 0 || (known.givesWay && uncounted.length === 0)) {
			if (known.resetAt !== undefined) return { until: known.resetAt, limited: known.remaining <= 0 || uncounted.length === 0 };
			if (uncounted.length > 0) return { until: uncounted[0].sentAt + PATIENCE, limited: false };
			this.backOff(now);
			return { until: this.blockedUntil, limited: true };
		}
		if (now < known.notBefore) return { until: known.notBefore, limited: false };
		if (uncounted.length >= this.spread) return { until: uncounted[0].sentAt + PATIENCE, limited: false };
		if (this.flights.size >= MOST_IN_FLIGHT) return { until: now + PATIENCE, limited: false };
		return undefined;
	}

	/** Requests on the way that the service may not have counted yet, oldest first. */
	private uncounted(now: number): Flight[] {
		return [...this.flights].filter((flight) => now - flight.sentAt < PATIENCE);
	}

	/** The newest request still on the way that left at or after `since` and has not outstayed the patience. */
	private youngest(since: number, now: number): Flight | undefined {
		return this.uncounted(now)
			.filter((flight) => flight.sentAt >= since)
			.pop();
	}

	private depart(now: number): Turn {
		const known = this.known;
		const flight: Flight = { sentAt: now, grantedUnder: known !== undefined && now < (known.resetAt ?? Infinity) ? known : undefined };
		this.flights.add(flight);
		this.sent++;
		return {
			answered: (response) => {
				this.flights.delete(flight);
				this.learn(flight, response);
				this.pump();
			},
			lost: () => {
				this.flights.delete(flight);
				this.pump();
			},
		};
	}

	private learn(flight: Flight, response: { statusCode: number; headers: Record<string, unknown> }): void {
		const now = this.clock.now();
		const said = readRateHeaders(response.headers, now);
		if (said.date !== undefined) this.difference.observe(said.date, flight.sentAt, now);
		const refused = response.statusCode === 429;
		const resetAt = said.reset === undefined ? undefined : this.difference.toLocal(said.reset) + RESET_MARGIN;

		if (refused) {
			this.sent--;
			// Somebody else took the place that was said to be left, unless the limit itself has changed.
			if (flight.grantedUnder !== undefined && flight.grantedUnder.limit === said.limit) this.othersSeen(2);
			// Requests that were on the way together are refused together: that is one refusal.
			if (flight.sentAt >= this.refusedAt) this.refusals++;
			this.refusedAt = now;
			if (said.remaining === undefined) this.widest = CAREFUL_SPREAD;
			if (resetAt !== undefined && resetAt > now) {
				this.know(now, { remaining: 0, resetAt, reset: said.reset, limit: said.limit });
			} else if (said.retryAfter !== undefined) {
				this.block(now + said.retryAfter + RESET_MARGIN);
			} else if (resetAt !== undefined) {
				this.block(now + FIRST_OVERDUE_PAUSE * 2 ** Math.min(this.refusals - 1, 6));
			} else {
				this.backOff(now);
			}
			return;
		}

		this.refusals = 0;
		const known = this.known;
		const isNewWindow = known?.resetAt !== undefined && now >= known.resetAt && flight.sentAt >= known.resetAt;
		// Another limit (of another plan): what is left under it says nothing about others who use the key.
		const isNewLimit = said.limit !== undefined && known?.limit !== undefined && said.limit !== known.limit;
		const outdated = known === undefined || isNewWindow || isNewLimit;
		if (said.remaining === undefined && this.namesLimits) {
			// An answer without the headers (a proxy's error page, say) took a place and tells nothing.
			if (known !== undefined && !outdated) known.remaining--;
			return;
		}
		this.namesLimits = said.remaining !== undefined;
		const remaining = said.remaining ?? Infinity;
		if (outdated) {
			// More than our own requests in a window that has just begun. One that slides has no beginning: its next reset is near.
			const used = (said.limit ?? 0) - remaining;
			const begins = isNewWindow && !isNewLimit && (resetAt ?? 0) - now > known.resetAt! - known.receivedAt;
			if (begins && used > 1 + this.flights.size && used < remaining) this.othersSeen(2);
			else this.grow();
			this.know(now, { remaining, resetAt, reset: said.reset, limit: said.limit });
			return;
		}
		if (resetAt !== undefined && resetAt <= now) return; // The window it speaks of has ended.
		// What is still on the way may have been counted.
		const ours = Math.max(1, this.sent - known.answered);
		const pull = Math.max(1, (known.remaining - remaining) / ours) || 1;
		this.pull += (pull - this.pull) / (pull > this.pull ? NOTICED_WITHIN : FORGOTTEN_WITHIN);
		if (pull > 1) this.othersSeen(1);
		else this.grow();
		const newer =
			flight.sentAt >= known.receivedAt || (said.reset !== undefined && known.reset !== undefined && said.reset > known.reset);
		if (newer || remaining <= known.remaining) this.know(now, { remaining, resetAt, reset: said.reset, limit: said.limit });
	}

	private know(now: number, news: { remaining: number; resetAt?: number; reset?: number; limit?: number }): void {
		const { remaining, resetAt } = news;
		const isShared = this.pull > ALONE && remaining > 0;
		const ours = Math.max(1, remaining / this.pull);
		const gap = isShared && resetAt !== undefined ? (SPREAD_OVER * (resetAt - now)) / ours : 0;
		this.known = {
			...news,
			answered: this.sent - this.flights.size,
			receivedAt: now,
			notBefore: now + gap * (0.5 + this.clock.random()),
			givesWay: isShared && this.clock.random() * this.pull * CAUTION >= remaining,
		};
	}

	private othersSeen(atLeast: number): void {
		this.spread = 1;
		this.pull = Math.max(this.pull, atLeast);
	}

	private grow(): void {
		if (this.pull <= ALONE) this.spread = Math.min(this.widest, this.spread + 1);
	}

	private backOff(now: number): void {
		this.spread = 1;
		const pause = Math.min(LONGEST_BACK_OFF, FIRST_BACK_OFF * 2 ** Math.min(Math.max(this.refusals - 1, 0), 10));
		this.block(now + pause * (1 + this.clock.random() / 4));
	}

	/** Nothing goes before `until`; then one request feels the way. */
	private block(until: number): void {
		this.blockedUntil = until;
		this.known = undefined;
	}

	/** Answers those who will not, or cannot sensibly, wait until `until`. */
	private turnAway(now: number, until: number): void {
		const wait = until - now;
		for (const lane of [...this.lanes.values()]) {
			for (const waiter of [...lane]) {
				if (!waiter.failFast && wait <= LONGEST_WAIT) continue;
				this.remove(waiter);
				waiter.refuse(new RateLimitError(until, wait));
			}
		}
	}

	private wake(now: number, at: number): void {
		if (this.wakeAt <= at && this.wakeAt > now) return;
		this.wakeAt = at;
		void this.clock.sleep(Math.max(1, Math.ceil(at - now))).then(() => {
			if (this.wakeAt === at) this.wakeAt = Infinity;
			this.pump();
		});
	}
}
