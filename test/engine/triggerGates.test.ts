/** What a trigger takes over from answers: a small state, and nothing of another account. */
import { skippingWaits } from './clock';
import { TriggerHost } from './pollHost';
import { serve } from './serve';

skippingWaits();

/** Links with falling IDs. */
const linksFrom = (highest: number, count: number, date = '2026-01-01 00:00:00') =>
	Array.from({ length: count }, (_, at) => ({
		id: highest - at,
		shorturl: `https://lnk.example/a${highest - at}`,
		longurl: 'https://example.com/',
		clicks: 7,
		date,
	}));

const listOf = (urls: unknown[], result = urls.length) => JSON.stringify({ error: '0', data: { result, urls } });

/** Two accounts of 450 links each, told by their keys. */
async function twoAccounts() {
	let delay = 0;
	const highest: Record<string, number> = { first: 450, other: 1450 };
	const baseUrl = await serve((request, response) => {
		request.resume();
		const query = new URL(request.url ?? '', 'http://service.example').searchParams;
		const key = String(request.headers.authorization).replace('Bearer ', '');
		const [at, limit] = [Number(query.get('page')) - 1, Number(query.get('limit'))];
		const urls = linksFrom(highest[key], 450).slice(at * limit, (at + 1) * limit);
		setTimeout(() => response.end(listOf(urls, 450)), delay);
	});
	return { baseUrl, slow: (milliseconds: number) => (delay = milliseconds) };
}

test('a reading that is cut goes on with no other account, and reports nothing of it', async () => {
	const { baseUrl, slow } = await twoAccounts();
	const credential = { baseUrl, apiKey: 'first' };
	const host = new TriggerHost({ credential, parameters: { event: 'linkClicked', watch: 'all' } });
	await host.activate();
	slow(1200);
	host.budgetMs = 2500;
	expect(await host.scheduledPoll()).toEqual([]);
	credential.apiKey = 'other';
	slow(0);
	host.budgetMs = 36_000;
	for (let polls = 0; polls < 3; polls++) expect(await host.scheduledPoll()).toEqual([]);
	expect(host.errors).toEqual([]);
});

test('the state keeps nothing of a record but its ID and its count', async () => {
	const urls = [...linksFrom(2, 1, 'x'.repeat(3_000_000)), ...linksFrom(1, 1)];
	const baseUrl = await serve((request, response) => {
		request.resume();
		response.end(listOf(urls));
	});
	const host = new TriggerHost({ credential: { baseUrl, apiKey: 'a-key' }, parameters: { event: 'linkCreated' } });
	await host.activate();
	expect(host.saved.length).toBeLessThan(2000);
	expect(host.saved).toContain('"ids":[2,1]');
});
