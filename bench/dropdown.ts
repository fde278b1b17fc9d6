import type { INodeListSearchResult } from 'n8n-workflow';
import type { DropdownRequest, N8n } from '../test/n8n/host';
import { type Findings, type Scenario, atMost } from './scenario';
import { spread, withRange } from './statistics';

const LINKS = 10_000;
const PAGE_SIZE = 100;

/** Asks for the entries of the list of links, as the editor does. */
export async function openLinkList(
	n8n: N8n,
	request: Pick<DropdownRequest, 'filter' | 'paginationToken'> = {},
): Promise<INodeListSearchResult> {
	return await n8n.resourceLocatorResults({
		method: 'searchLinks',
		path: 'parameters.linkId',
		parameters: { resource: 'link', operation: 'get' },
		...request,
	});
}

export const run: Scenario['run'] = async (bench): Promise<Findings> => {
	const links = bench.quick ? 500 : LINKS;
	const service = await bench.startService({ records: { links }, limit: { requests: null } });
	const { url, apiKey } = service;
	const n8n = await bench.startN8n(url);
	await n8n.createCredential({ baseUrl: url, apiKey });
	const { paginationToken } = (await openLinkList(n8n)) as { paginationToken: string };
	const entries = async (request?: Parameters<typeof openLinkList>[1]) =>
		(await openLinkList(n8n, request)).results.length;
	const steps: Array<{ name: string; work: () => Promise<number> }> = [
		{ name: 'open the list', work: async () => await entries() },
		{ name: 'scroll to the next entries', work: async () => await entries({ paginationToken }) },
		{ name: 'search for a word that many links have', work: async () => await entries({ filter: 'market' }) },
		{ name: 'search for one link', work: async () => await entries({ filter: 'Harbour 1' }) },
		{ name: 'search for what no link has', work: async () => await entries({ filter: 'zzzzzz' }) },
		{
			name: 'for comparison: a page straight from the service, without n8n',
			work: async () => {
				const headers = { Authorization: `Bearer ${apiKey}` };
				await (await fetch(`${url}/api/urls?limit=${PAGE_SIZE}&page=1`, { headers })).json();
				return PAGE_SIZE;
			},
		},
	];
	const findings: Findings = {
		title: `Dropdowns: finding one of ${links} links`,
		introduction: [
			'Asked as the editor asks: over n8n’s own interface, from the question to the answer with the first entries. The service limits no rate here.',
		],
		checks: [],
		tables: [{ title: 'Time to the first entries', columns: ['', 'milliseconds', 'requests', 'entries'], rows: [] }],
	};
	const all = await bench.turns(steps, async ({ work }) => {
		await service.clearRequests();
		const begin = performance.now();
		const found = await work();
		return { ms: performance.now() - begin, found, requests: (await service.stats()).requests };
	});
	for (const [{ name }, rounds] of all) {
		const ms = withRange(spread(rounds.map((round) => round.ms)), 0);
		const most = Math.max(...rounds.map(({ requests }) => requests));
		const { found } = rounds[0];
		bench.say(`${name}: ${ms} ms, ${most} requests, ${found} entries`);
		findings.checks.push(atMost(`${name}: requests to the service`, 1, most, { exact: true }));
		findings.tables[0].rows.push([name, ms, most, found]);
	}
	// The comparison promises nothing.
	findings.checks.pop();
	return findings;
};
