/**
 * Each fault that the sandbox can produce, and all of them together, over real HTTP: every row is done or reported, the
 * service holds no link twice, and what is reported matches what the service holds.
 */
import type { IDataObject } from 'n8n-workflow';

import { isFailed } from '../failed';
import type { Dialect, Fault, StoredLink } from '../sandbox';
import { CONTINUE } from './account';
import type { Outcome } from './host';
import { begin, createLink, itemsOf, openService, rowsOf, run, sandbox } from './service';

openService({ records: { links: 0 } });

/** Each kind of rows, at a service of another dialect. */
const KINDS: Array<[name: string, aliases: boolean, dialect: Dialect]> = [
	['with aliases, field', true, 'field'],
	['without aliases, document', false, 'document'],
];
/** More than a window has room for. */
const ROWS_OF_TWO_WINDOWS = 60;

async function beginIn(dialect: Dialect): Promise<void> {
	const reset = dialect === 'field' ? 'seconds' : 'milliseconds';
	await begin({ dialect, limit: { requests: 400, windowMs: 1000, reset } });
}

const rowsWith = (aliases: boolean, count: number): IDataObject[] =>
	rowsOf(count).map(({ url, alias }) => (aliases ? { url, alias } : { url }));

async function createAll(rows: IDataObject[], faults: Fault[], seed = 1): Promise<[Outcome, StoredLink[]]> {
	await sandbox.setFaults(faults, seed);
	const outcome = await run(createLink, { rows, node: CONTINUE });
	await sandbox.clearFaults();
	return [outcome, await sandbox.links()];
}

/** What the promise is, checked row by row. @returns how many rows came out as links */
function expectHonestReport(rows: IDataObject[], [outcome, held]: [Outcome, StoredLink[]]): number {
	const holding = new Map<string, StoredLink[]>();
	for (const link of held) holding.set(link.longurl, [...(holding.get(link.longurl) ?? []), link]);
	for (const [url, links] of holding) expect([url, links.length]).toEqual([url, 1]);
	expect(outcome.error).toBeUndefined();
	expect(outcome.items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	let done = 0;
	outcome.items.forEach(({ json }, row) => {
		const link = holding.get(String(rows[row].url))?.[0];
		if (!isFailed(json)) {
			expect(json.id).toBe(link?.id);
			done++;
			return;
		}
		expect(json.url).toBe(rows[row].url);
		// A row that is reported as failed is not at the service, or the report says that it may be.
		if (link !== undefined) expect(json.error).toMatch(/may have been created/);
	});
	expect(outcome.saved).not.toContain(sandbox.apiKey);
	return done;
}

const POST = { method: 'POST' };

describe.each(KINDS)('rows %s', (_name, aliases, dialect) => {
	beforeEach(async () => await beginIn(dialect));

	const many = rowsWith(aliases, ROWS_OF_TWO_WINDOWS);
	/** Faults after which nothing can be left undone, with or without an alias. */
	test.each<[string, Fault[]]>([
		['no fault', []],
		['latency', [{ kind: 'latency', ms: 5, jitterMs: 40 }]],
		['503 without the work', [{ kind: 'status', status: 503, match: POST, every: 6 }]],
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
		expect(result[1]).toHaveLength(ROWS_OF_TWO_WINDOWS);
	});
});

test.each(KINDS)('150 rows %s, everything at once: done or reported, none twice', async (_name, aliases, dialect) => {
	await beginIn(dialect);
	const rows = rowsWith(aliases, 150);
	const result = await createAll(
		rows,
		[
			{ kind: 'latency', ms: 1, jitterMs: 60, probability: 0.1 },
			{ kind: 'status', status: 500, probability: 0.03 },
			{ kind: 'status', status: 504, body: 'html', workDone: true, probability: 0.02 },
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

	// Create or Update completes it: nothing twice, nothing left out.
	if (!aliases) return;
	const upsert = { resource: 'link', operation: 'upsert', options: { updateWhen: 'never' } };
	const again = await itemsOf(upsert, { rows });
	expect(again).toHaveLength(150);
	expect(await sandbox.links()).toHaveLength(150);
	expect(again.filter(({ action }) => action === 'unchanged')).toHaveLength(result[1].length);
});
