import { setTimeout as delay } from 'timers/promises';

import { Try } from '../../nodes/LinkManagement/execution/run';

test('items that wait for something of their own go on in their order', async () => {
	const attempt = new Try(4, undefined);
	const order: number[] = [];
	const waits = [20, 0, 10, 0];
	await Promise.all(
		waits.map(async (milliseconds, index) => {
			await attempt.inOrder(delay(milliseconds));
			order.push(index);
		}),
	);
	expect(order).toEqual([0, 1, 2, 3]);
});

test('one whose wait fails keeps none of the others', async () => {
	const attempt = new Try(3, undefined);
	const items = [Promise.resolve('first'), Promise.reject(new Error('no credential')), Promise.resolve('third')];
	const ends = await Promise.allSettled(items.map(async (item) => await attempt.inOrder(item)));
	expect(ends).toMatchObject([{ value: 'first' }, { reason: { message: 'no credential' } }, { value: 'third' }]);
});
