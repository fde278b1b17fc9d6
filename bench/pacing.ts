import type { IDataObject } from 'n8n-workflow';
import type { N8n } from '../test/n8n/host';
import { pollingWorkflow } from '../test/n8n/polling';
import type { Bench, Service } from './bench';
import { type Contender, http, loopWithWait, ours } from './contenders';
import { atMost, type Check, type Findings, type Scenario } from './scenario';
import { median, spread, withRange } from './statistics';
import { type Limit, type Trial, trial } from './trial';

const REQUESTS = 30;
const WINDOW_MS = 3000;
const FIXED: Limit = { requests: REQUESTS, windowMs: WINDOW_MS, kind: 'fixed', reset: 'seconds' };
const FIXED_6_S: Limit = { ...FIXED, windowMs: 6000 };
/** A reset that is cut down to whole seconds needs windows of some length, or the second that it costs is most of them. */
const FIELD: Limit = { ...FIXED_6_S, dialect: 'field' };
const SLIDING: Limit = { ...FIXED, kind: 'sliding', reset: 'milliseconds' };
/** Processes that share a window that slides rush at its places: every 2 s in a window of a minute, every 0.4 s here. */
const SLIDING_12_S: Limit = { ...SLIDING, windowMs: 12_000 };
/** A dropdown that takes longer (ms) keeps whoever opened it waiting. Not scaled down with the windows. */
const QUICK_DROPDOWN = 2000;
const COLUMNS = { url: 'url' };
const EVERY_SECONDS = 2;

const OURS = ours(COLUMNS);
const byHand = (serviceUrl: string): Contender =>
	http(serviceUrl, COLUMNS, 'HTTP Request, batching by hand', {
		batching: { batch: { batchSize: REQUESTS, batchInterval: WINDOW_MS } },
	});

const FULL = { short: 150, long: 1000, processes: 4, busy: 500 };
const SMOKE: typeof FULL = { short: 45, long: 60, processes: 2, busy: 95 };

/** A way of working. */
interface Work {
	name: string;
	limit: Limit;
	/** Rows of each workflow. */
	sheets: number[];
	/** Whether each workflow runs in an n8n of its own. */
	isApart?: boolean;
	/** What goes on beside them. */
	beside?: 'trigger' | 'dropdowns';
	/** Default: ours. */
	contender?: (serviceUrl: string) => Contender;
	/** The least share of the ideal, and the most of the requests that may be refused; default: both are shown alone. */
	promises?: { least: number; refused: number };
}

function works({ short, long, processes, busy }: typeof FULL): Work[] {
	const promised = (least: number, refused = 0.01) => ({ promises: { least, refused } });
	const one = (rows: number, limit: Limit) => ({ limit, sheets: [rows], ...promised(0.97) });
	const two = { sheets: [short, short], beside: 'trigger' as const };
	const several = { sheets: Array.from({ length: processes }, () => short), isApart: true };
	const beside = 'dropdowns' as const;
	const on = `${processes} n8n processes on one key`;
	return [
		{ name: `one execution, ${short} rows, fixed window`, ...one(short, FIXED) },
		{ name: `one execution, ${long} rows, fixed window`, ...one(long, FIXED) },
		{ name: `one execution, ${short} rows, sliding window`, ...one(short, SLIDING), ...promised(0.95) },
		{ name: 'two workflows and an active trigger on one key', limit: FIXED, ...two, ...promised(0.95) },
		{
			name: 'for comparison: two workflows with the HTTP Request node and batching by hand',
			limit: FIXED,
			sheets: two.sheets,
			contender: byHand,
		},
		{ name: `${on} that know nothing of each other`, limit: FIXED, ...several, ...promised(0.93, 0.03) },
		{ name: `${on}, a window of ${SLIDING_12_S.windowMs / 1000} s that slides`, limit: SLIDING_12_S, ...several },
		{ name: `the field's dialect: one execution, ${short} rows`, ...one(short, FIELD), ...promised(0.97, 0.02) },
		{ name: `the field's dialect: one execution, ${long} rows`, ...one(long, FIELD) },
		{
			name: "the field's dialect: two workflows and an active trigger on one key",
			limit: FIELD,
			...two,
			...promised(0.97),
		},
		{ name: `${busy} rows, dropdowns opened meanwhile`, ...one(busy, FIXED_6_S), beside },
		{ name: `the field's dialect: ${busy} rows, dropdowns opened meanwhile`, ...one(busy, FIELD), beside },
	];
}

function rowsFor(count: number, sheet: number): IDataObject[] {
	return Array.from({ length: count }, (_value, index) => ({ url: `https://example.com/sheet-${sheet}/${index + 1}` }));
}

/** Opens the list of links, as the editor does. */
async function openLinkList(n8n: N8n): Promise<void> {
	const parameters = { resource: 'link', operation: 'get' };
	await n8n.resourceLocatorResults({ method: 'searchLinks', path: 'parameters.linkId', parameters });
}

const share = ({ idealMs, actualMs }: Trial): number => idealMs / actualMs;
const seconds = (ms: number): string => (ms / 1000).toFixed(1);

function isComplete({ rows, created, twice, succeeded, violations }: Trial): boolean {
	return created === rows && twice === 0 && succeeded && violations === 0;
}

/** What is promised of a way of working: that all is done, at the service's speed, and hardly refused. */
function checksOf({ name, promises, beside, contender }: Work, trials: Trial[]): Check[] {
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
	if (beside === 'trigger') {
		const polls = trials.map((one) => one.polls);
		checks.push({
			promise: `${name}: the trigger polled meanwhile`,
			target: '≥ 1 poll a run',
			measured: `${median(polls)} polls`,
			met: Math.min(...polls) >= 1,
		});
	}
	if (beside === 'dropdowns') {
		const opened = trials.flatMap(({ openedMs }) => openedMs);
		const inTime = opened.filter((ms) => ms <= QUICK_DROPDOWN).length;
		checks.push({
			promise: `${name}: there within ${QUICK_DROPDOWN / 1000} s`,
			target: '≥ 9 of 10',
			measured: `${inTime} of ${opened.length}, ${withRange(spread(opened.map((ms) => ms / 1000)))} s`,
			met: inTime >= 0.9 * opened.length,
		});
	}
	return checks;
}

const COLUMN_HEADS = ['', 'rows done', 'links made twice', 'requests', 'refused', 'seconds', 'ideal ÷ actual'];

function tableRow(name: string, trials: Trial[]): Array<string | number> {
	const middle = (figure: (one: Trial) => number): number => median(trials.map(figure));
	const allDone = trials.every(({ created, twice, rows, succeeded }) => created - twice === rows && succeeded);
	return [
		name,
		`${middle(({ created, twice }) => created - twice)} of ${trials[0].rows}${allDone ? '' : ', then fails'}`,
		middle(({ twice }) => twice),
		middle(({ requests }) => requests),
		middle(({ refused }) => refused),
		withRange(spread(trials.map(({ actualMs }) => actualMs / 1000)), 1),
		allDone ? withRange(spread(trials.map(share))) : '–',
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
			const lane = { service, n8n: await bench.startN8n(service.url) };
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
				`The service grants ${rate} (a minute, scaled down). Its fixed windows begin on whole seconds and it names their ` +
					`reset in seconds; for windows that slide it names it in milliseconds. Processes that share a window which slides have one of ${SLIDING_12_S.windowMs / 1000} s. ` +
					'Ideal and actual time are counted at the service, from the first request to the last creation; the ideal knows when the first window began. Rounds start at different moments of a window. ' +
					'Each round uses a key that is new to n8n, so that nothing is known of it. Trials run at the same time, each with a service and an n8n of its own, but for those side by side.',
				`Deployed services were seen to refuse with HTTP 200, and to name a reset that is cut down to whole seconds and to refuse through that second. ` +
					`In that dialect a window begins with its first request, lasts ${FIELD.windowMs / 1000} s and the rest of that second, and the ideal knows it. Dropdowns are opened once in each window ` +
					`while ${sizes.busy} rows are under way, each time at another moment of it, but for the first, in which nothing is known yet.`,
			],
			checks: all.flatMap((work) => checksOf(work, trials.get(work)!)),
			tables: [
				{
					title: `Side by side: ${sizes.short} rows, ${rate}`,
					columns: COLUMN_HEADS,
					rows: [...sideBySide].map(([{ name }, ofOne]) => tableRow(name, ofOne)),
				},
				{
					title: 'In other company, and where a service answers as deployed ones do',
					columns: COLUMN_HEADS,
					rows: all.slice(1).map((work) => tableRow(work.name, trials.get(work)!)),
				},
			],
		};
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
		const { name, limit, sheets, isApart, beside, contender = () => OURS } = work;
		const one = await trial(service, {
			limit,
			phaseMs,
			jobs: sheets.map((rows, index) => ({
				n8n: isApart ? this.lanes[index].n8n : n8n,
				contender: contender(service.url),
				rows: rowsFor(rows, index + 1),
			})),
			active:
				beside === 'trigger' ? { n8n, workflow: pollingWorkflow({ event: 'linkCreated' }, EVERY_SECONDS) } : undefined,
			openDropdown: beside === 'dropdowns' ? async () => await openLinkList(n8n) : undefined,
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
			loopWithWait(url, COLUMNS, REQUESTS, WINDOW_MS / 1000),
		];
		return await this.bench.turns(contenders, async (contender, round) => {
			const its = { ...work, name: contender.name, contender: () => contender };
			return await this.measure(its, lane, this.phase(round));
		});
	}
}

export const run: Scenario['run'] = async (bench) => await new Pacing(bench).run();
