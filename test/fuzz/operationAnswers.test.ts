/**
 * Every operation at a service that answers anything: it gives items, or says in plain words what is wrong. Such a service has
 * no dialect: this runs once. FUZZ_RUNS sets the tries for each operation.
 */
import fc from 'fast-check';

import { linkManagement, run } from '../engine/host';
import { startSandbox, type Sandbox } from '../sandbox';
import { answer, AnyService, expectReadable, MOST_REQUESTS } from './answers';
import { entriesFor, operationsOf, type Entered, type Operation } from './parameters';

const RUNS = Number(process.env.FUZZ_RUNS ?? 30);

let sandbox: Sandbox;
const service = new AnyService(MOST_REQUESTS);

beforeAll(async () => {
	sandbox = await startSandbox({ limit: { requests: null }, onViolation: () => undefined });
	await service.start();
});

afterAll(async () => {
	await sandbox.stop();
	await service.stop();
});

/** Inputs that the node takes, found by running it. */
async function accepted(operation: Operation): Promise<Entered[]> {
	const found: Entered[] = [];
	const entries = entriesFor(linkManagement, operation);
	for (let seed = 1; found.length < 5; seed++) {
		expect(seed).toBeLessThan(200);
		const [{ row, parameters }] = fc.sample(entries, { numRuns: 1, seed });
		const entered = { row, parameters: { ...parameters, options: { ifRateLimited: 'fail' } } };
		await sandbox.clearRequests();
		await run(entered.parameters, { credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey }, rows: [row] });
		if ((await sandbox.stats()).requests > 0) found.push(entered);
	}
	return found;
}

test('any answer: every operation gives items, or says what is wrong', async () => {
	const inputs = [];
	for (const operation of operationsOf(linkManagement)) inputs.push(await accepted(operation));
	// All at once, for reads that fail are tried again after a while.
	await Promise.all(
		inputs
			.flatMap((entries) => fc.sample(fc.tuple(fc.constantFrom(...entries), answer), RUNS))
			.map(async ([{ row, parameters }, given]) => {
				const key = service.set(given);
				const outcome = await run(parameters, { credential: { baseUrl: service.url, apiKey: key }, rows: [row] });
				try {
					expectReadable(outcome, key);
					expect(service.requests.get(key) ?? 0).toBeLessThanOrEqual(MOST_REQUESTS);
				} catch (error) {
					throw new Error(`${(error as Error).message}\n${JSON.stringify({ row, parameters, given })}`);
				}
			}),
	);
}, 300_000);
