import type { N8n } from '../test/n8n/host';
import type { Bench, Service } from './bench';
import { allLinks, type Contender, httpPages, useKey, workflowOf } from './contenders';
import { run as runOnce, type Run } from './run';
import type { Check, Findings, Scenario, Table } from './scenario';
import { median, MEGABYTE, ratios, spread, withRange } from './statistics';

const PAGE_SIZE = 100;
const WARM_UP_LINKS = 500;

class List {
	private service!: Service;

	private own = allLinks();

	private peer!: Contender;

	private readonly sizes: number[];

	constructor(private readonly bench: Bench) {
		this.sizes = bench.quick ? [300, 600] : [10_000, 100_000];
	}

	async run(): Promise<Findings> {
		const { bench } = this;
		this.service = await bench.startService({
			limit: { requests: null },
			validate: false,
			deviations: { pageCap: PAGE_SIZE },
		});
		this.peer = httpPages(this.service.url, PAGE_SIZE);
		const runs = new Map<number, Map<Contender, Array<Run & { requests: number }>>>();
		for (const size of this.sizes) runs.set(size, await this.rounds(size));
		return this.findings(runs);
	}

	private async rounds(size: number): Promise<Map<Contender, Array<Run & { requests: number }>>> {
		const { bench, service, own, peer } = this;
		const runs = new Map<Contender, Array<Run & { requests: number }>>([
			[own, []],
			[peer, []],
		]);
		for (let round = 0; round < bench.runs; round++) {
			for (const [contender, done] of runs) {
				const one = await bench.inNewN8n(service.url, async (n8n) => {
					await useKey(n8n, service.url, service.apiKey);
					await this.list(n8n, contender, WARM_UP_LINKS);
					return await this.list(n8n, contender, size);
				});
				bench.say(
					`${size} links, ${contender.name}: ${one.nodeSeconds.toFixed(2)} s, ${one.cpuSeconds.toFixed(2)} s of CPU, ` +
						`${one.requests} requests, ${(one.peakBytes / MEGABYTE).toFixed(0)} MB at the peak`,
				);
				done.push(one);
			}
		}
		return runs;
	}

	/** Lists all links and sees to it that each came. */
	private async list(n8n: N8n, contender: Contender, links: number): Promise<Run & { requests: number }> {
		await this.service.reset({ records: { links } });
		const one = await runOnce(n8n, workflowOf(contender, [{}]), contender);
		if (one.items !== links) throw new Error(`${contender.name} put out ${one.items} of ${links} links.`);
		return { ...one, requests: (await this.service.stats()).requests };
	}

	private findings(runs: Map<number, Map<Contender, Array<Run & { requests: number }>>>): Findings {
		const { own, peer } = this;
		const checks: Check[] = [];
		const tables: Table[] = [];
		const figures: Array<[name: string, digits: number, of: (one: Run) => number]> = [
			['seconds', 2, ({ nodeSeconds }) => nodeSeconds],
			['seconds of CPU', 2, ({ cpuSeconds }) => cpuSeconds],
			['peak memory, MB', 0, ({ peakBytes }) => peakBytes / MEGABYTE],
		];
		for (const [size, done] of runs) {
			const [mine, theirs] = [done.get(own)!, done.get(peer)!];
			const ratio = (of: (one: Run) => number) => spread(ratios(mine.map(of), theirs.map(of)));
			const time = ratio(({ nodeSeconds }) => nodeSeconds);
			const peak = ratio(({ peakBytes }) => peakBytes);
			const fewest = Math.ceil(size / PAGE_SIZE);
			const requests = median(mine.map((one) => one.requests));
			checks.push(
				{
					promise: `${size} links: time ÷ that of HTTP Request and Split Out`,
					target: '≤ 0.90',
					measured: withRange(time),
					met: time.median <= 0.9,
				},
				{
					promise: `${size} links: peak memory ÷ theirs`,
					target: '≤ 1.00',
					measured: withRange(peak),
					met: peak.median <= 1,
				},
				{
					promise: `${size} links: requests`,
					target: `${fewest}, the fewest possible`,
					measured: String(requests),
					met: requests === fewest,
					exact: true,
				},
			);
			tables.push({
				title: `${size} links in pages of ${PAGE_SIZE}`,
				columns: ['', own.name, peer.name, 'ours ÷ theirs'],
				rows: [
					...figures.map(([name, digits, of]) => [
						name,
						withRange(spread(mine.map(of)), digits),
						withRange(spread(theirs.map(of)), digits),
						withRange(ratio(of)),
					]),
					['requests', String(requests), String(median(theirs.map((one) => one.requests))), ''],
				],
			});
		}
		const growth = (contender: Contender): number => {
			const [few, many] = this.sizes.map((size) =>
				median(
					runs
						.get(size)!
						.get(contender)!
						.map(({ peakBytes }) => peakBytes),
				),
			);
			return (many - few) / (this.sizes[1] - this.sizes[0]);
		};
		checks.push({
			promise: 'memory for each further link ÷ theirs',
			target: '≤ 1.00',
			measured: `${(growth(own) / growth(peer)).toFixed(2)} (${(growth(own) / 1024).toFixed(1)} kB and ${(growth(peer) / 1024).toFixed(1)} kB)`,
			met: growth(own) <= growth(peer),
		});
		return {
			title: 'Listing links: Return All',
			introduction: [
				`The service grants pages of at most ${PAGE_SIZE} links and limits no rate. Beside Link Management, what it takes to get the same items with n8n’s own nodes: the HTTP ` +
					'Request node with its pagination, and Split Out. “Seconds” is what n8n notes for these nodes. Each measurement has an n8n of its own.',
			],
			checks,
			tables,
			charts: [...runs].map(([size, done]) => ({
				kind: 'bars',
				name: String(size),
				title: `${size} links in pages of ${PAGE_SIZE}`,
				axis: 'seconds',
				bars: [...done].map(([{ name }, one]) => ({
					label: name,
					...spread(one.map(({ nodeSeconds }) => nodeSeconds)),
				})),
			})),
			notes: [],
		};
	}
}

export const run: Scenario['run'] = async (bench) => await new List(bench).run();
