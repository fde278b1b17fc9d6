import type { IDataObject } from 'n8n-workflow';
import { type N8n, TRIGGER_TYPE, type WorkflowJson } from '../test/n8n/host';
import type { Bench, Service } from './bench';
import { type Contender, http, httpWithBatching, httpWithRetry, loopWithWait, naive, ours } from './contenders';
import { linkListMethod, openLinkList } from './dropdown';
import type { Check, Findings, Scenario, Table } from './scenario';
import { median, spread, withRange } from './statistics';
import { type Limit, type Trial, trial } from './trial';

const REQUESTS = 30;
const WINDOW_MS = 3000;
const FIXED: Limit = { requests: REQUESTS, windowMs: WINDOW_MS, kind: 'fixed', reset: 'seconds' };
/** A reset that is cut down to whole seconds needs windows of some length, or the second that it costs is most of them. */
const FIELD: Limit = { ...FIXED, windowMs: 6000, dialect: 'field' };
const FIXED_6_S: Limit = { ...FIXED, windowMs: 6000 };
/** A dropdown that takes longer (ms) keeps whoever opened it waiting. Not scaled down with the windows. */
const QUICK_DROPDOWN = 2000;
const SLIDING: Limit = { ...FIXED, kind: 'sliding', reset: 'milliseconds' };
/** Processes that share a window that slides rush at its places: every 2 s in a window of a minute, every 0.4 s here. */
const SLIDING_12_S: Limit = { ...SLIDING, windowMs: 12_000 };
const COLUMNS = { url: 'url' };
/** n8n refuses a poll time that comes more often than once a minute, but takes any number of poll times. */
const EVERY_TWO_SECONDS = Array.from({ length: 30 }, (_value, index) => ({
	mode: 'custom',
	cronExpression: `${index * 2} * * * * *`,
}));
/** Creations within so many milliseconds are one point of a chart. */
const CHART_STEP_MS = 50;

interface Sizes {
	short: number;
	long: number;
	/** Rows of each of two workflows, and of each process. */
	shared: number;
	processes: number;
	/** Rows that are under way while dropdowns are opened. */
	busy: number;
}

const FULL: Sizes = { short: 150, long: 1000, shared: 150, processes: 4, busy: 500 };
const SMOKE: Sizes = { short: 45, long: 60, shared: 25, processes: 2, busy: 95 };

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

function completeCheck(what: string, trials: Trial[]): Check {
	return {
		promise: `${what}: every row done, none twice`,
		target: `${trials[0].rows} of ${trials[0].rows}, 0 twice`,
		measured: `${Math.min(...trials.map(({ created }) => created))} of ${trials[0].rows}, ${Math.max(...trials.map(({ twice }) => twice))} twice, in ${trials.length} runs`,
		met: trials.every(isComplete),
		exact: true,
	};
}

/** The checks of one way of working: complete, at the service's speed, and hardly refused. */
function checksOf(what: string, trials: Trial[], target: number, mostRefused: number): Check[] {
	const speed = spread(trials.map(share));
	const refused = spread(trials.map(refusedShare));
	return [
		completeCheck(what, trials),
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

function dropdownCheck(what: string, trials: Trial[]): Check {
	const opened = trials.flatMap(({ openedMs }) => openedMs);
	const inTime = opened.filter((ms) => ms <= QUICK_DROPDOWN).length;
	return {
		promise: `${what}: there within ${QUICK_DROPDOWN / 1000} s`,
		target: '≥ 9 of 10',
		measured: `${inTime} of ${opened.length}, ${(spread(opened).median / 1000).toFixed(2)} s (${(Math.min(...opened) / 1000).toFixed(2)}–${(Math.max(...opened) / 1000).toFixed(2)} s)`,
		met: inTime >= 0.9 * opened.length,
	};
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

/** An n8n and a service of its own, for trials that run while others do. */
interface Lane {
	n8n: N8n;
	service: Service;
}

class Pacing {
	private readonly sizes: Sizes;

	/** As many as there are processes that share a key; then they do so at the service of the first. */
	private readonly lanes: Lane[] = [];

	constructor(private readonly bench: Bench) {
		this.sizes = bench.quick ? SMOKE : FULL;
	}

	async run(): Promise<Findings> {
		const { bench, sizes } = this;
		const own = ours(COLUMNS);
		while (this.lanes.length < sizes.processes) {
			const service = await bench.startService();
			const lane = { service, n8n: await bench.startN8n(service.url) };
			this.lanes.push(lane);
			// What is loaded and compiled at a first run is so before the first figure.
			await this.alone(lane, own, FIXED, rowsFor(REQUESTS), 0);
		}
		const [first] = this.lanes;

		const table = await this.sideBySide(first);
		const sliding = await this.rounds(`${sizes.short} rows, sliding window`, (phase) =>
			this.alone(first, own, SLIDING, rowsFor(sizes.short), phase),
		);
		const shared = await this.rounds('two workflows and a trigger', (phase) =>
			this.twoWorkflows(first, own, phase, true),
		);
		const byHand = httpWithBatching(first.service.url, COLUMNS, REQUESTS, WINDOW_MS);
		const sharedByHand = await this.rounds('two workflows, batching by hand', (phase) =>
			this.twoWorkflows(first, byHand, phase, false),
		);
		const field = await this.rounds(`${sizes.short} rows, the field's dialect`, (phase) =>
			this.alone(first, own, FIELD, rowsFor(sizes.short), phase),
		);
		const [fieldLong, fieldOpened, opened, fixedLong, fieldShared] = await this.inLanes([
			[
				`${sizes.long} rows, the field's dialect`,
				(phase, lane) => this.alone(lane, own, FIELD, rowsFor(sizes.long), phase),
			],
			["dropdowns, the field's dialect", (phase, lane) => this.dropdowns(lane, own, FIELD, phase)],
			['dropdowns', (phase, lane) => this.dropdowns(lane, own, FIXED_6_S, phase)],
			[`${sizes.long} rows, fixed window`, (phase, lane) => this.alone(lane, own, FIXED, rowsFor(sizes.long), phase)],
			[
				"two workflows and a trigger, the field's dialect",
				(phase, lane) => this.twoWorkflows(lane, own, phase, true, FIELD),
			],
		]);
		const processes = await this.fourProcesses(own, FIXED, sizes.shared);
		const slidingProcesses = await this.fourProcesses(own, SLIDING_12_S, sizes.shared);
		const onSliding = `${sizes.processes} n8n processes on one key, a window of ${SLIDING_12_S.windowMs / 1000} s that slides`;

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
				tableRow(`one execution, ${sizes.busy} rows, windows of 6 s, dropdowns opened meanwhile`, opened),
			],
		};
		const inTheField: Table = {
			title: `A service that answers as deployed ones do, ${REQUESTS} requests per ${FIELD.windowMs / 1000} s`,
			columns: COLUMN_HEADS,
			rows: [
				tableRow(`one execution, ${sizes.short} rows`, field),
				tableRow(`one execution, ${sizes.long} rows`, fieldLong),
				tableRow('two workflows and an active trigger on one key', fieldShared),
				tableRow(`one execution, ${sizes.busy} rows, dropdowns opened meanwhile`, fieldOpened),
			],
		};
		return {
			title: 'Pacing: creating links under a rate limit',
			introduction: [
				`The service grants ${REQUESTS} requests per ${WINDOW_MS / 1000} s (a minute, scaled down). Its fixed windows begin on whole seconds and it names their ` +
					`reset in seconds; for windows that slide it names it in milliseconds. Processes that share a window which slides have one of ${SLIDING_12_S.windowMs / 1000} s. ` +
					'Ideal and actual time are counted at the service, from the first request to the last creation; the ideal knows when the first window began. Rounds start at different moments of a window. ' +
					'Each round uses a key that is new to n8n, so that nothing is known of it. The longest trials run at the same time, each with a service and an n8n of its own.',
				`Deployed services were seen to refuse with HTTP 200, and to name a reset that is cut down to whole seconds and to refuse through that second. ` +
					`In that dialect a window begins with its first request, lasts ${FIELD.windowMs / 1000} s and the rest of that second, and the ideal knows it. Dropdowns are opened once in each window ` +
					`while ${sizes.busy} rows are under way, each time at another moment of it, but for the first, in which nothing is known yet.`,
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
				...checksOf(
					`${sizes.processes} n8n processes on one key that know nothing of each other`,
					processes,
					0.93,
					0.03,
				),
				completeCheck(onSliding, slidingProcesses),
				...checksOf(`the field's dialect: one execution, ${sizes.short} rows`, field, 0.97, 0.02),
				...checksOf(`the field's dialect: one execution, ${sizes.long} rows`, fieldLong, 0.97, 0.01),
				...checksOf("the field's dialect: two workflows and an active trigger on one key", fieldShared, 0.97, 0.01),
				dropdownCheck(`a dropdown opened while ${sizes.busy} rows are under way`, opened),
				...checksOf(`${sizes.busy} rows meanwhile`, opened, 0.97, 0.01),
				dropdownCheck(`the field's dialect: a dropdown opened while ${sizes.busy} rows are under way`, fieldOpened),
				...checksOf(`the field's dialect: ${sizes.busy} rows meanwhile`, fieldOpened, 0.97, 0.01),
			],
			tables: [
				{
					title: `Side by side: ${sizes.short} rows, ${REQUESTS} requests per ${WINDOW_MS / 1000} s`,
					columns: COLUMN_HEADS,
					rows: [...table].map(([name, trials]) => tableRow(name, trials)),
				},
				others,
				inTheField,
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
			this.bench.say(
				`${what}: ${one.created} of ${one.rows} in ${seconds(one.actualMs)} s (ideal ${seconds(one.idealMs)} s, ${share(one).toFixed(3)}), ${one.requests} requests, ${one.refused} refused, ${one.polls} polls`,
			);
			trials.push(one);
		}
		return trials;
	}

	private phase(round: number): number {
		return (WINDOW_MS * (round + 0.5)) / this.bench.runs;
	}

	/** Several kinds of trials at the same time, each in the next lane that is free. @returns the trials of each, in their order */
	private async inLanes(
		works: Array<[what: string, measure: (phaseMs: number, lane: Lane) => Promise<Trial>]>,
	): Promise<Trial[][]> {
		const results: Trial[][] = [];
		const open = works.entries();
		await Promise.all(
			this.lanes.map(async (lane) => {
				for (const [index, [what, measure]] of open)
					results[index] = await this.rounds(what, async (phase) => await measure(phase, lane));
			}),
		);
		return results;
	}

	private async alone(
		{ n8n, service }: Lane,
		contender: Contender,
		limit: Limit,
		rows: IDataObject[],
		phaseMs: number,
	): Promise<Trial> {
		return await trial(service, { limit, phaseMs, jobs: [{ n8n, contender, rows }] });
	}

	/** All contenders in turn, round by round. */
	private async sideBySide(lane: Lane): Promise<Map<string, Trial[]>> {
		const { url } = lane.service;
		const contenders = [
			ours(COLUMNS),
			http(url, COLUMNS),
			...(this.bench.quick ? [] : [httpWithRetry(url, COLUMNS)]),
			httpWithBatching(url, COLUMNS, REQUESTS, WINDOW_MS),
			loopWithWait(url, COLUMNS, REQUESTS, WINDOW_MS / 1000),
			naive(COLUMNS),
		];
		const trials = new Map<string, Trial[]>(contenders.map(({ name }) => [name, []]));
		await this.rounds('side by side', async (phase) => {
			for (const contender of contenders) {
				const one = await this.alone(lane, contender, FIXED, rowsFor(this.sizes.short), phase);
				this.bench.say(
					`  ${contender.name}: ${one.created} of ${one.rows} in ${seconds(one.actualMs)} s, ${one.requests} requests, ${one.refused} refused`,
				);
				trials.get(contender.name)?.push(one);
			}
			return trials.get(contenders[0].name)!.at(-1)!;
		});
		return trials;
	}

	private async dropdowns({ n8n, service }: Lane, contender: Contender, limit: Limit, phaseMs: number): Promise<Trial> {
		const method = await linkListMethod(n8n);
		return await trial(service, {
			limit,
			phaseMs,
			jobs: [{ n8n, contender, rows: rowsFor(this.sizes.busy) }],
			openDropdown: async () => await openLinkList(n8n, method),
		});
	}

	private async twoWorkflows(
		{ n8n, service }: Lane,
		contender: Contender,
		phaseMs: number,
		withTrigger: boolean,
		limit: Limit = FIXED,
	): Promise<Trial> {
		return await trial(service, {
			limit,
			phaseMs,
			jobs: ['first', 'second'].map((sheet) => ({ n8n, contender, rows: rowsFor(this.sizes.shared, sheet) })),
			active: withTrigger ? { n8n, workflow: newLinks } : undefined,
		});
	}

	/** All n8n processes at once, at one service with one key. */
	private async fourProcesses(contender: Contender, limit: Limit, rows: number): Promise<Trial[]> {
		const { lanes } = this;
		return await this.rounds(`${lanes.length} processes, ${limit.kind} window`, async (phaseMs) =>
			trial(lanes[0].service, {
				limit,
				phaseMs,
				jobs: lanes.map(({ n8n }, index) => ({ n8n, contender, rows: rowsFor(rows, `process-${index + 1}`) })),
			}),
		);
	}
}

export const run: Scenario['run'] = async (bench) => await new Pacing(bench).run();
