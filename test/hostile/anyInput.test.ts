/**
 * Every operation with input of every kind, at services of either dialect. The contract is the judge: no input makes the node send what the service does not
 * understand. HOSTILE sets the tries for each three operations.
 */
import fc from 'fast-check';

import { linkManagement, run } from '../engine/host';
import { DIALECTS, type Sandbox } from '../sandbox';
import { freshSandbox } from '../sandbox/fresh';
import { entriesFor, operationsOf } from './parameters';
import { expectReadable } from './plain';

const RUNS = Math.ceil(Number(process.env.HOSTILE ?? 60) / 3);

let sandbox: Sandbox;

freshSandbox({ limit: { requests: null }, onViolation: () => undefined }, (started) => (sandbox = started));

const operations = operationsOf(linkManagement).map(
	(operation) => [`${operation.resource}:${operation.operation}`, operation] as const,
);

test.each(operations)(
	'any input: %s sends what the contract allows, or says what is wrong',
	async (_name, operation) => {
		let understood = 0;
		const entries = entriesFor(linkManagement, operation);
		await fc.assert(
			fc.asyncProperty(entries, fc.constantFrom(...DIALECTS), async ({ row, parameters }, dialect) => {
				await sandbox.configure({ dialect });
				await sandbox.clearRequests();
				const credential = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
				const outcome = await run(parameters, { credential, rows: [row] });
				expectReadable(outcome, sandbox.apiKey);
				const sent = await sandbox.requests();
				expect(sent.flatMap(({ violations }) => violations)).toEqual([]);
				for (const { operationId } of sent) expect(operationId).not.toBeNull();
				const isNothingToDo = outcome.items.some(({ json }) => ['skipped', 'failed'].includes(String(json.action)));
				if (sent.length > 0) understood++;
				else if (!isNothingToDo) expect(outcome.error).toBeDefined();
			}),
			{ numRuns: RUNS },
		);
		// Otherwise the input would all be nonsense, and prove nothing of what goes out.
		expect(understood).toBeGreaterThan(0);
	},
	120_000,
);
