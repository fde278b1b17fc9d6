/** A service that keeps the trigger waiting. */
import type { RequestListener } from 'http';

import { startSandbox } from '../sandbox';
import { quickTime } from './clock';
import { TriggerHost, type TriggerSetting } from './pollHost';
import { serve } from './serve';

quickTime(5);

const trigger = (baseUrl: string, setting: Partial<TriggerSetting> = {}) =>
	new TriggerHost({ credential: { baseUrl, apiKey: 'key' }, parameters: { event: 'qrCodeScanned' }, ...setting });

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

it('a service that hangs holds no activation for more than 20 seconds, and its error says why', async () => {
	const from = Date.now();
	const refusals = await Promise.all(
		HUNG.map(
			async ([, answer]) =>
				await trigger(await serve(answer))
					.activate()
					.catch((error: Error) => error),
		),
	);
	expect(Date.now() - from).toBeLessThan(40_000);
	for (const refusal of refusals) expect(String(refusal)).toContain('The service did not answer in time');
});

it.each(HUNG)('a poll of a service that %s ends when its time is over', async (_what, answer) => {
	const host = trigger(await serve(answer), { budgetMs: 700 });
	const from = Date.now();
	await expect(host.activate()).rejects.toThrow('The service did not answer in time');
	expect(Date.now() - from).toBeLessThan(10_000);
});

it('a poll keeps what it has read when the service hangs at a later page, and the next one goes on from there', async () => {
	const sandbox = await startSandbox({ records: { qrs: 40 }, limit: { requests: null }, deviations: { pageCap: 10 } });
	try {
		const host = new TriggerHost({
			credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
			parameters: { event: 'qrCodeScanned' },
		});
		await host.activate();
		host.budgetMs = 4000;
		const codes = await sandbox.qrs();
		await sandbox.simulate({ scans: codes.map(({ id }) => ({ id, count: 1 })) });
		await sandbox.setFaults([{ kind: 'latency', ms: 12_000, after: 2, times: 1 }]);
		const first = await host.poll();
		expect(first).toHaveLength(20);
		const second = await host.poll();
		expect([...first, ...second].map(({ id }) => id).sort()).toEqual(codes.map(({ id }) => id).sort());
	} finally {
		await sandbox.stop();
	}
});
