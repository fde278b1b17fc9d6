import type { INodeListSearchResult } from 'n8n-workflow';
import type { DropdownRequest, N8n } from '../test/n8n/host';
import { type Findings, type Scenario, atMost } from './scenario';
import { spread, withRange } from './statistics';

const LINKS = 10_000;
const PAGE_SIZE = 100;

/** What a user does with the list of links. */
interface Step {
	name: string;
	filter?: string;
	/** The page after the first. */
	next?: boolean;
}

const STEPS: Step[] = [
	{ name: 'open the list' },
	{ name: 'scroll to the next entries', next: true },
	{ name: 'search for a word that many links have', filter: 'market' },
	{ name: 'search for one link', filter: 'Harbour 1' },
	{ name: 'search for what no link has', filter: 'zzzzzz' },
];

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
	const works = new Map<string, () => Promise<number>>();
	for (const { name, filter, next } of STEPS)
		works.set(name, async () => {
			const request = { filter, ...(next ? { paginationToken } : {}) };
			return (await openLinkList(n8n, request)).results.length;
		});
	works.set('for comparison: a page straight from the service, without n8n', async () => {
		const headers = { Authorization: `Bearer ${apiKey}` };
		await (await fetch(`${url}/api/urls?limit=${PAGE_SIZE}&page=1`, { headers })).json();
		return PAGE_SIZE;
	});
	const findings: Findings = {
		title: `Dropdowns: finding one of ${links} links`,
		introduction: [
			'Asked as the editor asks: over n8n’s own interface, from the question to the answer with the first entries. The service limits no rate here.',
		],
		checks: [],
		tables: [{ title: 'Time to the first entries', columns: ['', 'milliseconds', 'requests', 'entries'], rows: [] }],
	};
	for (const [name, work] of works) {
		const times: number[] = [];
		const requests: number[] = [];
		let entries = 0;
		for (let round = 0; round < bench.runs; round++) {
			await service.clearRequests();
			const begin = performance.now();
			entries = await work();
			times.push(performance.now() - begin);
			requests.push((await service.stats()).requests);
		}
		const most = Math.max(...requests);
		bench.say(`${name}: ${withRange(spread(times), 0)} ms, ${most} requests, ${entries} entries`);
		findings.checks.push(atMost(`${name}: requests to the service`, 1, most, { exact: true }));
		findings.tables[0].rows.push([name, withRange(spread(times), 0), most, entries]);
	}
	// The comparison promises nothing.
	findings.checks.pop();
	return findings;
};
