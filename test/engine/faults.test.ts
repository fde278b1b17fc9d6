/**
 * Each fault that the sandbox can produce, and all of them together, over real HTTP: every row is done or reported, the
 * service holds no link twice, and what is reported matches what the service holds.
 */
import type { IDataObject } from 'n8n-workflow';

import { DIALECT, either } from '../dialect';
import { startSandbox, type Fault, type Sandbox, type StoredLink } from '../sandbox';
import { run, start, workflowOf, outcomeOf, type Outcome } from './host';

let sandbox: Sandbox;
let elsewhere: Sandbox;

beforeAll(async () => {
	const reset = either({ document: 'milliseconds' as const, field: 'seconds' as const });
	const quick = { dialect: DIALECT, records: { links: 0 }, limit: { requests: 400, windowMs: 1000, reset } };
	sandbox = await startSandbox(quick);
	elsewhere = await startSandbox(quick);
});

afterAll(async () => {
	await sandbox.stop();
	await elsewhere.stop();
});

/** Each test has a key of its own: what the node has learned of a key's budget outlives the sandbox's reset. */
let key = '';
let keys = 0;

beforeEach(async () => {
	key = `secret-key-${++keys}`;
	await sandbox.reset({ apiKeys: [key] });
	await elsewhere.reset();
});

const credential = () => ({ baseUrl: sandbox.url, apiKey: key });

interface Row extends IDataObject {
	url: string;
	alias?: string;
}

function rowsOf(count: number, aliases: boolean): Row[] {
	return Array.from({ length: count }, (_, row) => ({
		url: `https://example.com/page/${row}`,
		...(aliases ? { alias: `row-${row}` } : {}),
	}));
}

const create = {
	resource: 'link',
	operation: 'create',
	url: '={{ $json.url }}',
	linkFields: { custom: '={{ $json.alias }}' },
};

async function createAll(rows: Row[], faults: Fault[], seed = 1): Promise<{ outcome: Outcome; held: StoredLink[] }> {
	await sandbox.setFaults(faults, seed);
	const outcome = await run(create, { credential: credential(), rows, node: { onError: 'continueRegularOutput' } });
	await sandbox.clearFaults();
	return { outcome, held: await sandbox.links() };
}

/** What the promise is, checked row by row. @returns how many rows came out as links */
function expectHonestReport(rows: Row[], { outcome, held }: { outcome: Outcome; held: StoredLink[] }): number {
	const holding = new Map<string, StoredLink[]>();
	for (const link of held) holding.set(link.longurl, [...(holding.get(link.longurl) ?? []), link]);
	for (const [url, links] of holding) expect([url, links.length]).toEqual([url, 1]);
	expect(outcome.error).toBeUndefined();
	expect(outcome.items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	let done = 0;
	outcome.items.forEach(({ json }, row) => {
		const link = holding.get(rows[row].url)?.[0];
		if (json.error === undefined) {
			expect(json.id).toBe(link?.id);
			done++;
			return;
		}
		expect(json.url).toBe(rows[row].url);
		// A row that is reported as failed is not at the service, or the report says that it may be.
		if (link !== undefined) expect(json.error).toMatch(/may have been created/);
	});
	expect(outcome.saved).not.toContain(key);
	return done;
}

const POST = { method: 'POST' };

describe.each([
	['with aliases', true],
	['without aliases', false],
])('300 rows %s', (_name, aliases) => {
	const rows = rowsOf(300, aliases);
	/** Faults after which nothing can be left undone, with or without an alias. */
	test.each<[string, Fault[]]>([
		['no fault', []],
		['latency', [{ kind: 'latency', ms: 5, jitterMs: 40 }]],
		['refusals without headers', [{ kind: 'rateLimited', headers: false, retryAfter: 1, every: 90, times: 2 }]],
		['refusals with a reset', [{ kind: 'rateLimited', resetInMs: 300, every: 9 }]],
		[
			'a limit that falls and rises',
			[
				{ kind: 'limit', limit: { requests: 50 }, after: 50, times: 1 },
				{ kind: 'limit', limit: { requests: 500 }, after: 150, times: 1 },
			],
		],
	])('%s: every row done', async (_fault, faults) => {
		const result = await createAll(rows, faults);
		expect(expectHonestReport(rows, result)).toBe(300);
		expect(result.held).toHaveLength(300);
	});

	test.each([
		['ahead', 90_000],
		['behind', -3_600_000],
	])('a service clock that is %s: every row done', async (_where, skewMs) => {
		await sandbox.setClock({ skewMs });
		await sandbox.setLimit({ requests: 120 });
		expect(expectHonestReport(rows, await createAll(rows, []))).toBe(300);
	});

	/** Faults that leave the fate of a creation open: an alias clears it up, without one the report says so. */
	test.each<[string, Fault[], number]>([
		['connection lost after the work', [{ kind: 'dropAfter', match: POST, every: 6 }], 50],
		['answer cut off', [{ kind: 'truncatedJson', match: POST, every: 6 }], 50],
		['answer cut off with the connection', [{ kind: 'truncatedJson', broken: true, match: POST, every: 6 }], 50],
		['502 after the work', [{ kind: 'status', status: 502, body: 'html', workDone: true, match: POST, every: 6 }], 50],
		['web page after the work', [{ kind: 'html', workDone: true, match: POST, every: 6 }], 50],
	])('%s: cleared up by the alias, or reported as open', async (_fault, faults, open) => {
		const result = await createAll(rows, faults);
		expect(result.held).toHaveLength(300);
		expect(expectHonestReport(rows, result)).toBe(aliases ? 300 : 300 - open);
	});

	/** Faults that kept creations from being made, without the node being able to know. */
	test.each<[string, Fault[]]>([
		['connection lost before the work', [{ kind: 'dropBefore', match: POST, every: 6 }]],
		['503 without the work', [{ kind: 'status', status: 503, match: POST, every: 6 }]],
		['web page without the work', [{ kind: 'html', match: POST, every: 6 }]],
		['error envelopes', [{ kind: 'errorEnvelope', status: 200, message: 'Try another day', match: POST, every: 6 }]],
		[
			'error envelopes with 422',
			[{ kind: 'errorEnvelope', status: 422, message: 'Try another day', match: POST, every: 6 }],
		],
	])('%s: reported, never sent twice', async (_fault, faults) => {
		const result = await createAll(rows, faults);
		expect(expectHonestReport(rows, result)).toBe(250);
		expect(result.held).toHaveLength(250);
		const creations = (await sandbox.requests()).filter(({ method }) => method === 'POST');
		expect(creations.length).toBeLessThanOrEqual(300);
	});
});

test.each([
	['with aliases', true],
	['without aliases', false],
])('300 rows %s, everything at once: done or reported, none twice', async (_name, aliases) => {
	const rows = rowsOf(300, aliases);
	const result = await createAll(
		rows,
		[
			{ kind: 'latency', ms: 1, jitterMs: 60, probability: 0.1 },
			{ kind: 'status', status: 500, probability: 0.03 },
			{ kind: 'status', status: 503, body: 'html', workDone: true, probability: 0.02 },
			{ kind: 'dropBefore', probability: 0.025 },
			{ kind: 'dropAfter', probability: 0.025 },
			{ kind: 'limit', limit: { requests: 60 }, after: 60, times: 1 },
			{ kind: 'limit', limit: { requests: 150 }, after: 150, times: 1 },
		],
		7,
	);
	const done = expectHonestReport(rows, result);
	expect(done).toBeGreaterThan(240);
	expect(await sandbox.violations()).toEqual([]);

	// Running the sheet again with returnExisting completes it: nothing twice, nothing left out.
	if (!aliases) return;
	const again = await run(
		{ ...create, options: { ifAliasExists: 'returnExisting' } },
		{ credential: credential(), rows },
	);
	expect(again.error).toBeUndefined();
	expect(again.items).toHaveLength(300);
	expect(await sandbox.links()).toHaveLength(300);
	expect(again.items.filter(({ json }) => json.existing === true)).toHaveLength(result.held.length);
});

describe('reads', () => {
	test.each<[string, Fault]>([
		['5xx', { kind: 'status', status: 500, times: 3 }],
		['connections lost', { kind: 'dropBefore', times: 3 }],
		['answers lost', { kind: 'dropAfter', times: 3 }],
		['answers cut off', { kind: 'truncatedJson', times: 3 }],
	])('are tried again three times: %s', async (_name, fault) => {
		await sandbox.setFaults([fault]);
		const { items, error } = await run({ resource: 'account', operation: 'get' }, { credential: credential() });
		expect(error).toBeUndefined();
		expect(items[0].json).toHaveProperty('email');
		expect((await sandbox.requests()).filter(({ path }) => path === '/api/account').length).toBe(4);
	});

	test('fail after that, with what happened and what to do', async () => {
		await sandbox.setFaults([{ kind: 'status', status: 503, message: 'Down for maintenance' }]);
		const { error } = await run({ resource: 'account', operation: 'get' }, { credential: credential() });
		expect(error?.message).toContain('Down for maintenance');
		expect(await sandbox.requests()).toHaveLength(4);
	});
});

test('a service that is not there: every row says so, and nothing is lost', async () => {
	const { items } = await run(create, {
		credential: { baseUrl: 'http://127.0.0.1:9', apiKey: 'k-12345678' },
		rows: rowsOf(2, true),
		node: { onError: 'continueRegularOutput' },
	});
	expect(items.map(({ json }) => json.error)).toEqual([
		expect.stringMatching(/refused the connection/),
		expect.stringMatching(/refused the connection/),
	]);
});

test('the key goes to no other host, redirects included', async () => {
	await sandbox.setFaults([{ kind: 'redirect', to: elsewhere.url, keepPath: true, status: 307 }]);
	const { items } = await run(create, {
		credential: credential(),
		rows: rowsOf(3, true),
		node: { onError: 'continueRegularOutput' },
	});
	for (const { json } of items) expect(json.error).toContain(`redirects to ${elsewhere.url}`);
	expect(await elsewhere.requests()).toEqual([]);
});

describe('ifRateLimited: fail', () => {
	test('fails at once, with the seconds until the reset', async () => {
		await sandbox.setLimit({ requests: 1, windowMs: 60_000 });
		const began = Date.now();
		const { items } = await run(
			{ ...create, options: { ifRateLimited: 'fail' } },
			{ credential: credential(), rows: rowsOf(4, true), node: { onError: 'continueRegularOutput' } },
		);
		expect(Date.now() - began).toBeLessThan(5000);
		expect(items[0].json).toHaveProperty('shorturl');
		const seconds = Number(/in (\d+) seconds/.exec(String(items[3].json.error))?.[1]);
		expect(seconds).toBeGreaterThan(0);
		expect(seconds).toBeLessThanOrEqual(61);
		expect((await sandbox.stats()).requests).toBeLessThanOrEqual(2);
	});
});

test('stopping the execution ends every wait, and no request follows', async () => {
	await sandbox.setLimit({ requests: 20, windowMs: 30_000, begin: 'firstRequest' });
	const execution = start(workflowOf(create, { credential: credential(), rows: rowsOf(500, true) }), credential());
	while ((await sandbox.stats()).created.links < 20) await new Promise((resolve) => setTimeout(resolve, 20));
	await new Promise((resolve) => setTimeout(resolve, 100));
	const sent = (await sandbox.stats()).requests;
	const began = Date.now();
	execution.stop();
	await outcomeOf(execution).catch(() => undefined);
	// The window has 30 seconds: a wait that does not end with the execution takes most of them.
	expect(Date.now() - began).toBeLessThan(10_000);
	await sandbox.setLimit({ requests: 1000 });
	await new Promise((resolve) => setTimeout(resolve, 500));
	expect((await sandbox.stats()).requests).toBe(sent);
});

test('stopping ends the waits also where the engine has failed the first row by itself, under On Error → Continue', async () => {
	await sandbox.setLimit({ requests: 5, windowMs: 30_000, begin: 'firstRequest' });
	const url =
		"={{ $json.row === 0 ? (() => { throw new Error('no address') })() : 'https://example.com/' + $json.row }}";
	const rows = Array.from({ length: 50 }, (_, row) => ({ row }));
	const node = { onError: 'continueRegularOutput' } as const;
	const workflow = workflowOf({ resource: 'link', operation: 'create', url }, { credential: credential(), rows, node });
	const execution = start(workflow, credential());
	let hasEnded = false;
	void execution.finished.then(
		() => (hasEnded = true),
		() => (hasEnded = true),
	);
	// An engine that gives up at such a row ends by itself; one that goes on uses up the window.
	while (!hasEnded && (await sandbox.stats()).created.links < 5)
		await new Promise((resolve) => setTimeout(resolve, 20));
	await new Promise((resolve) => setTimeout(resolve, 100));
	const began = Date.now();
	execution.stop();
	await outcomeOf(execution).catch(() => undefined);
	expect(Date.now() - began).toBeLessThan(10_000);
});

test.each(['blocked.invalid', 'restricted-host.invalid'])(
	'a host of which no word is a word of n8n about forbidden hosts: %s',
	async (host) => {
		const credential = { baseUrl: `http://${host}`, apiKey: sandbox.apiKey };
		const { error } = await run({ resource: 'account', operation: 'get' }, { credential });
		expect(error?.message).toBe('The service was not found: there is no host of that name');
	},
);
