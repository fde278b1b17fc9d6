/**
 * Each fault that the sandbox can produce, and all of them together, over real HTTP: every row is done or reported, the
 * service holds no link twice, and what is reported matches what the service holds.
 */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS, startSandbox, type Dialect, type Fault, type Sandbox, type StoredLink } from '../sandbox';
import { run, type Outcome } from './host';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ records: { links: 0 } });
});

afterAll(async () => {
	await sandbox.stop();
});

/** Each kind of rows, at services of each dialect. */
const KINDS = DIALECTS.flatMap((dialect): Array<[name: string, aliases: boolean, dialect: Dialect]> => [
	[`with aliases, ${dialect}`, true, dialect],
	[`without aliases, ${dialect}`, false, dialect],
]);
const ROWS = 30;
/** More than a window has room for. */
const ROWS_OF_TWO_WINDOWS = 60;

/** Each test has a key of its own: what the node has learned of a key's budget outlives the sandbox's reset. */
let key = '';
let keys = 0;

async function begin(dialect: Dialect): Promise<void> {
	key = `secret-key-${++keys}`;
	const reset = dialect === 'field' ? 'seconds' : 'milliseconds';
	await sandbox.reset({ dialect, apiKeys: [key], limit: { requests: 400, windowMs: 1000, reset } });
}

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

describe.each(KINDS)('rows %s', (_name, aliases, dialect) => {
	beforeEach(async () => {
		await begin(dialect);
	});

	const rows = rowsOf(ROWS, aliases);
	const many = rowsOf(ROWS_OF_TWO_WINDOWS, aliases);
	/** Faults after which nothing can be left undone, with or without an alias. */
	test.each<[string, Fault[]]>([
		['no fault', []],
		['latency', [{ kind: 'latency', ms: 5, jitterMs: 40 }]],
		['refusals without headers', [{ kind: 'rateLimited', headers: false, retryAfter: 1, every: 25, times: 1 }]],
		['refusals with a reset', [{ kind: 'rateLimited', resetInMs: 300, every: 25, times: 2 }]],
		[
			'a limit that falls and rises',
			[
				{ kind: 'limit', limit: { requests: 15 }, after: 15, times: 1 },
				{ kind: 'limit', limit: { requests: 100 }, after: 30, times: 1 },
			],
		],
	])('%s: every row done', async (_fault, faults) => {
		await sandbox.setLimit({ requests: 50 });
		const result = await createAll(many, faults);
		expect(expectHonestReport(many, result)).toBe(ROWS_OF_TWO_WINDOWS);
		expect(result.held).toHaveLength(ROWS_OF_TWO_WINDOWS);
	});

	test.each([
		['ahead', 90_000],
		['behind', -3_600_000],
	])('a service clock that is %s: every row done', async (_where, skewMs) => {
		await sandbox.setClock({ skewMs });
		await sandbox.setLimit({ requests: 35 });
		expect(expectHonestReport(many, await createAll(many, []))).toBe(ROWS_OF_TWO_WINDOWS);
	});

	/** Faults that leave the fate of a creation open: an alias clears it up, without one the report says so. */
	test.each<[string, Fault[]]>([
		['connection lost after the work', [{ kind: 'dropAfter', match: POST, every: 6 }]],
		['answer cut off', [{ kind: 'truncatedJson', match: POST, every: 6 }]],
		['answer cut off with the connection', [{ kind: 'truncatedJson', broken: true, match: POST, every: 6 }]],
		['502 after the work', [{ kind: 'status', status: 502, body: 'html', workDone: true, match: POST, every: 6 }]],
		['web page after the work', [{ kind: 'html', workDone: true, match: POST, every: 6 }]],
	])('%s: cleared up by the alias, or reported as open', async (_fault, faults) => {
		const result = await createAll(rows, faults);
		expect(result.held).toHaveLength(ROWS);
		expect(expectHonestReport(rows, result)).toBe(aliases ? ROWS : ROWS - ROWS / 6);
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
		expect(expectHonestReport(rows, result)).toBe(ROWS - ROWS / 6);
		expect(result.held).toHaveLength(ROWS - ROWS / 6);
		const creations = (await sandbox.requests()).filter(({ method }) => method === 'POST');
		expect(creations.length).toBeLessThanOrEqual(ROWS);
	});
});

test.each(KINDS)('150 rows %s, everything at once: done or reported, none twice', async (_name, aliases, dialect) => {
	await begin(dialect);
	const rows = rowsOf(150, aliases);
	const result = await createAll(
		rows,
		[
			{ kind: 'latency', ms: 1, jitterMs: 60, probability: 0.1 },
			{ kind: 'status', status: 500, probability: 0.03 },
			{ kind: 'status', status: 503, body: 'html', workDone: true, probability: 0.02 },
			{ kind: 'dropBefore', probability: 0.025 },
			{ kind: 'dropAfter', probability: 0.025 },
			{ kind: 'limit', limit: { requests: 40 }, after: 40, times: 1 },
			{ kind: 'limit', limit: { requests: 100 }, after: 80, times: 1 },
		],
		7,
	);
	const done = expectHonestReport(rows, result);
	expect(done).toBeGreaterThan(120);
	expect(await sandbox.violations()).toEqual([]);

	// Running the sheet again with returnExisting completes it: nothing twice, nothing left out.
	if (!aliases) return;
	const again = await run(
		{ ...create, options: { ifAliasExists: 'returnExisting' } },
		{ credential: credential(), rows },
	);
	expect(again.error).toBeUndefined();
	expect(again.items).toHaveLength(150);
	expect(await sandbox.links()).toHaveLength(150);
	expect(again.items.filter(({ json }) => json.existing === true)).toHaveLength(result.held.length);
});
