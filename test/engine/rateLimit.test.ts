/** The rate limit as a user meets it, over real HTTP: rows, dropdowns and single runs that share a key, in either dialect. */
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Behaviour, type Sandbox, type SandboxOptions } from '../sandbox';
import { quickClock } from './clock';
import { itemsOf, run, search } from './host';

const DAY = 24 * 3_600_000;

let started: Sandbox[] = [];
let keys = 0;

/** Starts a service with a key that the node knows nothing of. */
async function startService(options: SandboxOptions): Promise<Sandbox> {
	const apiKeys = [`rate-limit-key-${++keys}`];
	const sandbox = await startSandbox({ records: { links: 0 }, apiKeys, ...options });
	started.push(sandbox);
	return sandbox;
}

afterEach(async () => {
	jest.restoreAllMocks();
	await Promise.all(started.map(async (sandbox) => await sandbox.stop()));
	started = [];
});

const credentialOf = ({ url, apiKey }: Sandbox) => ({ baseUrl: url, apiKey });
const create = { resource: 'link', operation: 'create', url: '={{ $json.url }}' };

function rowsOf(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, row) => ({ url: `https://example.com/page/${row}` }));
}

async function refusals(sandbox: Sandbox): Promise<number> {
	return (await sandbox.requests()).filter(({ refused }) => refused).length;
}

describe('a service that refuses through the whole second of its reset', () => {
	const limit = { requests: 12, windowMs: 2000 };

	test('every row is done once, and the service is asked once how its windows end, however it refuses', async () => {
		const mostRefused: Array<[Behaviour['refusal'], number]> = [
			['status200', 1],
			['status429Body', 1],
			['status429', 2],
			['status429Text', 2],
		];
		const ask = async ([refusal, most]: (typeof mostRefused)[number]) => {
			const sandbox = await startService({ dialect: 'field', deviations: { refusal }, limit });
			const outcome = await run(create, { credential: credentialOf(sandbox), rows: rowsOf(26) });
			expect([refusal, outcome.error]).toEqual([refusal, undefined]);
			expect(outcome.items.every(({ json }) => typeof json.shorturl === 'string')).toBe(true);
			const held = await sandbox.links();
			expect(new Set(held.map(({ longurl }) => longurl)).size).toBe(26);
			expect(held).toHaveLength(26);
			expect(await refusals(sandbox)).toBeLessThanOrEqual(most);
		};
		// At once, for most of the time each waits for its service.
		await Promise.all(mostRefused.map(ask));
	});

	test('without rate-limit headers too', async () => {
		quickClock(4);
		const sandbox = await startService({ dialect: 'field', deviations: { noRateLimitHeaders: true }, limit });
		const items = await itemsOf(create, { credential: credentialOf(sandbox), rows: rowsOf(20) });
		expect(items).toHaveLength(20);
		expect(await sandbox.links()).toHaveLength(20);
	});
});

test('while a long run has used up the window, a dropdown and a single row do not wait for the reset', async () => {
	const asking: Array<(sandbox: Sandbox) => Promise<unknown>> = [
		async (sandbox) => await search('searchLinks', credentialOf(sandbox)),
		async (sandbox) => await itemsOf({ resource: 'account', operation: 'get' }, { credential: credentialOf(sandbox) }),
	];
	quickClock(2);
	const during = async (ask: (typeof asking)[number]) => {
		const sandbox = await startService({ limit: { requests: 20, windowMs: 8000, begin: 'firstRequest' } });
		const bulk = run(create, { credential: credentialOf(sandbox), rows: rowsOf(25) });
		// A place is kept, in the first window too.
		while ((await sandbox.stats()).created.links < 19) await new Promise((resolve) => setTimeout(resolve, 20));
		const began = Date.now();
		await ask(sandbox);
		expect(Date.now() - began).toBeLessThan(3000);
		expect((await bulk).items).toHaveLength(25);
		expect(await refusals(sandbox)).toBe(0);
	};
	await Promise.all(asking.map(during));
});

describe('a daily window that others use too', () => {
	test('with If Rate Limited → Fail, rows are done while there is room, and the others fail at once', async () => {
		const sandbox = await startService({ limit: { requests: 20, windowMs: DAY } });
		await sandbox.useBudget(12);
		const others = setInterval(() => void sandbox.useBudget(1).catch(() => undefined), 5);
		const began = Date.now();
		const { items } = await run(
			{ ...create, options: { ifRateLimited: 'fail' } },
			{ credential: credentialOf(sandbox), rows: rowsOf(20), node: { onError: 'continueRegularOutput' } },
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
	const sandbox = await startService({ limit: { requests: 1, windowMs: 366 * DAY } });
	const { items } = await run(create, {
		credential: credentialOf(sandbox),
		rows: rowsOf(2),
		node: { onError: 'continueRegularOutput' },
	});
	expect(items[0].json.shorturl).toBeDefined();
	expect(items[1].json.error).toMatch(/It answers again in \d+ seconds, at 20\d\d-/);
});
