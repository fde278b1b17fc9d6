import type { IDataObject } from 'n8n-workflow';
import type { N8n } from '../test/n8n/host';
import { pollingWorkflow } from '../test/n8n/polling';
import type { Bench, Service } from './bench';
import { type Contender, http, ours } from './contenders';
import { type Paced, paceOften, type Situation, SITUATIONS } from '../test/unit/simulation/pacing';
import type { Check, Comparison, Findings, Scenario } from './scenario';
import { median, spread, withRange } from './statistics';
import { type Limit, type Trial, trial } from './trial';

const REQUESTS = 30;
/** A window lasts a second longer than it says: in shorter windows, that second would be most of them. */
const WINDOW_MS = 12_000;
const FIXED: Limit = { requests: REQUESTS, windowMs: WINDOW_MS };
const FIELD: Limit = { requests: REQUESTS, windowMs: WINDOW_MS, dialect: 'field' };
const COLUMNS = { url: 'url' };
const EVERY_SECONDS = 2;

const OURS = ours(COLUMNS);
const byHand = (serviceUrl: string): Contender =>
	http(serviceUrl, COLUMNS, 'HTTP Request, batching by hand', {
		batching: { batch: { batchSize: REQUESTS, batchInterval: WINDOW_MS } },
	});

const FULL = 100;
const SMOKE = 45;
/** How often each situation is simulated. */
const SIMULATIONS = 30;

/** A way of working. */
interface Work {
	name: string;
	limit: Limit;
	/** Rows of each workflow. */
	sheets: number[];
	/** Whether a trigger polls beside them. */
	isPolled?: boolean;
	/** Default: ours. */
	contender?: (serviceUrl: string) => Contender;
}

function works(rows: number): Work[] {
	const two = [rows, rows];
	return [
		{ name: `one execution, ${rows} rows`, limit: FIXED, sheets: [rows] },
		{
			name: 'for comparison: two workflows with the HTTP Request node and batching by hand',
			limit: FIXED,
			sheets: two,
			contender: byHand,
		},
		{
			name: "the field's dialect: two workflows and an active trigger on one key",
			limit: FIELD,
			sheets: two,
			isPolled: true,
		},
	];
}

function rowsFor(count: number, sheet: number): IDataObject[] {
	return Array.from({ length: count }, (_value, index) => ({ url: `https://example.com/sheet-${sheet}/${index + 1}` }));
}

const share = ({ idealMs, actualMs }: Trial): number => idealMs / actualMs;
const seconds = (ms: number): string => (ms / 1000).toFixed(1);

function isComplete({ rows, created, twice, succeeded, violations }: Trial): boolean {
	return created === rows && twice === 0 && succeeded && violations === 0;
}

function isDone({ rows, created, twice, succeeded }: Trial): boolean {
	return created - twice === rows && succeeded;
}

const middle = (trials: Trial[], figure: (one: Trial) => number): number => median(trials.map(figure));

function doneText(trials: Trial[]): string {
	const done = middle(trials, ({ created, twice }) => created - twice);
	return `${done} of ${trials[0].rows}${trials.every(isDone) ? '' : ', then fails'}`;
}

const SPEED = {
	what: 'share of the speed that the service allows',
	of: (trials: Trial[]) => withRange(spread(trials.map(share))),
};
const ROWS_DONE = {
	what: 'rows done',
	of: (trials: Trial[]) => {
		const twice = middle(trials, (one) => one.twice);
		return doneText(trials) + (twice === 0 ? '' : `; ${twice} links made twice`);
	},
};

/** What is promised of a way of working: that all is done, once. How fast, the simulation says. */
function checksOf({ name, isPolled, contender }: Work, trials: Trial[]): Check[] {
	if (contender !== undefined) return [];
	const created = Math.min(...trials.map((one) => one.created));
	const twice = Math.max(...trials.map((one) => one.twice));
	const checks: Check[] = [
		{
			promise: `${name}: every row done, none twice`,
			target: `${trials[0].rows} of ${trials[0].rows}, 0 twice`,
			measured: `${created} of ${trials[0].rows}, ${twice} twice, in ${trials.length} runs`,
			met: trials.every(isComplete),
			exact: true,
		},
	];
	if (!isPolled) return checks;
	const polls = trials.map((one) => one.polls);
	const met = Math.min(...polls) >= 1;
	return [
		...checks,
		{
			promise: `${name}: the trigger polled meanwhile`,
			target: '≥ 1 poll a run',
			measured: `${median(polls)} polls`,
			met,
		},
	];
}

/** A situation under 30 requests a minute, in simulated time: what came of it, and whether that is what is promised. */
async function simulated(situation: Situation): Promise<{ row: Array<string | number>; check: Check }> {
	const { name, promised } = situation;
	const all = await paceOften(situation, SIMULATIONS);
	const of = (figure: (one: Paced) => number) => median(all.map(figure));
	const share = of((one) => one.share);
	const forms = all.flatMap((one) => one.forms);
	const polls = all.reduce((sum, one) => sum + one.polls, 0);
	const polled = all.reduce((sum, one) => sum + one.polled, 0);
	const inSeconds = (ms: number) => (ms / 1000).toFixed(1);
	return {
		row: [
			name,
			share.toFixed(3),
			`${Math.round(of((one) => one.refused))} of ${Math.round(of((one) => one.requests))}`,
			forms.length === 0 ? '–' : `${inSeconds(median(forms))} (${inSeconds(Math.max(...forms))})`,
			polls === 0 ? '–' : `${polled} of ${polls}`,
		],
		check: {
			promise: `simulated: ${name}: share of the speed that the service allows`,
			target: `≥ ${promised.share.toFixed(2)}`,
			measured: share.toFixed(3),
			met: share >= promised.share,
			exact: true,
		},
	};
}

const COLUMN_HEADS = ['', 'rows done', 'links made twice', 'requests', 'refused', 'seconds', 'ideal ÷ actual'];

function tableRow(name: string, trials: Trial[]): Array<string | number> {
	return [
		name,
		doneText(trials),
		middle(trials, ({ twice }) => twice),
		middle(trials, ({ requests }) => requests),
		middle(trials, ({ refused }) => refused),
		withRange(spread(trials.map(({ actualMs }) => actualMs / 1000)), 1),
		trials.every(isDone) ? withRange(spread(trials.map(share))) : '–',
	];
}

/** An n8n and a service. */
interface Lane {
	n8n: N8n;
	service: Service;
}

class Pacing {
	private readonly rows: number;

	constructor(private readonly bench: Bench) {
		this.rows = bench.quick ? SMOKE : FULL;
	}

	async run(): Promise<Findings> {
		const { bench, rows } = this;
		const lane = { service: await bench.startService(), n8n: await bench.startN8n() };
		// What is loaded and compiled at a first run is so before the first figure.
		await this.measure({ name: 'warm up', limit: FIXED, sheets: [REQUESTS] }, lane, 0);
		const all = works(rows);
		const sideBySide = await this.sideBySide(lane, all[0]);
		const trials = new Map<Work, Trial[]>([[all[0], sideBySide.get(OURS)!]]);
		for (const work of all.slice(1)) trials.set(work, await this.rounds(work, lane));
		const situations = await Promise.all(SITUATIONS.map(simulated));
		return {
			title: 'Pacing: creating links under a rate limit',
			introduction: [
				`In a real n8n, the service allows ${REQUESTS} requests per ${WINDOW_MS / 1000} s (a minute, scaled down): this shows that all is done. ` +
					'Ideal and actual time are measured at the service, from the first request to the last creation. Rounds start at different moments of a window. ' +
					'Each round uses a new key, so that n8n knows nothing about it.',
				"How fast it is, simulated time shows, with 30 requests a minute: a window lasts a second longer than its reset says, which short windows misjudge. In the field's dialect, services refuse through the whole second of a reset.",
			],
			comparisons: this.comparisons(all, trials, sideBySide),
			checks: [...all.flatMap((work) => checksOf(work, trials.get(work)!)), ...situations.map(({ check }) => check)],
			tables: [
				{
					title: `Side by side: ${rows} rows`,
					columns: COLUMN_HEADS,
					rows: [...sideBySide].map(([{ name }, ofOne]) => tableRow(name, ofOne)),
				},
				{
					title: 'With other work on the key, and with services that answer as deployed ones do',
					columns: COLUMN_HEADS,
					rows: all.slice(1).map((work) => tableRow(work.name, trials.get(work)!)),
				},
				{
					title: 'Simulated: 30 requests a minute',
					columns: ['', 'ideal ÷ actual', 'refused', 'seconds of a form, median (longest)', 'polls answered'],
					rows: situations.map(({ row }) => row),
				},
			],
		};
	}

	/** Ours beside each other that did the same; two workflows, in the harder dialect, beside two in the easier one. */
	private comparisons(all: Work[], trials: Map<Work, Trial[]>, sideBySide: Map<Contender, Trial[]>): Comparison[] {
		const compared = (work: string, mine: Trial[], instead: string, theirs: Trial[]): Comparison => {
			const { what, of } = theirs.every(isDone) ? SPEED : ROWS_DONE;
			return { work: `${work}: ${what}`, ours: of(mine), instead, theirs: of(theirs) };
		};
		const [mine, ...others] = [...sideBySide];
		const two = all.find(({ contender }) => contender !== undefined)!;
		const polled = all.find(({ isPolled }) => isPolled)!;
		return [
			...others.map(([{ name }, theirs]) => compared(`${this.rows} rows under a rate limit`, mine[1], name, theirs)),
			compared('two workflows on one key', trials.get(polled)!, byHand('').name, trials.get(two)!),
		];
	}

	private async rounds(work: Work, lane: Lane): Promise<Trial[]> {
		const trials: Trial[] = [];
		while (trials.length < this.bench.runs) trials.push(await this.measure(work, lane, this.phase(trials.length)));
		return trials;
	}

	/** Each round begins a little later in the service's window. */
	private phase(round: number): number {
		return (WINDOW_MS * (round + 0.5)) / this.bench.runs;
	}

	private async measure(work: Work, { n8n, service }: Lane, phaseMs: number): Promise<Trial> {
		const { name, limit, sheets, isPolled, contender = () => OURS } = work;
		const jobs = sheets.map((rows, index) => ({
			n8n,
			contender: contender(service.url),
			rows: rowsFor(rows, index + 1),
		}));
		const polling = pollingWorkflow({ event: 'linkCreated' }, EVERY_SECONDS);
		const active = isPolled === true ? { n8n, workflow: polling } : undefined;
		const one = await trial(service, { limit, phaseMs, jobs, active });
		this.bench.say(
			`${name}: ${one.created} of ${one.rows} in ${seconds(one.actualMs)} s (ideal ${seconds(one.idealMs)} s), ${one.requests} requests, ${one.refused} refused, ${one.polls} polls`,
		);
		return one;
	}

	/** All contenders, each doing the same. */
	private async sideBySide(lane: Lane, work: Work): Promise<Map<Contender, Trial[]>> {
		const { url } = lane.service;
		const retry = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 };
		const contenders = [
			OURS,
			http(url, COLUMNS),
			...(this.bench.quick ? [] : [http(url, COLUMNS, 'HTTP Request, Retry On Fail (5 × 5 s)', {}, retry)]),
			byHand(url),
		];
		return await this.bench.turns(contenders, async (contender, round) => {
			const its = { ...work, name: contender.name, contender: () => contender };
			return await this.measure(its, lane, this.phase(round));
		});
	}
}

export const run: Scenario['run'] = async (bench) => await new Pacing(bench).run();
