/** The credential's own header, for what stands in front of a service. */
import { TriggerHost } from './pollHost';
import { serve } from './serve';

test('goes with every request of the trigger', async () => {
	const seen: Array<string | undefined> = [];
	const baseUrl = await serve((request, response) => {
		seen.push(request.headers.cookie);
		response.end(JSON.stringify({ error: 0, data: { urls: [] } }));
	});
	const header = { header: true, headerName: 'Cookie', headerValue: 'pass=secret-of-the-front' };
	const credential = { baseUrl, apiKey: 'a-key-of-the-service', ...header };
	const trigger = new TriggerHost({ credential, parameters: { event: 'linkCreated' } });
	for (const ask of [async () => await trigger.activate(), async () => await trigger.poll()]) {
		seen.length = 0;
		await ask();
		expect(new Set(seen)).toEqual(new Set([header.headerValue]));
	}
});
