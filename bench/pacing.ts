import type { IDataObject } from 'n8n-workflow';
import type { N8n } from '../test/n8n/host';
import { pollingWorkflow } from '../test/n8n/polling';
import type { Bench, Service } from './bench';
import { type Contender, http, ours } from './contenders';
import { atMost, type Check, type Comparison, type Findings, type Scenario } from './scenario';
import { median, spread, withRange } from './statistics';
import { type Limit, type Trial, trial } from './trial';

const REQUESTS = 30;
const WINDOW_MS = 3000;
const FIXED: Limit = { requests: REQUESTS, windowMs: WINDOW_MS };
/** A reset that is cut down to whole seconds needs windows of some length, or the second that it costs is most of them. */
const FIELD: Limit = { requests: REQUESTS, windowMs: 6000, dialect: 'field' };
const COLUMNS = { url: 'url' };
const EVERY_SECONDS = 2;
const FEW_TIMES_A_WINDOW = 6;

const OURS = ours(COLUMNS);
const byHand = (serviceUrl: string): Contender =>
	http(serviceUrl, COLUMNS, 'HTTP Request, batching by hand', {
		batching: { batch: { batchSize: REQUESTS, batchInterval: WINDOW_MS } },
	});

/** `formsWindowMs`: windows in each of which a form comes, at a time of its own. */
const FULL = { short: 150, long: 1000, processes: 4, beside: 6, formsWindowMs: 20_000 };
const SMOKE: typeof FULL = { short: 45, long: 60, processes: 2, beside: 2, formsWindowMs: 6_000 };

/** A way of working. */
interface Work {
	name: string;
	limit: Limit;
	/** Rows of each workflow. */
	sheets: number[];
	/** Whether each workflow runs in an n8n of its own. */
	isApart?: boolean;
	/** Whether a trigger polls beside them. */
	isPolled?: boolean;
	/** Whether forms are sent beside them, and a trigger polls a few times a window. */
	hasForms?: boolean;
	/** Default: ours. */
	contender?: (serviceUrl: string) => Contender;
	/** The least share of the ideal, and the most of the requests that may be refused. */
	promises?: { least: number; refused: number };
}

function works({ short, long, processes, beside, formsWindowMs }: typeof FULL): Work[] {
	const promised = (least: number, refused = 0.01) => ({ promises: { least, refused } });
	const two = [short, short];
	return [
		{ name: `one execution, ${short} rows, fixed window`, limit: FIXED, sheets: [short], ...promised(0.97) },
		{
			name: 'for comparison: two workflows with the HTTP Request node and batching by hand',
			limit: FIXED,
			sheets: two,
			contender: byHand,
		},
		{
			name: `${processes} n8n processes on one key that know nothing of each other`,
			limit: FIXED,
			sheets: Array.from({ length: processes }, () => short),
			isApart: true,
			...promised(0.93, 0.15),
		},
		{ name: `the field's dialect: one execution, ${long} rows`, limit: FIELD, sheets: [long], ...promised(0.97) },
		{
			name: "the field's dialect: two workflows and an active trigger on one key",
			limit: FIELD,
			sheets: two,
			isPolled: true,
			...promised(0.97),
		},
		...[false, true].map((isApart) => ({
			name: `${beside} sheets of ${REQUESTS} rows, forms and a trigger, in ${isApart ? 'two n8n processes' : 'one n8n'}`,
			limit: { requests: REQUESTS, windowMs: formsWindowMs },
			sheets: Array.from({ length: beside }, () => REQUESTS),
			isApart,
			hasForms: true,
			...promised(isApart ? 0.85 : 0.9, isApart ? 0.15 : 0.01),
		})),
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

/** What is promised of a way of working: that all is done, at the service's speed, and hardly refused. */
function checksOf({ name, promises, isPolled, hasForms, limit, contender }: Work, trials: Trial[]): Check[] {
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
	if (promises !== undefined) {
		const speed = spread(trials.map(share));
		const refused = spread(trials.map((one) => (100 * one.refused) / one.requests));
		checks.push(
			{
				promise: `${name}: ideal time ÷ actual time`,
				target: `≥ ${promises.least.toFixed(2)}`,
				measured: withRange(speed, 3),
				met: speed.median >= promises.least,
			},
			atMost(`${name}: percent of the requests refused`, 100 * promises.refused, refused, { digits: 1 }),
		);
	}
	if (hasForms) {
		const forms = trials.flatMap((one) => one.formsMs);
		const windows = (ms: number) => ms / limit.windowMs;
		checks.push(
			atMost(`${name}: the longest wait of a form, in windows`, 0.5, windows(Math.max(...forms)), { digits: 2 }),
			atMost(
				`${name}: the longest time without a poll, in windows`,
				1.5,
				windows(Math.max(...trials.map((one) => one.pollGapMs))),
				{ digits: 2 },
			),
		);
	}
	if (isPolled) {
		const polls = trials.map((one) => one.polls);
		checks.push({
			promise: `${name}: the trigger polled meanwhile`,
			target: '≥ 1 poll a run',
			measured: `${median(polls)} polls`,
			met: Math.min(...polls) >= 1,
		});
	}
	return checks;
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

/** An n8n and a service of its own, for trials that run while others do. */
interface Lane {
	n8n: N8n;
	service: Service;
}

class Pacing {
	private readonly sizes: typeof FULL;

	/** As many as there are processes that share a key; then they do so at the service of the first. */
	private readonly lanes: Lane[] = [];

	constructor(private readonly bench: Bench) {
		this.sizes = bench.quick ? SMOKE : FULL;
	}

	async run(): Promise<Findings> {
		const { bench, sizes, lanes } = this;
		while (lanes.length < sizes.processes) {
			const service = await bench.startService();
			const lane = { service, n8n: await bench.startN8n() };
			lanes.push(lane);
			// What is loaded and compiled at a first run is so before the first figure.
			await this.measure({ name: 'warm up', limit: FIXED, sheets: [REQUESTS] }, lane, 0);
		}
		const all = works(sizes);
		const trials = new Map<Work, Trial[]>();
		const sideBySide = await this.sideBySide(lanes[0], all[0]);
		trials.set(all[0], sideBySide.get(OURS)!);
		const open = all.filter((work) => !trials.has(work) && !work.isApart).values();
		await Promise.all(
			lanes.map(async (lane) => {
				for (const work of open) trials.set(work, await this.rounds(work, lane));
			}),
		);
		for (const work of all.filter(({ isApart }) => isApart)) trials.set(work, await this.rounds(work, lanes[0]));
		const rate = `${REQUESTS} requests per ${WINDOW_MS / 1000} s`;
		return {
			title: 'Pacing: creating links under a rate limit',
			introduction: [
				`The service allows ${rate} (a minute, scaled down). Its windows begin on whole seconds, and so does their reset. ` +
					'Ideal and actual time are measured at the service, from the first request to the last creation. The ideal takes into account when the first window began. Rounds start at different moments of a window. ' +
					'Each round uses a new key, so that n8n knows nothing about it. Trials run at the same time, each with its own service and its own n8n; only those side by side run alone.',
				`Deployed services may refuse with HTTP 200, cut the reset down to whole seconds, and refuse through that second. ` +
					`In the field's dialect, a window begins with its first request and lasts ${FIELD.windowMs / 1000} s and the rest of that second. The ideal takes this into account.`,
			],
			comparisons: this.comparisons(all, trials, sideBySide),
			checks: all.flatMap((work) => checksOf(work, trials.get(work)!)),
			tables: [
				{
					title: `Side by side: ${sizes.short} rows, ${rate}`,
					columns: COLUMN_HEADS,
					rows: [...sideBySide].map(([{ name }, ofOne]) => tableRow(name, ofOne)),
				},
				{
					title: 'With other work on the key, and with services that answer as deployed ones do',
					columns: COLUMN_HEADS,
					rows: all.slice(1).map((work) => tableRow(work.name, trials.get(work)!)),
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
			...others.map(([{ name }, theirs]) =>
				compared(`${this.sizes.short} rows under a rate limit`, mine[1], name, theirs),
			),
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
		const { name, limit, sheets, isApart, isPolled, hasForms, contender = () => OURS } = work;
		const everySeconds = isPolled ? EVERY_SECONDS : FEW_TIMES_A_WINDOW;
		const one = await trial(service, {
			limit,
			phaseMs,
			jobs: sheets.map((rows, index) => ({
				n8n: isApart ? this.lanes[hasForms ? index % 2 : index].n8n : n8n,
				contender: contender(service.url),
				rows: rowsFor(rows, index + 1),
			})),
			active:
				isPolled || hasForms ? { n8n, workflow: pollingWorkflow({ event: 'linkCreated' }, everySeconds) } : undefined,
			forms: hasForms ? { n8n, contender: OURS } : undefined,
		});
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
