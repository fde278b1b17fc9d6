/** What requests leave in memory when they are done: nothing, however many there were. */
import { redactionOf } from '../../nodes/LinkManagement/api/redact';

import { requestWithRetry } from '../../nodes/LinkManagement/api/retry';
import { serviceOf } from '../../nodes/LinkManagement/api/services';
import { usedBytes } from '../engine/usedBytes';

test('50,000 requests that can be stopped leave no more than 10,000', async () => {
	const service = serviceOf('https://links.example', 'a-key-of-many-requests');
	const { signal } = new AbortController();
	let sent = 0;
	const send = async () => {
		sent++;
		return { statusCode: 200, headers: {}, body: { error: 0, data: { id: sent } } };
	};
	const request = {
		...service,
		caller: {},
		signal,
		method: 'GET',
		path: '/api/account',
		redact: redactionOf(['a-key-of-many-requests']),
		send,
	};
	const run = async (times: number) => {
		for (let done = 0; done < times; done += 100) {
			await Promise.all(Array.from({ length: 100 }, async () => await requestWithRetry(request)));
		}
	};
	await run(10_000);
	const before = usedBytes();
	await run(40_000);
	expect(sent).toBe(50_000);
	expect(usedBytes() - before).toBeLessThan(1024 * 1024);
});
