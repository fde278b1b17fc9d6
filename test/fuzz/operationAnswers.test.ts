/**
 * Every operation at a service that answers anything: it gives items, or says in plain words what is wrong. Such a service has
 * no dialect: this runs once. FUZZ_RUNS sets the tries for each operation.
 */
import fc from 'fast-check';

import { linkManagement, run } from '../engine/host';
import type { Sandbox } from '../sandbox';
import { freshSandbox } from '../sandbox/fresh';
import { accepted, answer, AnyService, expectReadable, MOST_REQUESTS } from './answers';
import { entriesFor, operationsOf } from './parameters';

const RUNS = Number(process.env.FUZZ_RUNS ?? 20);

let sandbox: Sandbox;
const service = new AnyService(MOST_REQUESTS);

freshSandbox({ limit: { requests: null }, onViolation: () => undefined }, (started) => (sandbox = started));
beforeAll(async () => await service.start());

test('any answer: every operation gives items, or says what is wrong', async () => {
	const inputs = [];
	for (const operation of operationsOf(linkManagement)) {
		const entries = entriesFor(linkManagement, operation).map(({ row, parameters }) => ({
			row,
			parameters: { ...parameters, options: { ifRateLimited: 'fail' } },
		}));
		inputs.push(await accepted(sandbox, entries, 5));
	}
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
}, 900_000);
