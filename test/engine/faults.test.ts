/**
 * Faults of every kind together, over real HTTP: every row is done or reported, the service holds no link twice, and what is reported
 * matches what the service holds.
 */
import { isFailed } from '../failed';
import type { StoredLink } from '../sandbox';
import { CONTINUE } from './account';
import { begin, createLink, itemsOf, openService, rowsOf, run, sandbox } from './service';

openService({ records: { links: 0 } });

test.each([
	['with aliases', 'field', 'seconds'],
	['without aliases', 'document', 'milliseconds'],
] as const)('150 rows %s, at a service of the %s: done or reported, none twice', async (aliases, dialect, reset) => {
	await begin({ dialect, limit: { requests: 400, windowMs: 1000, reset } });
	const rows = rowsOf(150).map(({ url, alias }) => (aliases === 'with aliases' ? { url, alias } : { url }));
	await sandbox.setFaults(
		[
			{ kind: 'latency', ms: 1, jitterMs: 60, probability: 0.1 },
			{ kind: 'status', status: 500, probability: 0.03 },
			{ kind: 'status', status: 504, body: 'html', workDone: true, probability: 0.02 },
			{ kind: 'dropBefore', probability: 0.025 },
			{ kind: 'dropAfter', probability: 0.025 },
			{ kind: 'rateLimited', headers: false, retryAfter: 1, every: 25, times: 1 },
			{ kind: 'rateLimited', resetInMs: 300, every: 35, times: 2 },
			{ kind: 'limit', limit: { requests: 40 }, after: 40, times: 1 },
			{ kind: 'limit', limit: { requests: 100 }, after: 80, times: 1 },
		],
		7,
	);
	const { items, error, saved } = await run(createLink, { rows, node: CONTINUE });
	await sandbox.clearFaults();
	expect(error).toBeUndefined();
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	expect(saved).not.toContain(sandbox.apiKey);

	const held = await sandbox.links();
	const holding = new Map<string, StoredLink>(held.map((link) => [link.longurl, link]));
	expect(holding.size).toBe(held.length);
	for (const [at, { json }] of items.entries()) {
		const link = holding.get(rows[at].url);
		if (!isFailed(json)) expect(json.id).toBe(link?.id);
		// A row that is reported as failed is not at the service, or the report says that it may be.
		else if (link !== undefined) expect(json.error).toMatch(/may have been created/);
	}
	expect(items.filter(({ json }) => !isFailed(json)).length).toBeGreaterThan(120);
	expect(await sandbox.violations()).toEqual([]);

	// Create or Update completes it: nothing twice, nothing left out.
	if (aliases === 'without aliases') return;
	const upsert = { resource: 'link', operation: 'upsert', options: { updateWhen: 'never' } };
	const again = await itemsOf(upsert, { rows });
	expect(again).toHaveLength(150);
	expect(await sandbox.links()).toHaveLength(150);
	expect(again.filter(({ action }) => action === 'unchanged')).toHaveLength(held.length);
});
