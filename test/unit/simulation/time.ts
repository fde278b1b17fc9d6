import type { Clock } from '../../../nodes/LinkManagement/rateLimit/rateLimiter';
import { Random } from '../../sandbox/records';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A deterministic source of numbers from 0 to 1. */
export function randomFrom(seed: number): () => number {
	const random = new Random(seed);
	return () => random.next();
}

/** A call at a time (ms). */
class Timer {
	constructor(
		readonly at: number,
		readonly call: () => void,
	) {}

	/** Of Node's own timers: whether the process waits for them is no matter here. */
	ref = () => this;
	unref = () => this;
}

/** Time that passes only when everything that can happen now has happened. */
export class SimulatedTime {
	/** The next timer comes first. */
	private readonly queue: Timer[] = [];
	/** How long (ms) those of the clocks were to run. */
	readonly timers: number[] = [];

	/** @param turns of the event loop that let all that can go on do so: more than one where streams are read */
	constructor(
		private time = 1_800_000_000_000,
		private readonly turns = 1,
	) {}

	now = (): number => this.time;

	/** The time of the next timer. */
	get nextAt(): number {
		return this.queue.length === 0 ? Infinity : this.queue[0].at;
	}

	/** Calls back in so many milliseconds. @returns the timer, to be cleared */
	later = (call: () => void, milliseconds = 0): Timer => {
		const timer = new Timer(this.now() + Math.max(0, milliseconds), call);
		let low = 0;
		let high = this.queue.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.queue[middle].at <= timer.at) low = middle + 1;
			else high = middle;
		}
		this.queue.splice(low, 0, timer);
		return timer;
	};

	clear = (timer?: Timer): void => {
		const at = timer === undefined ? -1 : this.queue.indexOf(timer);
		if (at >= 0) this.queue.splice(at, 1);
	};

	sleep = async (milliseconds: number): Promise<void> => {
		await new Promise<void>((wake) => this.later(wake, milliseconds));
	};

	/** A clock whose timers are noted. */
	clock(): Clock {
		const sleep = async (milliseconds: number) => {
			this.timers.push(milliseconds);
			await this.sleep(milliseconds);
		};
		return { now: this.now, sleep };
	}

	/** Lets time pass until the work is done; fails when it is not done by `limit` ms from now. */
	async run<T>(work: Promise<T>, limit = Infinity): Promise<T> {
		let isDone = false;
		const done = () => (isDone = true);
		work.then(done, done);
		const end = this.time + limit;
		for (;;) {
			for (let turns = 0; turns < this.turns && !isDone; turns++) await turn();
			if (isDone) return await work;
			if (this.queue.length === 0)
				throw new Error('Nothing is left to happen, and the work is not done: a wait without end');
			if (this.queue[0].at > end) throw new Error(`Not done after ${limit} ms`);
			this.next();
		}
	}

	/** Lets time pass, without anybody who waits for something. */
	async pass(milliseconds: number): Promise<void> {
		const end = this.time + milliseconds;
		while (this.queue.length > 0 && this.queue[0].at <= end) this.next();
		this.time = end;
		await turn();
	}

	/** Lets time pass until the next timer, if there is one. */
	next(): void {
		const timer = this.queue.shift();
		if (timer === undefined) return;
		this.time = Math.max(this.time, timer.at);
		timer.call();
	}

	/** Takes the timers that are left. */
	left(): Timer[] {
		return this.queue.splice(0);
	}
}

async function turn(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
}
