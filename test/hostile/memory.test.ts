/** What attacks leave in memory: nothing that grows with what was sent. (A mocked clock or a sandbox would keep it themselves.) */
import { upsertOf } from '../engine/account';
import { run } from '../engine/host';
import { serve } from '../engine/serve';
import { usedBytes } from '../engine/usedBytes';

test('long URLs that a service refuses are forgotten with their runs', async () => {
	const list = { error: '0', data: { result: 0, urls: [] } };
	const baseUrl = await serve((request, response) => {
		request.resume();
		response.end(JSON.stringify(request.method === 'GET' ? list : { error: 1, message: 'Please enter a valid URL.' }));
	});
	const refuse = async (from: number) => {
		const rows = Array.from({ length: 100 }, (_, at) => ({
			url: `https://example.com/${'x'.repeat(7000)}${from + at}`,
		}));
		const credential = { baseUrl, apiKey: 'a-key-of-memory' };
		const { items } = await run(upsertOf(), { credential, rows, node: { onError: 'continueRegularOutput' } });
		expect(items.filter(({ json }) => json.action === 'failed')).toHaveLength(100);
	};
	// Code is compiled and thrown away in the first runs.
	for (let time = 0; time < 10; time++) await refuse(time * 100);
	const before = usedBytes();
	for (let time = 10; time < 30; time++) await refuse(time * 100);
	// They have 14 MB; what else comes and goes is less.
	expect(usedBytes() - before).toBeLessThan(7_000_000);
});
