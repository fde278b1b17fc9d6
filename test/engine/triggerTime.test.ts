/** How long polls take: of an account too large for one, one after the other, and at services that keep the trigger waiting. */
import type { RequestListener } from 'http';

import { sleep } from 'n8n-workflow';

import { skipWaits } from './clock';
import { serve } from './serve';
import { active, idsIn, requests, sandbox, scan, scannedQr, trigger } from './triggerService';
import { turnsDuring, turnsOf } from './turns';

const scanned = { event: 'qrCodeScanned' };
const MINUTE = 60_000;

/** The service takes so long (ms) for each answer, and time passes only there. */
async function slow(ms: number): Promise<void> {
	await sandbox.setFaults([{ kind: 'latency', ms }]);
	skipWaits();
}

it('a poll that finds the rate limit used up ends in time, and later ones go on', async () => {
	await sandbox.reset({
		records: { qrs: 60 },
		deviations: { pageCap: 5 },
		limit: { requests: 2, windowMs: 10_000, reset: 'milliseconds' },
	});
	skipWaits();
	const host = trigger(scanned, { budgetMs: 3000 });
	await host.activate();
	for (let n = 0; n < 2; n++) {
		const from = Date.now();
		expect(await host.scheduledPoll()).toEqual([]);
		expect(Date.now() - from).toBeLessThan(15_000);
	}
	expect((await sandbox.stats()).requests).toBeLessThan(12);
	await sandbox.setLimit({ requests: null });
	expect(host.state).toBe('');
	const { id } = (await sandbox.qrs())[0];
	for (let n = 0; n < 40 && host.executions.flat().length === 0; n++) {
		await scan(id, 1);
		await sleep(1_000);
		await host.scheduledPoll();
	}
	expect(host.executions).toMatchObject([[], [{ id }]]);
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

it('a service that hangs holds no activation for more than half a minute, and its error says why', async () => {
	skipWaits();
	const from = Date.now();
	const activate = async (answer: RequestListener) => await trigger(scanned, await at(answer)).activate();
	const refusals = await Promise.allSettled(HUNG.map(async ([, answer]) => await activate(answer)));
	expect(Date.now() - from).toBeLessThan(5 * MINUTE);
	for (const refusal of refusals)
		expect(String((refusal as PromiseRejectedResult).reason)).toContain('The service did not answer in time');
});

it.each(HUNG)('a poll of a service that %s ends when its time is over', async (_what, answer) => {
	skipWaits();
	const host = trigger(scanned, { ...(await at(answer)), budgetMs: 2700 });
	const from = Date.now();
	await expect(host.scheduledPoll()).rejects.toThrow('The service did not answer in time');
	expect(Date.now() - from).toBeLessThan(MINUTE);
});

it('an activation says how the service failed, though it hangs when it is asked again', async () => {
	skipWaits();
	let requests = 0;
	const failing: RequestListener = (_request, response) => {
		if (requests++ === 0) response.writeHead(503).end('Down for maintenance');
	};
	await expect(trigger(scanned, await at(failing)).activate()).rejects.toThrow('is down');
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

it('a workflow that is saved while a poll makes its items reports each change once', async () => {
	const host = await active(scanned);
	const { qrs } = await sandbox.createRecords({ qrs: 80 });
	await sandbox.simulate({ scans: qrs.map(({ id }) => ({ id, count: 1 })) });
	let saved: ReturnType<typeof host.again> | undefined;
	await turnsDuring(async () => {
		const polling = host.poll();
		// Some dozens of items are made.
		while (turnsOf(setTimeout) < 40) await new Promise((resolve) => setImmediate(resolve));
		saved = host.again('update');
		await polling;
	});
	const next = (await saved)!;
	expect(host.executions).toEqual([]);
	expect(idsIn([...next.executions.flat(), ...(await next.poll())])).toEqual(idsIn(qrs));
});

it.each([
	['half a minute', 60_000, 3],
	['what n8n grants, if that is less', 20_000, 2],
])('a poll has %s', async (_what, budgetMs, pages) => {
	await sandbox.reset({ records: { qrs: 60 }, deviations: { pageCap: 5 } });
	const host = await active(scanned, { durableCursor: true, budgetMs });
	await slow(10_000);
	await requests();
	for (let polls = 0; polls < 2; polls++) {
		await host.scheduledPoll();
		expect(await requests()).toHaveLength(pages);
	}
});

it('a first reading that is not over at the end of the activation is in the log, after a restart as well', async () => {
	await sandbox.reset({ records: { qrs: 60 }, deviations: { pageCap: 5 } });
	await slow(14_000);
	const host = await active(scanned);
	const cut =
		/^"Trigger" in workflow "Test" \(w\d+\) had no time to read all QR codes: .* The next poll goes on\. What happens to a QR code before/;
	expect(host.warnings).toEqual([expect.stringMatching(cut)]);
	const restarted = host.killed();
	await restarted.activate('init');
	// When it is over, n8n saves it with an execution without items.
	for (let polls = 0; polls < 9 && restarted.executions.length === 0; polls++) await restarted.poll();
	expect(restarted.executions).toEqual([[]]);
	for (const warning of restarted.warnings) expect(warning).toMatch(cut);
	expect(restarted.warnings).toHaveLength(5);
	const { id } = (await sandbox.qrs())[50];
	await scan(id, 3);
	const again = restarted.killed();
	await again.activate('init');
	for (let polls = 0; polls < 9 && again.executions.length === 0; polls++) await again.poll();
	expect(again.executions.flat()).toMatchObject([{ id, newScans: 3 }]);
	for (const warning of again.warnings) expect(warning).toMatch(/ The next poll goes on\. Nothing is lost\.$/);
});

it('a first reading of chosen records is over when each of them was seen', async () => {
	await sandbox.reset({ records: { qrs: 60 }, deviations: { pageCap: 5 } });
	await slow(14_000);
	const codes = await sandbox.qrs();
	for (const [at, told] of [
		[0, 1],
		[59, 0],
	])
		expect((await active({ ...scanned, watch: 'selected', qrCodeIds: [codes[at].id] })).warnings).toHaveLength(told);
});

it('an item that n8n puts in for none starts no workflow', async () => {
	await sandbox.reset({ records: { qrs: 60 }, deviations: { pageCap: 5 } });
	await slow(14_000);
	const host = await active(scanned, { node: { alwaysOutputData: true } });
	for (let polls = 0; polls < 9; polls++) await host.poll();
	expect(host.executions).toEqual([]);
	const { id } = (await sandbox.qrs())[50];
	await scan(id, 3);
	for (let polls = 0; polls < 9; polls++) await host.poll();
	expect(host.executions.flat()).toMatchObject([{ id, newScans: 3 }]);
});

it('an activation that finds the rate limit used up succeeds, and what exists when a poll has its turn is the baseline', async () => {
	await sandbox.setLimit({ requests: 0, windowMs: 40_000, reset: 'milliseconds' });
	skipWaits();
	const host = trigger(scanned);
	await host.activate();
	expect(host.state).toBe('');
	expect(host.warnings).toEqual([expect.stringMatching(/had no time .* other work uses up the rate limit of its key/)]);
	await sandbox.setLimit({ requests: null });
	for (let polls = 0; polls < 9 && host.executions.length === 0; polls++) {
		await sleep(10_000);
		await host.poll();
	}
	expect(host.executions).toEqual([[]]);
	const { id } = (await sandbox.qrs())[0];
	await scan(id, 1);
	expect(await host.poll()).toMatchObject([{ id, newScans: 1 }]);
});

it('a key that is refused fails each poll, until another one is entered', async () => {
	const { id, host } = await scannedQr(1);
	await sandbox.configure({ apiKeys: ['another-key'] });
	for (let polls = 0; polls < 3; polls++) await expect(host.poll()).rejects.toThrow('The service refused the API Key');
	Object.assign(host.setting.credential, { apiKey: 'another-key' });
	expect(await host.poll()).toMatchObject([{ id, newScans: 1 }]);
});
