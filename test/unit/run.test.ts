import { setTimeout as delay } from 'timers/promises';

import { Try } from '../../nodes/LinkManagement/execution/run';
import { StoppedError } from '../../nodes/LinkManagement/rateLimit/cancellation';

test('what every item needs is done for one after another, in their order', async () => {
	const attempt = new Try(4, undefined);
	const order: string[] = [];
	const waits = [20, 0, 10, 0];
	await Promise.all(
		waits.map(async (milliseconds, index) => {
			await attempt.inTurn(async () => {
				order.push(`${index} begins`);
				await delay(milliseconds);
			});
			order.push(`${index} has it`);
		}),
	);
	expect(order.filter((text) => text.endsWith('begins'))).toEqual([0, 1, 2, 3].map((index) => `${index} begins`));
	for (const index of [1, 2, 3])
		expect(order.indexOf(`${index} has it`)).toBeGreaterThan(order.indexOf(`${index - 1} has it`));
});

test('nothing more is asked for once the execution was stopped', async () => {
	const stop = new AbortController();
	const attempt = new Try(2, stop.signal);
	let asked = 0;
	const ends = await Promise.allSettled(
		[0, 1].map(
			async () =>
				await attempt.inTurn(async () => {
					asked++;
					stop.abort();
					await delay(0);
				}),
		),
	);
	expect(asked).toBe(1);
	expect(ends[1]).toMatchObject({ reason: expect.any(StoppedError) });
});

test('one whose wait fails keeps none of the others', async () => {
	const attempt = new Try(3, undefined);
	const items = [
		async () => await Promise.resolve('first'),
		async () => await Promise.reject(new Error('no credential')),
		async () => await Promise.resolve('third'),
	];
	const ends = await Promise.allSettled(items.map(async (item) => await attempt.inTurn(item)));
	expect(ends).toMatchObject([{ value: 'first' }, { reason: { message: 'no credential' } }, { value: 'third' }]);
});
