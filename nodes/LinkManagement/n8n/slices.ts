import { sleep } from 'n8n-workflow';

/** Longest time (ms) without yielding to n8n's event loop. */
const LONGEST_SLICE = 10;

/** Yields to n8n's event loop while thousands of rows or links are processed. */
export class Slices {
	private since = Date.now();

	/** Yields if it is time. */
	async yieldIfDue(): Promise<void> {
		if (Date.now() - this.since < LONGEST_SLICE) return;
		await sleep(0);
		this.since = Date.now();
	}
}

/** Iterates, and yields to the event loop in between. */
export async function* yielding<One>(all: Iterable<One>): AsyncGenerator<One> {
	const slices = new Slices();
	for (const one of all) {
		await slices.yieldIfDue();
		yield one;
	}
}

export async function mapYielding<One, Result>(all: Iterable<One>, work: (one: One) => Result): Promise<Result[]> {
	const results: Result[] = [];
	for await (const one of yielding(all)) results.push(work(one));
	return results;
}
