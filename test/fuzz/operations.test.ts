/**
 * Every operation with input and answers of every kind. The contract is the judge: no input makes the node send what the
 * service does not understand, and no answer makes it fail in a way that a user can't read.
 * FUZZ_RUNS sets the tries for each operation.
 */
import fc from 'fast-check';

import { linkManagement, run, type Outcome } from '../engine/host';
import { DIALECT } from '../dialect';
import { startSandbox, type Sandbox } from '../sandbox';
import { answer, AnyService } from './answers';
import { entriesFor, operationsOf, type Entered, type Operation } from './parameters';

const RUNS = Number(process.env.FUZZ_RUNS ?? 30);
/** Requests that one run may make at most: pages are read again where a list says that it changed. */
const MOST_REQUESTS = 60;
/** Errors that come of code that was surprised, not of code that says what is wrong. */
const SURPRISED =
	/undefined|\[object Object\]|is not a function|is not iterable|Cannot (read|convert|set)|circular|Maximum call stack/;

let sandbox: Sandbox;
const service = new AnyService(MOST_REQUESTS);

beforeAll(async () => {
	sandbox = await startSandbox({ dialect: DIALECT, limit: { requests: null }, onViolation: () => undefined });
	await service.start();
});

afterAll(async () => {
	await sandbox.stop();
	await service.stop();
});

/** Whatever came of it, a user can work with it. */
function expectReadable({ items, error, saved }: Outcome, key: string): void {
	if (error !== undefined) {
		expect(error.name).toMatch(/^Node(Api|Operation)Error$/);
		expect(error.message).not.toMatch(SURPRISED);
		expect(error.message.length).toBeLessThan(1000);
	}
	for (const { json, pairedItem } of items) {
		expect(pairedItem).toBeDefined();
		expect(json).not.toHaveProperty('error');
	}
	expect(saved).not.toContain(key);
	expect({}).not.toHaveProperty('polluted');
}

const operations = operationsOf(linkManagement).map(
	(operation) => [`${operation.resource}:${operation.operation}`, operation] as const,
);

describe('any input', () => {
	test.each(operations)(
		'%s sends what the contract allows, or says what is wrong',
		async (_name, operation) => {
			await sandbox.reset();
			let understood = 0;
			await fc.assert(
				fc.asyncProperty(entriesFor(linkManagement, operation), async ({ row, parameters }) => {
					await sandbox.clearRequests();
					const outcome = await run(parameters, {
						credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
						rows: [row],
					});
					expectReadable(outcome, sandbox.apiKey);
					const sent = await sandbox.requests();
					expect(sent.flatMap(({ violations }) => violations)).toEqual([]);
					for (const { operationId } of sent) expect(operationId).not.toBeNull();
					if (sent.length === 0) expect(outcome.error).toBeDefined();
					else understood++;
				}),
				{ numRuns: RUNS },
			);
			// Otherwise the input would all be nonsense, and prove nothing of what goes out.
			expect(understood).toBeGreaterThan(0);
		},
		120_000,
	);
});

/** Inputs that the node takes, found by running it. */
async function accepted(operation: Operation): Promise<Entered[]> {
	const found: Entered[] = [];
	for (const { row, parameters } of fc.sample(entriesFor(linkManagement, operation), { numRuns: 200, seed: 1 })) {
		const entered = { row, parameters: { ...parameters, options: { ifRateLimited: 'fail' } } };
		await sandbox.clearRequests();
		await run(entered.parameters, { credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey }, rows: [row] });
		if ((await sandbox.requests()).length > 0) found.push(entered);
		if (found.length === 5) break;
	}
	expect(found).toHaveLength(5);
	return found;
}

test('any answer: every operation gives items, or says what is wrong', async () => {
	await sandbox.reset();
	const inputs = [];
	for (const [, operation] of operations) inputs.push(await accepted(operation));
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
