import type { Clock } from '../../../nodes/LinkManagement/rateLimit/rateLimiter';
import { Random } from '../../sandbox/records';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A deterministic source of numbers from 0 to 1. */
export function randomFrom(seed: number): () => number {
	const random = new Random(seed);
	return () => random.next();
}

/** Time that passes only when everything that can happen now has happened. */
export class SimulatedTime {
	private time: number;
	private queue: Array<{ at: number; order: number; wake: () => void }> = [];
	private order = 0;
	/** How long (ms) those of the clocks were to run. */
	readonly timers: number[] = [];

	constructor(start = 1_800_000_000_000) {
		this.time = start;
	}

	now = (): number => this.time;

	sleep = async (milliseconds: number): Promise<void> => {
		await new Promise<void>((wake) => {
			const entry = { at: this.time + Math.max(0, milliseconds), order: this.order++, wake };
			let low = 0;
			let high = this.queue.length;
			while (low < high) {
				const middle = (low + high) >> 1;
				if (this.queue[middle].at <= entry.at) low = middle + 1;
				else high = middle;
			}
			this.queue.splice(low, 0, entry);
		});
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
	async run<T>(work: Promise<T>, limit: number): Promise<T> {
		let isDone = false;
		const done = () => (isDone = true);
		work.then(done, done);
		const end = this.time + limit;
		for (;;) {
			await settle();
			if (isDone) return await work;
			const next = this.queue.shift();
			if (next === undefined)
				throw new Error('Nothing is left to happen, and the work is not done: a wait without end');
			if (next.at > end) throw new Error(`Not done after ${limit} ms`);
			this.time = Math.max(this.time, next.at);
			next.wake();
		}
	}
}

/** Lets all promises that can go on do so. */
async function settle(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
}
