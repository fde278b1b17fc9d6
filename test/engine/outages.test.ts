/** A service that is down, and a key that it refuses: who waits for how long, what is sent meanwhile, and what is said in the end. */
import { createServer, type RequestListener, type Server } from 'http';
import type { AddressInfo } from 'net';

import { isFailed } from '../failed';
import type { Fault } from '../sandbox';
import { CONTINUE, upsertOf } from './account';
import { skippingWaits } from './clock';
import { by, testCredential } from './host';
import { begin, createLink, credential, getAccount, itemsOf, openService, rowsOf, run, sandbox } from './service';

skippingWaits();
openService({ records: { links: 0 } });

const MINUTE = 60_000;
const ROWS = 24;
const DOWN: Fault = { kind: 'status', status: 503, body: 'html' };
const requests = async () => (await sandbox.requests()).length;

/** The service is down for so long (ms) from its so-manieth request on. */
async function downFor(milliseconds: number, after = 0): Promise<void> {
	await sandbox.setFaults([{ ...DOWN, after }]);
	setTimeout(() => void sandbox.clearFaults(), milliseconds);
}

/** The node knows the service. */
const known = async () => void (await itemsOf(getAccount));

describe('a service that is down', () => {
	test('is waited for by a sheet: each row is done, once', async () => {
		await known();
		await sandbox.clearRequests();
		await downFor(2 * MINUTE, 10);
		const rows = rowsOf(ROWS);
		const items = await itemsOf(createLink, { rows });
		expect(items).toHaveLength(ROWS);
		expect(await sandbox.links()).toHaveLength(ROWS);
		// Each row tries again by itself.
		expect(await requests()).toBeLessThan(ROWS * 12);
	});

	test('is waited for by Create or Update, whose list fails, in pages of the size that it had before', async () => {
		await sandbox.createRecords({ links: rowsOf(30).map(({ url, alias }) => ({ longurl: url, alias })) });
		await known();
		await downFor(MINUTE);
		await sandbox.clearRequests();
		const items = await itemsOf(upsertOf(), { rows: rowsOf(30) });
		expect(new Set(items.map(({ action }) => action))).toEqual(new Set(['unchanged']));
		const sizes = (await sandbox.requests()).map(({ query }) => query.limit);
		expect(sizes.at(-1)).toBe('100');
	});

	test('fails all rows of a sheet after five minutes, with one sentence that says since when', async () => {
		await known();
		await sandbox.setFaults([{ ...DOWN, after: 10 }]);
		await sandbox.clearRequests();
		const from = Date.now();
		const items = await itemsOf(createLink, { rows: rowsOf(ROWS), node: CONTINUE });
		expect(Date.now() - from).toBeGreaterThan(5 * MINUTE);
		// One after another, they would wait for hours.
		expect(Date.now() - from).toBeLessThan(6 * MINUTE);
		const failed = items.filter(isFailed);
		expect(failed.length).toBe(ROWS - (await sandbox.links()).length);
		expect(new Set(failed.map(({ error }) => error)).size).toBe(1);
		expect(failed[0].error).toMatch(
			/^The service is down\. It has not worked since \d\d:\d\d, and the node has waited for 5 minutes\. ./,
		);
		expect(await requests()).toBeLessThan(ROWS * 25);
	});

	test('is waited for half a minute by a single row', async () => {
		await known();
		await sandbox.setFaults([DOWN]);
		const from = Date.now();
		const { error } = await run(createLink, { rows: rowsOf(1) });
		expect(error?.message).toMatch(/the node has waited for 30 seconds$/);
		expect(Date.now() - from).toBeLessThan(MINUTE);
		await downFor(15_000);
		expect(await itemsOf(createLink, { rows: rowsOf(1) })).toMatchObject([{ alias: 'row-0' }]);
	});

	test.each([502, 504])(
		'may have done what it answers with HTTP %d: it is looked for, and never repeated',
		async (status) => {
			await known();
			const [made, lost] = [true, false].map((workDone): Fault => ({
				...{ kind: 'status', status, body: 'html', workDone, times: 1 },
				match: { method: 'POST' },
			}));
			await sandbox.setFaults([made]);
			const [row, other] = rowsOf(2);
			expect(await itemsOf(createLink, { rows: [row] })).toMatchObject([{ alias: 'row-0' }]);
			await sandbox.setFaults([lost]);
			const { error } = await run(createLink, { rows: [other] });
			expect(error?.message).toMatch(/may have been created anyway/);
			expect(await sandbox.links()).toHaveLength(1);
		},
	);

	test.each([502, 503, 504])(
		"of one record alone (HTTP %d) is its row's: the others are done, and soon",
		async (status) => {
			await known();
			const { links } = await sandbox.createRecords({ links: 40 });
			const [, { id: broken }] = links;
			const rows = links.map(({ id }) => ({ id }));
			const from = Date.now();
			for (const [operation, method] of Object.entries({ get: 'GET', update: 'PUT', delete: 'DELETE' })) {
				await sandbox.setFaults([
					{ kind: 'status', status, body: 'html', match: { method, path: `^/api/url/${broken}(?:$|/)` } },
				]);
				const linkId = by('id', '={{ $json.id }}');
				const byId = { resource: 'link', operation, linkId, linkFields: { description: 'New' } };
				const { items } = await run(byId, { rows, node: CONTINUE });
				expect(items.filter(({ json }) => isFailed(json)).map(({ json }) => json.id)).toEqual([broken]);
			}
			expect(Date.now() - from).toBeLessThan(4 * MINUTE);
			expect(await sandbox.links()).toHaveLength(1);
		},
	);

	test('behind a gateway that gives up, for a page is too large for it: the list is read in smaller ones', async () => {
		await sandbox.createRecords({ links: rowsOf(70).map(({ url, alias }) => ({ longurl: url, alias })) });
		await sandbox.setFaults([{ ...DOWN, status: 504, match: { method: 'GET', path: 'urls' }, times: 2 }]);
		expect(await itemsOf({ resource: 'link', operation: 'getAll', returnAll: true })).toHaveLength(70);
		const sizes = (await sandbox.requests()).map(({ query }) => query.limit);
		expect(sizes).toEqual(['100', '100', '15', '15', '15', '15', '15']);
	});

	test('a refused connection is waited for, once the service is known', async () => {
		let server: Server | undefined;
		const answer: RequestListener = (_request, response) => response.end('{"error":0,"data":{"id":1,"email":"a@b.c"}}');
		const open = async (port = 0) => {
			server = createServer(answer);
			await new Promise<void>((resolve) => server!.listen(port, '127.0.0.1', resolve));
			return (server.address() as AddressInfo).port;
		};
		const close = async () => {
			server?.closeAllConnections();
			await new Promise((resolve) => server?.close(resolve));
		};
		const port = await open();
		const there = { credential: credential({ baseUrl: `http://127.0.0.1:${port}` }) };
		expect(await itemsOf(getAccount, there)).toHaveLength(1);
		await close();
		setTimeout(() => void open(port), MINUTE);
		expect(await itemsOf(getAccount, { ...there, rows: [{}, {}, {}] })).toHaveLength(3);
		await close();
	});
});

describe('a key that the service refuses', () => {
	test('is tried once by each run, and used again at once', async () => {
		await sandbox.configure({ expiredKeys: [sandbox.apiKey] });
		await sandbox.clearRequests();
		for (let times = 1; times <= 3; times++) {
			const { error } = await run(createLink, { rows: rowsOf(3) });
			expect(error?.message).toContain('The service refused the API Key');
			expect(await requests()).toBe(times);
		}
		expect(await testCredential(credential())).toMatchObject({ status: 'Error' });
		await sandbox.configure({ expiredKeys: [] });
		expect(await itemsOf(createLink, { rows: rowsOf(3) })).toHaveLength(3);
	});

	test('for one row alone (HTTP 403) refuses no other, in this run and the next', async () => {
		await known();
		const message = 'Your plan has no such alias.';
		const { links } = await sandbox.createRecords({ links: 3 });
		for (const [operation, method] of Object.entries({ get: 'GET', update: 'PUT', delete: 'DELETE' })) {
			await sandbox.setFaults([
				{ kind: 'errorEnvelope', status: 403, message, match: { path: `^/api/url/${links[0].id}` } },
			]);
			const byId = {
				resource: 'link',
				operation,
				linkFields: { description: method },
				linkId: by('id', '={{ $json.id }}'),
			};
			const rows = links.map(({ id }) => ({ id }));
			const { items } = await run(byId, { rows, node: CONTINUE });
			expect(items.map(({ json }) => isFailed(json))).toEqual([true, false, false]);
			await sandbox.clearFaults();
			expect((await run(byId, { rows: rows.slice(0, 1) })).error).toBeUndefined();
		}
		await sandbox.setFaults([{ kind: 'errorEnvelope', status: 403, message, match: { method: 'POST' }, times: 1 }]);
		const { items } = await run(createLink, { rows: rowsOf(3), node: CONTINUE });
		expect(items.map(({ json }) => isFailed(json))).toEqual([true, false, false]);
	});

	test('for one endpoint alone blocks no other', async () => {
		await begin({ deviations: { access: 'account' } });
		await sandbox.clearRequests();
		expect((await run(getAccount)).error?.message).toContain('This key may not read the account');
		expect(await requests()).toBe(1);
		expect(await itemsOf(createLink, { rows: rowsOf(1) })).toHaveLength(1);
		const get = { resource: 'link', operation: 'get', linkId: by('alias', 'row-0') };
		expect(await itemsOf(get)).toMatchObject([{ alias: 'row-0' }]);
	});
});
