/** When the node gives up: after some tries, at once, or because it is told to stop. In no dialect otherwise than in another. */
import { startSandbox, type Fault, type Sandbox } from '../sandbox';
import { answered } from './answered';
import { quickTime } from './clock';
import { outcomeOf, run, start, workflowOf, type Execution } from './host';

quickTime(5);

let sandbox: Sandbox;

/** Each test has a key of its own: what the node has learned of a key's budget outlives the sandbox's reset. */
let key = '';
let keys = 0;

beforeAll(async () => {
	sandbox = await startSandbox({ records: { links: 0 }, limit: { requests: 400 } });
});

beforeEach(async () => {
	key = `secret-key-${++keys}`;
	await sandbox.reset({ apiKeys: [key] });
});

afterAll(async () => {
	await sandbox.stop();
});

const credential = () => ({ baseUrl: sandbox.url, apiKey: key });
const account = { resource: 'account', operation: 'get' };
const create = { resource: 'link', operation: 'create', url: '={{ $json.url }}' };
const rowsOf = (count: number) =>
	Array.from({ length: count }, (_, row) => ({ row, url: `https://example.com/page/${row}` }));
const node = { onError: 'continueRegularOutput' } as const;
const seen = async (path: string) => (await sandbox.requests()).filter((request) => request.path === path).length;

describe('a read', () => {
	test.each<[string, Fault, number]>([
		['5xx', { kind: 'status', status: 500 }, 3],
		['connections lost', { kind: 'dropBefore' }, 1],
		['answers lost', { kind: 'dropAfter' }, 1],
		['answers cut off', { kind: 'truncatedJson' }, 1],
	])('is tried again: %s', async (_name, fault, times) => {
		await sandbox.setFaults([{ ...fault, times }]);
		const { items, error } = await run(account, { credential: credential() });
		expect(error).toBeUndefined();
		expect(items[0].json).toHaveProperty('email');
		expect(await seen('/api/account')).toBe(times + 1);
	});

	test('fails after three more tries, with what happened and what to do', async () => {
		await sandbox.setFaults([{ kind: 'status', status: 503, message: 'Down for maintenance' }]);
		const { error } = await run(account, { credential: credential() });
		expect(error?.message).toContain('Down for maintenance');
		expect(await sandbox.requests()).toHaveLength(4);
	});
});

test('a service that is not there: every row says so, and nothing is lost', async () => {
	const nobody = { baseUrl: 'http://127.0.0.1:9', apiKey: 'k-12345678' };
	const { items } = await run(create, { credential: nobody, rows: rowsOf(2), node });
	expect(items.map(({ json }) => json.error)).toEqual([
		expect.stringMatching(/refused the connection/),
		expect.stringMatching(/refused the connection/),
	]);
});

test('a host of which a word is a word of n8n about forbidden hosts is one like any other', async () => {
	const hosts = ['blocked.invalid', 'restricted-host.invalid'];
	const outcomes = await Promise.all(
		hosts.map(async (host) => await run(account, { credential: { baseUrl: `http://${host}`, apiKey: key } })),
	);
	for (const { error } of outcomes)
		expect(error?.message).toBe('The service was not found: there is no host of that name');
});

test('If Rate Limited → Fail: at once, with the seconds until the reset', async () => {
	await sandbox.setLimit({ requests: 1, windowMs: 60_000 });
	const failing = { ...create, options: { ifRateLimited: 'fail' } };
	const { items } = await run(failing, { credential: credential(), rows: rowsOf(4), node });
	expect(items[0].json).toHaveProperty('shorturl');
	const seconds = Number(/in (\d+) seconds/.exec(String(items[3].json.error))?.[1]);
	expect(seconds).toBeGreaterThan(0);
	expect(seconds).toBeLessThanOrEqual(61);
	expect((await sandbox.stats()).requests).toBeLessThanOrEqual(2);
});

describe('stopping', () => {
	beforeAll(() => jest.restoreAllMocks());

	/** Starts a run, and stops it when so many links have been made. @returns how many there are when the run has ended */
	async function stopAfter(execution: Execution, links: number): Promise<number> {
		let hasEnded = false;
		const end = () => (hasEnded = true);
		execution.finished.then(end, end);
		// An engine that gives up at a row by itself may make none.
		await answered(sandbox, links, () => hasEnded);
		execution.stop();
		await outcomeOf(execution).catch(() => undefined);
		return (await sandbox.stats()).created.links;
	}

	test('ends every wait, and no request follows', async () => {
		await sandbox.setLimit({ requests: 5, windowMs: 3000, begin: 'firstRequest' });
		const workflow = workflowOf(create, { credential: credential(), rows: rowsOf(500) });
		expect(await stopAfter(start(workflow, credential()), 5)).toBeLessThan(500);
		const { requests } = await sandbox.stats();
		// Who waits for the same window now has it to himself.
		expect((await run(account, { credential: credential() })).error).toBeUndefined();
		expect((await sandbox.stats()).requests).toBe(requests + 1);
	});

	test('ends the waits also where the engine has failed the first row by itself, under On Error → Continue', async () => {
		await sandbox.setLimit({ requests: 5, windowMs: 30_000, begin: 'firstRequest' });
		const url = "={{ $json.row === 0 ? (() => { throw new Error('no address') })() : $json.url }}";
		const workflow = workflowOf({ ...create, url }, { credential: credential(), rows: rowsOf(50), node });
		// A wait that outlives the run takes the next window, too.
		expect(await stopAfter(start(workflow, credential()), 5)).toBeLessThanOrEqual(5);
	});
});
