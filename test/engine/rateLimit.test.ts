/** The rate limit as a user meets it, over real HTTP: rows, dropdowns and single runs that share a key, in either dialect. */
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Behaviour, type Sandbox, type SandboxOptions } from '../sandbox';
import { itemsOf, run, search } from './host';

const DAY = 24 * 3_600_000;

let sandbox: Sandbox;
let keys = 0;

/** Starts a service with a key that the node knows nothing of. */
async function startService(options: SandboxOptions): Promise<void> {
	sandbox = await startSandbox({ records: { links: 0 }, apiKeys: [`rate-limit-key-${++keys}`], ...options });
}

afterEach(async () => {
	await sandbox.stop();
});

const credential = () => ({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
const create = { resource: 'link', operation: 'create', url: '={{ $json.url }}' };

function rowsOf(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, row) => ({ url: `https://example.com/page/${row}` }));
}

async function refusals(): Promise<number> {
	return (await sandbox.requests()).filter(({ refused }) => refused).length;
}

describe('a service that refuses through the whole second of its reset', () => {
	test.each<[Behaviour['refusal'], mostRefused: number]>([
		['status200', 1],
		['status429Body', 1],
		['status429', 2],
		['status429Text', 2],
	])(
		'refusals as %s: every row is done once, and the service is asked once how its windows end',
		async (refusal, most) => {
			await startService({ dialect: 'field', deviations: { refusal }, limit: { requests: 12, windowMs: 2000 } });
			const outcome = await run(create, { credential: credential(), rows: rowsOf(26) });
			expect(outcome.error).toBeUndefined();
			expect(outcome.items.every(({ json }) => typeof json.shorturl === 'string')).toBe(true);
			const held = await sandbox.links();
			expect(new Set(held.map(({ longurl }) => longurl)).size).toBe(26);
			expect(held).toHaveLength(26);
			expect(await refusals()).toBeLessThanOrEqual(most);
		},
	);

	test('without rate-limit headers too', async () => {
		await startService({
			dialect: 'field',
			deviations: { noRateLimitHeaders: true },
			limit: { requests: 12, windowMs: 2000 },
		});
		const items = await itemsOf(create, { credential: credential(), rows: rowsOf(20) });
		expect(items).toHaveLength(20);
		expect(await sandbox.links()).toHaveLength(20);
	});
});

describe('while a long run has used up the window', () => {
	test.each<[string, () => Promise<unknown>]>([
		['a dropdown opens', async () => await search('searchLinks', credential())],
		[
			'a single row is run',
			async () => await itemsOf({ resource: 'account', operation: 'get' }, { credential: credential() }),
		],
	])('%s without waiting for the reset', async (_name, ask) => {
		await startService({ limit: { requests: 20, windowMs: 8000, begin: 'firstRequest' } });
		const bulk = run(create, { credential: credential(), rows: rowsOf(25) });
		// A place is kept, in the first window too.
		while ((await sandbox.stats()).created.links < 19) await new Promise((resolve) => setTimeout(resolve, 20));
		const began = Date.now();
		await ask();
		expect(Date.now() - began).toBeLessThan(3000);
		expect((await bulk).items).toHaveLength(25);
		expect(await refusals()).toBe(0);
	});
});

describe('a daily window that others use too', () => {
	test('with If Rate Limited → Fail, rows are done while there is room, and the others fail at once', async () => {
		await startService({ limit: { requests: 20, windowMs: DAY } });
		await sandbox.useBudget(12);
		const others = setInterval(() => void sandbox.useBudget(1).catch(() => undefined), 5);
		const began = Date.now();
		const { items } = await run(
			{ ...create, options: { ifRateLimited: 'fail' } },
			{ credential: credential(), rows: rowsOf(20), node: { onError: 'continueRegularOutput' } },
		);
		clearInterval(others);
		expect(Date.now() - began).toBeLessThan(10_000);
		expect(items).toHaveLength(20);
		const failed = items.filter(({ json }) => json.error !== undefined);
		expect(failed.length).toBeGreaterThan(0);
		for (const { json } of failed) expect(json.error).toMatch(/The rate limit of the service is used up/);
	});
});

test('a used-up window whose reset is a year ahead: the row fails with a time that can be read', async () => {
	await startService({ limit: { requests: 1, windowMs: 366 * DAY } });
	const { items } = await run(create, {
		credential: credential(),
		rows: rowsOf(2),
		node: { onError: 'continueRegularOutput' },
	});
	expect(items[0].json.shorturl).toBeDefined();
	expect(items[1].json.error).toMatch(/It answers again in \d+ seconds, at 20\d\d-/);
});
