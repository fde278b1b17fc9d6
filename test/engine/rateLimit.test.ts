/** The rate limit as a user meets it, over real HTTP: rows, dropdowns and single runs that share a key, in either dialect. */
import { startSandbox, type Behavior, type Sandbox, type SandboxOptions } from '../sandbox';
import { skipWaits } from './clock';
import { itemsOf, run, search, type Credential } from './host';
import { createLink as create, getAccount, rowsOf } from './service';

let started: Sandbox[] = [];

beforeEach(() => skipWaits());

/** Starts a service of which the node knows nothing: several are asked at once, for most of the time each is waited for. */
async function startService(options: SandboxOptions): Promise<{ sandbox: Sandbox; credential: Credential }> {
	const sandbox = await startSandbox({ records: { links: 0 }, ...options });
	started.push(sandbox);
	return { sandbox, credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey } };
}

afterEach(async () => {
	jest.restoreAllMocks();
	await Promise.all(started.map(async (sandbox) => await sandbox.stop()));
	started = [];
});

const refusals = async (sandbox: Sandbox) => (await sandbox.requests()).filter(({ refused }) => refused).length;

describe('a service that refuses through the whole second of its reset', () => {
	const limit = { requests: 12, windowMs: 60_000 };

	test('every row is done once, and the service is asked once how its windows end, however it refuses', async () => {
		const mostRefused: Array<[Behavior['refusal'], number]> = [
			['status200', 1],
			['status429Body', 1],
			['status429', 2],
			['status429Text', 2],
		];
		const ask = async ([refusal, most]: (typeof mostRefused)[number]) => {
			const { sandbox, credential } = await startService({ dialect: 'field', deviations: { refusal }, limit });
			const { items, error } = await run(create, { credential, rows: rowsOf(26) });
			expect([refusal, error]).toEqual([refusal, undefined]);
			expect(items.every(({ json }) => typeof json.shorturl === 'string')).toBe(true);
			const held = await sandbox.links();
			expect(new Set(held.map(({ longurl }) => longurl)).size).toBe(26);
			expect(held).toHaveLength(26);
			expect(await refusals(sandbox)).toBeLessThanOrEqual(most);
		};
		await Promise.all(mostRefused.map(ask));
	});
});

test('while a long run has used up the window, a dropdown and a single row do not wait for the reset', async () => {
	const asking: Array<(credential: Credential) => Promise<unknown>> = [
		async (credential) => await search('searchLinks', credential),
		async (credential) => await itemsOf(getAccount, { credential }),
	];
	const during = async (ask: (typeof asking)[number]) => {
		const limit = { requests: 20, windowMs: 60_000, begin: 'firstRequest' } as const;
		const { sandbox, credential } = await startService({ limit });
		const bulk = run(create, { credential, rows: rowsOf(25) });
		// A permit is reserved in the first window, too.
		while ((await sandbox.stats()).created.links < 19) await new Promise((resolve) => setTimeout(resolve, 20));
		await ask(credential);
		// The long run still waits for the reset.
		expect((await sandbox.stats()).created.links).toBeLessThan(20);
		expect((await bulk).items).toHaveLength(25);
		expect(await refusals(sandbox)).toBe(0);
	};
	await Promise.all(asking.map(during));
});
