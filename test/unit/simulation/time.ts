import type { Clock } from '../../../nodes/LinkManagement/rateLimit/rateLimiter';
import { Random } from '../../sandbox/records';

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

	clock(seed: number): Clock {
		return { now: this.now, sleep: this.sleep, random: randomFrom(seed) };
	}

	/** Lets time pass until the work is done; fails when it is not done by `limit` ms from now. */
	async run(work: Promise<unknown>, limit: number): Promise<void> {
		let done = false;
		let failure: Error | undefined;
		work.then(
			() => (done = true),
			(error: unknown) => {
				failure = error as Error;
				done = true;
			},
		);
		const end = this.time + limit;
		for (;;) {
			await settle();
			if (done) break;
			const next = this.queue.shift();
			if (next === undefined)
				throw new Error('Nothing is left to happen, and the work is not done: a wait without end');
			if (next.at > end) throw new Error(`Not done after ${limit} ms`);
			this.time = Math.max(this.time, next.at);
			next.wake();
		}
		if (failure !== undefined) throw failure;
	}
}

/** Lets all promises that can go on do so. */
async function settle(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
}
