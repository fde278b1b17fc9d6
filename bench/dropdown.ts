import type { INodeListSearchResult } from 'n8n-workflow';
import { type DropdownRequest, type N8n, NODE_TYPE } from '../test/n8n/host';
import type { Bench, Service } from './bench';
import type { Findings, Scenario } from './scenario';
import { spread, type Spread, withRange } from './statistics';

const LINKS = 10_000;

/** What a user does with the list of links. */
interface Step {
	name: string;
	filter?: string;
	/** The page after the first. */
	next?: boolean;
	/** The most requests that it may take. */
	most: number;
}

const STEPS: Step[] = [
	{ name: 'open the list', most: 1 },
	{ name: 'scroll to the next entries', next: true, most: 1 },
	{ name: 'search for a word that many links have', filter: 'market', most: 1 },
	{ name: 'search for one link', filter: 'Harbour 1', most: 1 },
	{ name: 'search for what no link has', filter: 'zzzzzz', most: 1 },
];

interface Figures {
	milliseconds: number[];
	requests: number[];
	entries: number;
}

/** The method behind the list of links, as the node's description names it. */
export async function linkListMethod(n8n: N8n): Promise<string> {
	const description = (await n8n.nodeTypes()).get(NODE_TYPE);
	const locator = description?.properties.find(
		({ name, displayOptions }) => name === 'linkId' && displayOptions?.show?.operation?.includes('get'),
	);
	const method = locator?.modes?.find(({ name }) => name === 'list')?.typeOptions?.searchListMethod;
	if (method === undefined) throw new Error('The node has no searchable list of links.');
	return method;
}

/** Asks for the entries of the list of links, as the editor does. */
export async function openLinkList(
	n8n: N8n,
	method: string,
	request: Pick<DropdownRequest, 'filter' | 'paginationToken'> = {},
): Promise<INodeListSearchResult> {
	return await n8n.resourceLocatorResults({
		method,
		path: 'parameters.linkId',
		parameters: { resource: 'link', operation: 'get' },
		...request,
	});
}

class Dropdown {
	private n8n!: N8n;

	private service!: Service;

	constructor(private readonly bench: Bench) {}

	async run(): Promise<Findings> {
		const { bench } = this;
		const links = bench.quick ? 500 : LINKS;
		this.service = await bench.startService({ records: { links }, limit: { requests: null } });
		this.n8n = await bench.startN8n(this.service.url);
		await this.n8n.createCredential({ baseUrl: this.service.url, apiKey: this.service.apiKey });
		const method = await linkListMethod(this.n8n);
		const first = await openLinkList(this.n8n, method);
		const figures = new Map<Step, Figures>();
		for (const step of STEPS) figures.set(step, { milliseconds: [], requests: [], entries: 0 });
		for (let round = 0; round < bench.runs; round++) {
			for (const [step, { milliseconds, requests }] of figures) {
				await this.service.clearRequests();
				const begin = performance.now();
				const { results } = await openLinkList(this.n8n, method, {
					filter: step.filter,
					paginationToken: step.next ? (first.paginationToken as string) : undefined,
				});
				milliseconds.push(performance.now() - begin);
				requests.push((await this.service.stats()).requests);
				figures.get(step)!.entries = results.length;
			}
		}
		for (const [{ name }, { milliseconds, requests, entries }] of figures)
			bench.say(
				`${name}: ${withRange(spread(milliseconds), 0)} ms, ${Math.max(...requests)} requests, ${entries} entries`,
			);
		const direct = await this.direct();
		return this.findings(links, figures, direct);
	}

	/** What the service itself needs for a first page, in milliseconds. */
	private async direct(): Promise<Spread> {
		const times: number[] = [];
		for (let round = 0; round < this.bench.runs; round++) {
			const begin = performance.now();
			const response = await fetch(`${this.service.url}/api/urls?limit=100&page=1`, {
				headers: { Authorization: `Bearer ${this.service.apiKey}` },
			});
			await response.json();
			times.push(performance.now() - begin);
		}
		return spread(times);
	}

	private findings(links: number, figures: Map<Step, Figures>, direct: Spread): Findings {
		return {
			title: `Dropdowns: finding one of ${links} links`,
			introduction: [
				'Asked as the editor asks: over n8n’s own interface, from the question to the answer with the first entries. The service limits no rate here.',
			],
			checks: [...figures].map(([{ name, most }, { requests }]) => ({
				promise: `${name}: requests to the service`,
				target: `≤ ${most}`,
				measured: String(Math.max(...requests)),
				met: Math.max(...requests) <= most,
				exact: true,
			})),
			tables: [
				{
					title: 'Time to the first entries',
					columns: ['', 'milliseconds', 'requests', 'entries'],
					rows: [
						...[...figures].map(([{ name }, { milliseconds, requests, entries }]) => [
							name,
							withRange(spread(milliseconds), 0),
							String(Math.max(...requests)),
							String(entries),
						]),
						['for comparison: a page straight from the service, without n8n', withRange(direct, 0), '1', '100'],
					],
				},
			],
			charts: [],
			notes: [],
		};
	}
}

export const run: Scenario['run'] = async (bench) => await new Dropdown(bench).run();
