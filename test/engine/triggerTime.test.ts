/** How long polls take: of an account too large for one, one after the other, and at services that keep the trigger waiting. */
import type { RequestListener } from 'http';

import type { IDataObject } from 'n8n-workflow';

import { clockOfRequests, quickClock } from './clock';
import { serve } from './serve';
import { active, idsIn, newQr, requests, sandbox, scan, scanAll, trigger } from './triggerService';
import { turnsDuring } from './turns';

const scanned = { event: 'qrCodeScanned' };
const MINUTE = 60_000;

it('polls of one node never run at once', async () => {
	const host = await active(scanned);
	await sandbox.setFaults([{ kind: 'latency', ms: 100 }]);
	const { id } = await newQr();
	await scan(id, 1);
	await Promise.all([host.tick(), host.tick(), host.tick()]);
	expect(host.executions.flat()).toMatchObject([{ id, newScans: 1 }]);
	expect(await requests()).toEqual(['GET /api/qr']);
});

it('a poll that finds the rate limit used up ends in time, and later ones go on', async () => {
	await sandbox.reset({
		records: { qrs: 60 },
		deviations: { pageCap: 5 },
		limit: { requests: 2, windowMs: 20_000, reset: 'milliseconds' },
	});
	quickClock(2);
	const host = trigger(scanned, { budgetMs: 3000 });
	await host.activate();
	for (let n = 0; n < 3; n++) {
		const from = Date.now();
		expect(await host.poll()).toEqual([]);
		expect(Date.now() - from).toBeLessThan(15_000);
	}
	expect((await sandbox.stats()).requests).toBeLessThan(12);
	await sandbox.setLimit({ requests: null });
	expect(host.state).toContain('"isBaseline":true');
	const { id } = (await sandbox.qrs())[0];
	for (let n = 0; n < 40 && host.executions.length === 0; n++) {
		await scan(id, 1);
		await host.poll();
	}
	expect(host.executions[0]).toMatchObject([{ id }]);
});

/** Enough for a page on a machine with other work; the rest of it is waited for. */
const TIME_OF_A_PAGE = 3_000;

it('with time for one page alone, reading gets on from poll to poll, also where a service says nothing of its pages', async () => {
	await sandbox.reset({ records: { qrs: 31 }, deviations: { pageCap: 15, pageFloor: 15 }, validate: false });
	const fields = { result: null, perpage: null, maxpage: null, nextpage: null };
	const parameters = { event: 'qrCodeCreated', options: { includeExisting: true } };
	const host = trigger(parameters, { budgetMs: TIME_OF_A_PAGE, durableCursor: true });
	const reported: unknown[] = [];
	// Three would do, if each had the time for a page.
	for (let polls = 0; polls < 12 && reported.length < 31; polls++) {
		// The second page hangs until the poll's time is over.
		await sandbox.setFaults([
			{ kind: 'listFields', fields, match: { path: '^/api/qr' } },
			{ kind: 'latency', ms: 60_000, after: 1, match: { path: '^/api/qr' } },
		]);
		for (const { id } of await host.scheduledPoll()) reported.push(id);
	}
	expect(reported).toHaveLength(31);
	expect(new Set(reported).size).toBe(31);
});

const HUNG: Array<[string, RequestListener]> = [
	['never answers', () => undefined],
	[
		'answers drop by drop',
		(_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			const drops = setInterval(() => response.write(' '), 100);
			response.on('close', () => clearInterval(drops));
		},
	],
];

const at = async (answer: RequestListener) => ({ credential: { baseUrl: await serve(answer), apiKey: 'key' } });

it('a service that hangs holds no activation for more than 20 seconds, and its error says why', async () => {
	quickClock(5);
	const from = Date.now();
	const activate = async (answer: RequestListener) => await trigger(scanned, await at(answer)).activate();
	const refusals = await Promise.allSettled(HUNG.map(async ([, answer]) => await activate(answer)));
	expect(Date.now() - from).toBeLessThan(5 * MINUTE);
	for (const refusal of refusals)
		expect(String((refusal as PromiseRejectedResult).reason)).toContain('The service did not answer in time');
});

it.each(HUNG)('a poll of a service that %s ends when its time is over', async (_what, answer) => {
	quickClock(5);
	const host = trigger(scanned, { ...(await at(answer)), budgetMs: 2700 });
	const from = Date.now();
	await expect(host.activate()).rejects.toThrow('The service did not answer in time');
	expect(Date.now() - from).toBeLessThan(5 * MINUTE);
});

it('an activation says how the service failed, though it hangs when it is asked again', async () => {
	quickClock(2);
	let requests = 0;
	const failing: RequestListener = (_request, response) => {
		if (requests++ === 0) response.writeHead(503).end('Down for maintenance');
	};
	await expect(trigger(scanned, await at(failing)).activate()).rejects.toThrow('is down');
});

it('a poll keeps what it has read when the service hangs at a later page, and the next one goes on from there', async () => {
	await sandbox.reset({ records: { qrs: 40 }, deviations: { pageCap: 10 } });
	const host = await active(scanned);
	host.budgetMs = 5000;
	const ids = await scanAll();
	await sandbox.setFaults([{ kind: 'latency', ms: MINUTE, after: 2, times: 1 }]);
	expect(await host.poll()).toEqual([]);
	await requests();
	expect(idsIn(await host.poll())).toEqual(ids);
	expect(await requests()).toHaveLength(2);
});

it('each finding of a poll gives a turn away while it is made an item', async () => {
	const host = await active(scanned);
	const poll = async (count: number) => {
		const { qrs } = await sandbox.createRecords({ qrs: count });
		await sandbox.simulate({ scans: qrs.map(({ id }) => ({ id, count: 1 })) });
		return await turnsDuring(async () => expect(await host.poll()).toHaveLength(count));
	};
	const few = await poll(10);
	expect((await poll(80)) - few).toBeGreaterThan(60);
});

it('without durable cursors, slices go on though quiet polls are not kept', async () => {
	await sandbox.reset({ records: { qrs: 60 }, deviations: { pageCap: 5 } });
	clockOfRequests(15_000);
	const host = trigger(scanned, { budgetMs: 60_000 });
	await host.activate();
	for (let n = 0; n < 6; n++) await host.scheduledPoll();
	const { id } = (await sandbox.qrs())[30];
	await scan(id, 2);
	const items: IDataObject[] = [];
	for (let n = 0; n < 6; n++) items.push(...(await host.scheduledPoll()));
	expect(items).toMatchObject([{ id, newScans: 2 }]);
});

it.each([300_000, 400_000, 3_600_000])(
	'a poll by the scheduler has all of its %d ms, also those of an activation',
	async (budgetMs) => {
		await sandbox.reset({ records: { qrs: 60 }, deviations: { pageCap: 5 } });
		const host = await active(scanned, { durableCursor: true, budgetMs });
		await host.scheduledPoll();
		clockOfRequests(15_000);
		await requests();
		for (let polls = 0; polls < 2; polls++) {
			await host.scheduledPoll();
			expect(await requests()).toHaveLength(12);
		}
	},
);

it('a first reading that is not over at the end of the activation is in the log, after a restart as well', async () => {
	await sandbox.reset({ records: { qrs: 60 }, deviations: { pageCap: 5 } });
	clockOfRequests(15_000);
	const host = await active(scanned);
	expect(host.warnings).toEqual([
		expect.stringMatching(/^"Trigger" had no time to read all QR codes .* If n8n stops before the first report/),
	]);
	await host.poll();
	expect(host.warnings).toHaveLength(1);
	const restarted = host.killed();
	await restarted.activate('init');
	expect(restarted.warnings).toEqual([expect.stringMatching(/had no time to read all QR codes/)]);
	const durable = await active(scanned, { durableCursor: true });
	expect(durable.warnings).toEqual([expect.stringMatching(/If n8n stops before that/)]);
});
