import type { IDataObject } from 'n8n-workflow';
import type { N8n } from '../test/n8n/host';
import type { SandboxState } from '../test/sandbox';
import type { Bench, Service } from './bench';
import { bitly, type Contender, floor, http, httpWithJson, ours, useKey, workflowOf } from './contenders';
import { Probe } from './probe';
import { AREAS, profile, type TimeByArea } from './profile';
import { run as runOnce, type Run } from './run';
import type { Check, Findings, Scenario, Table } from './scenario';
import { MEGABYTE, ratios, spread, withRange } from './statistics';

/** What the rows give of each link: field → column. */
interface Given {
	name: string;
	columns: Record<'url', string> & Record<string, string>;
}

const URL_AND_ALIAS: Given = { name: 'long URL and alias', columns: { url: 'url', custom: 'alias' } };
const URL_ALONE: Given = { name: 'long URL alone', columns: { url: 'url' } };
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

/** Contenders with the same fields, and what each round of a number of rows took. */
interface Race {
	given: Given;
	size: number;
	/** In the order of the table; ours is the first. */
	runs: Map<Contender, Run[]>;
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
		const { columns } = URL_AND_ALIAS;
		const [own, peer, bare] = [ours(columns), http(url, columns), floor(columns)];
		const starters = new Map<Given, Contender[]>([
			[URL_AND_ALIAS, [own, peer, httpWithJson(url, columns), bitly(columns), bare]],
			[URL_ALONE, [ours(URL_ALONE.columns), httpWithJson(url, URL_ALONE.columns), bitly(URL_ALONE.columns)]],
		]);

		const probe = new Probe('profile', bench.temporaryFolder());
		const n8n = await bench.startN8n(url, probe.options);
		await useKey(n8n, url, this.service.apiKey);
		for (const contender of [...starters.values()].flat()) await this.create(n8n, contender, WARM_UP_ROWS);
		const races: Race[] = [];
		for (const size of this.sizes)
			for (const [given, contenders] of starters)
				races.push({ given, size, runs: await this.rounds(n8n, given, contenders, size) });
		const profiles = new Map<string, TimeByArea>();
		for (const contender of [own, peer, bare]) {
			profiles.set(
				contender.name,
				await profile(n8n, probe, async () => await this.create(n8n, contender, this.sizes[0])),
			);
		}
		if (!bench.quick) await n8n.stop();
		const memory = new Map<number, Map<string, number[]>>();
		for (const size of this.sizes) memory.set(size, await this.peaks([own, peer], size));
		return this.findings(races, memory, profiles);
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

	private async rounds(n8n: N8n, given: Given, contenders: Contender[], size: number): Promise<Map<Contender, Run[]>> {
		const runs = new Map<Contender, Run[]>(contenders.map((contender) => [contender, []]));
		for (let round = 0; round < this.bench.runs; round++) {
			for (const [contender, done] of runs) {
				const one = await this.create(n8n, contender, size);
				this.bench.say(
					`${size} rows, ${given.name}, ${contender.name}: ${one.nodeSeconds.toFixed(2)} s, ${one.cpuSeconds.toFixed(2)} s of CPU`,
				);
				done.push(one);
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
		races: Race[],
		memory: Map<number, Map<string, number[]>>,
		profiles: Map<string, TimeByArea>,
	): Findings {
		const seconds = (runs: Run[]): number[] => runs.map(({ nodeSeconds }) => nodeSeconds);
		const cpuSeconds = (runs: Run[]): number[] => runs.map((one) => one.cpuSeconds);
		const checks: Check[] = [];
		const tables: Table[] = [];
		for (const { given, size, runs } of races) {
			const peaks = given === URL_AND_ALIAS ? memory.get(size)! : new Map<string, number[]>();
			const [[{ name: own }, mine], ...others] = runs;
			const check = (what: string, ours: number[], theirs: number[]): void => {
				const ratio = spread(ratios(ours, theirs));
				checks.push({
					promise: `${size} links, ${given.name}: ${what}`,
					target: '≤ 1.00',
					measured: withRange(ratio),
					met: ratio.median <= 1,
				});
			};
			for (const [{ name }, theirs] of others) {
				const peak = peaks.get(name);
				if (peak !== undefined) {
					check(`time ÷ that of ${name}`, seconds(mine), seconds(theirs));
					check(`peak memory ÷ that of ${name}`, peaks.get(own)!, peak);
				}
				check(`CPU time ÷ that of ${name}`, cpuSeconds(mine), cpuSeconds(theirs));
			}
			tables.push({
				title: `${size} links, ${given.name}, no rate limit`,
				columns: ['', 'seconds', 'seconds of CPU', 'our time ÷ theirs', 'our CPU ÷ theirs', 'peak memory, MB'],
				rows: [...runs].map(([{ name }, theirs]) => {
					const peak = peaks.get(name);
					return [
						name,
						withRange(spread(seconds(theirs))),
						withRange(spread(cpuSeconds(theirs))),
						theirs === mine ? '' : withRange(spread(ratios(seconds(mine), seconds(theirs)))),
						theirs === mine ? '' : withRange(spread(ratios(cpuSeconds(mine), cpuSeconds(theirs)))),
						peak === undefined ? '' : withRange(spread(peak), 0),
					];
				}),
			});
		}
		tables.push({
			title: `Where n8n’s main thread spends its time: CPU profiles of ${this.sizes[0]} links, seconds`,
			columns: ['', ...profiles.keys()],
			rows: AREAS.map((area) => [area, ...[...profiles.values()].map((time) => time[area].toFixed(2))]),
		});
		return {
			title: 'Creating links without a rate limit',
			introduction: [
				'Each row gives its long URL, or its long URL and its alias, through an expression of its own. “Seconds” is what n8n itself notes for the node; CPU time is ' +
					'that of the whole n8n process for the whole execution, saving included. Peak memory is the growth of the process at its highest, in an n8n started for this run. The ' +
					'floor for any declarative node of this description is measured beside it: the same node without our code.',
			],
			checks,
			tables,
			charts: races
				.filter(({ given }) => given === URL_AND_ALIAS)
				.map(({ size, given, runs }) => ({
					kind: 'bars',
					name: `${size}`,
					title: `${size} links, ${given.name}`,
					axis: 'seconds of CPU',
					bars: [...runs].map(([{ name }, one]) => ({ label: name, ...spread(cpuSeconds(one)) })),
				})),
			notes: [
				'Where other programs use the machine too, CPU time says more than time: it hardly depends on them.',
				'The Bitly node sends one request after the other. Measured is a copy of n8n’s own, in which its address and the names of two fields were changed to those of our service (its title is our alias), nothing else.',
			],
		};
	}
}

export const run: Scenario['run'] = async (bench) => await new Create(bench).run();
