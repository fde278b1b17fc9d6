import { sleep } from 'n8n-workflow';

/** How long (ms) n8n may be held up before others get a turn. */
const LONGEST_SLICE = 25;

/** Lets n8n do other things while thousands of rows, links or findings are gone through. */
export class Slices {
	private since = Date.now();

	/** To be called between two of them. */
	async turn(): Promise<void> {
		if (Date.now() - this.since < LONGEST_SLICE) return;
		await sleep(0);
		this.since = Date.now();
	}

	/** Goes through them with such turns in between. */
	async *over<One>(all: Iterable<One>): AsyncGenerator<One> {
		for (const one of all) {
			await this.turn();
			yield one;
		}
	}
}

/** Goes through them, with turns for others in between. */
export function inTurns<One>(all: Iterable<One>): AsyncGenerator<One> {
	return new Slices().over(all);
}

/** What comes of each, in their order. */
export async function inSlices<One, Result>(all: Iterable<One>, work: (one: One) => Result): Promise<Result[]> {
	const results: Result[] = [];
	for await (const one of inTurns(all)) results.push(work(one));
	return results;
}
