/** What polls leave in the process: flat over 3,000 polls, and bounded over all nodes, deactivated ones among them. */
import { memory, MOST_TRIGGERS } from '../../nodes/LinkManagement/trigger/memory';
import { TriggerHost } from './pollHost';
import { serve } from './serve';
import { usedBytes } from './usedBytes';

const POLLS = 3000;
const WARM_UP = 1000;
/** Time of a poll: the timer that ends it stays until then. */
const BUDGET_MS = 3000;
const MEGABYTE = 1_000_000;
/** What may come and go, whatever is done: less than half a kilobyte for each poll after those that warm up. */
const NOISE = 1.5 * MEGABYTE;

let baseUrl: string;
let answered = 0;

beforeAll(async () => {
	baseUrl = await serve((_request, response) => {
		const qrs = Array.from({ length: 50 }, (_, n) => ({ id: n + 1, name: 'Poster', scans: n === 0 ? ++answered : 5 }));
		const body = { error: '0', data: { result: 50, perpage: 100, currentpage: 1, nextpage: null, maxpage: 1, qrs } };
		response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
	});
});

/** What is used when the connections and timers of the last polls are gone, too, or as soon as it is less than is allowed. */
async function settledBytes(allowed = 0): Promise<number> {
	let least = Infinity;
	for (let tries = 0; tries < 4 && least >= allowed; tries++) {
		await new Promise((resolve) => setTimeout(resolve, BUDGET_MS / 2));
		least = Math.min(least, usedBytes());
	}
	return least;
}

it(`is no more after ${POLLS} polls than after ${WARM_UP}`, async () => {
	const host = new TriggerHost({ credential: { baseUrl, apiKey: 'key' }, parameters: { event: 'qrCodeScanned' } });
	await host.activate();
	host.budgetMs = BUDGET_MS;
	const used: number[] = [];
	for (let poll = 1; poll <= POLLS; poll++) {
		expect(await host.poll()).toMatchObject([{ id: 1, newScans: 1 }]);
		host.executions.length = 0;
		if (poll % WARM_UP === 0) used.push(await settledBytes(used[0] === undefined ? 0 : used[0] + NOISE));
	}
	expect(Math.max(...used) - used[0]).toBeLessThan(NOISE);
}, 600_000);

it('is bounded, however many nodes were polled', () => {
	for (let node = 0; node < MOST_TRIGGERS; node++) memory.recall(`node ${node}`).reportedAt = node;
	memory.recall('node 0');
	memory.recall('one more');
	expect(memory.recall('node 0').reportedAt).toBe(0);
	expect(memory.recall('node 1').reportedAt).toBeUndefined();
});
