import type { IDataObject } from 'n8n-workflow';
import { type N8n, TRIGGER_TYPE, type WorkflowJson } from '../n8n/host';
import type { Bench, Service } from './bench';
import { type Contender, http, httpWithBatching, httpWithRetry, loopWithWait, naive, ours } from './contenders';
import type { Check, Findings, Scenario, Table } from './scenario';
import { median, spread, withRange } from './statistics';
import { type Limit, type Trial, trial } from './trial';

const REQUESTS = 30;
const WINDOW_MS = 3000;
const FIXED: Limit = { requests: REQUESTS, windowMs: WINDOW_MS, kind: 'fixed', reset: 'seconds' };
const SLIDING: Limit = { ...FIXED, kind: 'sliding', reset: 'milliseconds' };
const COLUMNS = { url: 'url' };
/** n8n refuses a poll time that comes more often than once a minute, but takes any number of poll times. */
const EVERY_TWO_SECONDS = Array.from({ length: 30 }, (_value, index) => ({ mode: 'custom', cronExpression: `${index * 2} * * * * *` }));
/** Creations within so many milliseconds are one point of a chart. */
const CHART_STEP_MS = 50;

interface Sizes {
	short: number;
	long: number;
	/** Rows of each of two workflows, and of each process. */
	shared: number;
	processes: number;
}

const FULL: Sizes = { short: 150, long: 1000, shared: 150, processes: 4 };
const SMOKE: Sizes = { short: 45, long: 60, shared: 25, processes: 2 };

function rowsFor(count: number, sheet = 'sheet'): IDataObject[] {
	return Array.from({ length: count }, (_value, index) => ({ url: `https://www.example.com/${sheet}/${index + 1}` }));
}

const newLinks: WorkflowJson = {
	name: 'New links',
	nodes: [
		{
			name: 'Link Management Trigger',
			type: TRIGGER_TYPE,
			parameters: { event: 'linkCreated', pollTimes: { item: EVERY_TWO_SECONDS } },
		},
	],
	connections: {},
};

const share = ({ idealMs, actualMs }: Trial): number => idealMs / actualMs;
const refusedShare = ({ refused, requests }: Trial): number => refused / requests;
const percent = (value: number): string => `${(100 * value).toFixed(1)}%`;
const seconds = (ms: number): string => (ms / 1000).toFixed(1);

function isComplete({ rows, created, twice, succeeded, violations }: Trial): boolean {
	return created === rows && twice === 0 && succeeded && violations === 0;
}

/** The checks of one way of working: complete, at the service's speed, and hardly refused. */
function checksOf(what: string, trials: Trial[], target: number, mostRefused: number): Check[] {
	const speed = spread(trials.map(share));
	const refused = spread(trials.map(refusedShare));
	return [
		{
			promise: `${what}: every row done, none twice`,
			target: `${trials[0].rows} of ${trials[0].rows}, 0 twice`,
			measured: `${Math.min(...trials.map(({ created }) => created))} of ${trials[0].rows}, ${Math.max(...trials.map(({ twice }) => twice))} twice, in ${trials.length} runs`,
			met: trials.every(isComplete),
			exact: true,
		},
		{
			promise: `${what}: ideal time ÷ actual time`,
			target: `≥ ${target.toFixed(2)}`,
			measured: withRange(speed, 3),
			met: speed.median >= target,
		},
		{
			promise: `${what}: requests refused`,
			target: `≤ ${percent(mostRefused)}`,
			measured: `${percent(refused.median)} (${percent(refused.min)}–${percent(refused.max)})`,
			met: refused.median <= mostRefused,
		},
	];
}

function tableRow(name: string, trials: Trial[]): string[] {
	const middle = (figure: (one: Trial) => number): number => median(trials.map(figure));
	const allDone = trials.every(({ created, twice, rows, succeeded }) => created - twice === rows && succeeded);
	return [
		name,
		`${middle(({ created, twice }) => created - twice)} of ${trials[0].rows}${allDone ? '' : ', then fails'}`,
		String(middle(({ twice }) => twice)),
		String(middle(({ requests }) => requests)),
		String(middle(({ refused }) => refused)),
		withRange(spread(trials.map(({ actualMs }) => actualMs / 1000)), 1),
		allDone ? withRange(spread(trials.map(share))) : '–',
	];
}

const COLUMN_HEADS = ['', 'rows done', 'links made twice', 'requests', 'refused', 'seconds', 'ideal ÷ actual'];

/** How many links there were at each moment, in seconds. */
function curve({ createdAt }: Trial): Array<[number, number]> {
	const points = new Map<number, number>([[0, 0]]);
	createdAt.forEach((at, index) => {
		const step = Math.ceil(at / CHART_STEP_MS) * (CHART_STEP_MS / 1000);
		// A step begins where the one before has ended.
		if (!points.has(step)) points.set(step - CHART_STEP_MS / 2000, index);
		points.set(step, index + 1);
	});
	return [...points].sort(([a], [b]) => a - b);
}

class Pacing {
	private readonly sizes: Sizes;

	private n8n!: N8n;

	private service!: Service;

	constructor(private readonly bench: Bench) {
		this.sizes = bench.quick ? SMOKE : FULL;
	}

	async run(): Promise<Findings> {
		const { bench, sizes } = this;
		this.service = await bench.startService();
		this.n8n = await bench.startN8n(this.service.url);
		const own = ours(COLUMNS);
		// What is loaded and compiled at a first run is so before the first figure.
		await this.alone(own, FIXED, rowsFor(REQUESTS), 0);

		const table = await this.sideBySide();
		const fixedLong = await this.rounds(`${sizes.long} rows, fixed window`, (phase) => this.alone(own, FIXED, rowsFor(sizes.long), phase));
		const sliding = await this.rounds(`${sizes.short} rows, sliding window`, (phase) => this.alone(own, SLIDING, rowsFor(sizes.short), phase));
		const shared = await this.rounds('two workflows and a trigger', (phase) => this.twoWorkflows(own, phase, true));
		const byHand = httpWithBatching(this.service.url, COLUMNS, REQUESTS, WINDOW_MS);
		const sharedByHand = await this.rounds('two workflows, batching by hand', (phase) => this.twoWorkflows(byHand, phase, false));
		const processes = await this.fourProcesses(own);

		const ownTrials = table.get(own.name)!;
		const others: Table = {
			title: 'In other company',
			columns: COLUMN_HEADS,
			rows: [
				tableRow(`one execution, ${sizes.long} rows`, fixedLong),
				tableRow(`one execution, ${sizes.short} rows, sliding window`, sliding),
				tableRow('two workflows and an active trigger on one key', shared),
				tableRow('for comparison: two workflows with the HTTP Request node and batching by hand', sharedByHand),
				tableRow(`${sizes.processes} n8n processes on one key`, processes),
			],
		};
		return {
			title: 'Pacing: creating links under a rate limit',
			introduction: [
				`The service grants ${REQUESTS} requests per ${WINDOW_MS / 1000} s (a minute, scaled down). Its fixed windows begin on whole seconds and it names their ` +
					'reset in seconds; for the sliding window it names it in milliseconds. Ideal and actual time are counted at the service, from the first ' +
					'request to the last creation; the ideal knows when the first window began. Rounds start at different moments of a window. ' +
					'Each round uses a key that is new to n8n, so that nothing is known of it.',
			],
			checks: [
				...checksOf(`one execution, ${sizes.short} rows, fixed window`, ownTrials, 0.97, 0.01),
				...checksOf(`one execution, ${sizes.long} rows, fixed window`, fixedLong, 0.97, 0.01),
				...checksOf(`one execution, ${sizes.short} rows, sliding window`, sliding, 0.95, 0.01),
				...checksOf('two workflows and an active trigger on one key', shared, 0.95, 0.01),
				{
					promise: 'the trigger polled meanwhile',
					target: '≥ 1 poll a run',
					measured: `${median(shared.map(({ polls }) => polls))} polls`,
					met: shared.every(({ polls }) => polls >= 1),
				},
				...checksOf(`${sizes.processes} n8n processes on one key that know nothing of each other`, processes, 0.9, 0.05),
			],
			tables: [
				{
					title: `Side by side: ${sizes.short} rows, ${REQUESTS} requests per ${WINDOW_MS / 1000} s`,
					columns: COLUMN_HEADS,
					rows: [...table].map(([name, trials]) => tableRow(name, trials)),
				},
				others,
			],
			charts: [
				{
					kind: 'lines',
					name: 'side-by-side',
					title: `${sizes.short} links, ${REQUESTS} requests per ${WINDOW_MS / 1000} s`,
					xAxis: 'seconds since the first request',
					yAxis: 'links created',
					lines: [...table].map(([label, trials]) => ({ label, points: curve(trials[0]), dashed: label !== own.name })),
				},
			],
			notes: [],
		};
	}

	/** Measures once a round, each round a little later in the service's window. */
	private async rounds(what: string, measure: (phaseMs: number) => Promise<Trial>): Promise<Trial[]> {
		const trials: Trial[] = [];
		for (let round = 0; round < this.bench.runs; round++) {
			const one = await measure(this.phase(round));
			this.bench.say(`${what}: ${one.created} of ${one.rows} in ${seconds(one.actualMs)} s (ideal ${seconds(one.idealMs)} s, ${share(one).toFixed(3)}), ${one.requests} requests, ${one.refused} refused, ${one.polls} polls`);
			trials.push(one);
		}
		return trials;
	}

	private phase(round: number): number {
		return (WINDOW_MS * (round + 0.5)) / this.bench.runs;
	}

	private async alone(contender: Contender, limit: Limit, rows: IDataObject[], phaseMs: number): Promise<Trial> {
		return await trial(this.service, { limit, phaseMs, jobs: [{ n8n: this.n8n, contender, rows }] });
	}

	/** All contenders in turn, round by round. */
	private async sideBySide(): Promise<Map<string, Trial[]>> {
		const { service } = this;
		const contenders = [
			ours(COLUMNS),
			http(service.url, COLUMNS),
			...(this.bench.quick ? [] : [httpWithRetry(service.url, COLUMNS)]),
			httpWithBatching(service.url, COLUMNS, REQUESTS, WINDOW_MS),
			loopWithWait(service.url, COLUMNS, REQUESTS, WINDOW_MS / 1000),
			naive(COLUMNS),
		];
		const trials = new Map<string, Trial[]>(contenders.map(({ name }) => [name, []]));
		await this.rounds('side by side', async (phase) => {
			for (const contender of contenders) {
				const one = await this.alone(contender, FIXED, rowsFor(this.sizes.short), phase);
				this.bench.say(`  ${contender.name}: ${one.created} of ${one.rows} in ${seconds(one.actualMs)} s, ${one.requests} requests, ${one.refused} refused`);
				trials.get(contender.name)?.push(one);
			}
			return trials.get(contenders[0].name)!.at(-1)!;
		});
		return trials;
	}

	private async twoWorkflows(contender: Contender, phaseMs: number, withTrigger: boolean): Promise<Trial> {
		const { n8n, sizes } = this;
		return await trial(this.service, {
			limit: FIXED,
			phaseMs,
			jobs: ['first', 'second'].map((sheet) => ({ n8n, contender, rows: rowsFor(sizes.shared, sheet) })),
			active: withTrigger ? { n8n, workflow: newLinks } : undefined,
		});
	}

	private async fourProcesses(contender: Contender): Promise<Trial[]> {
		const { bench, service, sizes } = this;
		const processes = [this.n8n];
		while (processes.length < sizes.processes) processes.push(await bench.startN8n(service.url));
		const at = async (phaseMs: number): Promise<Trial> =>
			await trial(service, {
				limit: FIXED,
				phaseMs,
				jobs: processes.map((n8n, index) => ({ n8n, contender, rows: rowsFor(sizes.shared, `process-${index + 1}`) })),
			});
		// The new processes load what the first one has loaded long since.
		for (const n8n of processes.slice(1)) await trial(service, { limit: FIXED, phaseMs: 0, jobs: [{ n8n, contender, rows: rowsFor(REQUESTS) }] });
		return await this.rounds(`${sizes.processes} processes`, at);
	}
}

export const run: Scenario['run'] = async (bench) => await new Pacing(bench).run();
