import { sleep } from 'n8n-workflow';

/** How long (ms) n8n may be held up before others get a turn. */
const LONGEST_SLICE = 10;

/** Lets n8n do other things while thousands of rows, links or findings are gone through. */
export class Slices {
	private since = Date.now();

	/** To be called between two of them. */
	async turn(): Promise<void> {
		if (Date.now() - this.since < LONGEST_SLICE) return;
		await sleep(0);
		this.since = Date.now();
	}
}

/** Goes through them, with turns for others in between. */
export async function* yielding<One>(all: Iterable<One>): AsyncGenerator<One> {
	const slices = new Slices();
	for (const one of all) {
		await slices.turn();
		yield one;
	}
}

export async function inSlices<One, Result>(all: Iterable<One>, work: (one: One) => Result): Promise<Result[]> {
	const results: Result[] = [];
	for await (const one of yielding(all)) results.push(work(one));
	return results;
}
