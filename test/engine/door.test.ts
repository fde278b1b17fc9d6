/** What stands between the package and a service: its address, what is in front of it, how long and how large its answers are. */
import { gzipSync } from 'zlib';

import { skipWaits } from './clock';
import { by, search, start, testCredential, workflowOf, outcomeOf, type Credential } from './host';
import { serve } from './serve';
import { createLink, credential as ours, getAccount, itemsOf, openService, run, sandbox } from './service';

openService();

afterEach(() => jest.restoreAllMocks());

const create = { ...createLink, url: 'https://example.com/page' };
const OK = JSON.stringify({ error: 0, data: { id: 1, email: 'a@example.com' } });
const at = (baseUrl: string): Credential => ({ baseUrl, apiKey: 'a-key-of-the-service' });

describe('Add Custom Header', () => {
	const header = { header: true, headerName: 'Cookie', headerValue: 'pass=secret-of-the-front' };

	test('goes with every request to the service, and stays in the data that repeats it', async () => {
		const seen: Array<string | undefined> = [];
		const baseUrl = await serve((request, response) => {
			seen.push(request.headers.cookie);
			response.end(JSON.stringify({ error: 0, data: { id: 1, email: request.headers.cookie, urls: [] } }));
		});
		const credential = { ...at(baseUrl), ...header };
		await testCredential(credential);
		await search('searchLinks', credential);
		expect(await itemsOf(getAccount, { credential })).toMatchObject([{ email: header.headerValue }]);
		expect(seen.length).toBeGreaterThanOrEqual(3);
		expect(new Set(seen)).toEqual(new Set([header.headerValue]));
	});

	test('goes to no other address than the service, whoever sends requests there', async () => {
		const strays: unknown[] = [];
		const other = await serve((request, response) => {
			strays.push(request.headers.cookie);
			response.end(OK);
		});
		const baseUrl = await serve(
			(request, response) => void response.writeHead(307, { Location: other + request.url }).end(),
		);
		const credential = { ...at(baseUrl), ...header };
		expect(await testCredential(credential)).toMatchObject({ status: 'Error' });
		expect((await run(getAccount, { credential })).error?.message).toMatch(/redirects to/);
		expect(strays).toEqual([]);
	});

	test.each(['Authorization', 'host', 'Content-Type', 'content-length', 'Connection', 'Transfer-Encoding', 'a b', ''])(
		'is refused under the name %j, before anything is sent',
		async (headerName) => {
			const { error } = await run(getAccount, { credential: ours({ ...header, headerName }) });
			expect(error?.message).toMatch(/^The Header Name of the credential is/);
		},
	);
});

describe('an answer', () => {
	test('of more than 4 MB, decoded, is not taken in', async () => {
		const bomb = gzipSync(`{"error":0,"data":"${' '.repeat(51 * 1024 * 1024)}"}`);
		const baseUrl = await serve(
			(_request, response) => void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
		);
		const { error } = await run(create, { credential: at(baseUrl) });
		expect(error?.message).toMatch(/more than 4 MB/);
	}, 600_000);

	/** A service whose answers come drop by drop, or not at all; and how it tells that a request is there. */
	async function serveSlowly(drips: boolean): Promise<{ baseUrl: string; isAsked: Promise<void>; open: () => number }> {
		let asked: () => void = () => undefined;
		const isAsked = new Promise<void>((resolve) => (asked = resolve));
		let open = 0;
		const baseUrl = await serve((_request, response) => {
			open++;
			if (drips) response.write('{"error":0,');
			const drops = setInterval(() => (drips ? response.write(' ') : undefined), 20);
			response.on('close', () => {
				clearInterval(drops);
				open--;
			});
			asked();
		});
		return { baseUrl, isAsked, open: () => open };
	}

	test('that comes drop by drop ends with the Timeout', async () => {
		const { baseUrl } = await serveSlowly(true);
		const { error } = await run({ ...create, requestOptions: { timeout: 500 } }, { credential: at(baseUrl) });
		expect(error?.message).toMatch(/did not answer in time/);
	});

	test.each([
		['comes drop by drop', true],
		['does not come', false],
	])('to a creation that %s ends with Stop, and says so', async (_how, drips) => {
		const { baseUrl, isAsked } = await serveSlowly(drips);
		const credential = at(baseUrl);
		const execution = start(workflowOf(create, { credential }), credential);
		await isAsked;
		execution.stop();
		const { error } = await outcomeOf(execution);
		expect(`${error?.message} ${error?.description}`).toMatch(/stopped|cancelled/i);
		expect(`${error?.message} ${error?.description}`).not.toMatch(/broke off/);
	});

	test.each<[string, (credential: Credential) => Promise<unknown>]>([
		['dropdown', async (credential) => await search('searchLinks', credential)],
		[
			"credential's test",
			async (credential) => {
				const { status, message } = await testCredential(credential);
				if (status === 'Error') throw new Error(message);
			},
		],
	])('that comes drop by drop to a %s ends after 20 seconds, and so does its connection', async (_what, ask) => {
		const { baseUrl, isAsked, open } = await serveSlowly(true);
		skipWaits();
		const limit = jest.spyOn(AbortSignal, 'timeout');
		const began = Date.now();
		const asking = ask(at(baseUrl)).catch((error: Error) => error.message);
		await isAsked;
		expect(await asking).toMatch(/did not answer in time|within 20 seconds/);
		expect(Date.now() - began).toBeGreaterThan(19_000);
		expect(Math.max(...limit.mock.calls.map(([milliseconds]) => milliseconds))).toBeLessThanOrEqual(20_000);
		while (open() > 0) await new Promise((resolve) => setTimeout(resolve, 20));
	});
});

describe('the key in the data of the account', () => {
	test('is kept there by an update of something else, and leaves as stars', async () => {
		const url = `https://example.com/hook?token=${sandbox.apiKey}`;
		const [made] = await itemsOf({ ...create, url });
		expect(made.longurl).toBe('https://example.com/hook?token=*****');
		const linkId = by('id', made.id as number);
		await itemsOf({ resource: 'link', operation: 'update', linkId, linkFields: { metatitle: 'New' } });
		expect((await sandbox.links()).find(({ id }) => id === made.id)?.longurl).toBe(url);
		// Stars of one's own mean what they say.
		await itemsOf({ ...create, linkFields: { metatitle: 'Hotel *****' } });
		expect((await sandbox.links()).map(({ title }) => title)).toContain('Hotel *****');
	});
});
