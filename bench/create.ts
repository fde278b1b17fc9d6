import type { IDataObject } from 'n8n-workflow';
import type { N8n } from '../test/n8n/host';
import type { SandboxState } from '../test/sandbox';
import type { Bench, Service } from './bench';
import { bitly, type Contender, floor, http, httpWithJson, ours, small, useKey, workflowOf } from './contenders';
import { AREAS, profile, profiled, type TimeByArea } from './profile';
import { run as runOnce, type Run } from './run';
import type { Check, Findings, Scenario, Table } from './scenario';
import { MEGABYTE, ratios, spread, withRange } from './statistics';

const COLUMNS = { url: 'url', custom: 'alias' };
const SERVICE: SandboxState = {
	limit: { requests: null },
	records: { links: 0 },
	// The service does as little as it can: what is measured is n8n.
	validate: false,
};
const WARM_UP_ROWS = 100;
/** How n8n's database pool ends an execution whose node has kept the main thread for more than a minute. */
const LOST_DATABASE = 'operation timed out for an unknown reason';

function rowsFor(count: number): IDataObject[] {
	return Array.from({ length: count }, (_value, index) => ({
		url: `https://www.example.com/page/${index + 1}`,
		alias: `row-${index + 1}`,
	}));
}

class Create {
	private service!: Service;

	private readonly sizes: number[];

	constructor(private readonly bench: Bench) {
		this.sizes = bench.quick ? [100] : [1000, 5000];
	}

	async run(): Promise<Findings> {
		const { bench } = this;
		this.service = await bench.startService(SERVICE);
		const { url } = this.service;
		const own = ours(COLUMNS);
		const peer = http(url, COLUMNS);
		const contenders = [own, peer, httpWithJson(url, COLUMNS), floor(COLUMNS), small(COLUMNS), bitly(COLUMNS)];

		const folder = bench.temporaryFolder();
		const n8n = await bench.startN8n(url, profiled(folder));
		await useKey(n8n, url, this.service.apiKey);
		for (const contender of contenders) await this.create(n8n, contender, WARM_UP_ROWS);
		const times = new Map<number, Map<string, Run[]>>();
		for (const size of this.sizes) times.set(size, await this.rounds(n8n, contenders, size));
		const profiles = new Map<string, TimeByArea>();
		for (const contender of [own, peer, contenders[3]]) {
			profiles.set(
				contender.name,
				await profile(n8n, folder, async () => await this.create(n8n, contender, this.sizes[0])),
			);
		}
		if (!bench.quick) await n8n.stop();
		const memory = new Map<number, Map<string, number[]>>();
		for (const size of this.sizes) memory.set(size, await this.peaks([own, peer], size));
		return this.findings(own, peer, times, memory, profiles);
	}

	/** Creates links and sees to it that each is there. */
	private async create(n8n: N8n, contender: Contender, count: number, triesLeft = 2): Promise<Run> {
		await this.service.reset();
		let one: Run;
		try {
			one = await runOnce(n8n, workflowOf(contender, rowsFor(count)), contender);
		} catch (error) {
			if (!(error instanceof Error && error.message.includes(LOST_DATABASE)) || triesLeft === 0) throw error;
			this.bench.say(`${contender.name}: n8n was busy for so long that it gave up on its database; once more`);
			return await this.create(n8n, contender, count, triesLeft - 1);
		}
		const { created, refused } = await this.service.stats();
		if (created.links !== count || one.items !== count || refused > 0) {
			throw new Error(
				`${contender.name} created ${created.links} of ${count} links and put out ${one.items} items; ${refused} requests were refused.`,
			);
		}
		return one;
	}

	private async rounds(n8n: N8n, contenders: Contender[], size: number): Promise<Map<string, Run[]>> {
		const runs = new Map<string, Run[]>(contenders.map(({ name }) => [name, []]));
		for (let round = 0; round < this.bench.runs; round++) {
			for (const contender of contenders) {
				const one = await this.create(n8n, contender, size);
				this.bench.say(
					`${size} rows, ${contender.name}: ${one.nodeSeconds.toFixed(2)} s, ${one.cpuSeconds.toFixed(2)} s of CPU`,
				);
				runs.get(contender.name)!.push(one);
			}
		}
		return runs;
	}

	/** The growth of n8n's memory in megabytes at its peak, each time in an n8n that has just been started. */
	private async peaks(contenders: Contender[], size: number): Promise<Map<string, number[]>> {
		const peaks = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
		for (let round = 0; round < this.bench.runs; round++) {
			for (const contender of contenders) {
				const { peakBytes } = await this.bench.inNewN8n(this.service.url, async (n8n) => {
					await useKey(n8n, this.service.url, this.service.apiKey);
					await this.create(n8n, contender, WARM_UP_ROWS);
					return await this.create(n8n, contender, size);
				});
				this.bench.say(`${size} rows, ${contender.name}: ${(peakBytes / MEGABYTE).toFixed(0)} MB at the peak`);
				peaks.get(contender.name)!.push(peakBytes / MEGABYTE);
			}
		}
		return peaks;
	}

	private findings(
		own: Contender,
		peer: Contender,
		times: Map<number, Map<string, Run[]>>,
		memory: Map<number, Map<string, number[]>>,
		profiles: Map<string, TimeByArea>,
	): Findings {
		const seconds = (runs: Run[]): number[] => runs.map(({ nodeSeconds }) => nodeSeconds);
		const cpuSeconds = (runs: Run[]): number[] => runs.map((one) => one.cpuSeconds);
		const checks: Check[] = [];
		for (const [size, runs] of times) {
			const [mine, theirs] = [runs.get(own.name)!, runs.get(peer.name)!];
			const time = spread(ratios(seconds(mine), seconds(theirs)));
			const cpu = spread(ratios(cpuSeconds(mine), cpuSeconds(theirs)));
			checks.push(
				{
					promise: `${size} links: time ÷ that of the HTTP Request node`,
					target: '≤ 1.00',
					measured: withRange(time),
					met: time.median <= 1,
				},
				{
					promise: `${size} links: CPU time ÷ that of the HTTP Request node`,
					target: '≤ 1.00',
					measured: withRange(cpu),
					met: cpu.median <= 1,
				},
			);
			const peaks = memory.get(size)!;
			const peak = spread(ratios(peaks.get(own.name)!, peaks.get(peer.name)!));
			checks.push({
				promise: `${size} links: peak memory ÷ that of the HTTP Request node`,
				target: '≤ 1.00',
				measured: withRange(peak),
				met: peak.median <= 1,
			});
		}
		const tables: Table[] = [...times].map(([size, runs]) => ({
			title: `${size} links, no rate limit`,
			columns: ['', 'seconds', 'seconds of CPU', 'our time ÷ theirs', 'our CPU ÷ theirs', 'peak memory, MB'],
			rows: [...runs].map(([name, theirs]) => {
				const mine = runs.get(own.name)!;
				const peaks = memory.get(size)!.get(name);
				return [
					name,
					withRange(spread(seconds(theirs))),
					withRange(spread(cpuSeconds(theirs))),
					name === own.name ? '' : withRange(spread(ratios(seconds(mine), seconds(theirs)))),
					name === own.name ? '' : withRange(spread(ratios(cpuSeconds(mine), cpuSeconds(theirs)))),
					peaks === undefined ? '' : withRange(spread(peaks), 0),
				];
			}),
		}));
		tables.push({
			title: `Where n8n’s main thread spends its time: CPU profiles of ${this.sizes[0]} links, seconds`,
			columns: ['', ...profiles.keys()],
			rows: AREAS.map((area) => [area, ...[...profiles.values()].map((time) => time[area].toFixed(2))]),
		});
		return {
			title: 'Creating links without a rate limit',
			introduction: [
				'Each row gives its long URL and its alias through an expression of its own. “Seconds” is what n8n itself notes for the node; CPU time is ' +
					'that of the whole n8n process for the whole execution, saving included. Peak memory is the growth of the process at its highest, in an n8n started for this run. The ' +
					'floor for any declarative node of this description is measured beside it: the same node without our code.',
			],
			checks,
			tables,
			charts: [...times].map(([size, runs]) => ({
				kind: 'bars',
				name: `${size}`,
				title: `${size} links`,
				axis: 'seconds',
				bars: [...runs].map(([label, one]) => ({ label, ...spread(seconds(one)) })),
			})),
			notes: [
				'Where other programs use the machine too, CPU time says more than time: it hardly depends on them.',
				'The Bitly node sends one request after the other and knows no alias; its address and the name of one field were changed to those of our service, nothing else.',
			],
		};
	}
}

export const run: Scenario['run'] = async (bench) => await new Create(bench).run();
